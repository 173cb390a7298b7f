"""The history of a load in words: who did what when, why, and the old value beside the new one."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from intake.models import CustodyStep, Load, Result, Retest, Run, WrittenRecord
from intake.queries.custody_history import corrected
from intake.queries.records_due import record_changes
from intake.queries.results import NAMES
from intake.states import BASIS_WORDS, Basis
from office import formats
from office.db import db
from office.journal import JournalEntry
from office.plants import Plant
from ordinances.screening import WASTE_TYPES

ACTS = {
    "log_load": "Logged", "continue_load": "Gone on with", "refuse_load": "Refused", "stop_load": "Stopped",
    "pause_load": "Paused", "start_load": "Begun before its time", "stop_all": "Stopped with everything",
    "resume_load": "Resumed",
    "change_rate": "Rate measured", "run_on": "More than logged", "finish_load": "Finished", "void_load": "Voided",
    "enter_result": "Result entered", "enter_results": "Results entered", "import_results": "Results from a file",
    "give_up_sample": "No result will come", "take_back_result": "Result taken back",
    "correct_retest": "New tests corrected",
    "file_record": "Record written", "correct_record": "Record corrected", "set_aside": "Set aside",
    "refuse_rest": "Rest refused", "file_elsewhere": "Where it went", "correct_load": "Corrected",
    "sign_load": "Signed", "take_offline_load": "Sent by the tablet", "enter_offline_load": "Entered from the tablet",
    "enter_paper_load": "Entered from paper", "hand_over_samples": "Sample",
    "correct_custody": "Sample corrected", "take_back_custody": "Sample, taken back",
    "order_more_tests": "Further tests ordered", "ask_retest": "New tests asked for",
    "answer_retest": "New tests answered", "finish_retest": "New tests done",
    "take_back_retest": "New tests taken back", "attach_own_sheet": "Hauler's own sheet",
}  # fmt: skip


def _count(value: Any) -> str:
    return formats.gallons(int(value or 0))


def _plain(value: Any) -> str:
    return str(value) if value not in (None, "") else "none"


def _ph(value: Any) -> str:
    return formats.number(Decimal(str(value))) if value not in (None, "") else "not measured"


def _pounds(value: Any) -> str:
    return _count(value) if value is not None else "none"


SHOWN: dict[str, tuple[str, Callable[[Any], str]]] = {
    "state": ("State", _plain), "gallons": ("Gallons", _count), "flush_gallons": ("Flush water", _count),
    "basis": ("Gallons found by", lambda value: BASIS_WORDS[Basis(value)].lower() if value else "none"),
    "full_lb": ("Weighed full, pounds", _pounds), "empty_lb": ("Weighed empty, pounds", _pounds),
    "waste": ("Waste", lambda value: WASTE_TYPES.get(value, "none")), "driver": ("Driver", _plain),
    "ph": ("pH", _ph), "bottle": ("Bottle", _plain), "tested": ("Tested", lambda value: "yes" if value else "no"),
}  # fmt: skip
OF_RESULTS = {"method": "method", "analyst": "analyst", "lab_number": "number at the laboratory",
              "sampled_on": "sampled", "received_on": "received", "analysed_on": "analyzed",
              "lod": "limit of detection", "loq": "limit of quantitation", "source": "file"}  # fmt: skip


def title(entry: JournalEntry) -> str:
    """What was done, in a word or two."""
    return ACTS.get(entry.act, entry.act.replace("_", " ").capitalize())


def changes(entry: JournalEntry) -> list[str]:
    """What of the load is another value since, "Gallons: 1,500, before 1,050"; nothing for a row just made."""
    old, new = entry.old, entry.new
    if entry.table_name != Load.__tablename__ or not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return []
    return [f"{name}: {words(new[key])}, before {words(old[key])}" for key, (name, words) in SHOWN.items()
            if key in old and key in new and new[key] != old[key]]  # fmt: skip


def _figure(row: Mapping[str, Any]) -> str:
    return f"{row['qualifier']}{formats.number(Decimal(str(row['value'])))}"


def _result(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """What a laboratory found, and what stood there before; what else it says is told only where it changes."""
    name = NAMES[new["parameter"]]
    if not old:
        return [f"{name}: {_figure(new)}"]
    found = [f"{name}: {_figure(new)}, before {_figure(old)}"] if _figure(new) != _figure(old) else []
    if new["typed"] != old["typed"] and any(one["typed"].replace(",", "") != _figure(one).replace(",", "")
                                            for one in (old, new)):  # fmt: skip
        found.append(f"{name}, as the laboratory has it: {new['typed']}, before {old['typed']}")
    return found + [f"{name}, {said}: {_plain(new[key])}, before {_plain(old.get(key))}"
                    for key, said in OF_RESULTS.items() if new.get(key) != old.get(key)]  # fmt: skip


def _new_tests(before: Mapping[str, Any], whole: Mapping[str, Any], new: Mapping[str, Any], first: Mapping[str, str]
               ) -> list[str]:  # fmt: skip
    """What was said of new tests with this entry: their price, or what they found and which figure counts; of what a
    correction changed, also what stood there before."""
    if "cents" in new and new["cents"] is not None:
        return [f"Price: {formats.money(new['cents'])}"]
    found = new.get("found") or (whole.get("found") if "prevails" in new else None)
    if not found:
        return []
    counts, said = "this counts" if whole["prevails"] else "the first counts", list[str]()
    for name, one in found.items():
        old = (before.get("found") or {}).get(name)
        was = f", before {_figure(old)}" if old and _figure(old) != _figure(one) else ""
        said.append(f"{NAMES[name]}: {_figure(one)}{was}, {counts}, first {first.get(name, 'not in')}")
        said += [f"{NAMES[name]}, {words}: {_plain(one.get(key))}, before {_plain(old.get(key))}"
                 for key, words in OF_RESULTS.items() if old and one.get(key) != old.get(key)]  # fmt: skip
    return said


def _rate(entry: JournalEntry, before: int | None) -> list[str]:
    """The rate a gauge showed, and what the load ran at until then."""
    gph = entry.new.get("gph") if isinstance(entry.new, Mapping) else None
    if entry.act != "change_rate" or gph is None or before is None or gph == before:
        return []
    return [f"Rate: {formats.rate(gph)}, before {formats.rate(before)}"]


def _record(before: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """What a correction of the written record took out and added."""
    several = new.get("corrections") or []
    if not before or not several:
        return []
    last = (before.get("corrections") or [before])[-1]
    return [one.removesuffix(".") for one in record_changes(last["sources"], several[-1]["sources"])]


def _late(entry: JournalEntry, due: str | None) -> list[str]:
    """That a written record came late, and when it was due."""
    if entry.table_name != WrittenRecord.__tablename__ or due is None or not isinstance(entry.new, Mapping):
        return []
    if "filed_at" not in entry.new:
        return []
    filed, last = datetime.fromisoformat(entry.new["filed_at"]), datetime.fromisoformat(due)
    if filed <= last:
        return []
    plant = db.session.get_one(Plant, int(entry.chain.partition(":")[2]))
    return [f"Late: it was due by the end of {formats.day(last, plant.tz)}"]


def _line(found: dict[str, dict[str, Any]], one: JournalEntry) -> dict[str, Any]:
    """The line of an entry's act: who, when and why."""
    who = f"{one.person} for {one.on_behalf}" if one.on_behalf else one.person
    return found.setdefault(one.act_id, {"at": one.at, "what": title(one), "changes": [], "reason": one.reason or "",
                                         "who": who})  # fmt: skip


