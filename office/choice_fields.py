"""Form fields one picks from: radios, tiles, tick boxes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from wtforms.validators import StopValidation

from office.fields import Plain, clean


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

    def answer(self) -> str:
        return ", ".join(str(option.label) for option in self.options() if option.checked)

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
        try:
            self.data = [self.coerce(v) for v in self.typed_all if not known or v in known]
        except ValueError:
            self.data = []

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

    def answer(self) -> str:
        return "Yes" if self.data else ""
