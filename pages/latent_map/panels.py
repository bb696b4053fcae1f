"""Analyses of a map: outliers, comparison with another model, comparison of languages."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from jobmatch_core.maps.comparison import NEIGHBOURS, Drift, language_pairs, most_drifted
from jobmatch_core.maps.items import LANGUAGE, Items
from jobmatch_core.maps.latent_map import LatentMap
from jobmatch_core.maps.oddities import near_duplicates, outliers
from jobmatch_core.text.locales import LANGUAGE_NAMES
from pages.latent_map import map_chart
from pages.latent_map.map_choice import AGAINST_KEY, PANEL_KEY, MapChoice, model_title
from pages.shared.choices import select
from pages.shared.language import N_, _, language_name, numeral, percent, plural, translated
from pages.shared.tables import show_table
from pages.shared.widgets import plain

_PANELS = {"": N_("none"), "odd": N_("Outliers"), "model": N_("Another model"), "languages": N_("Languages")}
_MOST_POINTS = 5000  # neighbours of so many points are found in seconds
_MOST_COMPARED = 20_000  # another model's map of so many points takes a minute
_LISTED = 200
_NEIGHBOURS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Panel:
    """Selected analysis."""

    name: str = ""  # key of the analysis, or '' for none
    against: str = ""  # name of the model to compare with, if that is the analysis


def choose(chosen: MapChoice, latent: LatentMap) -> Panel:
    """Draw the choice of an analysis, none at first, and of the model to compare with."""
    name = select(_("Analysis"), list(_PANELS), PANEL_KEY, format_func=translated(_PANELS).__getitem__)
    if name == "model" and len(latent.items) <= _MOST_COMPARED:
        others = [word for word in chosen.models if word != latent.model]
        return Panel(name, select(_("Compare with"), others, AGAINST_KEY, format_func=model_title))
    return Panel(name)


def show(panel: Panel, chosen: MapChoice, latent: LatentMap, ids: list[str]) -> None:
    """Draw the selected analysis."""
    if panel.name == "odd":
        _odd(latent, ids)
    elif panel.name == "model":
        _other_model(chosen, latent, panel.against)
    elif panel.name == "languages":
        _languages(latent)


def _odd(latent: LatentMap, ids: list[str]) -> None:
    items, field = latent.items, latent.items.category_field
    if not field:
        st.info(
            _("Outliers are items among items of other groups; these items have no groups."), icon=":material/info:"
        )
        return
    selected = set(ids)
    rows = [row for row, id_ in enumerate(items.ids) if not selected or id_ in selected]
    sample = rows[:: -(-len(rows) // _MOST_POINTS)]
    groups = items.values(field)
    with st.spinner(_("Analysing neighbourhoods …")):
        odd = outliers(latent.vectors, groups, sample)[:_LISTED]
        near = near_duplicates(latent.vectors, groups, sample, concepts=items.concepts)[:_LISTED]
    counts = {"n": numeral(len(sample)), "all": numeral(len(rows))}
    where = _("among {n} points", **counts)
    if len(sample) < len(rows):
        where = _("in a sample of {n} of {all} points", **counts)
    st.markdown(
        _(
            "Here the taxonomy or the model may be wrong. **{outliers}** and **{duplicates}** of another {field}, "
            "{where}.",
            outliers=plural("{n} outlier", "{n} outliers", len(odd)),
            duplicates=plural("{n} near-duplicate", "{n} near-duplicates", len(near)),
            field=_(field),
            where=where,
        )
    )
    if odd:
        table: dict[str, Sequence[object]] = {
            _("outlier"): [items.texts[outlier.row] for outlier in odd],
            _(field): [groups[outlier.row] for outlier in odd],
            _("surrounded by"): [outlier.group for outlier in odd],
            _("share of 10 neighbours"): [outlier.share for outlier in odd],
            _("id"): [items.ids[outlier.row] for outlier in odd],
        }
        show_table(table, "map_outliers", height="auto")
    if near:
        pairs: dict[str, Sequence[object]] = {
            _("item"): [items.texts[pair.first] for pair in near],
            _("other item"): [items.texts[pair.second] for pair in near],
            _(field): [groups[pair.first] for pair in near],
            _("other {field}", field=_(field)): [groups[pair.second] for pair in near],
            _("similarity"): [pair.cosine for pair in near],
            _("id"): [items.ids[pair.first] for pair in near],
            _("other id"): [items.ids[pair.second] for pair in near],
        }
        show_table(pairs, "map_near", formats={_("similarity"): "%.3f"}, height="auto")


def _other_model(chosen: MapChoice, latent: LatentMap, word: str) -> None:
    if not word:
        st.info(
            _(
                "Two models are compared here on up to {most_compared} points; choose fewer languages, or "
                "use `jobmatch map --against`.",
                most_compared=numeral(_MOST_COMPARED),
            ),
            icon=":material/info:",
        )
        return
    following = map_chart.following(chosen.key, latent, word)
    if not following.wait(0):
        return  # the progress is shown below the map
    _unused, drift = following.result()
    st.markdown(
        _(
            "From {model} to {other}, on average **{mean}** of a point's {neighbours} nearest neighbours change.",
            model=plain(model_title(latent.model)),
            other=plain(model_title(word)),
            mean=percent(float(drift.drift.mean())),
            neighbours=NEIGHBOURS,
        )
    )
    st.caption(
        _(
            "A point's drift is the share of its {neighbours} nearest neighbours that the second model "
            "replaces: 0 for none, 1 for all. The {listed} points with the highest drift are listed, "
            "each with the nearest of the neighbours that it gained and lost.",
            neighbours=NEIGHBOURS,
            listed=_LISTED,
        )
    )
    _drift_table(latent.items, drift)


def _drift_table(items: Items, drift: Drift) -> None:
    rows = most_drifted(drift, _LISTED)
    gained, lost = (
        [[items.texts[other] for other in others[:_NEIGHBOURS_SHOWN]] for others in map(exchanged, rows)]
        for exchanged in (drift.won, drift.lost)
    )
    table: dict[str, Sequence[object]] = {
        _("text"): [items.texts[row] for row in rows],
        _("drift"): [float(drift.drift[row]) for row in rows],
        _("neighbours gained"): gained,
        _("neighbours lost"): lost,
        _("id"): [items.ids[row] for row in rows],
    }
    show_table(table, "map_drift", height="auto")


def _languages(latent: LatentMap) -> None:
    items = latent.items
    named = {language_name(code): code for code in LANGUAGE_NAMES}
    codes = [named.get(name, name) for name in items.values(LANGUAGE)]
    pairs = language_pairs(latent.vectors, items.concepts, codes) if items.concepts else []
    if not pairs:
        st.info(
            _(
                "This view compares each language with English: how close the names of an occupation are, "
                "and how evenly all names are spread. It needs names of the same occupations in English and "
                "another language."
            ),
            icon=":material/info:",
        )
        return
    st.markdown(
        _(
            "English names and their translations by the model {model}: **lower is better** in both columns.",
            model=plain(model_title(latent.model)),
        )
    )
    ordered = sorted(pairs, key=lambda pair: pair.alignment)
    alignment, uniformity = _("alignment"), _("uniformity")
    table: dict[str, Sequence[object]] = {
        _("language"): [language_name(pair.languages[1]) for pair in ordered],
        _("pairs of names"): [pair.pairs for pair in ordered],
        alignment: [pair.alignment for pair in ordered],
        uniformity: [pair.uniformity for pair in ordered],
    }
    columns = {
        alignment: st.column_config.NumberColumn(
            format="%.3f", help=_("Mean squared distance of a name and its translation, 0 to 4")
        ),
        uniformity: st.column_config.NumberColumn(
            format="%.2f", help=_("How evenly names are spread: 0 for all in one point, the lower, the more evenly")
        ),
    }
    show_table(table, "map_languages_table", columns=columns, height="auto")
