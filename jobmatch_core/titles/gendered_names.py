"""Drawing the two forms of gendered names together: `Briefträger` and `Briefträgerin` come to have nearly one vector.

The vectors of an embedding bag are sums over a text's features, so the difference of two forms is linear in the bag's
weights W: D W, where D has a row for each pair and holds the features that only one of the forms has. The least change
of W that takes most of the difference away is a ridge regression, solved in closed form after the training:

    W' = W - D' (D D' + ridge I)^-1 D W

A smaller ridge draws the forms closer together and moves the weights further.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from scipy import sparse

from jobmatch_core.entities import FloatArray
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold
from jobmatch_core.text.forms import expand_forms
from jobmatch_core.text.languages import ENGLISH
from jobmatch_core.titles.ngrams import NgramVocabulary

RIDGE = 0.1  # 0.3 leaves a third more of the difference; 0.05 costs more of the similarity of titles than it gains
_STEPS = 60  # of conjugate gradients: the residual is then below a thousandth
_TINY = 1e-12

Pair = tuple[str, str]


def gendered_pairs(taxonomies: Iterable[Taxonomy]) -> list[Pair]:
    """Return the folded (first, second) form of every name that has exactly two, each pair once, English left out."""
    pairs: dict[Pair, None] = {}
    for taxonomy in taxonomies:
        table = taxonomy.tables.names
        for language, text in zip(table["language"], table["text"], strict=True):
            forms = [fold(form) for form in expand_forms(text)] if language != ENGLISH else []
            if len(set(forms)) == 2 == len(forms):
                pairs[forms[0], forms[1]] = None
    return list(pairs)


def drawn_together(
    vocabulary: NgramVocabulary, weights: FloatArray, pairs: Sequence[Pair], *, ridge: float = RIDGE
) -> FloatArray:
    """Return the weights with the forms of each pair drawn together.

    Args:
        vocabulary: the features of the bag.
        weights: (feature, dimension) their vectors.
        pairs: two folded forms each.
        ridge: weight of the change of the weights against what is left of the differences, above 0.
    """
    if not pairs:
        return weights
    first, second = (_counts(vocabulary, [pair[side] for pair in pairs]) for side in (0, 1))
    lengths = np.linalg.norm(first @ weights, axis=1)  # so that cosines count, not lengths
    differences = sparse.diags_array(1 / np.maximum(lengths, 1e-3)) @ (second - first)
    moves = differences.T @ _solved(differences.tocsr(), differences @ weights, ridge)
    return np.asarray(weights - moves, dtype=np.float32)


def _counts(vocabulary: NgramVocabulary, texts: list[str]) -> "sparse.csr_array":
    features = vocabulary.features(texts)
    ones = np.ones(len(features.rows))
    shape = (len(texts), len(vocabulary))
    return sparse.csr_array((ones, features.rows.astype(np.int64), features.starts.astype(np.int64)), shape=shape)


def _solved(differences: "sparse.csr_array", right: FloatArray, ridge: float) -> FloatArray:
    """Return (D D' + ridge I)^-1 times the right side, by conjugate gradients on all its columns at once."""
    transposed = differences.T.tocsr()
    solution = np.zeros_like(right)
    residual, direction = right.copy(), right.copy()
    squares = (residual**2).sum(axis=0)
    for _ in range(_STEPS):
        image = differences @ (transposed @ direction) + ridge * direction
        step = squares / np.maximum((direction * image).sum(axis=0), _TINY)
        solution += step * direction
        residual -= step * image
        before, squares = squares, (residual**2).sum(axis=0)
        direction = residual + squares / np.maximum(before, _TINY) * direction
    return solution
