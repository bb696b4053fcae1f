"""Distances on the earth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.earth import distance_km
from jobmatch_core.entities import Place
from jobmatch_core.vector_stores.stored_segment import PayloadColumns
from jobmatch_core.vector_stores.vector_store import Filters, Payload, Within

BERLIN, MILAN = Place(52.52, 13.405), Place(45.464, 9.19)
PLACES = st.builds(Place, st.floats(-90, 90), st.floats(-180, 180))


def test_a_known_distance() -> None:
    """Berlin to Milan is 842 km."""
    assert distance_km(BERLIN, MILAN) == pytest.approx(842, abs=2)
    assert distance_km(BERLIN, BERLIN) == 0


@given(PLACES, PLACES)
def test_distance_is_the_filters_own(here: Place, there: Place) -> None:
    """The filter by distance agrees with the shown distance."""
    km = distance_km(here, there)
    columns = PayloadColumns.of([Payload(place=there)])
    for radius, inside in ((km + 0.001, 1), (km - 0.001, 0)):
        if radius >= 0:
            rows = columns.passing(Filters(within=Within(here, radius)), np.ones(1, dtype=bool))
            assert len(rows) == inside
