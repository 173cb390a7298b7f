"""What is known of an application in the words that the page and the packet share."""

from collections.abc import Sequence
from fractions import Fraction

from haulers.models import Revocation, Suspension
from haulers.queries.dossier import SourceView
from haulers.queries.review import ReviewRow
from haulers.queries.words import ended
from office.formats import date_only, gallons, number, plural, volume
from ordinances.loading import Loading
from ordinances.reader import Law
from ordinances.screening import WASTE_TYPES
from ordinances.strength import BELOW_WORDS


def means_words(row: ReviewRow) -> str:
    """ "Septic tank: BOD5 6,100 mg/L (4 results), TSS 11,000 mg/L (4 results)"; "No results" without.

    Where a result was outside the test, how it counts is said after it.
    """
    by_waste: dict[str, list[str]] = {}
    for (waste, parameter), mean in sorted(row.track.means.items()):
        inexact = f", {mean.inexact} outside the test" if mean.inexact else ""
        counted = f"{plural(mean.results, 'result')}{inexact}"
        by_waste.setdefault(waste, []).append(f"{parameter} {number(mean.mg_l)} mg/L ({counted})")
    lines = (f"{WASTE_TYPES.get(waste, waste)}: {', '.join(said)}" for waste, said in by_waste.items())
    said = "; ".join(lines)
    if any(mean.inexact for mean in row.track.means.values()):
        return f"{said}. {BELOW_WORDS}"
    return said or "No results"


def large_words(view: SourceView) -> str:
    """What is said of a source of much holding tank waste; "" of any other."""
    if view.large is None:
        return ""
    unsure = " Not confirmed." if view.large.unconfirmed else ""
    return (f"{volume(view.large.value)} a day or more of holding tank waste: a change of the service area "
            f"may be needed first ({view.large.cite}).{unsure}")  # fmt: skip


def pounds_words(loading: Loading) -> str:
    """ "108.0": pounds always with their tenth; "not known" where no strength of any of the waste is."""
    if loading.parts and all(part.strength is None for part in loading.parts):
        return "not known"
    return f"{loading.pounds:,.1f}"


def design_words(loading: Loading) -> str:
    """ "400 pounds (27 %)", or that the design figure is not set."""
    if loading.design is None or loading.percent is None or pounds_words(loading) == "not known":
        return "not set"
    return f"{gallons(loading.design)} ({number(loading.percent)} %)"


def strength_words(loading: Loading) -> str:
    """Where the strengths of a loading come from, kind by kind."""
    said = []
    for part in loading.parts:
        waste, known = WASTE_TYPES.get(part.waste, part.waste).lower(), part.strength
        if known is None:
            said.append(f"{waste}: strength not known, not counted")
        else:
            source = f": {known.cite}" if known.cite else ""
            said.append(f"{waste} {number(known.mg_l)} mg/L ({known.words}{source})")
    return "; ".join(said)


def strengths_used(loadings: Sequence[Loading]) -> list[str]:
    """Where the strengths of loadings come from, a sentence for each parameter, each once."""
    return list(dict.fromkeys(f"{one.parameter}: {strength_words(one)}." for one in loadings))


def strong_words(loading: Loading) -> str:
    """What the full rate of this waste would make of the plant's inflow."""
    assert loading.strong is not None
    return (f"At the full rate the plant's inflow would reach {number(loading.strong)} mg/L {loading.parameter}: a "
            "slug by the law's measure. A lower rate keeps it under.")  # fmt: skip


def enforced(row: ReviewRow, law: Law) -> list[str]:
    """Revocations, suspensions and violations in one sentence each, newest first of their kind."""
    track = row.track
    said = [_sentences(f"Approval {revoked_words(one, law)}", one.rule, one.reason,
                       *(track.undone[one.id].sentences() if one.id in track.undone else ()))
            for one in track.revocations]  # fmt: skip
    for held in track.suspensions:
        lifted = f"Lifted {date_only(held.lifted_at, law.zone)}: {held.lifted_why}" if held.lifted_at else ""
        what = f"Approval suspended {date_only(held.at, law.zone)}{_until(held)}"
        said.append(_sentences(what, held.rule, held.reason, lifted))
    for one in track.violations:
        mended = f"Corrected {date_only(one.corrected_on)}" if one.corrected_on else "Not corrected yet"
        said.append(_sentences(f"Violation {date_only(one.at, law.zone)}", one.rule, one.facts, mended))
    return said


def became_words(row: ReviewRow, law: Law) -> list[str]:
    """What became of a decided application's approval: revoked, perhaps from a day to come, reversed on review, given
    back, or suspended now.
    """
    found = []
    for one in row.revoked:
        undone = row.track.undone.get(one.id)
        found += [revoked_words(one, law), *filter(None, (undone.short, undone.back_words) if undone else ())]
    return found + ([f"suspended{_until(row.suspended)}"] if row.suspended is not None else [])


def revoked_words(one: Revocation, law: Law) -> str:
    """ "revoked October 20, 2026", or "revoked from November 2, 2026" where it was set for a day to come."""
    return f"revoked from {date_only(one.from_day)}" if one.from_day else f"revoked {date_only(one.at, law.zone)}"


def _until(held: Suspension) -> str:
    return f" to the end of {date_only(held.until)}" if held.until else " until it is lifted"


def _sentences(what: str, *words: str) -> str:
    return f"{what}: {' '.join(ended(one) for one in words if one)}"


def even_words(even: Fraction | None) -> str:
    """An even share before rounding, to a hundredth; "" where all fits."""
    return "" if even is None else f"{float(even):,.2f}"
