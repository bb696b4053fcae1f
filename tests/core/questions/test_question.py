"""Questions on titles: texts with their sources, languages, hostile texts, and the link after an answer."""

from dataclasses import replace
from typing import Any, ClassVar

import pytest

from jobmatch_core.entities import LinkResult
from jobmatch_core.link_reasons import NO_JOB
from jobmatch_core.linking import Linker
from jobmatch_core.questions.option_texts import LONGEST
from jobmatch_core.questions.question import NONE_OF_THESE, Question, answered, question_on
from tests.core.questions.made_candidates import candidate, unsure

CALIBRATION: Any = type("Calibration", (), {"threshold": 0.8, "unit_threshold": 0.7})()


def of(linker: Linker, title: str, probabilities: dict[str, float], language: str = "en") -> LinkResult:
    """Return an unsure link to occupations of a linker's taxonomy, by URI."""
    taxonomy = linker.taxonomy
    made = [
        candidate(uri, taxonomy.isco_codes[taxonomy.number(uri)], probability, language)
        for uri, probability in probabilities.items()
    ]
    return unsure(*made, title=title)


@pytest.fixture
def stock(bundled: Linker) -> LinkResult:
    """Return a title between stock clerks, accountants and shelf fillers of the bundled taxonomy."""
    uri = bundled.taxonomy.group_uri
    return of(bundled, "stock", {uri("4321"): 0.4, uri("9334"): 0.3, uri("2411"): 0.1, uri("5120"): 0.01})


def asked(result: LinkResult, linker: Linker, language: str = "") -> Question:
    """Return the question, which there must be."""
    question = question_on(result, linker.taxonomy, language)
    assert question is not None
    return question


def test_options_are_texts_of_the_taxonomy(stock: LinkResult, bundled: Linker) -> None:
    """Definitions of the groups, each with its source."""
    question = asked(stock, bundled)
    assert [option.source for option in question.options] == [
        f"definition of ISCO-08 group {code}" for code in ("4321", "9334", "2411")
    ]
    for option in question.options:
        [text] = bundled.taxonomy.descriptions(option.uris[0]).values()
        assert text.startswith(option.text.rstrip("…"))
        assert len(option.text) <= LONGEST
    assert question.language == question.wanted == "en"
    assert 0 < question.gain < 1


def test_the_language_of_the_title(stock: LinkResult, bundled: Linker) -> None:
    """Definitions are English alone, so that a German question has skills or names; Georgian there is none of."""
    german = asked(stock, bundled, "de")
    assert (german.language, german.wanted) == ("de", "de")
    georgian = asked(stock, bundled, "ka")
    assert (georgian.language, georgian.wanted) == ("en", "ka")
    assert german.id != georgian.id
    assert asked(stock, bundled, "ka").id == georgian.id


class HostileTaxonomy:
    """Two groups with an Arabic and a hostile definition, and no skills."""

    id = "made"
    _texts: ClassVar = {
        "7212": "يلحمون المعادن ويقطعونها.\nTasks include -",
        "8211": "<script>alert(1)</script> =1+1. More.",
    }

    def has_group(self, code: str) -> bool:
        """Return whether the group has a text."""
        return code in self._texts

    def group_uri(self, code: str) -> str:
        """Return the code."""
        return code

    def descriptions(self, uri: str) -> dict[str, str]:
        """Return the text as Arabic."""
        return {"ar": self._texts[uri]}


def test_texts_from_right_to_left_and_hostile_ones() -> None:
    """They are texts like any other, which pages escape; a definition ends before its list."""
    result = unsure(candidate("a", "7212", 0.5, "ar"), candidate("b", "8211", 0.3, "ar"))
    question = question_on(result, HostileTaxonomy())  # type: ignore[arg-type]
    assert question is not None
    assert question.language == "ar"
    welders, hostile = (option.text for option in question.options)
    assert welders == "يلحمون المعادن ويقطعونها."
    assert hostile == "<script>alert(1)</script> =1+1."


def test_no_question(bundled: Linker, stock: LinkResult) -> None:
    """For linked titles, for texts without a job, and where one candidate or none is likely."""
    for result in (
        replace(stock, abstained=False),
        replace(stock, reason=NO_JOB),
        replace(stock, title="asdf"),
        replace(stock, candidates=stock.candidates[:1]),
        replace(stock, candidates=()),
    ):
        assert question_on(result, bundled.taxonomy) is None


def test_an_answer_settles_a_title(stock: LinkResult, bundled: Linker) -> None:
    """The likeliest option makes an occupation sure, a less likely one its unit group, and none of these nothing."""
    question = asked(stock, bundled)
    sure = answered(stock, question, 0, CALIBRATION, lambda code: f"group {code}")
    assert sure.best is not None
    assert (sure.best.isco, sure.level, sure.reason) == ("4321", "occupation", "")
    assert sure.best.probability == pytest.approx(0.36 / (0.36 + 0.6 * 0.1 / 3))
    assert sure.coded is not None
    assert (sure.coded.code, sure.coded.name) == ("4321", "group 4321")
    accountant = answered(stock, question, 2, CALIBRATION, str)
    assert (accountant.candidates[0].isco, accountant.level) == ("2411", "unit group")
    nothing = answered(stock, question, NONE_OF_THESE, CALIBRATION, str)
    assert (nothing.level, nothing.reason) == ("", stock.reason)
    for answer in (-2, 3):
        with pytest.raises(ValueError, match="no option"):
            answered(stock, question, answer, CALIBRATION, str)
