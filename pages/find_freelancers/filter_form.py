"""Form for the filters, mirrored in the address."""

from collections.abc import Callable, Collection, Sequence
from datetime import date
from typing import TypeVar

import streamlit as st

from jobmatch_core.entities import Project
from jobmatch_core.marketplace.marketplace_store import Facet
from jobmatch_core.retrieval.matches import named_places, place_name, read_place
from jobmatch_core.vector_stores.vector_store import Filters, Within
from pages.shared.language import N_, _, country_name, language_name, numeral
from pages.shared.market_choice import Market
from pages.shared.widgets import errors_shown

T = TypeVar("T", date, int)

_LANGUAGES, _COUNTRIES, _CATEGORIES, _FAMILIES = "find_languages", "find_countries", "find_categories", "find_families"
_BY, _RATE, _NEAR, _KM = "find_by", "find_rate", "find_near", "find_km"
_LISTS = {"language": _LANGUAGES, "country": _COUNTRIES, "category": _CATEGORIES, "family": _FAMILIES}
_KEYS = _LISTS | {"by": _BY, "rate": _RATE, "near": _NEAR, "km": _KM}  # parameter of the address -> key
ADDRESS = {parameter: f"{key}_link" for parameter, key in _KEYS.items()}
_AT_PROJECT = "project"
_USUAL_KM, _MOST_KM, _MOST_RATE = 100, 3000, 10**9
_FIRST_DAY, _LAST_DAY = date(2000, 1, 1), date(2099, 12, 31)
FILTER_NAMES = {
    "languages": N_("language"),
    "countries": N_("country"),
    "categories": N_("category"),
    "families": N_("job family"),
    "available_by": N_("availability"),
    "max_day_rate": N_("day rate"),
    "within": N_("distance"),
}
_FILTER_KEYS = {  # field of `Filters` -> key
    "languages": _LANGUAGES,
    "countries": _COUNTRIES,
    "categories": _CATEGORIES,
    "families": _FAMILIES,
    "available_by": _BY,
    "max_day_rate": _RATE,
    "within": _NEAR,
}


def choose(market: Market, project: Project | None = None) -> Filters | None:
    """Draw the filters; return None while a typed place is not valid, which the form says below it.

    The project's place is offered only with a project.
    """
    circle, valid = None, False
    count = sum(bool(st.session_state.get(key)) for key in _FILTER_KEYS.values())
    label = _("Filters · {count} set", count=count) if count else _("Filters")
    with st.expander(label, key="find_filters", icon=":material/filter_alt:", expanded=count > 0):
        facets, group = market.facets, market.group_name
        languages = _several(
            _("Language of the profile"), _LANGUAGES, facets.languages, lambda facet: language_name(facet.value)
        )
        countries = _several(_("Country"), _COUNTRIES, facets.countries, lambda facet: country_name(facet.value))
        families = _several(_("Job family"), _FAMILIES, facets.families, group)
        categories = _several(_("Category"), _CATEGORIES, facets.categories, group)
        left, right = st.columns(2)
        with left:
            day = st.date_input(
                _("Available by"),
                value=None,
                min_value=_FIRST_DAY,
                max_value=_LAST_DAY,
                key=_BY,
                format="YYYY-MM-DD",
                persist_state="session",
            )
        with right:
            rate = st.number_input(
                _("Maximum day rate, €"), min_value=1, value=None, step=50, key=_RATE, persist_state="session"
            )
        with errors_shown():
            circle = _circle(project)
            valid = True
        if count:
            st.button(_("Clear all filters"), key="find_clear", icon=":material/filter_alt_off:", on_click=clear)
        st.caption(_("A filter excludes profiles without that information."))
    if not valid:
        return None
    return Filters(categories, families, languages, countries, circle, day.isoformat() if day else "", rate)


def clear(fields: Collection[str] = tuple(_FILTER_KEYS)) -> None:
    """Clear filters, given by their fields in `Filters`."""
    for field in fields:
        key = _FILTER_KEYS[field]
        st.session_state[key] = [] if key in _LISTS.values() else None


def links() -> dict[str, str]:
    """Return the filters of the address as last read."""
    return {link: str(st.session_state.get(link, "")) for link in ADDRESS.values()}


def follow(before: dict[str, str]) -> None:
    """Read changed filters from the address; invalid values are ignored."""
    for parameter, link in ADDRESS.items():
        text = str(st.session_state.get(link, ""))
        if text != before[link]:
            try:
                st.session_state[_KEYS[parameter]] = _parsed(parameter, text)
            except ValueError:
                continue


def remember() -> None:
    """Write the filters into the address."""
    for parameter, key in _KEYS.items():
        value = st.session_state.get(key)
        text = ",".join(value) if isinstance(value, list) else "" if value is None else str(value)
        st.session_state[ADDRESS[parameter]] = text
    if not st.session_state.get(_NEAR):
        st.session_state[ADDRESS["km"]] = ""


def _several(label: str, key: str, facets: Sequence[Facet], name: Callable[[Facet], str]) -> tuple[str, ...]:
    by_value = {facet.value: facet for facet in facets}
    st.session_state[key] = [value for value in st.session_state.get(key) or [] if value in by_value]
    return tuple(
        st.multiselect(
            label,
            list(by_value),
            key=key,
            format_func=lambda value: f"{name(by_value[value])} · {numeral(by_value[value].count)}",
            placeholder=_("Any"),
            persist_state="session",
            select_all=False,
        )
    )


def _circle(project: Project | None) -> Within | None:
    at_project = project.place if project else None
    places = [_AT_PROJECT, *named_places()] if at_project else list(named_places())
    near = st.session_state.get(_NEAR)
    if near == _AT_PROJECT and at_project is None:
        st.session_state[_NEAR] = near = None
    left, right = st.columns(2)
    near = left.selectbox(
        _("Near"),
        [*places, near] if near and near not in places else places,
        key=_NEAR,
        index=None,
        format_func=lambda name: (
            _("The project, {place_name}", place_name=place_name(at_project))
            if name == _AT_PROJECT and at_project
            else name
        ),
        placeholder=_("Anywhere"),
        accept_new_options=True,
        persist_state="session",
        help=_("A city, or a latitude and a longitude in degrees, such as 52.52, 13.41."),
    )
    if st.session_state.get(_KM) is None:
        st.session_state[_KM] = _USUAL_KM
    km = right.number_input(
        _("Within, km"), min_value=1, max_value=_MOST_KM, step=50, key=_KM, disabled=not near, persist_state="session"
    )
    if not near:
        return None
    place = at_project if near == _AT_PROJECT else None
    return Within(place or read_place(str(near)), float(km))


def _parsed(parameter: str, text: str) -> list[str] | date | int | str | None:
    if parameter in _LISTS:
        return [value for value in text.split(",") if value]
    if not text:
        return None
    if parameter == "by":
        return _within(date.fromisoformat(text), _FIRST_DAY, _LAST_DAY)
    if parameter == "near":
        return text
    return _within(int(text), 1, _MOST_KM if parameter == "km" else _MOST_RATE)


def _within(value: T, least: T, most: T) -> T:
    if not least <= value <= most:
        raise ValueError(_("{value} is not between {least} and {most}", value=value, least=least, most=most))
    return value
