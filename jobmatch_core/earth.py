"""Distances on the earth."""

import math

from jobmatch_core.entities import Place

EARTH_RADIUS_KM = 6371.0088  # mean radius of the IUGG


def distance_km(here: Place, there: Place) -> float:
    """Return the great-circle distance in kilometres, by the haversine formula."""
    latitudes = math.radians(here.latitude), math.radians(there.latitude)
    chord = (
        math.sin((latitudes[0] - latitudes[1]) / 2) ** 2
        + math.cos(latitudes[0])
        * math.cos(latitudes[1])
        * math.sin(math.radians(here.longitude - there.longitude) / 2) ** 2
    )
    return 2 * EARTH_RADIUS_KM * math.asin(math.sqrt(min(chord, 1.0)))
