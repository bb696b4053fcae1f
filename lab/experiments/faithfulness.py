"""Faithfulness of attention over many postings, beside two baselines.

For each posting, Spearman's rank correlation of a weight of its sentences with the vector's shift without each
(`descriptions.attention`). Weights: the summary token's attention in the first layer, which Laosaengpha et al. (2024)
show (appendix E), in the last, and rolled out over all layers; as baselines, random numbers and sentence lengths.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jobmatch_core.descriptions.attention import leave_one_out_shifts, rank_correlation, rollout_weights, summary_means
from jobmatch_core.descriptions.description_model import Description, DescriptionModel
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.metrics.comparisons import Interval, bootstrap_interval

LEAST_SENTENCES = 3  # two can only be ranked right or wrong
RANDOM, LENGTH, FIRST, LAST, ROLLOUT = "random", "sentence length", "first layer", "last layer", "rollout"


@dataclass(frozen=True, slots=True)
class Faithfulness:
    """Faithfulness of one weight."""

    weight: str
    correlation: Interval  # mean over postings, with its 95 % interval
    top: float  # share of postings in which the sentence with the highest weight has the largest shift


def evaluate_faithfulness(
    model: DescriptionModel,
    postings: Sequence[Posting],
    n_postings: int,
    *,
    seed: int = 1,
    progress: Progress = no_progress,
) -> list[Faithfulness]:
    """Compare weights and shifts over postings drawn at random, of those with at least three sentences.

    Args:
        model: with a network.
        n_postings: how many are compared, if there are as many.

    Raises ValueError if the model attends to nothing, or no posting has enough sentences.
    """
    if model.network is None:
        raise ValueError(f"the model {model.name} attends to nothing; take one of the variant jdan")
    random = np.random.default_rng(seed)
    judged: dict[str, list[tuple[float, bool]]] = {}
    compared = 0
    for place in random.permutation(len(postings)):
        description = model.describe(postings[place])
        if len(description.segments) < LEAST_SENTENCES:
            continue
        shifts = leave_one_out_shifts(model.aggregate, description.sentences)
        for name, weights in _weights(description, random).items():
            # nothing to rank counts as no correlation, lest a weight gain by being the same for all
            correlation = rank_correlation(weights, shifts) or 0.0
            judged.setdefault(name, []).append((correlation, int(weights.argmax()) == int(shifts.argmax())))
        compared += 1
        progress(compared, n_postings)
        if compared == n_postings:
            break
    if not judged:
        raise ValueError(f"no posting has {LEAST_SENTENCES} sentences")
    return [_figures(name, values) for name, values in judged.items()]


def _weights(description: Description, random: np.random.Generator) -> dict[str, FloatArray]:
    assert description.attention is not None  # noqa: S101  # the model has a network
    layers = summary_means(description.attention)
    lengths = [len(segment.content) for segment in description.segments]
    return {
        FIRST: layers[0],
        LAST: layers[-1],
        ROLLOUT: rollout_weights(description.attention),
        LENGTH: np.array(lengths, dtype=np.float32),
        RANDOM: random.random(len(lengths), dtype=np.float32),
    }


def _figures(name: str, values: Sequence[tuple[float, bool]]) -> Faithfulness:
    correlations = np.array([correlation for correlation, _ in values])
    return Faithfulness(name, bootstrap_interval(correlations), float(np.mean([top for _, top in values])))
