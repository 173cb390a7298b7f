"""What the history of a load says where a step of its sample's way was corrected or taken back (§ 329-7 E(1))."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from intake.models import CustodyStep, Load
from intake.queries.custody import step_words
from intake.states import CustodyKind
from office import formats
from office.db import db
from office.journal import JournalEntry
from office.plants import Plant

Row = Mapping[str, Any]


def corrected(history: Iterable[JournalEntry]) -> dict[str, list[str]]:
    """By act: the step as it stands now, and as it stood before."""
    rows: dict[int, Row] = {}
    taken: Row = {}
    made, gone, plant = dict[str, Row](), dict[str, Row](), None
    for one in history:
        new = one.new if isinstance(one.new, Mapping) else {}
        if one.table_name == Load.__tablename__ and "logged_by" in new and not taken:
            taken = {"kind": CustodyKind.TAKEN.value, "to_name": new["logged_by"], "at": new["logged_at"]}
        if one.table_name != CustodyStep.__tablename__:
            continue
        plant = plant or db.session.get_one(Plant, int(one.chain.partition(":")[2]))
        row = rows[one.record_id] = {**rows.get(one.record_id, {}), **new}
        if row.get("ended_at"):
            gone[one.act_id] = row
            continue
        if row["kind"] == CustodyKind.TAKEN.value:
            gone.setdefault(one.act_id, taken)
            taken = row
        made[one.act_id] = row
    said: dict[str, list[str]] = {}
    for act, old in gone.items():
        assert plant is not None
        before = _words(old, plant)
        said[act] = [f"{_words(made[act], plant)}, before: {before}" if act in made else f"{before}: it did not happen"]
    return said


def _words(row: Row, plant: Plant) -> str:
    when = formats.day_time(datetime.fromisoformat(row["at"]), plant.tz)
    parts = (step_words(row["kind"], row["to_name"]), when, row.get("place"), row.get("preserved"))
    return ", ".join(filter(None, parts))
