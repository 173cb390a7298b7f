"""Form fields that read what people type, keep it as typed, and say in one sentence what to write instead.

Every field takes ``label``, ``hint`` (words under the label), ``empty`` (the sentence when left blank; ``…`` in it stands
for the label; None makes the field optional) and ``word`` (its name inside sentences, the label when not given).
Nothing typed and 0 are different: a blank number has ``data`` None, a typed 0 has ``data`` 0. A blank text has ``data`` "".
``office.forms`` holds the form these belong to.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import time
from decimal import Decimal
from typing import Any

from wtforms import Field
from wtforms.validators import StopValidation
from wtforms.widgets import EmailInput, TelInput, TextArea, TextInput

from office import formats

GROUPED = r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,3}|[0-9]{1,12})"


def clean(typed: str) -> str:
    """Typed text without outer blanks and control characters (a database refuses them), line ends as one newline."""
    text = typed.replace("\r\n", "\n").replace("\r", "\n")
    kept = (c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs"))
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

    def check(self, value: str) -> str | None:
        long = len(value) > self.longest
        return f"{self.word} must be {formats.gallons(self.longest)} characters or fewer" if long else None


class AreaField(TextField):
    kind = "area"
    widget = TextArea()

    def __init__(self, *args: Any, longest: int = 4000, rows: int = 4, **kwargs: Any) -> None:
        super().__init__(*args, longest=longest, render_kw={"rows": rows}, **kwargs)


class EmailField(TextField):
    widget = EmailInput()
    autocomplete = "email"

    def read(self, typed: str) -> str:
        if len(typed) > 254 or not re.fullmatch(r"[^\s@<>,;]+@[^\s@<>,;.]+(\.[^\s@<>,;.]+)+", typed):
            raise ValueError("Enter an e-mail address like name@example.com")
        return typed


class PhoneField(TextField):
    """Kept as typed, extension included; ``formats.dial`` makes the address to call."""

    widget = TelInput()
    autocomplete = "tel"
    size = "mid"

    def read(self, typed: str) -> str:
        digits = re.sub(r"[^0-9]", "", typed)
        if not 7 <= len(digits) <= 20 or not re.fullmatch(r"(?i)[0-9+(). /\-–]+((ext\.?|extension|x|#)[ .]*[0-9]+)?", typed):
            raise ValueError(f"{self.word} must be a phone number, like 715-555-0100")
        return typed


class WholeField(Plain):
    """A whole number, thousands commas allowed; ``data`` int. 0 or more unless ``min`` says otherwise."""

    inputmode = "numeric"
    size = "short"
    like = "12"
    least: int | Decimal = 0

    def __init__(
        self, *args: Any, min: int | Decimal | None = None, max: int | Decimal | None = None, **kwargs: Any
    ) -> None:
        self.min, self.max = self.least if min is None else min, max
        super().__init__(*args, **kwargs)

    def read(self, typed: str) -> int | Decimal:
        typed = typed.replace("−", "-")
        if re.fullmatch(rf"[-+]?{GROUPED}", typed):
            return int(typed.replace(",", ""))
        if re.fullmatch(rf"[-+]?{GROUPED}\.[0-9]+", typed):
            raise ValueError(f"{self.word} must be a whole number, like {self.like}")
        raise ValueError(f"{self.word} must be a number, like {self.like}")

    def show(self, value: Any) -> str:
        return formats.number(value)

    def check(self, value: int | Decimal) -> str | None:
        low, high = self.min, self.max
        if high is not None and not low <= value <= high:
            return f"{self.word} must be between {self.show(low)} and {self.show(high)}"
        return f"{self.word} must be {self.show(low)} or more" if value < low else None


class GallonsField(WholeField):
    """Whole gallons; ``data`` int. 1 or more unless ``min=0``."""

    like = "1,500"
    least = 1

    def read(self, typed: str) -> int | Decimal:
        return super().read(re.sub(r"(?i)\s*(gallons?|gals?\.?)$", "", typed))


class DecimalField_(WholeField):  # noqa: N801  (DecimalField is WTForms' own)
    """A number with a decimal point; ``data`` Decimal. A decimal comma is asked about, not guessed at."""

    inputmode = "decimal"

    def __init__(self, *args: Any, like: str = "6.9", places: int | None = None, **kwargs: Any) -> None:
        self.like, self.places = like, places
        super().__init__(*args, **kwargs)

    def read(self, typed: str) -> Decimal:
        typed = typed.replace("−", "-")
        if not re.fullmatch(rf"[-+]?({GROUPED}(\.[0-9]{{0,9}})?|\.[0-9]{{1,9}})", typed):
            raise ValueError(f"{self.word} must be a number, like {self.like}")
        digits = len(typed.partition(".")[2])
        if self.places is not None and digits > self.places:
            raise ValueError(f"{self.word} must have {formats.plural(self.places, 'digit')} or fewer after the point")
        return Decimal(typed.replace(",", ""))


class MoneyField(WholeField):
    """Dollars; ``data`` Decimal with two places. ``$1,234.50``, ``1234.5`` and the decimal comma ``12,16`` are read."""

    inputmode = "decimal"
    before = "$"
    like = "25.00"

    def read(self, typed: str) -> Decimal:
        typed = re.sub(r"[\s$]", "", typed.replace("−", "-"))
        if re.fullmatch(r"[-+]?[0-9]{1,12},[0-9]{1,2}", typed):
            typed = typed.replace(",", ".")
        if not re.fullmatch(rf"[-+]?{GROUPED}(\.[0-9]{{0,2}})?", typed):
            raise ValueError(f"{self.word} must be an amount in dollars and cents, like {self.like}")
        return Decimal(typed.replace(",", "")).quantize(Decimal("0.01"))

    def show(self, value: Any) -> str:
        return f"{value:,.2f}".replace("-", formats.MINUS)


class TimeField(Plain):
    """A time of the day on the wall clock; ``data`` datetime.time. Without a.m. or p.m. the 24-hour clock is meant."""

    size = "short"
    like = "7:45 a.m."

    def read(self, typed: str) -> time:
        pattern = r"([0-9]{1,2})(?:[:.]?([0-9]{2}))?\s*(?:([ap])\.?\s?m\.?|(noon|midnight))?"
        found = re.fullmatch(pattern, typed.lower())
        if not found or not (found[2] or found[3] or found[4]):
            raise ValueError(f"{self.word} must be a time, like {self.like}")
        hour, minute, half = int(found[1]), int(found[2] or 0), found[3] or {"noon": "p", "midnight": "a"}.get(found[4])
        if minute > 59 or hour > 23 or (half and not 1 <= hour <= 12) or (found[4] and (hour, minute) != (12, 0)):
            raise ValueError(f"{self.word} must be a time, like {self.like}")
        return time(hour % 12 + (12 if half == "p" else 0) if half else hour, minute)

    def show(self, value: time) -> str:
        return formats.clock_time(value)


@dataclass(frozen=True)
class Option:
    """One radio or tick as the page draws it."""

    id: str
    value: str
    label: str
    hint: str | None
    tag: str | None
    checked: bool


class ChoiceField(Plain):
    """Radios. ``choices`` holds (value, label[, hint[, tag]]), set here or on the bound field; ``data`` the value."""

    kind = "radios"

    def __init__(
        self,
        label: str,
        choices: Sequence[tuple[Any, ...]] = (),
        hint: str | None = None,
        empty: str | None = "Select …",
        coerce: Callable[[str], Any] = str,
        **kwargs: Any,
    ) -> None:
        self.choices, self.coerce = choices, coerce
        super().__init__(label, hint, empty, **kwargs)

    @property
    def target(self) -> str:
        return f"{self.id}-0"

    def options(self) -> list[Option]:
        """Every choice in order, the chosen one checked."""
        made = []
        for n, choice in enumerate(self.choices):
            value, label, hint, tag = (*choice, None, None)[:4]
            made.append(Option(f"{self.id}-{n}", str(value), label, hint, tag, self.chosen(str(value))))
        return made

    def chosen(self, value: str) -> bool:
        return self.typed == value

    def read(self, typed: str) -> Any:
        return self.coerce(typed)

    def pre_validate(self, form: Any) -> None:
        known = {str(choice[0]) for choice in self.choices}
        if self.typed and (self.wrong or self.typed not in known):
            raise StopValidation("Select one of the answers shown")
        super().pre_validate(form)


class TilesField(ChoiceField):
    """Radios drawn as large tiles, for the receiving station."""

    kind = "tiles"


class TicksField(ChoiceField):
    """A group of tick boxes; ``data`` the list of ticked values."""

    kind = "ticks"

    def process_data(self, value: Any) -> None:
        self.data = list(value or ())
        self.typed_all = [str(v) for v in self.data]

    def process_formdata(self, values: Sequence[str]) -> None:
        self.typed_all, self.data = [clean(v) for v in values], []
        known = {str(choice[0]) for choice in self.choices}
        self.data = [self.coerce(v) for v in self.typed_all if not known or v in known]

    def chosen(self, value: str) -> bool:
        return value in self.typed_all

    def pre_validate(self, form: Any) -> None:
        known = {str(choice[0]) for choice in self.choices}
        if not set(self.typed_all) <= known:
            raise StopValidation("Select answers from those shown")
        if not self.data:
            raise StopValidation(self.empty or "")


class TickField(Plain):
    """One tick box; ``data`` bool. ``empty`` given means it has to be ticked."""

    kind = "tick"
    blank = False

    def __init__(self, label: str, hint: str | None = None, empty: str | None = None, **kwargs: Any) -> None:
        super().__init__(label, hint, empty, **kwargs)

    def process_data(self, value: Any) -> None:
        self.data = bool(value)

    def process_formdata(self, values: Sequence[str]) -> None:
        self.data = any(v not in ("", "0", "false") for v in values)
