"""Links as lines of a file: they come back as they were, and those of older releases are read."""

from dataclasses import replace

from jobmatch_core.entities import GroupOffer, LinkResult, Seniority
from jobmatch_core.judged_title import Rejection
from jobmatch_core.link_reasons import NOTHING_LIKE_IT, SEVERAL, UNKNOWN_WORD
from jobmatch_core.linking.stored_list import from_lines, to_lines
from tests.core.linking.made_candidates import COOK, GROUP, NURSE, OWN


def test_results_come_back_as_they_were() -> None:
    """With all digits, groups, own names, and halves of surrogate pairs."""
    group = GroupOffer("51", "Personal service workers", 0.7)
    refused = Rejection("nurse", "nurse", "2221", replace(OWN, uri="nurse", rejected=True))
    results = [
        LinkResult("Koch", (COOK, NURSE), False, None, "tiny-1", (), Seniority.HEAD),
        LinkResult("Koch", (COOK,), False, replace(GROUP, own=OWN), "tiny-1", (), rejected=(refused,)),
        LinkResult("\ud800", (), True, group, "tiny-1", ("- Leeds",), reason="no names in Thai"),
        LinkResult("Käfzer", (COOK,), True, None, "tiny-1", (), reason=UNKNOWN_WORD, unknown=("kafzer", "زغلطف")),
    ]
    assert from_lines(to_lines(results)) == results


def test_links_of_older_versions_get_a_reason() -> None:
    """Older files have no reason; it is derived from the candidates."""
    stored = [
        LinkResult("Koch", (COOK,), False, None, "tiny-1", ()),
        LinkResult("Koch (m/w/d)", (COOK, replace(COOK, uri="chef")), True, None, "tiny-1", ()),
        LinkResult("qqqq", (), True, None, "tiny-1", ()),
    ]
    lines = to_lines(stored).replace(b'"reason":"",', b"").replace(b',"rejected":[]', b"")
    assert b"reason" not in lines
    assert b"rejected" not in lines
    assert [result.reason for result in from_lines(lines)] == ["", SEVERAL, NOTHING_LIKE_IT]


def test_reasons_of_older_lists_read_as_today() -> None:
    """Filters and downloads of such a list have one wording."""
    lines = to_lines([LinkResult("qqqq", (), True, None, "tiny-1", (), reason=UNKNOWN_WORD)])
    [result] = from_lines(lines.replace(UNKNOWN_WORD.encode(), b"a word that no name has"))
    assert result.reason == UNKNOWN_WORD
