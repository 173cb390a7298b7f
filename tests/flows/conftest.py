"""What the flows share: the four processes of the races, started once."""

from collections.abc import Iterator

import pytest

from tests.flows.racing import Racers


@pytest.fixture(scope="package")
def racers() -> Iterator[Racers]:
    made = Racers()
    yield made
    made.stop()
