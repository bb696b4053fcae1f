"""Equations 8 and 9 by hand and against loops; what the attention learns where one text is noise."""

import math

import numpy as np
import pytest
import torch

from jobmatch_core.vectors import normalised
from lab.experiments.text_attention import AttentionConfig, DocumentTexts, TextAttention, fit_text_attention


class Letters:
    """An encoder of the letters a to d."""

    name = "letters"

    def encode(self, texts: list[str]) -> np.ndarray:
        """Count them."""
        counts = np.array([[text.count(letter) for letter in "abcd"] for text in texts], dtype=np.float32)
        return normalised(counts.reshape(-1, 4))


def test_documents_of_several_texts() -> None:
    """Empty texts are left out, and a document without any has one of zeros."""
    found = DocumentTexts.encoded(Letters(), [["a", "", "bb"], ["c"], [" "]])
    assert found.present.tolist() == [[True, True], [True, False], [True, False]]
    assert found.vectors[0].tolist() == [[1, 0, 0, 0], [0, 1, 0, 0]]
    assert not found.vectors[1, 1].any()
    assert not found.vectors[2].any()


def test_one_layer_by_hand() -> None:
    """The score of a text is its product with the query; so a text that equals it has e times the weight."""
    attention = TextAttention(AttentionConfig(layers=1), 2)
    with torch.no_grad():
        attention.network[0].weight.copy_(torch.tensor([[0.0, 0, 0, 0, 1, 1]]))
        attention.network[0].bias.zero_()
    query, texts = torch.tensor([1.0, 0]), torch.tensor([[1.0, 0], [0, 1], [0, 1]])
    weights = attention.weights(query, texts, torch.tensor([True, True, False]))
    assert weights.tolist() == pytest.approx([math.e / (math.e + 1), 1 / (math.e + 1), 0])
    summed = torch.tensor([math.e, 1.0])
    assert attention(query, texts, torch.tensor([True, True, False])).tolist() == pytest.approx(
        (summed / summed.norm()).tolist()
    )


@pytest.mark.parametrize("layers", [1, 2])
def test_scores_are_the_loop(layers: int) -> None:
    """Over documents and texts, as equations 8 and 9 stand."""
    random = np.random.default_rng(layers)
    torch.manual_seed(layers)
    attention = TextAttention(AttentionConfig(layers=layers, width=5), 3).eval()  # type: ignore[arg-type]
    query = normalised(random.normal(size=3).astype(np.float32))
    vectors = normalised(random.normal(size=(4, 2, 3)).astype(np.float32))
    documents = DocumentTexts(vectors, np.array([[True, True], [True, False], [True, True], [True, False]]))
    expected = []
    for texts, present in zip(documents.vectors, documents.present, strict=True):
        kept = texts[present]
        raised = [
            math.exp(attention.network(torch.from_numpy(np.concatenate([query, each, query * each]))).item())
            for each in kept
        ]
        vector = sum(each * weight / sum(raised) for each, weight in zip(kept, raised, strict=True))
        expected.append(float(query @ vector / np.linalg.norm(vector)))
    assert attention.scores(query, documents).tolist() == pytest.approx(expected, abs=1e-5)
    assert attention.scores(query, DocumentTexts(vectors[:0], documents.present[:0])).shape == (0,)


def noisy(n: int, seed: int) -> tuple[np.ndarray, DocumentTexts]:
    """Return queries, and documents whose first text is near the query and whose second is of another corner."""
    random = np.random.default_rng(seed)
    queries = random.normal(size=(n, 8)).astype(np.float32)
    queries[:, 4:] = 0
    noise = random.normal(size=(n, 8)).astype(np.float32)
    noise[:, :4] = 0
    noise += queries[random.permutation(n)]  # which says something of another query
    texts = normalised(np.stack([queries + random.normal(size=(n, 8)) * 0.2, noise], axis=1).astype(np.float32))
    return normalised(queries), DocumentTexts(texts, np.ones((n, 2), dtype=bool))


@pytest.mark.parametrize("layers", [1, 2])
def test_a_text_that_is_noise_is_not_attended_to(layers: int) -> None:
    """So that the right document comes first more often than by the sum of both texts."""
    config = AttentionConfig(layers=layers, epochs=30, learning_rate=0.03)  # type: ignore[arg-type]
    attention = fit_text_attention(*noisy(200, 1), config)
    queries, documents = noisy(100, 2)
    summed = normalised(documents.vectors.sum(axis=1))
    plain = np.mean((queries @ summed.T).argmax(axis=1) == np.arange(100))
    found = np.mean([attention.scores(query, documents).argmax() == row for row, query in enumerate(queries)])
    assert found > plain
    weights = attention.weights(*map(torch.from_numpy, (queries, documents.vectors, documents.present)))
    assert weights[:, 0].mean().item() > 0.7
