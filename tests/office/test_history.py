"""Journal entries in the words a clerk reads."""

from office.history import changes
from office.journal import JournalEntry


def test_stored_names_and_kinds_are_read_as_people_write_them():
    entry = JournalEntry(
        table_name="document", old={}, new={"kind": "licence", "licence_number": "L-1", "fee_cents": 8100}
    )
    assert changes(entry) == ["kind: license", "license number: L-1", "fee: $81.00"]
