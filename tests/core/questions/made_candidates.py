"""Candidates and taxonomies for questions, written by hand."""

from jobmatch_core.entities import Candidate, Evidence, LinkResult
from jobmatch_core.link_reasons import NOT_SURE


def candidate(uri: str, isco: str, probability: float, language: str = "en") -> Candidate:
    """Return a candidate that is named by its URI."""
    return Candidate(uri, uri, isco, probability, Evidence(uri, language, {}))


def unsure(*candidates: Candidate, title: str = "operator") -> LinkResult:
    """Return a link that is not sure."""
    return LinkResult(title, candidates, True, None, "made", (), reason=NOT_SURE)
