"""The made-up recruiter accepts what is right, picks a better candidate, rejects the unclear, and leaves the rest."""

from jobmatch_core.demo.recruiter import choices
from jobmatch_core.entities import Candidate, Evidence, LinkResult
from jobmatch_core.linking.review import ListOptions, Review

NURSE = Candidate("u:2221", "nurse", "2221", 0.7, Evidence("nurse", "en", {}))
CARER = Candidate("u:5321", "carer", "5321", 0.2, Evidence("carer", "en", {}))


def test_four_rows_and_what_becomes_of_them() -> None:
    """The fifth row is not among those to decide on."""
    result = LinkResult("nurse", (NURSE, CARER), False, None, "isco-08", ())
    review = Review([{"title": "nurse"}] * 5, "title", ListOptions("isco-08"), [result] * 5)
    decided = choices(review, ["2221", "5321", "", "8332", "2221"], range(4))
    assert decided == {0: NURSE, 1: CARER, 2: None}
