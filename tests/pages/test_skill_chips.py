"""Chips of skills in their three states: declared, in the text, missing."""

from jobmatch_core.retrieval.matches import SkillMatch
from pages.shared import widgets

DECLARED = SkillMatch("py", "Python", "Python", True)
TRANSLATED = SkillMatch("ml", "machine learning", "uczenie maszynowe", True)
IN_TEXT = SkillMatch("sap", "SAP", "", True, "sap")
MISSING = SkillMatch("x", "[x](http://a.org)", "", True)


def test_three_states() -> None:
    """Declared skills come first, then those in the text; the line counts them."""
    line = widgets.wanted_skills("Must have", [MISSING, IN_TEXT, TRANSLATED, DECLARED])
    assert line.startswith(":small[Must have, 3 of 4: 2 declared, 1 in the text] ")
    chips = line.partition("] ")[2]
    assert chips.startswith(":blue-badge[:material/check: machine learning = uczenie maszynowe] :blue-badge[")
    assert ":violet-badge[:material/article: SAP, in the text] :gray-badge[:material/close: " in chips
    assert chips.count("missing") == 1
    assert "](http" not in chips


def test_nothing_is_missing_where_all_are_found() -> None:
    """A skill named only in the text is not missing."""
    line = widgets.wanted_skills("Must have", [DECLARED, IN_TEXT])
    assert ":small[Must have, 2 of 2: 1 declared, 1 in the text]" in line
    assert "missing" not in line
