"""A receiving tank: what it is set to, and what was read of its level."""

from intake.queries.tank_level import Wanted
from office.forms import Form, GallonsField, TextField, TickField, TimeField, WholeField

MOST = 10_000_000


class TankForm(Form):
    """What a tank holds, how fast it fills and is bled, and what is in it now."""

    gallons = GallonsField("Usable gallons", "As much as may ever be in it", word="The usable gallons", max=MOST)
    unload_gph = WholeField("How fast a truck unloads, gallons an hour", word="How fast a truck unloads",
                            empty="Enter how fast a truck unloads", min=1, max=MOST)  # fmt: skip
    bleed_gph = WholeField("Bled into the sewer, gallons an hour",
                           hint="What the valve is set to. It comes first; other points have the rest of the limit",
                           word="The bleed", empty="Enter what the valve is set to", min=1, max=MOST)  # fmt: skip
    held = GallonsField("Gallons in it now", word="The gallons in it", min=0, max=MOST)
    sure = TickField("Take these times away and tell the haulers")

    def wanted(self) -> Wanted:
        """The tank as typed."""
        return Wanted(self.gallons.data, self.unload_gph.data, self.bleed_gph.data, self.held.data)


class LevelForm(Form):
    """What was read, when, and why a figure far from the one reckoned is kept."""

    gallons = GallonsField("Gallons in the tank", word="The gallons in the tank", min=0, max=MOST)
    read_at = TimeField("Read today at", empty="Enter when it was read")
    reason = TextField("Why is it that many?", hint="Only where you were asked", empty=None, longest=300,
                       autocomplete="off")  # fmt: skip
