"""What the page of a refused truck is opened with, so that nothing said or typed at the gate is typed again."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from intake.forms.station import LoadForm
from intake.queries import station
from intake.states import RefusalReason, gate_reason, turns_away
from ordinances.refusal import Refusal

LONGEST = 300


def refuse_args(visit: station.Visit, form: LoadForm, refused: Refusal | None) -> dict[str, Any]:
    """The address of the page that records the truck of a load's form as refused: its waste, driver and pH as typed.

    ``refused`` is what the gate answered to the load as typed; why goes along where it is a reason to turn away.
    """
    args = visit.args | {"waste": form.waste.data or visit.waste, "driver": form.driver.data or None}
    args |= {"ph": str(form.ph.data)} if form.ph.data is not None else {}
    if refused is None or not turns_away(refused.code):
        return args
    return args | {"code": gate_reason(refused.code).value, "why": _reason(refused.why)}


def refuse_values(visit: station.Visit | None, args: Mapping[str, str]) -> dict[str, Any]:
    """What stands filled in on the page of a refused truck: what the gate says now, else what came along."""
    found: dict[str, Any] = {"gallons": 0, "driver": args.get("driver", "")[:100], "ph": _ph(args.get("ph", ""))}
    if visit is not None and not visit.gate.ok:
        return found | {"reason_code": gate_reason(visit.gate.code).value, "reason": _reason(visit.gate.sentence)}
    if args.get("code") in {one.value for one in RefusalReason}:
        found |= {"reason_code": args["code"], "reason": args.get("why", "")[:LONGEST]}
    return found


def _reason(said: str) -> str:
    """A sentence of the gate as a reason: the hauler reads it, so what the operator is to do falls away."""
    said = said.removeprefix("Do not accept: ").removeprefix("Do not accept now: ")
    said = said.replace("Do not accept this load.", "").strip()
    return f"{said[:1].upper()}{said[1:]}"[:LONGEST]


def _ph(typed: str) -> Decimal | None:
    return Decimal(typed) if re.fullmatch(r"-?[0-9]{1,3}(\.[0-9]{1,2})?", typed) else None
