"""Every way of charging seen in 35 towns can be written as a schedule: each cell that names a charge is priced here.

``ways_of_charging.csv`` holds those cells; what is paid when and late (bills) is no matter of a schedule.
"""

import csv
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

import pytest

from ordinances.hauled import Load, Part
from ordinances.pricing import application_lines, deposit_lines, truck_lines
from ordinances.schedule import Schedule
from tests.ordinances.town import DAY, item, made, quote, septic, town

COLUMNS = (
    "after_hours", "rate_text", "billing_basis", "other_fees", "permit_fee", "testing", "rates", "sanction", "notes",
)  # fmt: skip
LOAD, TRUCKS, FILING, DEPOSITS = "load", "trucks", "filing", "deposits"


def cells() -> dict[tuple[str, str], str]:
    """(id and place, column) to text of every cell that is not empty."""
    with (Path(__file__).parent / "ways_of_charging.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert len(rows) == 35
    return {(f"{row['id']} {row['place']}", name): row[name] for row in rows for name in COLUMNS if row[name]}


@dataclass(frozen=True)
class Way:
    """A schedule that charges in one way, and what that comes to."""

    schedule: Schedule
    total: str
    load: Load = field(default_factory=lambda: Load((septic(1000),), capacity=2000))
    of: str = LOAD
    renewal: bool = False

    @property
    def charged(self) -> Decimal:
        if self.of == LOAD:
            return quote(self.schedule, self.load).total
        apart = {
            TRUCKS: lambda: truck_lines(self.schedule, DAY, 2, renewal=self.renewal),
            FILING: lambda: application_lines(self.schedule, DAY, renewal=self.renewal),
            DEPOSITS: lambda: deposit_lines(self.schedule, DAY, 2),
        }[self.of]()
        return sum((line.amount for line in apart), Decimal(0))


def of_tank(**more: object) -> Load:
    return Load((septic(1500),), capacity=2000, **more)  # type: ignore[arg-type]


def flat(code: str, kind: str, price: str, more: str = "") -> Schedule:
    return made(item(code, kind, f'price = "{price}"\n{more}'))


BY_WEIGHT = 'price = "0.08"\nbasis = ["weight"]\nlb_per_gallon = "8.34"'
ANALYSIS = (
    item("volume", "per_gallons", 'price = "0.02"\nbasis = ["declared"]')
    + item("analysis", "at_cost", 'cost = "lab"\nstrength_class = ["over_limit"]')
    + '\n[[strength_class]]\ncode = "over_limit"\nabove = { bod = "400", tss = "500" }\nneeds = "any"\n'
    'from = 2020-01-01\ncite = "§ 1-1"\n'
)
STRENGTHS = {"bod": Decimal(1200), "tss": Decimal(700), "tn": Decimal(90), "p": Decimal(20)}
BY_STRENGTH = item("volume", "per_gallons", 'price = "0.051"\nbasis = ["declared"]') + "".join(
    item(f"over_{name}", "per_pound_over", f'price = "{price}"\nparameter = "{name}"\nabove = "{above}"\n'
         'lb_factor = "8.34"\nbasis = ["declared"]')
    for name, price, above in (("bod", "0.80", 200), ("tss", "0.40", 200), ("tn", "1.10", 40), ("p", "9.00", 10))
)  # fmt: skip
BY_KIND = "".join(
    item(name, "per_gallons", f'price = "{price}"\nbasis = ["capacity"]\nwaste = ["{name}"]')
    for name, price in (("septic_tank", "0.07"), ("grease_interceptor", "0.08"))
)
LAB = {"lab": Decimal("62.50")}


def analysed(bod: int) -> Load:
    return Load((septic(1000),), costs=LAB, strengths={"bod": Decimal(bod), "tss": Decimal(500)})


WAYS: dict[tuple[str, str], tuple[Way, ...]] = {
    ("1 City of Bayfield", "rate_text"): (Way(town("bayfield"), "24.00"),),
    ("1 City of Bayfield", "billing_basis"): (Way(town("bayfield"), "21.60", Load((septic(1000),), measured=900)),),
    ("1 City of Bayfield", "other_fees"): (
        Way(town("bayfield"), "36.16", Load((septic(1000),), tests={"pair": 1})),
        Way(town("bayfield"), "48.32", Load((septic(1000),), tests={"pair": 1, "extra": 1})),
    ),
    ("1 City of Bayfield", "after_hours"): (
        Way(town("bayfield"), "128.16", of_tank(tests={"pair": 1}, after_hours=True, staff_minutes=136,
                                                wage=Decimal("30.00"))),
    ),
    ("1 City of Bayfield", "permit_fee"): (Way(flat("filing", "per_application", "75.00"), "75.00", of=FILING),),
    ("1 City of Bayfield", "testing"): (Way(town("bayfield"), "24.00"),),
    ("4 City of Superior", "rate_text"): (Way(town("superior"), "11.25"),),
    ("4 City of Superior", "billing_basis"): (
        Way(made(item("truckload", "per_load", 'price = "11.25"'),
                 item("septic", "per_gallons", 'price = "0.04"\nbasis = ["declared"]\nwaste = ["septic_tank"]'),
                 item("holding", "per_gallons", 'price = "0.01"\nbasis = ["declared"]\nwaste = ["holding_tank"]')),
            "21.25", Load((Part("holding_tank", None, 1000),))),
    ),
    ("4 City of Superior", "permit_fee"): (
        Way(town("superior"), "75.00", of=FILING), Way(town("superior"), "25.00", of=FILING, renewal=True),
    ),
    ("5 City of Cedarburg", "rate_text"): (
        Way(town("cedarburg"), "86.50", of_tank()),
        Way(town("cedarburg"), "19.25", Load((Part("holding_tank", None, 1000),))),
    ),
    ("5 City of Cedarburg", "billing_basis"): (Way(town("cedarburg"), "61.00"),),
    ("5 City of Cedarburg", "other_fees"): (Way(town("cedarburg"), "61.00", Load((septic(1000),))),),
    # 8.34, 4.17, 0.417 and 0.0834 pounds above: $6.672, $1.668, $0.4587 and $0.7506, each rounded by itself.
    ("5 City of Cedarburg", "notes"): (
        Way(made(BY_STRENGTH), "60.55", Load((septic(1000),), strengths=STRENGTHS)),
    ),
    ("7 City of Waukesha", "billing_basis"): (
        Way(made(item("net", "per_gallons", BY_WEIGHT)), "80.00", Load((septic(),), pounds=8340)),
    ),
    ("10 Washington Court House", "permit_fee"): (Way(flat("permit", "per_application", "25.00"), "25.00", of=FILING),),
    ("12 Strasburg", "permit_fee"): (
        Way(flat("permit", "per_application", "100.00"), "100.00", of=FILING, renewal=True),
    ),
    ("14 Bluffton", "sanction"): (
        Way(made(item("volume", "per_gallons", 'price = "0.05"\nbasis = ["declared"]'),
                 item("upset", "at_cost", 'cost = "damage"')), "1284.40",
            Load((septic(1000),), costs={"damage": Decimal("1234.40")})),
    ),
    ("18 East Palestine", "other_fees"): (Way(flat("deposit", "deposit", "50.00"), "100.00", of=DEPOSITS),),
    ("22 Marshalltown", "rate_text"): (
        Way(town("marshalltown"), "236.00"),
        Way(town("marshalltown"), "270.00", Load((Part("grease_interceptor", "in_city"),), capacity=2000)),
        Way(town("marshalltown"), "540.00", Load((septic(9), Part("grease_interceptor", "outside", 1)), capacity=2000)),
        Way(town("marshalltown"), "87.50", Load((Part("other"),), cubic_yards=Decimal("3.5"))),
    ),
    ("22 Marshalltown", "billing_basis"): (Way(town("marshalltown"), "222.40", of_tank(measured=1800, metered=True)),),
    ("23 Chandler", "rate_text"): (Way(town("chandler"), "30.00", Load((septic(),), capacity=800)),),
    ("23 Chandler", "billing_basis"): (Way(town("chandler"), "60.00"),),
    ("23 Chandler", "after_hours"): (Way(town("chandler"), "110.00", of_tank(holiday=True)),),
    ("23 Chandler", "other_fees"): (
        Way(town("chandler"), "222.50", of_tank(costs=LAB | {"cleaning": Decimal("9.00")})),
        Way(town("chandler"), "460.00", of_tank(costs={"damage": Decimal("400.00")})),
    ),
    ("24 American Bottoms regional plant", "billing_basis"): (Way(town("american_bottoms"), "140.00"),),
    ("24 American Bottoms regional plant", "after_hours"): (
        Way(town("american_bottoms"), "186.20", of_tank(weekend=True)),
    ),
    ("24 American Bottoms regional plant", "rates"): (
        Way(made(BY_KIND), "140.00"),
        Way(made(BY_KIND), "160.00", Load((Part("grease_interceptor", None, 1000),), capacity=2000)),
    ),
    ("29 Falmouth", "rate_text"): (Way(town("falmouth"), "80.00"),),
    ("29 Falmouth", "billing_basis"): (Way(town("falmouth"), "80.00", Load((septic(),), pounds=8340)),),
    ("29 Falmouth", "after_hours"): (Way(town("falmouth"), "220.00", of_tank(after_hours=True)),),
    ("30 Wareham", "rate_text"): tuple(
        Way(town("wareham"), total, Load((septic(1000, zone),)))
        for zone, total in (("resident", "80.00"), ("bourne", "100.00"), ("nonresident", "180.00"))
    ),
    ("32 Manchester", "rate_text"): (
        Way(town("manchester"), "104.00", Load((septic(1240),))),
        Way(town("manchester"), "99.20", Load((septic(),), pounds=10342)),
        Way(flat("pound", "per_pound", "0.00959"), "99.18", Load((septic(),), pounds=10342)),
    ),
    ("32 Manchester", "billing_basis"): (
        Way(town("manchester"), "160.00", Load((septic(),), capacity=2000)),
        Way(town("manchester"), "80.00", Load((septic(),), pounds=8340)),
    ),
    ("32 Manchester", "after_hours"): (Way(town("manchester"), "80.00", Load((septic(500),), after_hours=True)),),
    ("32 Manchester", "permit_fee"): (Way(town("manchester"), "20.00", of=TRUCKS),),
    ("33 Concord", "other_fees"): (
        Way(flat("bond", "deposit", "5000.00", 'per = "hauler"'), "5000.00", of=DEPOSITS),
    ),
    ("33 Concord", "permit_fee"): (Way(flat("permit", "per_application", "200.00"), "200.00", of=FILING),),
    ("41 Portland", "after_hours"): (
        Way(made(item("tank", "per_gallons", 'price = "0.05"\nbasis = ["capacity"]'),
                 item("after", "per_load", 'price = "60.00"\nwhen = ["after_hours"]')), "160.00",
            of_tank(after_hours=True)),
    ),
    ("41 Portland", "billing_basis"): (
        Way(made(item("tank", "per_gallons", 'price = "0.05"\nbasis = ["capacity"]\nmetered = false'),
                 item("partial", "per_gallons", 'price = "0.05"\nbasis = ["measured"]\nmetered = true')), "40.00",
            of_tank(measured=800, metered=True)),
    ),
    ("45 Reading", "notes"): (Way(flat("bond", "deposit", "2500.00", 'per = "hauler"'), "2500.00", of=DEPOSITS),),
    ("48 Eden", "rate_text"): (Way(town("eden"), "75.00", Load((septic(3000),))),),
    ("48 Eden", "billing_basis"): (Way(town("eden"), "75.00"),),
    ("50 Lake County", "testing"): (
        Way(made(ANALYSIS), "20.00", analysed(400)), Way(made(ANALYSIS), "82.50", analysed(401)),
    ),
    ("51 Grand Island", "billing_basis"): (
        Way(town("grand_island"), "66.00", Load((septic(),), capacity=1001, strengths={"bod": Decimal(1)})),
    ),
    ("51 Grand Island", "testing"): (
        Way(town("grand_island"), "104.50",
            Load((septic(),), capacity=1001, strengths={"bod": Decimal(6001), "tss": Decimal(20001)})),
    ),
    ("52 York County", "other_fees"): (
        Way(flat("deposit", "deposit", "250.00", 'per = "hauler"'), "250.00", of=DEPOSITS),
    ),
}  # fmt: skip
# Cells that say how waste is tested, and no charge for it.
NO_CHARGE = {
    ("2 City of Reedsburg", "testing"),
    ("16 Shelby", "testing"),
    ("37 Dallas", "testing"),
    ("44 Lebanon", "testing"),
}
# Fines: what a violation costs is a court's or a council's to say, never a line of a load.
FINES = {("37 Dallas", "sanction"), ("43 Everett", "sanction")}


def test_every_cell_of_the_35_towns_is_priced_or_names_no_charge() -> None:
    assert set(cells()) == set(WAYS) | NO_CHARGE | FINES
    assert [cells()[cell] for cell in sorted(NO_CHARGE) if any(sign in cells()[cell] for sign in "$%")] == []


@pytest.mark.parametrize("cell", sorted(WAYS), ids=" ".join)
def test_a_way_of_charging_comes_to_its_cents(cell: tuple[str, str]) -> None:
    assert [str(way.charged) for way in WAYS[cell]] == [way.total for way in WAYS[cell]]
