"""Simulated respondents, by hand."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from jobmatch_core.benchmarks.production.asked_titles import duties, question_figures
from jobmatch_core.benchmarks.production.coded_titles import CodedTitles
from jobmatch_core.entities import FloatArray, LinkResult
from jobmatch_core.linking import Linker
from tests.core.questions.made_candidates import candidate, unsure


class FirstLetters:
    """Texts are alike if they begin with the same letter."""

    name = "first letters"

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return one axis a letter."""
        return np.eye(256, dtype=np.float32)[[ord(text[0].lower()) % 256 for text in texts]]


class OpenLinker:
    """Leaves every title open between stock clerks, teachers at universities and nurses."""

    def __init__(self, linker: Linker) -> None:
        self.taxonomy, self.calibration = linker.taxonomy, linker.calibration

    def link_all(self, titles: Sequence[str], **_options: Any) -> list[LinkResult]:
        """Return the same candidates for all."""
        uri = self.taxonomy.group_uri
        shares = {"4321": 0.4, "2310": 0.3, "2221": 0.1}
        return [unsure(*(candidate(uri(code), code, share) for code, share in shares.items()), title=t) for t in titles]


def test_figures_by_hand(bundled: Linker) -> None:
    """All options begin with 'They': who says T takes the first, who says X none, and who says nothing is not asked."""
    coded = CodedTitles(["a", "b", "c", "d"], [("4321",), ("2310",), ("2221",), ("23",)], [], [], 0)
    figures = question_figures(OpenLinker(bundled), coded, ["T", "X", "", "T"], FirstLetters())  # type: ignore[arg-type]
    assert (figures.titles, figures.to_check, figures.asked) == (3, 3, 2)
    assert (figures.offered, figures.none) == (1.0, 0.5)
    assert (figures.before, figures.after, figures.best) == (0.5, 0.5, 1.0)
    assert (figures.linked, figures.right) == (0.5, 1.0)
    assert figures.gain > 0.1


def test_nobody_is_asked(bundled: Linker) -> None:
    """Figures of nobody are zeros."""
    coded = CodedTitles(["a"], [("4321",)], [], [], 0)
    figures = question_figures(OpenLinker(bundled), coded, [" "], FirstLetters())  # type: ignore[arg-type]
    assert (figures.to_check, figures.asked, figures.after, figures.right) == (1, 0, 0.0, None)


def test_duties_are_definitions(bundled: Linker) -> None:
    """Of the right unit group; codes of fewer digits have none."""
    coded = CodedTitles(["a", "b"], [("23", "4321"), ("23",)], [], [], 0)
    stock, nothing = duties(bundled.taxonomy, coded)
    assert stock.startswith("They record goods")
    assert nothing == ""
