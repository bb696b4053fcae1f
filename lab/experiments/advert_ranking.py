"""Retrieval of CVs by adverts in a set with judgments, such as TalentCLEF's, by any existing matching model.

Nothing is trained or fitted on such a set.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from jobmatch_core.benchmarks.retrieval.matching_models import untrained_matcher
from jobmatch_core.entities import Encoder, Progress, no_progress
from jobmatch_core.errors import DataFileError
from jobmatch_core.metrics.comparisons import bootstrap_interval
from jobmatch_core.metrics.gauges import timed
from jobmatch_core.metrics.ranking import rank_ids, rank_relevant
from jobmatch_core.retrieval.match_models import load_match_model
from jobmatch_core.towers.matcher import CosineMatcher, Matcher
from lab.experiments.adverts import AdvertSet

_FEW = 10


@dataclass(frozen=True, slots=True)
class AdvertFigures:
    """A model's figures: means over the adverts that any CV is relevant to."""

    model: str
    # adverts, profiles: numbers of each
    adverts: int
    profiles: int
    map: float  # mean average precision
    # map_low, map_high: its 95 % bootstrap interval
    map_low: float
    map_high: float
    # ndcg_at_10, precision_at_10, mrr: the usual ones, relevance being yes or no
    ndcg_at_10: float
    precision_at_10: float
    mrr: float
    seconds: float  # duration of encoding and scoring all pairs


def open_matcher(name: str, encoder: Encoder) -> Matcher:
    """Return a model that needs no training, or trained towers.

    Args:
        name: one of `matching_models.LEXICAL` or `ZERO_SHOT`, or what `load_match_model` takes.

    Raises:
        ModelError: there is no such model, or it is damaged.
    """
    return untrained_matcher(name, encoder) or CosineMatcher(load_match_model(name))


def evaluate_adverts(
    adverts: AdvertSet, matchers: Sequence[Matcher], *, progress: Progress = no_progress
) -> list[AdvertFigures]:
    """Return each model's figures.

    Raises:
        DataFileError: no CV is relevant to any advert.
    """
    if not adverts.relevant.nnz:
        raise DataFileError(adverts.name, "no CV is relevant to any advert, so there is nothing to measure")
    figures = []
    for done, matcher in enumerate(matchers, 1):
        figures.append(_figures(adverts, matcher))
        progress(done, len(matchers))
    return figures


def _figures(adverts: AdvertSet, matcher: Matcher) -> AdvertFigures:
    seconds, scores = timed(partial(matcher.scores, adverts.adverts, adverts.profiles))
    ranks = rank_relevant(scores, adverts.relevant, rank_ids([profile.id for profile in adverts.profiles]))
    judged = ranks.counts > 0
    precision = bootstrap_interval(ranks.average_precision()[judged])
    hits = ranks.recall_at(_FEW) * ranks.counts
    return AdvertFigures(
        model=matcher.name,
        adverts=int(np.count_nonzero(judged)),
        profiles=len(adverts.profiles),
        map=precision.mean,
        map_low=precision.low,
        map_high=precision.high,
        ndcg_at_10=float(ranks.ndcg_at(_FEW)[judged].mean()),
        precision_at_10=float(hits[judged].mean() / _FEW),
        mrr=float(ranks.reciprocal_ranks()[judged].mean()),
        seconds=seconds,
    )
