"""Selection on a map: its rows, and actions on them."""

import streamlit as st

from jobmatch_core.entities import Pair, PairKind, Provenance
from jobmatch_core.io.tables import Record, write_table
from jobmatch_core.labelling.own_candidates import Proposal
from jobmatch_core.maps.items import LANGUAGE, ItemKind
from jobmatch_core.maps.latent_map import LatentMap, nearest_items
from jobmatch_core.maps.map_file import column_name, map_rows
from jobmatch_core.maps.picture import View
from jobmatch_core.text.folding import visible
from pages.latent_map import map_chart, rings
from pages.latent_map.map_choice import MapChoice, model_title
from pages.link_titles import many_titles
from pages.shared import label_market, markets, sign_in
from pages.shared.choices import select_segment
from pages.shared.downloads import table_buttons
from pages.shared.language import _, numeral, plural
from pages.shared.tables import show_table
from pages.shared.widgets import plain, readable

_POLICY = "map"  # policy of judgments of pairs chosen on the map
_MOST_PAIRS = 500  # sent to 'Label pairs' at once: some hours of work
_TABLE_HEIGHT = 218  # pixels, so that the drawer needs no scrollbar of its own
_LAST = ("stands_for", "id")  # often long addresses
_NEAR_KEY = "map_near_model"
_TITLES = (ItemKind.OCCUPATIONS, ItemKind.TITLES)


def show(chosen: MapChoice, latent: LatentMap, view: View, ids: list[str], against: str) -> None:
    """Draw the selected rows and their actions; nothing if none are selected.

    Args:
        chosen: The selected map.
        latent: The drawn map.
        view: The selected view.
        ids: Ids of the selected points.
        against: Name of the model that the map is compared with, or ''.
    """
    if not ids:
        return
    first, actions = _first_columns(latent, view), st.container()
    if len(ids) == 1:
        ids = _neighbours(latent, map_chart.other_map(chosen, latent, against), ids[0], first)
    else:
        show_table(_columns(list(map_rows(latent, ids)), first), "map_table", height=_TABLE_HEIGHT)
    with actions:
        _actions(chosen, latent, ids)


def _actions(chosen: MapChoice, latent: LatentMap, ids: list[str]) -> None:
    rows = list(map_rows(latent, ids))
    # not up to the right edge, where the table's own buttons appear
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(_("**{n_rows} selected**", n_rows=numeral(len(rows))), width="content")
        if latent.items.kind in _TITLES:
            if st.button(
                _("Open {n_rows} in 'Link titles'", n_rows=numeral(len(rows))),
                key="map_link",
                type="primary",
                icon=":material/link:",
            ):
                titles = list(dict.fromkeys(str(row["text"]) for row in rows))
                many_titles.put_away()
                st.session_state["many_paste"] = "\n".join(titles)
                st.session_state["view"] = "many"
                st.switch_page("pages/link_titles/link_titles.py")
        elif sign_in.may_see("label_pairs"):
            judge = _judge_again if latent.items.kind is ItemKind.LABELS else _judge
            judge(chosen, latent, ids)
        with st.popover(_("Download the selection"), icon=":material/download:"):
            table_buttons(
                lambda path: write_table(path, rows), lambda ending: f"selected.{ending}", "map_selected", "csv", "xlsx"
            )
        st.button(_("Close"), key="map_unselect", icon=":material/close:", on_click=map_chart.unselect)


def _first_columns(latent: LatentMap, view: View) -> list[str]:
    # the columns that tell what a point is: text, group and language
    items = latent.items
    group = view.colour if view.colour in items.fields and view.colour != LANGUAGE else items.category_field
    return ["text", column_name(group), column_name(LANGUAGE)]


def _neighbours(latent: LatentMap, other: LatentMap | None, id_: str, first: list[str]) -> list[str]:
    """Draw a point and its nearest neighbours, with rings on the map; return the ids of the picked rows, or its own."""
    model = latent
    if other is not None:
        titles = {shown.model: model_title(shown.model) for shown in (latent, other)}
        model = (
            other if select_segment(_("Neighbours by"), titles, _NEAR_KEY, label_shown=True) == other.model else latent
        )
    near = nearest_items(model, latent.items.ids.index(id_))
    ids = [id_, *(latent.items.ids[neighbour.row] for neighbour in near)]
    by_id = {str(row["id"]): row for row in map_rows(latent, ids)}
    columns = _columns([by_id[shown] for shown in ids], first)
    st.caption(
        _(
            "Its nearest neighbours by the model {model}, ringed on the map. Tick rows to use them together.",
            model=plain(model_title(model.model)),
        )
    )
    event = st.dataframe(
        readable({_("distance"): [0.0, *(neighbour.distance for neighbour in near)], **columns}),
        key=f"map_neighbours_{id_}_{model.model}",
        hide_index=True,
        height=_TABLE_HEIGHT,
        on_select="rerun",
        selection_mode="multi-row",
        column_config={
            _("distance"): st.column_config.NumberColumn(
                format="%.3f",
                help=_(
                    "Cosine distance in this model's space; on the map they may lie elsewhere. 0 for the same "
                    "direction, 1 for nothing in common, at most 2."
                ),
            )
        },
    )
    picked = [ids[row] for row in event.selection.rows if row < len(ids)]
    rings.show(map_chart.CHART_KEY, id_, ids[1:], picked)
    return picked or [id_]


def _columns(rows: list[Record], first: list[str]) -> dict[str, list[object]]:
    filled = [name for name in rows[0] if name not in ("x", "y") and any(row[name] for row in rows)]
    others = [name for name in filled if name not in first]
    ordered = [*(name for name in first if name in filled), *sorted(others, key=_LAST.__contains__)]
    return {_(name.replace("_", " ").replace("isco", "ISCO")): [row[name] for row in rows] for name in ordered}


def _judge(chosen: MapChoice, latent: LatentMap, ids: list[str]) -> None:
    market = markets.load(next(manifest for manifest in markets.installed() if manifest.name == chosen.source))
    people = latent.items.kind is ItemKind.FREELANCERS
    others = market.projects if people else market.freelancers
    rows = market.project_rows if people else market.freelancer_rows
    other = st.selectbox(
        _("Project") if people else _("Freelancer"),
        list(rows),
        key=f"map_partner_{latent.items.kind}",
        format_func=lambda id_: visible(f"{id_} · {others[rows[id_]].title[:60]}"),
        width=420,
    )
    pairs = [
        Pair(PairKind.PROJECT_FREELANCER, chosen.source, *((other, id_) if people else (id_, other))) for id_ in ids
    ]
    _send(chosen, pairs)


def _judge_again(chosen: MapChoice, latent: LatentMap, ids: list[str]) -> None:
    by_id = dict(zip(latent.items.ids, latent.items.pairs, strict=True))
    _send(chosen, [by_id[id_] for id_ in ids])


def _send(chosen: MapChoice, pairs: list[Pair]) -> None:
    sent = pairs[:_MOST_PAIRS]
    label = plural("Label {n} pair", "Label {n} pairs", len(sent))
    help_text = (
        _("Only the first {most_pairs} of {n_pairs} are sent.", most_pairs=_MOST_PAIRS, n_pairs=numeral(len(pairs)))
        if len(sent) < len(pairs)
        else None
    )
    if st.button(label, key="map_judge", type="primary", icon=":material/rule:", help=help_text):
        proposals = [Proposal(pair, Provenance(_POLICY)) for pair in sent]
        label_market.hand_over(chosen.source, proposals)
        st.session_state[label_market.MARKET_KEY] = chosen.source
        st.switch_page("pages/label_pairs/label_pairs.py")
