"""Section 'Browse': from the ISCO-08 major groups down to an occupation, or straight to it by a name."""

from collections.abc import Sequence

import streamlit as st

from jobmatch_core.entities import IscoGroup
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.taxonomy import NameHit, search_names
from pages.shared import occupation_view, resources
from pages.shared.language import _, language_name, numeral, plural
from pages.shared.page_links import page_link
from pages.shared.taxonomy_choice import TAXONOMY_KEY, select_taxonomy
from pages.shared.widgets import errors_shown, plain, readable, select_language

GROUP_KEY, OCCUPATION_KEY = "browse_group", "browse_occupation"
_SEARCH_KEY = "browse_search"
_SEARCHED_KEY = "browse_searched"  # letters whose closest occupation was opened last
_PLACED_KEY = "browse_placed"  # occupation whose group was opened last
_NO_GROUP = "none"  # group of the occupations without an ISCO-08 code
_LIST_HEIGHT = 420
_MOST_HITS = 100


def show() -> None:
    """Draw the selectors, the tree or the search hits, and the occupation."""
    chooser, language, search = st.columns([3, 2, 4], vertical_alignment="bottom")
    with chooser:
        manifest = select_taxonomy()
    with language:
        shown = select_language("browse_show", manifest)
    taxonomy = resources.taxonomy(manifest.id)
    letters = search.text_input(
        _("Search"), key=_SEARCH_KEY, placeholder=_("Occupation name, in any language"), icon=":material/search:"
    )
    hits = search_names(taxonomy, letters, show=shown, limit=_MOST_HITS) if letters.strip() else []
    _open_closest(letters, hits)
    _open_group_of_occupation(taxonomy)
    group = _open_group_or_top(taxonomy)
    if not letters.strip() or st.session_state.get(OCCUPATION_KEY):
        _trail(taxonomy, group, shown)
    tree, occupation = st.columns(2, gap="large")
    with tree:
        if letters.strip():
            _search_results(taxonomy, letters, hits)
        else:
            _tree(taxonomy, group, shown)
    with occupation:
        _selected(taxonomy, shown)


def open_in(taxonomy_id: str) -> None:
    """Browse a taxonomy from its top; for callbacks."""
    st.session_state["section"] = "browse"
    st.session_state[TAXONOMY_KEY] = taxonomy_id
    _open_group("")


def _open_group_of_occupation(taxonomy: Taxonomy) -> None:
    uri = str(st.session_state.get(OCCUPATION_KEY) or "")
    if uri == st.session_state.get(_PLACED_KEY) or not taxonomy.has_concept(uri):
        return
    st.session_state[_PLACED_KEY] = uri
    st.session_state[GROUP_KEY] = taxonomy.isco_codes[taxonomy.number(uri)] or _NO_GROUP


def _open_closest(letters: str, hits: Sequence[NameHit]) -> None:
    if letters == st.session_state.get(_SEARCHED_KEY, ""):
        return
    st.session_state[_SEARCHED_KEY] = letters
    if letters.strip():
        st.session_state[OCCUPATION_KEY] = hits[0].uri if hits else ""
    if hits:
        _select_row(f"choose search {letters}", 0)


def _search_results(taxonomy: Taxonomy, letters: str, hits: Sequence[NameHit]) -> None:
    if not hits:
        st.info(_("No occupation name contains these letters."), icon=":material/search_off:")
        page_link(
            "search",
            _("Search by a description of the work"),
            {"query": letters, "in": "occupations", "taxonomy": taxonomy.id},
        )
        return
    st.caption(
        _("The first {n} occupations, the closest names first", n=numeral(_MOST_HITS))
        if len(hits) == _MOST_HITS
        else plural("{n} occupation, the closest names first", "{n} occupations, the closest names first", len(hits))
    )
    matched = [f"{hit.matched} ({language_name(hit.language)})" for hit in hits]
    _choose([hit.uri for hit in hits], [hit.name for hit in hits], {_("Matched name"): matched}, f"search {letters}")


