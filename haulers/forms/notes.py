"""Forms of a member reading an application: the own note, and what more to ask its hauler."""

from haulers.forms.changes import Opening, member_field
from office.forms import AreaField, Date3Field, Form


class NoteForm(Form):
    """A member's own note; blank empties it."""

    words = AreaField("What you want to remember", "Only you see it.", empty=None, longest=4_000)


class AskForm(Opening, Form):
    """What more is asked of a hauler, what may be changed for it, and by when."""

    member = member_field()
    asked_on = Date3Field("On which day did they ask?", empty=None)
    words = AreaField("What do you need to know?", "The hauler reads these words.", word="what you need to know",
                      longest=2_000)  # fmt: skip


class MakeForm(Form):
    """Nothing but the key and the token: make the document."""
