"""Forms of gendered names are drawn together: against the solution by a dense solver, and what stays as it was."""

import numpy as np
import pytest

from jobmatch_core.entities import FloatArray
from jobmatch_core.taxonomy import Manifest, Taxonomy
from jobmatch_core.taxonomy.tables import OCCUPATION, TablesBuilder
from jobmatch_core.titles.gendered_names import drawn_together, gendered_pairs
from jobmatch_core.titles.ngrams import NgramVocabulary

PAIRS = [("koch", "kochin"), ("backer", "backerin"), ("lehrer", "lehrerin")]
OTHERS = ["nurse", "fahrer", "cook"]


@pytest.fixture
def vocabulary() -> NgramVocabulary:
    """All features of the names."""
    texts = [*OTHERS, *(form for pair in PAIRS for form in pair)]
    return NgramVocabulary.from_texts(texts, least=1, most=10_000)


@pytest.fixture
def weights(vocabulary: NgramVocabulary) -> FloatArray:
    """Draw a vector of eight numbers for each."""
    return np.random.default_rng(0).normal(size=(len(vocabulary), 8)).astype(np.float32)


def dense(vocabulary: NgramVocabulary, texts: list[str]) -> FloatArray:
    """Return (text, feature) counts, feature by feature."""
    features = vocabulary.features(texts)
    counts = np.zeros((len(texts), len(vocabulary)))
    for row, (start, end) in enumerate(zip(features.starts[:-1], features.starts[1:], strict=True)):
        for feature in features.rows[start:end]:
            counts[row, feature] += 1
    return counts


@pytest.mark.parametrize("ridge", [0.01, 0.1, 10.0])
def test_it_is_the_ridge_regression(vocabulary: NgramVocabulary, weights: FloatArray, ridge: float) -> None:
    """As a dense solver finds it."""
    first, second = (dense(vocabulary, [pair[side] for pair in PAIRS]) for side in (0, 1))
    differences = (second - first) / np.linalg.norm(first @ weights, axis=1, keepdims=True)
    inverse = np.linalg.inv(differences @ differences.T + ridge * np.eye(len(PAIRS)))
    expected = weights - differences.T @ inverse @ differences @ weights
    assert drawn_together(vocabulary, weights, PAIRS, ridge=ridge) == pytest.approx(expected, abs=1e-4)


def test_forms_come_together_and_others_stay(vocabulary: NgramVocabulary, weights: FloatArray) -> None:
    """A pair that was not among them gains by its ending; a name without its features keeps its vector."""
    moved = drawn_together(vocabulary, weights, PAIRS[:2], ridge=0.01)

    def distance(pair: tuple[str, str], by: FloatArray) -> float:
        one, other = dense(vocabulary, list(pair)) @ by
        return float(np.linalg.norm(one - other))

    assert distance(PAIRS[0], moved) < 0.1 * distance(PAIRS[0], weights)
    assert distance(PAIRS[2], moved) < 0.9 * distance(PAIRS[2], weights)
    assert dense(vocabulary, ["nurse"]) @ moved == pytest.approx(dense(vocabulary, ["nurse"]) @ weights, abs=1e-5)


def test_nothing_to_draw_together(vocabulary: NgramVocabulary, weights: FloatArray) -> None:
    """The same weights."""
    assert drawn_together(vocabulary, weights, []) is weights


def test_pairs_of_a_taxonomy() -> None:
    """Names of two forms in any language but English, folded, each pair once."""
    builder = TablesBuilder()
    cook = builder.concept("cook", kind=OCCUPATION, code="5120.1", isco="5120")
    builder.add_names(cook, "de", "Köche/Köchinnen", ["Koch/Köchin", "Koch / Köchin", "Koch"])
    builder.add_names(cook, "en", "waiter/waitress", [])
    builder.add_names(cook, "fr", "cuisinier/cuisinière", [])
    taxonomy = Taxonomy(Manifest("toy-1", "toy", "1", ("de", "en", "fr"), {}, "0" * 64, "", ""), builder.build())
    pairs = gendered_pairs([taxonomy, taxonomy])
    assert ("koch", "kochin") in pairs
    assert ("cuisinier", "cuisiniere") in pairs
    assert len(pairs) == len(set(pairs)) == 3
