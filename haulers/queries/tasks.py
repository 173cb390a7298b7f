"""The tasks of an application, each with where it stands: nine, and the insurance where the law asks for one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from haulers.models import Application, Business
from haulers.queries.completeness import Missing, missing_of
from haulers.queries.papers import insurance_needed
from ordinances.calendar import Season
from ordinances.reader import Law

COMPLETED, BEGUN, NOT_BEGUN = "Completed", "In progress", "Not started"
TO_CHECK, WAITS = "Check these", "Cannot start yet"
GROUPS = (
    ("Your company", (("company", "Check your company details"), ("license", "Give your state license"),
                      ("trucks", "Add your trucks"), ("drivers", "Add your drivers"))),
    ("Your application", (("sources", "Say what you plan to bring"), ("season", "Say when you will bring it"),
                          ("tests", "Tell us about unusual waste"))),
    ("Send it", (("fee", "Say how you pay the filing fee"), ("check", "Check your answers and send your application"))),
)  # fmt: skip
MAY_LACK = ("lab",)
INSURANCE = ("insurance", "Give your liability insurance")


@dataclass(frozen=True)
class Task:
    """One task: its key, what it says, where it stands, and what is still missing from it."""

    key: str
    label: str
    status: str
    hint: str = ""

    @property
    def done(self) -> bool:
        return self.status == COMPLETED


@dataclass(frozen=True)
class TaskList:
    """The tasks in their three groups."""

    groups: Sequence[tuple[str, Sequence[Task]]]
    missing: Sequence[Missing]

    @property
    def tasks(self) -> list[Task]:
        return [task for _, tasks in self.groups for task in tasks]

    @property
    def done(self) -> int:
        return sum(task.done for task in self.tasks)


def task_list(business: Business, draft: Application | None, season: Season, law: Law, day: date) -> TaskList:
    """Where each task of a draft stands on a day; a draft not begun yet has none of its own done."""
    missing = missing_of(business, draft, season, law, day)
    groups = [(title, [Task(key, label, *_stands(key, draft, missing)) for key, label in tasks])
              for title, tasks in _groups(season, law)]  # fmt: skip
    return TaskList(groups, missing)


def held_up_by(missing: Sequence[Missing]) -> list[Missing]:
    """What has to be answered before the answers are checked and sent: one may leave out or renew some of it later."""
    return [one for one in missing if one.blocks or (not one.begun and one.task not in MAY_LACK)]


def _groups(season: Season, law: Law) -> list[tuple[str, list[tuple[str, str]]]]:
    """The tasks as the law has them: the insurance stands after the license."""
    groups = [(title, list(tasks)) for title, tasks in GROUPS]
    if insurance_needed(law, season.start):
        groups[0][1].insert(2, INSURANCE)
    return groups


def _stands(key: str, draft: Application | None, missing: Sequence[Missing]) -> tuple[str, str]:
    said = [one for one in missing if one.task == key]
    if draft is not None and key in draft.answers.get("check", ()):
        return TO_CHECK, "These are your earlier answers."
    if key == "check":
        return (WAITS, "") if held_up_by(missing) else (NOT_BEGUN, "")
    listed = key == "sources" and bool(said) and not any(one.blocks and not one.begun for one in said)
    if said:
        begun = listed or any(one.begun for one in said)
        return (BEGUN, " ".join(one.sentence for one in said)) if begun else (NOT_BEGUN, "")
    return COMPLETED, ""
