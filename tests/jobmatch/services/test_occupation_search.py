"""Search for an occupation by hand: two rankings as one."""

from types import SimpleNamespace
from typing import Any

from jobmatch.services.occupation_search import find_occupations
from jobmatch_core.entities import Candidate, Evidence
from jobmatch_core.search.search_index import SearchHit
from jobmatch_core.search.search_items import OccupationCard


def linker(*uris: str) -> Any:
    """Return a linker that finds these occupations without accepted titles."""
    found = tuple(Candidate(uri, f"the {uri}", "2221", 0.9, Evidence("matched", "de", {"char": 1.0})) for uri in uris)
    plain = SimpleNamespace(link=lambda words, *, show, top: SimpleNamespace(candidates=found[:top]))
    return SimpleNamespace(with_own_names=lambda names: plain)


def index(*uris: str) -> Any:
    """Return an index that finds these occupations."""
    cards = [OccupationCard(uri, "2221", {"de": f"der {uri}", "fr": f"le {uri}"}, "") for uri in uris]
    hits = [SearchHit(card, rank, 0.5, ()) for rank, card in enumerate(cards, start=1)]
    return SimpleNamespace(search=lambda words, limit: hits[:limit])


def test_what_both_find_comes_first_and_once() -> None:
    """With the linker's evidence and probability 0."""
    found = find_occupations("x", linker("a", "b", "c"), index("d", "c"), show="fr")
    assert [each.uri for each in found] == ["c", "a", "d", "b"]
    assert {each.probability for each in found} == {0.0}
    assert found[0].evidence == Evidence("matched", "de", {"char": 1.0})
    assert (found[2].name, found[2].isco, found[2].evidence) == ("le d", "2221", Evidence("le d", "fr", {}))


def test_a_name_in_another_language() -> None:
    """If there is none in the display language."""
    [found] = find_occupations("x", linker(), index("d"), show="sv")
    assert (found.name, found.evidence.language) == ("der d", "de")


def test_the_linker_alone_and_the_limit() -> None:
    """Without an index; at most the limit."""
    assert [each.uri for each in find_occupations("x", linker("a", "b"), None)] == ["a", "b"]
    assert len(find_occupations("x", linker("a", "b"), index("c", "d"), limit=3)) == 3
    assert find_occupations("x", linker(), index()) == []