def lines(history: Iterable[JournalEntry]) -> list[dict[str, Any]]:
    """What a ticket page shows, a line an act: the pieces of its runs are told by what was done to the load."""
    found: dict[str, dict[str, Any]] = {}
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    first: dict[str, str] = {}
    due, gph = None, None
    history = list(history)
    of_samples = corrected(history)
    for one in history:
        if one.table_name == Run.__tablename__:
            if said := _rate(one, gph):
                _line(found, one)["changes"] += said
            gph = one.new.get("gph", gph) if isinstance(one.new, Mapping) else gph
            continue
        if one.table_name == "excess":
            continue
        line = _line(found, one)
        if one.table_name == CustodyStep.__tablename__:
            line["changes"] += of_samples.pop(one.act_id, [])
        if one.table_name == Result.__tablename__ and not one.new and isinstance(one.old, Mapping):
            line["changes"] += [f"{NAMES[one.old['parameter']]}: taken back, before {_figure(one.old)}"]
        elif one.table_name == Result.__tablename__ and isinstance(one.new, Mapping):
            # An entry holds only what changed, so that the whole row is what all of them say together.
            before = rows.get((one.table_name, one.record_id), {})
            whole = rows[one.table_name, one.record_id] = {**before, **one.new}
            line["changes"] += _result(before, whole)
            first[whole["parameter"]] = _figure(whole)
        if one.table_name == Retest.__tablename__ and isinstance(one.new, Mapping):
            before = rows.get((one.table_name, one.record_id), {})
            whole = rows[one.table_name, one.record_id] = {**before, **one.new}
            line["changes"] += _new_tests(before, whole, one.new, first)
        if one.table_name == WrittenRecord.__tablename__ and isinstance(one.new, Mapping):
            before = rows.get((one.table_name, one.record_id), {})
            rows[one.table_name, one.record_id] = {**before, **one.new}
            line["changes"] += _record(before, one.new)
        line["changes"] += changes(one)
        if one.table_name == Load.__tablename__ and isinstance(one.new, Mapping):
            due = one.new.get("record_due", due)
        line["changes"] += _late(one, due)
    return list(found.values())
