"""Form fields for whole numbers, gallons, decimals and dollars. 0 is a number like any other; a blank is None."""

import re
from decimal import Decimal
from typing import Any

from office import formats
from office.fields import Plain

GROUPED = r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,5}|[0-9]{1,18})"


class WholeField(Plain):
    """A whole number, thousands commas allowed; ``data`` int. 0 or more unless ``min`` says otherwise."""

    inputmode = "numeric"
    size = "short"
    like = "12"
    least: int | Decimal = 0
    most: int | Decimal = 1_000_000_000

    def __init__(
        self,
        *args: Any,
        min: int | Decimal | None = None,  # noqa: A002
        max: int | Decimal | None = None,  # noqa: A002
        **kwargs: Any,
    ) -> None:
        self.min, self.max = self.least if min is None else min, self.most if max is None else max
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
        if value > high or (high != self.most and value < low):
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
    most = Decimal(10_000_000)
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
