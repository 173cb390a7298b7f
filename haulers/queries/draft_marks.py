"""The mark of one task of a draft: two windows on different tasks, or with the same answers, leave each other alone."""

from dataclasses import astuple

from haulers.models import Application
from haulers.queries.answers import Answers, answers_of
from haulers.queries.applications import as_line, sources_of
from haulers.queries.saves import mark_of as mark_of_values

SOURCES = "sources"
# The answers each task asks for; the sources are rows of their own.
ASKED = {"season": ("season",), "tests": ("unusual", "words"), "fee": ("fee", "receipt")}


def mark_of(draft: Application | None, task: str, *, fresh: bool = False) -> str:
    """What the form of a task carries to know which answers it was filled from; ``fresh`` reads them under a lock.

    Saving the same answers again, or those of another task, leaves it as it is.
    """
    if task == SOURCES:
        rows = sources_of([draft.id], fresh=fresh).get(draft.id, []) if draft is not None else []
        complete = draft.answers.get("complete") if draft is not None else None
        return mark_of_values([astuple(as_line(row)) for row in rows], complete)
    answers = answers_of(draft)
    return mark_of_values([getattr(answers, name) for name in ASKED.get(task, Answers.__dataclass_fields__)])
