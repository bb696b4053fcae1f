"""The weights of headings: a ranking by hand, from which they can be told."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

import numpy as np

from jobmatch_core.linking import Linker
from jobmatch_core.linking.ranking import Ranking
from lab.experiments.heading_weights import fit_heading_weights
from lab.experiments.real_titles import RealTitle

COOK, BAKER = (0.7, 0.01), (0.01, 0.7)
TABLE = {"a | b 3": BAKER, "b | a 3": COOK, "a": COOK, "a 3": COOK, "b": BAKER, "b 3": BAKER, "sure 1 | a": (0.9, 0.0)}
TABLE |= {"a | c | d 3": BAKER, "c": (0.01, 0.02), "d 3": (0.01, 0.02)}


def linker() -> Linker:
    """Return a linker that knows a cook and a baker, and ranks as the table says."""

    def rank(texts: Sequence[str]) -> list[Ranking]:
        concepts = np.arange(2)
        return [Ranking(concepts, concepts, concepts, np.ones((2, 1)), np.array(TABLE[text])) for text in texts]

    index = SimpleNamespace(units=np.array([5120, 7512]), known_words=frozenset(), known_texts=frozenset())
    return cast(Linker, SimpleNamespace(rank=rank, index=index))


def test_what_is_right_gets_the_weight() -> None:
    """The first part is right in all headings, the whole title in none; what is sure or no heading is not fitted on."""
    titles = [RealTitle("en", "a | b 3", ("5120",)), RealTitle("en", "b | a 3", ("7512",))]
    weights = fit_heading_weights(linker(), titles)
    assert weights.headings == 2
    assert weights.part > 0 > weights.whole
    others = [RealTitle("en", "sure 1 | a", ("5120",)), RealTitle("en", "a", ("5120",))]
    assert fit_heading_weights(linker(), [*titles, *others]) == weights


def test_headings_without_their_job_are_no_job() -> None:
    """Headings with more than two parts are also fitted without the first one, which makes 'no job' likelier."""
    two, three = ([RealTitle("en", title, ("5120",))] for title in ("a | b 3", "a | c | d 3"))
    assert fit_heading_weights(linker(), three).no_job > fit_heading_weights(linker(), two).no_job
