"""Forms of samples: hand some over, receive them, put right what was written of one."""

import re
from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from intake.states import CustodyKind
from office.forms import AreaField, ChoiceField, Date3Field, Form, TextField, TicksField, TimeField

HANDED = ((CustodyKind.HANDED.value, "Handed to somebody"), (CustodyKind.RECEIVED.value, "Received by the laboratory"))
AT_FIELD = {"no_bottles": "bottles", "unknown_bottle": "typed", "received": "typed", "before": "clock",
            "future": "clock", "no_name": "to_name", "after": "clock", "no_reason": "why",
            "same": "to_name"}  # fmt: skip


class StepForm(Form):
    """Who has it now, since when, where, how it is kept."""

    kind = ChoiceField("What happened?", HANDED, default=CustodyKind.HANDED.value)
    to_name = TextField("Who has it now?", "Name, and the laboratory or firm", empty="Enter who has it now",
                        longest=200, autocomplete="off")  # fmt: skip
    day = Date3Field("On", empty="Enter the day")
    clock = TimeField("At", empty="Enter the time")
    place = TextField("Where?", empty=None, longest=200)
    preserved = TextField("How is it kept?", "Such as on ice, or acid added", empty=None, longest=200)

    def when(self, zone: ZoneInfo) -> datetime:
        """The instant typed; of an hour that comes twice, the first."""
        assert self.day.data is not None
        return datetime.combine(self.day.data, self.clock.data or time(0), zone)


class HandOverForm(StepForm):
    """Several samples at once: those ticked, and those typed or scanned."""

    bottles = TicksField("Which samples?", empty=None)
    typed = AreaField("Or enter bottle numbers", "One a line; a scanner does that by itself", empty=None, rows=2,
                      longest=2_000)  # fmt: skip

    def wanted(self) -> list[str]:
        """The bottles ticked and typed, each once, in their order; a blank may be part of a number, as in "A 12"."""
        typed = filter(None, (one.strip() for one in re.split(r"[,\r\n]", self.typed.data or "")))
        return list(dict.fromkeys([*self.bottles.data, *typed]))


class SampleForm(StepForm):
    """One sample: what happened next."""


NOTHING = "nothing"


WHY = ("Why is it corrected?", "The page of the sample and the history show it beside what stood there",
       "Enter why it is corrected")  # fmt: skip


class TakenForm(StepForm):
    """Who took a sample in fact, and why it is said anew."""

    to_name = TextField("Who took it?", empty="Enter who took it", longest=200, autocomplete="off")
    why = AreaField(*WHY, rows=2, longest=1_000)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # What happened is that it was taken.
        del self.kind


class CorrectStepForm(StepForm):
    """A step that was written by mistake: as it was, or that it did not happen; and why."""

    kind = ChoiceField("What happened?", (*HANDED, (NOTHING, "It did not happen: take it back", "Then enter only why")))
    to_name = TextField("Who had it then?", "Name, and the laboratory or firm", empty="Enter who had it",
                        longest=200, autocomplete="off")  # fmt: skip
    why = AreaField(*WHY, rows=2, longest=1_000)

    def validate(self, extra_validators: Any = None) -> bool:
        # What did not happen has no time and nobody.
        for one in (self.to_name, self.day, self.clock) if self.kind.data == NOTHING else ():
            one.empty = None
        return bool(super().validate(extra_validators))
