"""Explanation of a posting: its sentences with their roles, attention and effect.

The effect of a sentence checks its attention: the shift of the posting's vector without it, and the number of nearest
occupations that change. Paper: Laosaengpha et al. (2024), appendix E, for the attention.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.descriptions.aggregators import VARIANTS
from jobmatch_core.descriptions.attention import AttentionView, attention_weights, rank_correlation
from jobmatch_core.descriptions.description_model import Description, DescriptionModel
from jobmatch_core.descriptions.nearest import TitleSpace
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.descriptions.segments import SentenceRole, sentence_roles
from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.vectors import normalised

_BLOCK = 32  # sentences between two progress reports
FEWEST_RANKED = 5  # of four sentences, a perfect rank correlation has a p-value of 2 in 4!, more than 5 %


@dataclass(frozen=True, slots=True)
class Explanation:
    """A posting as read by a model."""

    posting: Posting
    model: str
    description: Description  # its sentences, vector and attention
    roles: tuple[SentenceRole, ...]  # (sentence,) topics
    # (sentence,) 1 - cosine of the vectors with and without it, 0 to 2; None if not requested
    shifts: FloatArray | None
    # (sentence,) number of the five nearest occupations that change without it; None if not requested
    changed: NDArray[np.intp] | None

    def weights(self, view: AttentionView) -> FloatArray | None:
        """Return the sentences' attention, which sums to one, or None if the model has none."""
        attention = self.description.attention
        return None if attention is None else attention_weights(attention, view)

    def agreement(self, view: AttentionView) -> float | None:
        """Return the rank correlation of attention and shifts; None if it is undefined or has too few sentences."""
        weights = self.weights(view)
        if weights is None or self.shifts is None or len(weights) < FEWEST_RANKED:
            return None
        return rank_correlation(weights, self.shifts)

    def agreement_words(self, view: AttentionView) -> str:
        """Return `agreement` in words with its number of sentences; '' without attention or shifts."""
        weights = self.weights(view)
        if weights is None or self.shifts is None:
            return ""
        n, correlation = len(weights), self.agreement(view)
        if n < FEWEST_RANKED:
            return f"too few sentences for a rank correlation (n = {n})"
        return (
            f"no rank correlation, all are equal (n = {n})" if correlation is None else f"{correlation:.2f} (n = {n})"
        )


def explain(
    model: DescriptionModel,
    posting: Posting,
    space: TitleSpace,
    *,
    effects: bool = True,
    progress: Progress = no_progress,
) -> Explanation:
    """Read a posting with a model of a variant that reads sentences or the whole document.

    Effects take a network cubic time: 10 ms for ten sentences, seconds for two hundred.
    """
    description = model.describe(posting)
    roles = sentence_roles(description.segments)
    if not effects:
        return Explanation(posting, model.name, description, roles, None, None)
    others = _without_each(model, description, progress)
    return Explanation(
        posting=posting,
        model=model.name,
        description=description,
        roles=roles,
        shifts=np.asarray(1 - others @ description.vector, dtype=np.float32),
        changed=space.changed(description.vector, others) if len(others) else np.zeros(0, dtype=np.intp),
    )


def vector_without(model: DescriptionModel, description: Description, left_out: Collection[int]) -> FloatArray:
    """Return a posting's vector without some of its sentences, shape (dimension,)."""
    return np.asarray(_vectors_without(model, description, [left_out])[0])


def _without_each(model: DescriptionModel, description: Description, progress: Progress) -> FloatArray:
    sentences = len(description.segments)
    blocks = []
    for start in range(0, sentences, _BLOCK):
        end = min(start + _BLOCK, sentences)
        blocks.append(_vectors_without(model, description, [(place,) for place in range(start, end)]))
        progress(end, sentences)
    return np.concatenate([np.empty((0, model.dimension), dtype=np.float32), *blocks])


def _vectors_without(model: DescriptionModel, description: Description, sets: list[Collection[int]]) -> FloatArray:
    remaining = [[place for place in range(len(description.segments)) if place not in left_out] for left_out in sets]
    if VARIANTS[model.variant].parts == "document":
        texts = ["".join(description.segments[place].text for place in places) for places in remaining]
        return model.encode_descriptions(texts)
    return normalised(model.aggregate([description.sentences[places] for places in remaining]))
