"""A list of links written by hand: one to a unit group, one to an occupation, and one title per reason to check."""

from collections.abc import Sequence

from jobmatch_core.entities import Candidate, Evidence, GroupOffer, LinkResult
from jobmatch_core.link_reasons import NOT_SURE, NOTHING_LIKE_IT, SEVERAL
from jobmatch_core.linking.review import ListOptions, Review


def proposed(uri: str, isco: str, probability: float, matched: str) -> Candidate:
    """Return a candidate, named by its URI."""
    return Candidate(uri, uri, isco, probability, Evidence(matched, "de", {}))


APP, BACKEND = proposed("app", "2512", 0.5, "Entwickler/in"), proposed("backend", "2512", 0.4, "Entwickler")
WEB = proposed("web", "2513", 0.03, "Webentwickler")
THAI = "no names in Thai"
UNITS = GroupOffer("2512", "Software developers", 0.9)
LEVELS = [
    LinkResult("Entwickler", (APP, BACKEND), False, UNITS, "t", ()),
    LinkResult("App-Entwickler", (APP, WEB), False, None, "t", ()),
    LinkResult("Entwicklerin", (APP, BACKEND), True, UNITS, "t", (), reason=SEVERAL),
    LinkResult("qqq", (WEB,), True, None, "t", (), reason=NOTHING_LIKE_IT),
    LinkResult("พยาบาล", (), True, None, "t", (), reason=THAI),
    LinkResult("Entwickler", (BACKEND, WEB), True, UNITS, "t", (), reason=NOT_SURE),
]


def made_review(results: Sequence[LinkResult]) -> Review:
    """Return a linked list of these links."""
    rows = [{"title": result.title} for result in results]
    return Review(rows, "title", ListOptions("t"), list(results), running=False)
