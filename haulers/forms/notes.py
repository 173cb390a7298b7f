"""Forms of a member reading an application: the own note, and what more to ask its hauler."""

from office.forms import AreaField, Date3Field, Form


class NoteForm(Form):
    """A member's own note; blank empties it."""

    words = AreaField("What you want to remember", "Only you see it.", empty=None, longest=4_000)


class AskForm(Form):
    """What more is asked of a hauler, and by when."""

    words = AreaField("What do you need to know?", "The hauler reads these words.", word="what you need to know",
                      longest=2_000)  # fmt: skip
    due_on = Date3Field("Answer by", "You can leave it empty.", empty=None)


class MakeForm(Form):
    """Nothing but the key and the token: make the document."""
