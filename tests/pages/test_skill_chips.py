"""Chips of skills in their three states: declared, in the text, missing."""

import pytest

from jobmatch_core.retrieval.matches import SkillMatch
from pages.shared import widgets

DECLARED = SkillMatch("py", "Python", "Python", True)
TRANSLATED = SkillMatch("ml", "machine learning", "uczenie maszynowe", True)
IN_TEXT = SkillMatch("sap", "SAP", "", True, "sap")
MISSING = SkillMatch("x", "[x](http://a.org)", "", True)


def test_three_states() -> None:
    """Declared skills come first, then those in the text; the line counts them."""
    line = widgets.wanted_skills("Must have", [MISSING, IN_TEXT, TRANSLATED, DECLARED])
    assert line.startswith(":small[Must have, 3 of 4] ")
    chips = line.partition("] ")[2]
    assert chips.startswith(":blue-badge[:material/check: machine learning = uczenie maszynowe] :blue-badge[")
    assert ":violet-badge[:material/article: SAP, in the text] :gray-badge[:material/close: " in chips
    assert chips.count("missing") == 1
    assert "](http" not in chips


def test_nothing_is_missing_where_all_are_found() -> None:
    """A skill named only in the text is not missing."""
    line = widgets.wanted_skills("Must have", [DECLARED, IN_TEXT])
    assert ":small[Must have, 2 of 2]" in line
    assert "missing" not in line


@pytest.mark.parametrize(
    ("present", "absent", "kept"),
    [(10, 10, (2, 2)), (10, 1, (3, 1)), (1, 10, (1, 3)), (10, 0, (4, 0)), (0, 10, (0, 4)), (2, 2, (2, 2))],
)
def test_many_skills_are_cut(present: int, absent: int, kept: tuple[int, int]) -> None:
    """A cut line keeps the counts, skills of both kinds, and says how many more there are."""
    line = widgets.wanted_skills("Must have", [MISSING] * absent + [DECLARED] * present, limit=4)
    assert f"{present} of {present + absent}]" in line
    assert (line.count("material/check"), line.count(", missing]")) == kept
    more = present + absent - sum(kept)
    assert line.endswith(f" :gray-badge[{more} more]") == (more > 0)
