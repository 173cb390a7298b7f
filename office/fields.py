"""Text fields, and what every form field shares: they read what people type, keep it
as typed, and say in one sentence what to write instead.

Every field takes ``label``, ``hint`` (words under the label), ``empty`` (the sentence when left blank; ``…`` in it
stands for the label; None makes the field optional) and ``word`` (its name inside sentences, the label when not given).
Nothing typed and 0 are different: a blank number has ``data`` None, a typed 0 has ``data`` 0. A blank text is "".
``office.forms`` holds the form these belong to.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from wtforms import Field
from wtforms.validators import StopValidation
from wtforms.widgets import EmailInput, PasswordInput, TelInput, TextArea, TextInput

from office import formats

PHONE = r"(?i)[0-9+(). /\-–]+((ext\.?|extension|x|#)[ .]*[0-9]+)?"

TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f"


def clean(typed: str) -> str:
    """Typed text without outer blanks and control characters (a database refuses them), line ends as one newline."""
    text = typed.replace("\r\n", "\n").replace("\r", "\n")
    # Marks that turn the writing direction around would let a plate or name read as another.
    kept = (c for c in text if c in "\n\t" or (unicodedata.category(c) not in ("Cc", "Cs") and c not in TURNING))
    return unicodedata.normalize("NFC", "".join(kept)).strip()


def _lower_first(words: str) -> str:
    return words if words[1:2].isupper() else words[:1].lower() + words[1:]


class Plain(Field):
    """One box. Subclasses say how to ``read`` the typed text, ``show`` a stored value and ``check`` what was read."""

    kind = "text"
    widget = TextInput()
    blank: Any = None
    like = ""
    inputmode: str | None = None
    autocomplete: str | None = None
    size = ""
    before = ""

    def __init__(
        self, label: str, hint: str | None = None, empty: str | None = "Enter …", word: str | None = None, **kwargs: Any
    ) -> None:
        self.autocomplete = kwargs.pop("autocomplete", self.autocomplete)
        super().__init__(label, **kwargs)
        self.hint = hint
        self.word = word or label.rstrip("?")
        self.empty = empty.replace("…", _lower_first(self.word)) if empty else None
        self.optional = empty is None
        self.wrong: str | None = None

    @property
    def target(self) -> str:
        """Id of the control an error link leads to."""
        return str(self.id)

    def read(self, typed: str) -> Any:
        """The value of the typed text; raises ValueError with the whole sentence to show."""
        return typed

    def show(self, value: Any) -> str:
        return str(value)

    def check(self, value: Any) -> str | None:
        """The sentence against a value that could be read, or None."""
        return None

    def answer(self) -> str:
        """What was typed, in words to be read and copied; "" for nothing."""
        return self.typed

    def process_data(self, value: Any) -> None:
        self.data = self.blank if value is None else value
        self.typed = "" if value is None else self.show(value)

    def process_formdata(self, values: Sequence[str]) -> None:
        self.typed = clean(values[0]) if values else ""
        self.data, self.wrong = self.blank, None
        if self.typed:
            try:
                self.data = self.read(self.typed)
            except ValueError as said:
                self.wrong = str(said)

    def pre_validate(self, form: Any) -> None:
        if self.wrong:
            raise StopValidation(self.wrong)
        if self.data == self.blank and type(self.data) is type(self.blank):
            raise StopValidation(self.empty or "")
        if said := self.check(self.data):
            raise StopValidation(said)

    def _value(self) -> str:
        return self.typed


class TextField(Plain):
    blank = ""

    def __init__(self, *args: Any, longest: int = 200, **kwargs: Any) -> None:
        self.longest = longest
        super().__init__(*args, **kwargs)

    def read(self, typed: str) -> str:
        return " ".join(typed.split())

    def check(self, value: str) -> str | None:
        long = len(value) > self.longest
        return f"{self.word} must be {formats.gallons(self.longest)} characters or fewer" if long else None


class AreaField(TextField):
    """Several lines."""

    kind = "area"
    widget = TextArea()

    def __init__(self, *args: Any, longest: int = 4000, rows: int = 4, **kwargs: Any) -> None:
        super().__init__(*args, longest=longest, render_kw={"rows": rows}, **kwargs)

    def read(self, typed: str) -> str:
        return typed


def is_email(typed: str) -> bool:
    """Whether this can be an e-mail address."""
    return len(typed) <= 254 and bool(re.fullmatch(r"[^\s@<>,;]+@[^\s@<>,;.]+(\.[^\s@<>,;.]+)+", typed))


class EmailField(TextField):
    widget = EmailInput()
    autocomplete = "email"

    def read(self, typed: str) -> str:
        if not is_email(typed):
            raise ValueError("Enter an e-mail address like name@example.com")
        return typed


class PhoneField(TextField):
    """Kept as typed, extension included; ``formats.dial`` makes the address to call."""

    widget = TelInput()
    autocomplete = "tel"
    size = "mid"

    def __init__(self, *args: Any, longest: int = 60, **kwargs: Any) -> None:
        super().__init__(*args, longest=longest, **kwargs)

    def read(self, typed: str) -> str:
        digits = re.sub(r"[^0-9]", "", typed)
        if not 7 <= len(digits) <= 20 or not re.fullmatch(PHONE, typed):
            raise ValueError(f"{self.word} must be a phone number, like 715-555-0100")
        return typed


class SecretField(TextField):
    """A password: hidden while typed, never shown again after an error, at least ``least`` characters."""

    widget = PasswordInput(hide_value=True)
    autocomplete = "new-password"

    def __init__(self, *args: Any, least: int = 10, **kwargs: Any) -> None:
        self.least = least
        super().__init__(*args, **kwargs)

    def read(self, typed: str) -> str:
        return typed

    def answer(self) -> str:
        return ""

    def check(self, value: str) -> str | None:
        return f"{self.word} must have {self.least} characters or more" if len(value) < self.least else None
