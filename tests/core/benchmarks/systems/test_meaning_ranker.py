"""Similar titles by what they mean: worked by hand over the bundled taxonomy."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from jobmatch_core.benchmarks.systems.linker_system import MeaningRanker
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.linking import Linker
from jobmatch_core.text.folding import fold

TITLES = ["Nurse", "Krankenschwester", "lorry driver", "qqq zzz"]
QUERIES = ["infirmière", "LKW-Fahrer"]


def by_hand(linker: Linker, titles: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the titles' vectors, and the whitened sums of their candidates' vectors, one candidate after the other."""
    scorer = linker.index.encoder
    assert scorer is not None
    of_concept = dict(zip(scorer.head.concepts.tolist(), scorer.head.vectors, strict=True))
    sums = []
    for title in titles:
        [ranking] = linker.rank([title])
        pairs = zip(ranking.concepts.tolist(), ranking.probabilities.tolist(), strict=True)
        total = sum((probability * of_concept[concept] for concept, probability in pairs), start=np.zeros(256))
        whitened = scorer.whitening() @ total
        sums.append(whitened / np.linalg.norm(whitened))
    return shipped_encoder().encode([fold(title) for title in titles]), np.array(sums)


def test_the_score_is_the_mean_of_two_cosines(bundled: Linker) -> None:
    """Of the texts, and of the expected occupations, whitened."""
    (queries, query_means), (titles, title_means) = by_hand(bundled, QUERIES), by_hand(bundled, TITLES)
    expected = (queries @ titles.T + query_means @ title_means.T) / 2
    scores = MeaningRanker(bundled, TITLES).scores(QUERIES)
    assert (scores.shape, scores.dtype) == ((2, 4), np.float32)
    assert_allclose(scores, expected, atol=1e-4)


@pytest.mark.first_case
@pytest.mark.parametrize(("query", "title"), [(0, "Nurse"), (0, "Krankenschwester"), (1, "lorry driver")])
def test_titles_of_one_occupation_are_near_in_any_language(bundled: Linker, query: int, title: str) -> None:
    """Nearer than by their texts alone."""
    score = MeaningRanker(bundled, TITLES).scores(QUERIES)[query, TITLES.index(title)]
    encode = shipped_encoder().encode
    assert score > (encode([fold(QUERIES[query])]) @ encode([fold(title)]).T)[0, 0]


def test_what_has_no_candidates_has_no_meaning(bundled: Linker) -> None:
    """An empty text has zeros for both."""
    assert MeaningRanker(bundled, TITLES).scores([""]).tolist() == [[0.0] * 4]


def test_a_japanese_title_stands_as_its_gloss(bundled: Linker) -> None:
    """With its gloss it is as near to English titles as its translation is."""
    ranker = MeaningRanker(bundled, ["software engineer", "nurse"])
    japanese, english = ranker.scores(["組み込みソフトウェアエンジニア", "embedded software engineer"])
    assert_allclose(japanese, english, atol=0.1)
    assert japanese.argmax() == 0
