"""Choice of an occupation by hand: among those offered, or found by the linker and the search."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from jobmatch.services.occupation_search import find_occupations
from jobmatch_core.entities import UNIT_GROUP_LEVEL, Candidate, GroupOffer, LinkLevel, LinkResult
from jobmatch_core.errors import JobMatchError
from jobmatch_core.linking import Linker
from jobmatch_core.linking.decisions import Choice, identity
from jobmatch_core.search_events import SearchKind
from jobmatch_core.text.folding import visible
from pages.shared import resources
from pages.shared.widgets import error_box, finished, plain

_MOST_PROPOSED = 50

_Identity = tuple[LinkLevel, str]


def search(linker: Linker, key: str, language: str) -> list[Candidate]:
    """Draw the search; return the occupations that it finds, best first, without probability.

    Args:
        linker: finds them, together with the search of its taxonomy.
        key: of the text field.
        language: language to show names in.
    """
    words = st.text_input(
        "Another occupation",
        key=key,
        placeholder="Search for another occupation",
        icon=":material/search:",
        label_visibility="collapsed",
    ).strip()
    if not words:
        return []
    index, manifest = None, linker.taxonomy.manifest
    try:
        opening = resources.opening_search(SearchKind.OCCUPATIONS, manifest.id, manifest.created)
        index = finished(opening, f"Indexing {plain(manifest.id)}")
    except JobMatchError as error:  # the linker finds most of them alone
        error_box(error)
    found = find_occupations(words, linker, index, show=language)
    if not found:
        st.caption("No occupation was found by these words.")
    return found


@dataclass(frozen=True, slots=True)
class Choosing:
    """A select box of occupations and unit groups.

    Attributes:
        key: key of the box, whose value is a level and a URI.
        options: what can be chosen, by level and URI.
        drawn: what was chosen when the box was drawn.
    """

    key: str
    options: Mapping[_Identity, Choice]
    drawn: Choice | None

    def now(self) -> Choice | None:
        """Return what is chosen now; for callbacks, which may come before a choice was drawn."""
        chosen = st.session_state.get(self.key, self.drawn and identity(self.drawn))
        return self.options.get(chosen) if chosen else None


def choose(
    found: Sequence[Candidate], offered: Iterable[Choice], chosen: Choice | None, key: str, *, empty: str = ""
) -> Choosing:
    """Draw what was found and what is offered, each once; the best that was found is chosen first.

    Where a unit group is offered, it stands for the occupation of its URI too: in ISCO-08 itself they are the same.

    Args:
        found: what a search found.
        offered: what is offered without it, a unit group before the occupations.
        chosen: what is chosen if nothing was found; None for the first.
        key: of the box.
        empty: what the box says while nothing is chosen; '' if something always is.
    """
    known: dict[str, Choice] = {}
    for each in offered:
        known.setdefault(each.uri, each)
    listed = [known.get(each.uri, each) for each in found]
    decided = [chosen] if chosen and identity(chosen) not in map(identity, known.values()) else []
    options = {identity(each): each for each in (*listed, *decided, *known.values())}
    if not options:
        return Choosing(key, options, None)
    labels = _labels(options)
    first = identity(listed[0]) if listed else identity(chosen) if chosen else None
    index = list(options).index(first) if first else None if empty else 0
    key = " ".join([key, *(first or ["None"])])
    now = st.selectbox(
        "Occupation", list(options), index=index, key=key, format_func=labels.__getitem__, placeholder=empty or None
    )
    return Choosing(key, options, options[now] if now else None)


def most_proposed(results: Sequence[LinkResult]) -> list[Candidate]:
    """Return the candidates of several links, each once, those of most links first; the first 50."""
    candidates = {each.uri: each for result in results for each in result.candidates}
    counts = Counter(each.uri for result in results for each in result.candidates)
    return [candidates[uri] for uri, _ in counts.most_common(_MOST_PROPOSED)]


def _labels(options: Mapping[_Identity, Choice]) -> dict[_Identity, str]:
    labels = {each: _label(choice) for each, choice in options.items()}
    counts = Counter(labels.values())
    return {each: label if counts[label] == 1 else f"{label} · {visible(each[1])}" for each, label in labels.items()}


def _label(choice: Choice) -> str:
    if isinstance(choice, GroupOffer):
        parts = [f"{choice.name} ({UNIT_GROUP_LEVEL} {choice.code})"]
    else:
        parts = [choice.name, *([f"ISCO {choice.isco}"] if choice.isco else [])]
    return visible(" · ".join([*parts, *([f"{choice.probability:.2f}"] if choice.probability else [])]))
