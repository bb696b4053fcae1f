"""Effect of lexical overlap: datasets' median distances against systems' figures on them.

Paper: Retyk et al. (2024), MELO, section 5 and Figure 2, which is by MRR on the monolingual datasets.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from jobmatch_core.benchmarks.scoreboard.overlap import Overlap, overlap_correlation
from jobmatch_core.benchmarks.scoreboard.results import RANKINGS, RankingKind
from jobmatch_core.benchmarks.scoreboard.scoreboard import Scoreboard
from jobmatch_core.benchmarks.scoreboard.standings import Standing

N_EACH = 2  # systems of ours, and others, that are charted


@dataclass(frozen=True, slots=True)
class OverlapPoints:
    """A system's figures against the datasets' median distances, and their Spearman correlation (NaN under three).

    Attributes:
        system: its name.
        label: name beside others.
        own: true if it is one of ours.
        source: source of its figures, in words.
        ranking: ranking of names or of occupations.
        datasets: those that have both, by name.
        medians: medians of their least edit distances.
        values: the system's figures on them.
        correlation: correlation of the two.
    """

    system: str
    label: str
    own: bool
    source: str
    ranking: RankingKind
    datasets: tuple[str, ...]
    medians: tuple[float, ...]
    values: tuple[float, ...]
    correlation: float


def overlap_points(
    board: Scoreboard, overlaps: Sequence[Overlap], metric: str, ranking: RankingKind
) -> list[OverlapPoints]:
    """Return the points of every system that has any, the best first."""
    medians = {overlap.dataset: overlap.median for overlap in overlaps if len(overlap.distances)}
    points = [_points(board, row, medians, metric) for row in board.standings(metric, ranking)]
    return [each for each in points if each.datasets]


def correlations(board: Scoreboard, overlaps: Sequence[Overlap]) -> list[OverlapPoints]:
    """Return every system's points by MRR on the monolingual datasets, as in section 5: by name, then by occupation."""
    part = board.chosen("monolingual", datasets=[overlap.dataset for overlap in overlaps])
    return [each for kind in RANKINGS for each in overlap_points(part, overlaps, "mrr", kind)]


def best_of_each(points: Sequence[OverlapPoints]) -> list[OverlapPoints]:
    """Return the first two systems of ours and the first two others."""
    return [each for own in (True, False) for each in [one for one in points if one.own == own][:N_EACH]]


def _points(board: Scoreboard, row: Standing, medians: dict[str, float], metric: str) -> OverlapPoints:
    figures = {
        entry.dataset: value
        for entry in board.entries
        if (entry.published, entry.system, entry.ranking) == (row.published, row.system, row.ranking)
        and (value := entry.value(metric)) is not None
    }
    datasets = tuple(dataset for dataset in figures if dataset in medians)
    distances, values = tuple(medians[each] for each in datasets), tuple(figures[each] for each in datasets)
    correlation = overlap_correlation(distances, values)
    return OverlapPoints(
        row.system, row.label, row.own, row.source, row.ranking, datasets, distances, values, correlation
    )
