"""Manual choice of an occupation: one of those offered, or a search hit."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from jobmatch.services.home_services import home_services
from jobmatch.services.occupation_search import find_occupations
from jobmatch_core.entities import UNIT_GROUP_LEVEL, Candidate, GroupOffer, LinkLevel, LinkResult
from jobmatch_core.errors import JobMatchError
from jobmatch_core.linking import Linker
from jobmatch_core.linking.decisions import Choice, identity
from jobmatch_core.search.search_index import SearchIndex
from jobmatch_core.search.search_items import Record
from jobmatch_core.search_events import SearchKind
from jobmatch_core.taxonomy import Manifest
from jobmatch_core.text.folding import visible
from pages.shared.language import _
from pages.shared.occupation_view import probability_number
from pages.shared.widgets import error_box, plain, taxonomy_name

_MOST_PROPOSED = 50
_PATIENCE_SECONDS = 2.0  # longer than a stored index takes to open

Identity = tuple[LinkLevel, str]


def search(linker: Linker, key: str, language: str) -> list[Candidate]:
    """Draw a search box; return its hits, best first, without probability.

    Args:
        linker: Linker of the taxonomy, which is searched together with the taxonomy's search index.
        key: Key of the text field.
        language: Language of the names.
    """
    words = st.text_input(
        _("Another occupation"),
        key=key,
        placeholder=_("Search for another occupation"),
        icon=":material/search:",
        label_visibility="collapsed",
    ).strip()
    if not words:
        return []
    hits = find_occupations(words, linker, _index(linker.taxonomy.manifest), show=language)
    if not hits:
        st.caption(_("No occupation matches these words."))
    return hits


def _index(manifest: Manifest) -> SearchIndex[Record] | None:
    place = st.empty()  # in every run: what stands below it keeps its place, and its focus
    try:
        opening = home_services().searching.opening(SearchKind.OCCUPATIONS, manifest.id)
        if opening.wait(_PATIENCE_SECONDS):
            return opening.result()
    except JobMatchError as error:  # the linker alone finds most of them
        with place:
            error_box(error)
        return None
    place.caption(  # a new index takes minutes, and nobody can decide until this run ends
        _(
            "Searched in names only; the descriptions of {taxonomy} are being indexed once.",
            taxonomy=plain(taxonomy_name(manifest)),
        )
    )
    return None


@dataclass(frozen=True, slots=True)
class Choosing:
    """Select box of occupations and unit groups."""

    key: str  # key of the box, whose value is a level and a URI
    options: Mapping[Identity, Choice]  # options by level and URI
    drawn: Choice | None  # the selected option when the box was drawn

    def now(self) -> Choice | None:
        """Return the currently selected option; for callbacks, which may run before the box was drawn."""
        chosen = st.session_state.get(self.key, self.drawn and identity(self.drawn))
        return self.options.get(chosen) if chosen else None


def merged(hits: Sequence[Candidate], offered: Iterable[Choice], chosen: Choice | None) -> dict[Identity, Choice]:
    """Return search hits, what was chosen, and offered choices, in this order and without duplicates.

    An offered unit group replaces the occupation with its URI: in ISCO-08 itself they are the same.

    Args:
        hits: Hits of a search, best first.
        offered: Choices offered without a search, a unit group before the occupations.
        chosen: What was decided or linked; None for nothing.
    """
    by_uri: dict[str, Choice] = {}
    for choice in offered:
        by_uri.setdefault(choice.uri, choice)
    listed = [by_uri.get(hit.uri, hit) for hit in hits]
    first = [*listed, *([chosen] if chosen else [])]
    return {identity(choice): choice for choice in (*first, *by_uri.values())}


def labelled(options: Mapping[Identity, Choice]) -> dict[Identity, str]:
    """Return a label for each option; options that would look alike end with their URI."""
    labels = {level_and_uri: _label(choice) for level_and_uri, choice in options.items()}
    counts = Counter(labels.values())
    for level_and_uri, label in labels.items():
        if counts[label] > 1:
            labels[level_and_uri] = f"{label} · {visible(level_and_uri[1])}"
    return labels


def choose(hits: Sequence[Candidate], offered: Iterable[Choice], key: str, *, empty: str = "") -> Choosing:
    """Draw search hits and offered choices in one select box, see `merged`; the best hit is preselected.

    Args:
        hits: Hits of a search.
        offered: Choices offered without a search, a unit group before the occupations.
        key: Key of the box.
        empty: Placeholder while nothing is selected; '' if something always is.
    """
    options = merged(hits, offered, None)
    if not options:
        return Choosing(key, options, None)
    labels = labelled(options)
    first = next(iter(options)) if hits else None
    index = 0 if first or not empty else None
    key = " ".join([key, *(first or ["None"])])
    now = st.selectbox(
        _("Occupation"), list(options), index=index, key=key, format_func=labels.__getitem__, placeholder=empty or None
    )
    return Choosing(key, options, options[now] if now else None)


def most_proposed(results: Sequence[LinkResult]) -> list[Candidate]:
    """Return the 50 candidates that occur in most links, without duplicates."""
    candidates = {candidate.uri: candidate for result in results for candidate in result.candidates}
    counts = Counter(candidate.uri for result in results for candidate in result.candidates)
    return [candidates[uri] for uri, _unused in counts.most_common(_MOST_PROPOSED)]


def _label(choice: Choice) -> str:
    if isinstance(choice, GroupOffer):
        parts = [f"{choice.name} ({UNIT_GROUP_LEVEL} {choice.code})"]
    else:
        parts = [choice.name, *([_("ISCO {isco}", isco=choice.isco)] if choice.isco else [])]
    return visible(" · ".join([*parts, *([probability_number(choice.probability)] if choice.probability else [])]))
