"""Selection on a map: its rows, and actions on them."""

import streamlit as st

from jobmatch_core.entities import Pair, PairKind, Provenance
from jobmatch_core.io.tables import Record, write_table
from jobmatch_core.labelling.own_candidates import Proposal
from jobmatch_core.maps.items import ItemKind
from jobmatch_core.maps.latent_map import LatentMap, nearest_items
from jobmatch_core.maps.map_file import map_rows
from jobmatch_core.text.folding import visible
from pages.latent_map.map_choice import MapChoice
from pages.link_titles import many_titles
from pages.shared import label_market, markets, sign_in
from pages.shared.widgets import readable, table_buttons

_POLICY = "map"  # policy of judgments of pairs chosen on the map
_MOST_PAIRS = 500  # sent to 'Label pairs' at once: some hours of work
_TITLES = (ItemKind.OCCUPATIONS, ItemKind.TITLES)


def show(chosen: MapChoice, latent: LatentMap, ids: list[str]) -> None:
    """Draw the selected rows and their actions, or how to select."""
    if not ids:
        st.caption("Select points with the lasso or the box, or click one, to list them here.")
        return
    rows = list(map_rows(latent, ids))
    with st.container(border=True, key="map_drawer"):
        st.markdown(f"**{len(rows):,} selected**")
        st.dataframe(readable(_columns(rows)), key="map_table", hide_index=True, height=min(38 * (len(rows) + 1), 320))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            if latent.items.kind in _TITLES:
                _link_titles(rows)
            elif sign_in.may_see("label_pairs"):
                judge = _judge_again if latent.items.kind is ItemKind.LABELS else _judge
                judge(chosen, latent, ids)
            with st.popover("Download the selection", icon=":material/download:"):
                table_buttons(
                    lambda path: write_table(path, rows),
                    lambda ending: f"selected.{ending}",
                    "map_selected",
                    "csv",
                    "xlsx",
                )
        if len(ids) == 1:
            _neighbours(latent, ids[0])


def _neighbours(latent: LatentMap, id_: str) -> None:
    near = nearest_items(latent, latent.items.ids.index(id_))
    ids = [latent.items.ids[neighbour.row] for neighbour in near]
    by_id = {str(row["id"]): row for row in map_rows(latent, ids)}
    rows = [by_id[id_] for id_ in ids]
    st.markdown(f"**Nearest {len(near)} in the model's space** (on the map they may lie elsewhere)")
    st.dataframe(
        readable({"distance": [neighbour.distance for neighbour in near], **_columns(rows)}),
        key="map_neighbours",
        hide_index=True,
        column_config={
            "distance": st.column_config.NumberColumn(
                format="%.3f", help="Cosine distance: 0 for the same direction, 1 for nothing in common, at most 2."
            )
        },
    )


def _columns(rows: list[Record]) -> dict[str, list[object]]:
    names = [name for name in rows[0] if name not in ("x", "y")]
    return {name.replace("_", " "): [row[name] for row in rows] for name in names}


def _link_titles(rows: list[Record]) -> None:
    if st.button(f"Open {len(rows):,} in 'Link titles'", key="map_link", type="primary", icon=":material/link:"):
        titles = list(dict.fromkeys(str(row["text"]) for row in rows))
        many_titles.put_away()
        st.session_state["many_paste"], st.session_state["many_way"] = "\n".join(titles), "Paste"
        st.session_state["view"] = "many"
        st.switch_page("pages/link_titles/link_titles.py")


def _judge(chosen: MapChoice, latent: LatentMap, ids: list[str]) -> None:
    market = markets.load(next(manifest for manifest in markets.installed() if manifest.name == chosen.source))
    people = latent.items.kind is ItemKind.FREELANCERS
    others = market.projects if people else market.freelancers
    rows = market.project_rows if people else market.freelancer_rows
    other = st.selectbox(
        "Project" if people else "Freelancer",
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
    label = f"Label {len(sent):,} pair{'s' if len(sent) != 1 else ''}"
    help_text = f"Only the first {_MOST_PAIRS} of {len(pairs):,} are sent." if len(sent) < len(pairs) else None
    if st.button(label, key="map_judge", type="primary", icon=":material/rule:", help=help_text):
        proposals = [Proposal(pair, Provenance(_POLICY)) for pair in sent]
        label_market.hand_over(chosen.source, proposals)
        st.session_state[label_market.MARKET_KEY] = chosen.source
        st.switch_page("pages/label_pairs/label_pairs.py")
