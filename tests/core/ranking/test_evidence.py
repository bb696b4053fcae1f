"""Evidence: the measure by hand, and what each source teaches."""

import numpy as np
import pytest

from jobmatch_core.ranking.evidence import Evidence, Source, refitted
from jobmatch_core.ranking.features import FEATURES, Floats
from jobmatch_core.ranking.ranker import Ranker

PRIOR = Ranker.of(np.where(np.array([*FEATURES]) == "category", 2.0, 0.0), "by hand")


def features(**columns: list[float]) -> Floats:
    """Return features of a pool; those not named are 0."""
    [length] = {len(values) for values in columns.values()}
    return np.stack([np.array(columns.get(name, [0.0] * length)) for name in FEATURES], axis=1)


def said(*answers: int) -> np.ndarray:
    """Return answers."""
    return np.array(answers, dtype=np.int8)


def test_the_measure_by_hand() -> None:
    """The order of those with answers is the second, the first, the fourth, then the one beyond the pool.

    DCG = 1 / log2 3 + 1 / log2 4 = 1.1309, at best 1 + 1 / log2 3 = 1.6309.
    """
    found = Evidence(Source.PAST, "p", features(category=[0, 1, 1, 0]), said(1, -1, 0, 1), below=said(-1))
    assert found.asks
    assert found.ndcg_at_10(PRIOR) == pytest.approx(1.1309 / 1.6309, abs=1e-4)


def test_who_fits_beyond_the_pool_comes_last() -> None:
    """1 / log2 3 of 1."""
    found = Evidence(Source.JUDGMENTS, "p", features(category=[1]), said(-1), below=said(1))
    assert found.ndcg_at_10(PRIOR) == pytest.approx(0.6309, abs=1e-4)


@pytest.mark.parametrize("answers", [said(1, 1, 0), said(-1, 0, 0), said(0, 0, 0)])
def test_no_order_is_asked_for(answers: np.ndarray) -> None:
    """All who are known fit, or nobody does."""
    assert not Evidence(Source.PAST, "p", features(category=[1, 0, 0]), answers).asks


def test_without_evidence_the_prior_stays() -> None:
    """Also with answers that leave nothing to choose."""
    nothing = Evidence(Source.JUDGMENTS, "p", features(category=[1, 0]), said(1, 1))
    assert [refitted(evidence, PRIOR, "m") for evidence in ([], [nothing])] == [PRIOR, PRIOR]


@pytest.mark.parametrize("source", [*Source])
def test_every_source_teaches(source: Source) -> None:
    """In thirty projects somebody who speaks the language fits, and somebody of the category does not."""
    pool = features(category=[1, 0, 1, 0], language=[1, 1, 0, 0])
    weights = refitted([Evidence(source, str(n), pool, said(1, 1, -1, -1)) for n in range(30)], PRIOR, "m").weights
    assert weights["language"] > 0.3
    assert weights["category"] < PRIOR.weights["category"]


def test_only_the_past_reads_silence() -> None:
    """Who was never shown was passed over by the past, but not by a judge."""
    pool = features(category=[1, 1, 1], language=[1, 1, 0])
    past, judged = (
        refitted([Evidence(source, str(n), pool, said(1, -1, 0)) for n in range(30)], PRIOR, "m").weights["language"]
        for source in (Source.PAST, Source.JUDGMENTS)
    )
    assert past > 0.1
    assert judged == 0


def test_a_judgment_counts_more_than_the_past() -> None:
    """They contradict each other about the language; the judges win."""
    pool = features(language=[1, 0], country=[0, 1])
    past, judged = Evidence(Source.PAST, "p", pool, said(-1, 1)), Evidence(Source.JUDGMENTS, "p", pool, said(1, -1))
    weights = refitted([past, judged] * 40, PRIOR, "m").weights
    assert weights["language"] > weights["country"]


def test_a_rare_rank_counts_more() -> None:
    """A result opened far below says more than one at the top."""
    pool = features(language=[1, 0], country=[0, 1])
    top = [Evidence(Source.SEARCHES, "q", pool, said(-1, 1), weight=1.0)] * 20
    low = [Evidence(Source.SEARCHES, "q", pool, said(1, -1), weight=5.0)] * 20
    weights = refitted([*top, *low], PRIOR, "m").weights
    assert weights["language"] > weights["country"]