def _open_group_or_top(taxonomy: Taxonomy) -> str:
    group = str(st.session_state.get(GROUP_KEY) or "")
    if not group or group == _NO_GROUP or taxonomy.has_group(group):
        return group
    st.warning(_("There is no ISCO-08 group {group}.", group=plain(group)), icon=":material/info:")
    return ""


def _tree(taxonomy: Taxonomy, group: str, language: str) -> None:
    if group == _NO_GROUP:
        _occupations(taxonomy, "", language)
        return
    with st.container(gap="xxsmall", key="browse_groups"):
        for subgroup in taxonomy.subgroups(group, language):
            _group_button(f"**{subgroup.code}** {_counted(taxonomy, subgroup)}", subgroup.code)
        if not group and (without := len(taxonomy.occupations_in(""))):
            _group_button(_("Without an ISCO-08 code ({without})", without=numeral(without)), _NO_GROUP)
    if group:
        _occupations(taxonomy, group, language)


def _trail(taxonomy: Taxonomy, group: str, language: str) -> None:
    if not group:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="browse_path"):
        _group_button(_("All groups"), "", kind="tertiary")
        if group == _NO_GROUP:
            st.markdown(_("**› Without an ISCO-08 code**"), width="content")
            return
        *above, here = taxonomy.isco_path(group, language)
        for step in above:
            _group_button(f"› {step.code} {_counted(taxonomy, step)}", step.code, kind="tertiary")
        st.markdown(f"**› {here.code} {_counted(taxonomy, here)}**", width="content")


def _counted(taxonomy: Taxonomy, group: IscoGroup) -> str:
    return f"{plain(group.name)} ({numeral(taxonomy.group_sizes[group.code])})"


def _group_button(label: str, code: str, kind: str = "secondary") -> None:
    width = "content" if kind == "tertiary" else "stretch"
    st.button(label, key=f"group_{code}", type=kind, width=width, wrap=True, on_click=_open_group, args=(code,))  # type: ignore[arg-type]


def _open_group(code: str) -> None:
    st.session_state[GROUP_KEY] = code
    st.session_state[OCCUPATION_KEY] = st.session_state[_SEARCH_KEY] = ""


def _occupations(taxonomy: Taxonomy, code: str, language: str) -> None:
    uris = taxonomy.occupations_in(code)
    if not uris:
        if not taxonomy.subgroups(code, language):
            st.caption(_("This taxonomy has no occupations in this group."))
        return
    named = sorted((taxonomy.name(taxonomy.number(uri), language), uri) for uri in uris)
    _choose([uri for _unused, uri in named], [name for name, _unused in named], {}, f"group {code}")


def _choose(uris: Sequence[str], names: Sequence[str], more: dict[str, list[str]], key: str) -> None:
    table = readable({_("Occupation"): names, **more})
    st.dataframe(
        table,
        hide_index=True,
        key=f"choose {key}",
        on_select=lambda: _open_occupation(uris, f"choose {key}"),
        selection_mode=["single-row", "single-cell"],
        column_config={_("Occupation"): st.column_config.TextColumn(width=180)} if more else None,
        height=min(_LIST_HEIGHT, 38 + 35 * len(table)),
    )


def _open_occupation(uris: Sequence[str], key: str) -> None:
    selection = st.session_state[key].selection
    rows = [selection.cells[0][0]] if selection.cells else selection.rows
    if selection.cells:  # a click anywhere selects the whole row
        _select_row(key, rows[0])
    st.session_state[OCCUPATION_KEY] = uris[rows[0]] if rows else ""


def _select_row(key: str, row: int) -> None:
    st.session_state[key] = {"selection": {"rows": [row], "columns": [], "cells": []}}


def _selected(taxonomy: Taxonomy, language: str) -> None:
    uri = str(st.session_state.get(OCCUPATION_KEY) or "")
    if not uri:
        st.caption(_("Choose a group, then an occupation, to see its description, skills and names."))
        return
    with errors_shown():
        occupation = taxonomy.occupation(uri, language)
        st.markdown(f"## {plain(occupation.name)}")
        page_link(
            "link_titles",
            _("Link a title to this taxonomy"),
            {"view": "one", "taxonomy": taxonomy.id, "title": occupation.name},
        )
        occupation_view.show(occupation, "browse")
