"""Filters of the table of links: chips of statuses, and facets whose values show how many rows they have."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import plotly.graph_objects as go
import streamlit as st

from jobmatch_core.linking.decisions import STATUSES
from jobmatch_core.linking.link_answer import OWN
from jobmatch_core.linking.link_counts import count_probabilities
from jobmatch_core.linking.list_facets import Facet, ReviewFilter
from jobmatch_core.linking.review import Review
from jobmatch_core.taxonomy import Taxonomy
from pages.shared.language import N_, _, language_name, numeral
from pages.shared.link_texts import reason_text
from pages.shared.widgets import plain

_KEYS = {
    Facet.STATUS: "many_status",
    Facet.REASON: "many_reasons",
    Facet.WORD: "many_words",
    Facet.LANGUAGE: "many_languages",
    Facet.MAJOR: "many_majors",
    Facet.UNIT: "many_units",
    Facet.LEVEL: "many_levels",
    Facet.SENIORITY: "many_seniorities",
}
_LABELS = {
    Facet.REASON: N_("Reason to check"),
    Facet.WORD: N_("Unknown word"),
    Facet.LANGUAGE: N_("Language of the matched name"),
    Facet.MAJOR: N_("ISCO-08 major group"),
    Facet.UNIT: N_("ISCO-08 unit group"),
    Facet.LEVEL: N_("Linked to"),
    Facet.SENIORITY: N_("Seniority"),
}
LETTERS_KEY, _EARLIER_KEY, _PROBABILITY_KEY = "many_search", "many_earlier", "many_probability"
_FILTER_KEY, _CHART_KEY = "many_filter", "probability_chart"
_VALUES_KEY = "many_values"  # values of facets by the labels that the browser was sent
_ALL = (0.0, 1.0)
_FILTER_WIDTH = 560
_BAR_COLOUR = "#999999"
_CHIPS = 3  # values of a facet with a chip each


def chosen_filter() -> ReviewFilter:
    """Return the filter that is set on the page."""
    state = st.session_state
    least, most = state.get(_PROBABILITY_KEY, _ALL)
    return ReviewFilter(
        values={facet: _chosen_values(facet) for facet in _KEYS},
        letters=state.get(LETTERS_KEY) or "",
        earlier=bool(state.get(_EARLIER_KEY)),
        least=least,
        most=most,
    )


# a browser sends labels, and may not know yet that their counts have changed: Streamlit takes such a label for a value
def _chosen_values(facet: Facet) -> tuple[str, ...]:
    values: Mapping[tuple[Facet, str], str] = st.session_state.get(_VALUES_KEY, {})
    return tuple(dict.fromkeys(values.get((facet, label), label) for label in st.session_state.get(_KEYS[facet]) or ()))


def show(review: Review, taxonomy: Taxonomy, chosen: ReviewFilter, changed: Callable[[], None]) -> list[int]:
    """Draw the chips, the search box and the facets; return the rows that pass, in the order of review.

    Args:
        review: The list.
        taxonomy: Taxonomy that names the ISCO-08 groups.
        chosen: The filter that is set.
        changed: Callback for a changed filter.
    """
    is_open = bool(st.session_state.get(_FILTER_KEY))  # closed, it costs no time between two keys
    sifted = chosen.sift(review, tuple(Facet) if is_open else (Facet.STATUS,))
    _status_chips(chosen, sifted.counts[Facet.STATUS], changed)
    st.space("stretch")
    st.text_input(
        _("Search titles and occupations"),
        key=LETTERS_KEY,
        persist_state="session",
        placeholder=_("Search the list (F)"),
        icon=":material/search:",
        label_visibility="collapsed",
        width=180,
        on_change=changed,
    )
    with st.popover(_("Filter"), icon=":material/filter_list:", key=_FILTER_KEY, on_change="rerun"):
        if is_open:
            with st.container(width=_FILTER_WIDTH):
                columns = st.columns(2)
                given = [facet for facet in _LABELS if sifted.counts[facet] or chosen.values[facet]]
                for number, facet in enumerate(given):
                    with columns[number % 2]:
                        _facet(review, taxonomy, facet, chosen.values[facet], sifted.counts[facet], changed)
                _probability(review, changed)
                if review.n_earlier or chosen.earlier:
                    st.toggle(
                        _("Only rows that use earlier decisions"),
                        key=_EARLIER_KEY,
                        persist_state="session",
                        on_change=changed,
                    )
    return [number for number in review.order() if number in sifted.rows]


def show_set(review: Review, taxonomy: Taxonomy, chosen: ReviewFilter, changed: Callable[[], None]) -> None:
    """Draw what is set in the facets, each with a button that removes it; nothing if nothing is set."""
    for facet, heading in _LABELS.items():
        label = _(heading)
        values = chosen.values.get(facet, ())
        if len(values) > _CHIPS:
            _chip(
                _("{label}: {n_values} chosen", label=label, n_values=numeral(len(values))),
                facet,
                _keep,
                (facet, [], changed),
            )
            continue
        for value in values:
            name, others = value_name(review, taxonomy, facet, value), [other for other in values if other != value]
            chip = _("{label}: {value}", label=label, value=name)
            _chip(chip, f"{facet}_{value}", _keep, (facet, others, changed))
    if chosen.earlier:
        _chip(_("Only rows that use earlier decisions"), "earlier", _reset, (_EARLIER_KEY, False, changed))
    if (chosen.least, chosen.most) != _ALL:
        _chip(
            _("Probability: {least} to {most}", least=numeral(chosen.least, 2), most=numeral(chosen.most, 2)),
            "probability",
            _reset,
            (_PROBABILITY_KEY, _ALL, changed),
        )


def forget() -> None:
    """Reset all filters, for another list."""
    for key in (*_KEYS.values(), LETTERS_KEY, _EARLIER_KEY, _PROBABILITY_KEY, _VALUES_KEY):
        st.session_state.pop(key, None)


def _chip(label: str, name: str, remove: Callable[..., None], arguments: tuple[object, ...]) -> None:
    st.button(
        plain(label, limit=80),
        key=f"remove_{name}",
        icon=":material/close:",
        icon_position="right",
        on_click=remove,
        args=arguments,
        help=_("Remove this filter"),
    )


def _status_chips(chosen: ReviewFilter, counts: Mapping[str, int], changed: Callable[[], None]) -> None:
    selected = chosen.values[Facet.STATUS]
    st.pills(
        _("Show only"),
        [status for status in STATUSES if counts.get(status) or status in selected],
        selection_mode="multi",
        key=_KEYS[Facet.STATUS],
        persist_state="session",
        label_visibility="collapsed",
        width="content",
        format_func=lambda word: f"{_(word)} {numeral(counts.get(word, 0))}",
        on_change=changed,
    )


def _facet(
    review: Review,
    taxonomy: Taxonomy,
    facet: Facet,
    selected: Sequence[str],
    counts: Mapping[str, int],
    changed: Callable[[], None],
) -> None:
    values = sorted({*counts, *selected}, key=lambda value: (-counts.get(value, 0), value))
    if facet is Facet.MAJOR:
        values.sort()
    # without a count where a value is selected: its label stays the same while titles are decided on
    labels = {
        value: value_name(review, taxonomy, facet, value)
        + (f" · {numeral(counts.get(value, 0))}" if value not in selected else "")
        for value in values
    }
    value_of_label: dict[tuple[Facet, str], str] = st.session_state.setdefault(_VALUES_KEY, {})
    value_of_label.update({(facet, label): value for value, label in labels.items()})
    if selected:
        st.session_state[_KEYS[facet]] = list(selected)  # sends the browser the labels
    st.multiselect(
        _(_LABELS[facet]),
        values,
        key=_KEYS[facet],
        persist_state="session",
        placeholder=_("All"),
        format_func=lambda value: labels.get(value, value),
        on_change=changed,
    )


def _probability(review: Review, changed: Callable[[], None]) -> None:
    bins = count_probabilities([result.probability for result in review.results])
    figure = go.Figure(
        go.Bar(
            x=[(bin_.start + bin_.end) / 2 for bin_ in bins],
            y=[bin_.count for bin_ in bins],
            width=0.045,
            marker_color=_BAR_COLOUR,
            hovertemplate=_("%{x:.2f}: %{y:,} rows<extra></extra>"),
        )
    )
    margin = {"l": 8, "r": 8, "t": 0, "b": 0}
    axes = {"xaxis": {"range": list(_ALL), "visible": False}, "yaxis": {"visible": False, "fixedrange": True}}
    figure.update_layout(height=70, margin=margin, dragmode="select", selectdirection="h", **axes)
    st.caption(_("Probability: drag over the bars, or move the ends"))
    st.plotly_chart(
        figure,
        key=_CHART_KEY,
        config={"displayModeBar": False},
        on_select=partial(_brush, changed),
        selection_mode="box",
    )
    st.slider(
        _("Probability"),
        *_ALL,
        _ALL,
        0.01,
        key=_PROBABILITY_KEY,
        persist_state="session",
        label_visibility="collapsed",
        on_change=changed,
    )


def _brush(changed: Callable[[], None]) -> None:
    boxes = st.session_state[_CHART_KEY].selection.box
    if boxes:
        least, most = sorted(min(max(round(edge, 2), 0.0), 1.0) for edge in boxes[0]["x"])
        st.session_state[_PROBABILITY_KEY] = (least, most)
        changed()


def value_name(review: Review, taxonomy: Taxonomy, facet: Facet, value: str) -> str:
    """Return a value of a facet in words."""
    if facet is Facet.LANGUAGE:
        return _("Accepted titles") if value == OWN else language_name(value)
    if facet in (Facet.MAJOR, Facet.UNIT):
        return f"{value} {taxonomy.group_name(value, review.options.show)}"
    if facet is Facet.WORD:
        return value
    return reason_text(value) if facet is Facet.REASON else _(value)


def _keep(facet: Facet, values: list[str], changed: Callable[[], None]) -> None:
    st.session_state[_KEYS[facet]] = values
    changed()


def _reset(key: str, value: object, changed: Callable[[], None]) -> None:
    st.session_state[key] = value
    changed()
