"""What lexical overlap explains: datasets' median distances against systems' figures on them."""

from collections.abc import Sequence
from dataclasses import dataclass

from jobmatch_core.evaluation.overlap import Overlap, overlap_correlation
from jobmatch_core.evaluation.results import RankingKind
from jobmatch_core.evaluation.scoreboard import Scoreboard

N_EACH = 2  # systems of ours, and published ones, that are shown


@dataclass(frozen=True, slots=True)
class OverlapPoints:
    """A system's figures against the datasets' median distances, and their Spearman correlation (NaN under three)."""

    label: str
    own: bool
    datasets: tuple[str, ...]
    medians: tuple[float, ...]
    values: tuple[float, ...]
    correlation: float


def overlap_points(
    board: Scoreboard, overlaps: Sequence[Overlap], metric: str, ranking: RankingKind
) -> list[OverlapPoints]:
    """Return the points of the best two systems of ours and the best two published ones (MELO paper, Figure 2)."""
    medians = {overlap.dataset: overlap.median for overlap in overlaps if len(overlap.distances)}
    rows = board.standings(metric, ranking)
    chosen = [row for own in (True, False) for row in [each for each in rows if each.own == own][:N_EACH]]
    points = []
    for row in chosen:
        entries = [
            entry
            for entry in board.entries
            if (entry.own, entry.system, entry.ranking) == (row.own, row.system, row.ranking)
            and entry.dataset in medians
        ]
        figures = [(entry.dataset, medians[entry.dataset], entry.value(metric)) for entry in entries]
        known = [(dataset, median, value) for dataset, median, value in figures if value is not None]
        if known:
            names, distances, values = zip(*known, strict=True)
            correlation = overlap_correlation(distances, values)
            points.append(OverlapPoints(row.label, row.own, names, distances, values, correlation))
    return points
