"""Search for an occupation by a few words, with the linker and the search index."""

from collections.abc import Iterable
from dataclasses import replace

from jobmatch_core.entities import Candidate, Evidence
from jobmatch_core.linking import Linker
from jobmatch_core.search.search_index import SearchIndex
from jobmatch_core.search.search_items import OccupationCard, Record
from jobmatch_core.text.locales import ENGLISH

_SMOOTHING = 20  # of reciprocal ranks, as in `search_index`


def find_occupations(
    words: str, linker: Linker, index: SearchIndex[Record] | None, *, show: str = ENGLISH, limit: int = 20
) -> list[Candidate]:
    """Return the occupations that the linker or the search finds, by reciprocal rank fusion, best first.

    The candidates have probability 0, since the linker's probabilities are for the words and not for the title whose
    occupation is searched. Accepted and rejected titles are not used. Without an index, the linker searches alone.
    """
    linked = linker.with_own_names(()).link(words, show=show, top=limit).candidates
    hits = index.search(words, limit=limit) if index is not None else []
    searched = [_candidate(hit.record, show) for hit in hits if isinstance(hit.record, OccupationCard)]
    candidates: dict[str, Candidate] = {}
    scores: dict[str, float] = {}
    for ranking in (linked, searched):
        for rank, candidate in enumerate(ranking, start=1):
            candidates.setdefault(candidate.uri, replace(candidate, probability=0.0))
            scores[candidate.uri] = scores.get(candidate.uri, 0.0) + 1 / (_SMOOTHING + rank)
    return [candidates[uri] for uri in sorted(scores, key=lambda uri: -scores[uri])[:limit]]


def _candidate(card: OccupationCard, show: str) -> Candidate:
    languages: Iterable[str] = (show, ENGLISH, *card.names)
    language = next((code for code in languages if code in card.names), "")
    return Candidate(card.uri, card.name(show), card.isco, 0.0, Evidence(card.name(show), language, {}))
