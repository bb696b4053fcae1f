"""Protocol of evaluated systems: a system is prepared for a dataset's corpus and then scores queries against it.

Two rankings are always told apart. *By name*: every element is scored by itself (the MELO paper's protocol); what a
system knows of names from elsewhere it may use, as the linker does.
*By occupation*: each occupation stands once, under its best name, unless the system scores occupations itself.
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.entities import FloatArray, Progress


class Ranker(Protocol):
    """A system prepared for one corpus."""

    def scores(self, queries: Sequence[str]) -> FloatArray:
        """Return how well each element fits each query, shape (query, element)."""


@runtime_checkable
class OccupationRanker(Ranker, Protocol):
    """A ranker with an own opinion on whole occupations."""

    def occupation_scores(self, queries: Sequence[str]) -> FloatArray:
        """Return how well each of the dataset's concepts fits each query, shape (query, concept)."""


class System(Protocol):
    """Something that ranks: a lexical baseline, an encoder, the linker."""

    @property
    def name(self) -> str:
        """The system's name in results and on the scoreboard."""

    def prepare(self, dataset: RankingDataset, *, progress: Progress) -> Ranker:
        """Fit, index or encode a dataset's corpus."""
