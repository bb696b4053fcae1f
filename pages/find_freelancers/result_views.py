"""Views of matched freelancers: a map of their places, without tiles from the network, and two models side by side."""

import math

import plotly.graph_objects as go
import streamlit as st

from jobmatch_core.entities import Project
from jobmatch_core.retrieval.match_models import ModelChoice
from jobmatch_core.retrieval.match_reasons import OpenFinder, ScoreWords
from jobmatch_core.retrieval.matches import (
    Arrangement,
    Match,
    Move,
    PlaceMatches,
    matches_by_place,
    moves,
    named_places,
    place_name,
    places_to_name,
    shared_among_first,
)
from jobmatch_core.text.folding import plotly_text
from jobmatch_core.vector_stores.vector_store import Filters
from pages.find_freelancers import freelancer_card
from pages.shared import markets
from pages.shared.choices import select
from pages.shared.language import _, language_name, plural
from pages.shared.market_choice import Market, model_name, open_finder
from pages.shared.widgets import plain

_ACCENT, _PROJECT, _CITY = "#0072B2", "#D55E00", "#8a949b"
_HEIGHT = 480
_LISTED = 5  # cards under the map, and names in a circle's note
_MARGIN = 1.5  # degrees around the outermost places
AGAINST_KEY = "find_against"
_COMPARED = 10


def show_places(market: Market, finder: OpenFinder, project: Project, matches: list[Match]) -> None:
    """Draw the map, and the cards of the clicked place."""
    places = matches_by_place(matches)
    if not places:
        st.info(_("None of these freelancers states a place."), icon=":material/location_off:")
        return
    missing = len(matches) - sum(len(place.matches) for place in places)
    unknown = _(" {missing} more state no place.", missing=missing) if missing else ""
    st.caption(_("Click a circle to see who is there; scroll to zoom.{unknown}", unknown=unknown))
    event = st.plotly_chart(
        _figure(places, project),
        key="find_map",
        on_select="rerun",
        selection_mode="points",
        config={"displayModeBar": False, "scrollZoom": True},
    )
    chosen = _chosen(event, places)
    if chosen is None:
        return
    st.markdown(
        _(
            "**{name}**: {people} of the first {n_matches}",
            name=plain(chosen.name),
            people=_people(len(chosen.matches)),
            n_matches=len(matches),
        )
    )
    visible = chosen.matches[:_LISTED]
    reasons = markets.contributions(finder, project, [match.freelancer for match in visible])
    for match, reason in zip(visible, reasons, strict=True):
        freelancer_card.show(match, reason, project, market, finder.words_for(project), key="find_map_card")
    if len(chosen.matches) > _LISTED:
        st.caption(_("{n_matches} more are there, further down the list.", n_matches=len(chosen.matches) - _LISTED))


def _chosen(event: object, places: list[PlaceMatches]) -> PlaceMatches | None:
    points = event.selection.points if hasattr(event, "selection") else []
    names = [point["customdata"][0] for point in points if point.get("customdata")]
    return next((place for place in places if place.name in names), None)


def _figure(places: list[PlaceMatches], project: Project) -> go.Figure:
    figure = go.Figure()
    latitudes = [place.place.latitude for place in places]
    longitudes = [place.place.longitude for place in places]
    if project.place:
        latitudes.append(project.place.latitude)
        longitudes.append(project.place.longitude)
    here, named = {place.name for place in places}, places_to_name(places)
    cities = [(name, place) for name, place in named_places().items() if name not in here]
    figure.add_scatter(
        x=[place.longitude for _unused, place in cities],
        y=[place.latitude for _unused, place in cities],
        mode="markers",
        marker={"color": _CITY, "size": 4},
        text=[name for name, _unused in cities],
        hovertemplate="%{text}<extra></extra>",
        showlegend=False,
    )
    figure.add_scatter(
        x=[place.place.longitude for place in places],
        y=[place.place.latitude for place in places],
        mode="markers+text",
        textposition="top center",
        text=[plotly_text(place.name) if place.name in named else "" for place in places],
        marker={"color": _ACCENT, "size": [8 + 6 * math.sqrt(len(place.matches)) for place in places], "opacity": 0.75},
        customdata=[[place.name, _note(place)] for place in places],
        hovertemplate="%{customdata[1]}<extra></extra>",
        name=_("freelancers (larger: more)"),
    )
    if project.place:
        figure.add_scatter(
            x=[project.place.longitude],
            y=[project.place.latitude],
            mode="markers",
            name=_("the project"),
            marker={"color": _PROJECT, "size": 13, "symbol": "star"},
            customdata=[[place_name(project.place)]],
            hovertemplate=_("the project, %{customdata[0]}<extra></extra>"),
        )
    count = sum(len(place.matches) for place in places)
    figure.update_layout(
        title=_("Where the first {count} freelancers are", count=count),
        height=_HEIGHT,
        legend={"orientation": "h", "y": 0, "yanchor": "top"},
        margin={"l": 0, "r": 0, "t": 48, "b": 0},
        xaxis={"visible": False, "range": [min(longitudes) - _MARGIN, max(longitudes) + _MARGIN]},
        yaxis={
            "visible": False,
            "range": [min(latitudes) - _MARGIN, max(latitudes) + _MARGIN],
            "scaleanchor": "x",
            "scaleratio": 1 / math.cos(math.radians(sum(latitudes) / len(latitudes))),
        },
        dragmode="pan",
    )
    return figure


