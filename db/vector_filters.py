"""Filters on freelancers as conditions of SQL; an unknown value is NULL and so passes none."""

import math

from sqlalchemy import ColumnElement, Table, func

from jobmatch_core.earth import EARTH_RADIUS_KM
from jobmatch_core.vector_stores.vector_store import BORDER_KM, Filters, Within, day_number


def conditions(filters: Filters, freelancers: Table) -> list[ColumnElement[bool]]:
    """Return what a row must be, all of it.

    Args:
        filters: conditions on freelancers.
        freelancers: table with a column for each of `KEYWORDS`, `latitude` and `longitude` in degrees, `available` as
            of `date.toordinal`, and `day_rate`.
    """
    columns = freelancers.c
    passing: list[ColumnElement[bool]] = [columns[keyword].in_(wanted) for keyword, wanted in filters.wanted.items()]
    if filters.available_by:
        passing.append(columns.available <= day_number(filters.available_by, "The day to be available by"))
    if filters.max_day_rate is not None:
        passing.append(columns.day_rate <= filters.max_day_rate)
    if filters.within is not None:
        passing += _inside(filters.within, freelancers)
    return passing


def _inside(circle: Within, freelancers: Table) -> list[ColumnElement[bool]]:
    """Return the band of latitudes of a circle, which has an index, and the circle by the haversine formula."""
    reach = circle.km + BORDER_KM
    here, there = math.radians(circle.place.latitude), math.radians(circle.place.longitude)
    latitude, longitude = func.radians(freelancers.c.latitude), func.radians(freelancers.c.longitude)
    chord = (
        func.power(func.sin((here - latitude) / 2), 2)
        + func.cos(latitude) * math.cos(here) * func.power(func.sin((there - longitude) / 2), 2)
    )  # fmt: skip
    degrees = math.degrees(reach / EARTH_RADIUS_KM)
    return [
        freelancers.c.latitude.between(circle.place.latitude - degrees, circle.place.latitude + degrees),
        2 * EARTH_RADIUS_KM * func.asin(func.sqrt(func.least(1.0, chord))) < reach,
    ]
