"""Links as HTML tables in notebooks, with all texts escaped."""

import re

import pytest

from jobmatch_core.entities import Candidate, Evidence, GroupOffer, LinkResult, links_html

COOK = Candidate("uri:cook", "Köche & <b>Köchinnen</b>", "5120", 0.87654, Evidence("koch", "de", {}))
ARMY = Candidate("uri:army", "Soldiers", "0110", 0.1, Evidence("soldier", "en", {}))
NO_CODE = Candidate("uri:own", "Own", "", 0.6, Evidence("own", "en", {}))
UNIT = GroupOffer("0110", "Officers", 0.9)


def cells(html: str) -> list[str]:
    """Return the texts of the cells of all rows but the first, still escaped."""
    return re.findall("<td>(.*?)</td>", html)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        pytest.param(
            LinkResult("<script>alert(1)</script>", (COOK, ARMY), False, None, "t", ()),
            [
                "&lt;script&gt;alert(1)&lt;/script&gt;",
                "Köche &amp; &lt;b&gt;Köchinnen&lt;/b&gt;",
                "5120",
                "0.88",
                "Soldiers (0.10)",
            ],
            id="occupation",
        ),
        pytest.param(
            LinkResult("officer", (ARMY, COOK), False, UNIT, "t", ()),
            [
                "officer",
                "Officers (unit group)",
                "0110",
                "0.90",
                "Soldiers (0.10); Köche &amp; &lt;b&gt;Köchinnen&lt;/b&gt; (0.88)",
            ],
            id="unit group",
        ),
        pytest.param(
            LinkResult("zz", (ARMY,), True, UNIT, "t", (), reason="no similar name"),
            ["zz", "not linked: no similar name", "", "", "Soldiers (0.10)"],
            id="not linked",
        ),
        pytest.param(LinkResult("own", (NO_CODE,), False, None, "t", ()), ["own", "Own", "", "0.60", ""], id="no code"),
    ],
)
def test_a_link_in_a_notebook(result: LinkResult, expected: list[str]) -> None:
    """Title, occupation or group, its code and probability, and the other candidates."""
    assert cells(result._repr_html_()) == expected


def test_links_in_a_notebook() -> None:
    """A header, and one row per link."""
    html = links_html([LinkResult(title, (COOK,), False, None, "t", ()) for title in ("a", "b")])
    assert re.findall("<th>(.*?)</th>", html) == ["title", "occupation", "ISCO", "probability", "alternatives"]
    assert cells(html)[::5] == ["a", "b"]
    assert html.count("<tr>") == html.count("</tr>") == 3