def _note(place: PlaceMatches) -> str:
    names = [f"{match.rank} {plotly_text(match.freelancer.title)[:50]}" for match in place.matches[:_LISTED]]
    more = [_("and {n_matches} more", n_matches=len(place.matches) - _LISTED)] if len(place.matches) > _LISTED else []
    return "<br>".join([f"{plotly_text(place.name)}: {_people(len(place.matches))}", *names, *more])


def _people(count: int) -> str:
    return plural("{n} freelancer", "{n} freelancers", count)


def show_two_models(
    market: Market, finder: OpenFinder, project: Project, filters: Filters, arrangement: Arrangement
) -> None:
    """Draw both rankings, arranged alike. The marketplace needs two usable models.

    Raises:
        JobMatchError: the other model cannot be read.
    """
    against = _against([model for model in market.models if model != market.model])
    matches = markets.ranking(finder, project, filters, arrangement)
    other = open_finder(market, against)
    other_matches = markets.ranking(other, project, filters, arrangement)
    both = shared_among_first(matches, other_matches, _COMPARED)
    compared = min(_COMPARED, len(matches))
    st.markdown(
        _("**{both} of the first {compared}** are the same people with both models.", both=both, compared=compared)
    )
    st.caption(_("Up and down are relative to the other model. Similarities cannot be compared between models."))
    for place, model, words, ranked in zip(
        st.columns(2),
        (market.model, against),
        (finder.words_for(project), other.words_for(project)),
        (moves(matches, other_matches), moves(other_matches, matches)),
        strict=True,
    ):
        with place:
            st.markdown(f"**{plain(model_name(model))}**")
            for move in ranked[:_COMPARED]:
                _card(move, words, len(matches), key=f"find_{'first' if model == market.model else 'second'}")


def _against(others: list[ModelChoice]) -> ModelChoice:
    choices = {model.word: model for model in others}
    return choices[
        select(_("Compare with"), list(choices), AGAINST_KEY, format_func=lambda word: model_name(choices[word]))
    ]


def _card(move: Move, words: ScoreWords | None, compared: int, *, key: str) -> None:
    match = move.match
    with st.container(border=True, key=f"{key}_{match.rank}", gap="xsmall"):
        st.markdown(f":gray[{match.rank}] **{freelancer_card.headline(match.freelancer)}**")
        st.caption(
            f"{_moved(move, compared)} · {language_name(match.freelancer.language)} · "
            f"{freelancer_card.score_text(match, words)} · "
            + freelancer_card.unbroken(
                _("{n_shared} of {n_skills} skills", n_shared=len(match.shared), n_skills=len(match.skills))
            )
        )
        freelancer_card.profile(match, None, key=f"{key}_profile_{match.rank}")


def _moved(move: Move, compared: int) -> str:
    if move.up is None:
        return _(":violet[:material/new_releases: not in the other model's first {compared}]", compared=compared)
    if move.up == 0:
        return _(":gray[:material/drag_handle: same rank]")
    if move.up > 0:
        return _(":green[:material/arrow_upward: up {up}, from {other_rank}]", up=move.up, other_rank=move.other_rank)
    return _(
        ":orange[:material/arrow_downward: down {down}, from {other_rank}]", down=-move.up, other_rank=move.other_rank
    )
