"""The people and businesses of the sample season: all invented, and plainly so.

The flow readings beside this file are real: Washburn, Wisconsin, million gallons a day on each sampling day, October
2020 - July 2021 (UW-Madison, Covid19Wastewater, MIT licence). The season uses them moved on by 313 whole weeks.
"""

from dataclasses import dataclass
from datetime import date

from office.access import Role

PASSWORD = "sample-season"
STAFF = (
    ("Olive Operator", "operator@sample.example", (Role.OPERATOR,)),
    ("Max Manager", "manager@sample.example", (Role.MANAGER, Role.OPERATOR)),
    ("Dora Director", "director@sample.example", (Role.DIRECTOR,)),
    ("Clara Clerk", "clerk@sample.example", (Role.CLERK,)),
    ("Amos Member", "member@sample.example", (Role.MEMBER,)),
    ("Beth Member", "member2@sample.example", (Role.MEMBER,)),
    ("Carl Member", "member3@sample.example", (Role.MEMBER,)),
    ("Ada Administrator", "admin@sample.example", (Role.ADMINISTRATOR,)),
    ("Stella Stateview", "state@sample.example", (Role.STATE,)),
)
# The driver of the first hauler.
DRIVER = ("Dan Driveabout", "driver@sample.example")
HOLIDAYS = (
    (date(2026, 9, 7), "Labor Day"),
    (date(2026, 11, 26), "Thanksgiving Day"),
    (date(2026, 11, 27), "Day after Thanksgiving"),
    (date(2026, 12, 25), "Christmas Day"),
    (date(2027, 1, 1), "New Year's Day"),
    (date(2027, 1, 18), "Martin Luther King Jr. Day"),
    (date(2027, 5, 31), "Memorial Day"),
    (date(2027, 7, 5), "Independence Day (kept Monday)"),
    (date(2027, 9, 6), "Labor Day"),
    (date(2027, 11, 25), "Thanksgiving Day"),
    (date(2027, 11, 26), "Day after Thanksgiving"),
    (date(2027, 12, 24), "Christmas Day (kept Friday)"),
)
REVIEW = (
    "You may ask for a review of this decision. Write within 30 days of this letter to the City Clerk, 125 South First "
    "Street, Bayfield, WI 54814, and say why you disagree. (Sample text, not approved by any attorney.)"
)


@dataclass(frozen=True)
class Hauler:
    """A sample hauler: what it asks for, by area, in gallons of the winter and of the rest of the season."""

    name: str
    contact: str
    email: str
    town: str
    trucks: tuple[tuple[str, int], ...]
    asks: tuple[tuple[str, str, int, int], ...]
    meeting: int
    usual: int
    unusual: str = ""


HAULERS = (
    Hauler("Made-Up Pumping Co.", "Mia Madeup", "hauler@sample.example", "Bayfield",
           (("MADE-1", 1500), ("MADE-2", 1000)),
           (("septic_tank", "sewer_service", 38000, 30000), ("holding_tank", "planning", 20000, 14000)), 1, 1000),
    Hauler("Pretend Pines Sanitation", "Paul Pretend", "pines@sample.example", "Washburn",
           (("PINE-7", 1500),), (("septic_tank", "sewer_service", 30000, 24000),), 1, 1200),
    Hauler("O'Sample & Søn Septic, L.L.C.", "Søren O'Sample", "son@sample.example", "Cornucopia",
           (("SON-1", 1200),), (("septic_tank", "planning", 42000, 20000),), 1, 900),
    Hauler("Fictional Falls Liquid Waste", "Fay Fiction", "falls@sample.example", "Red Cliff",
           (("FALL-3", 1800),), (("holding_tank", "sewer_service", 26000, 22000),), 1, 800),
    Hauler("Imaginary Island Septic", "Ivan Imaginary", "island@sample.example", "La Pointe",
           (("ISLE-2", 1000),), (("septic_tank", "planning", 36000, 18000),), 1, 950),
    Hauler("Nonesuch Holding Tank Service", "Nora Nonesuch", "nonesuch@sample.example", "Herbster",
           (("NONE-5", 2500),), (("holding_tank", "outside", 60000, 24000),), 2, 700),
    Hauler("Sandpiper Sample Septic", "Sam Sandpiper", "sandpiper@sample.example", "Port Wing",
           (("SAND-4", 1500),), (("septic_tank", "outside", 45000, 15000),), 2, 600),
    Hauler("Anyone Grease & Septic", "Ann Anyone", "anyone@sample.example", "Mellen",
           (("ANY-9", 1200),), (("septic_tank", "outside", 30000, 9000),), 2, 500,
           "Two of the tanks have an interceptor for kitchen grease before them."),
)  # fmt: skip
