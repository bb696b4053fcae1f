"""A stand-in for the linker, whose rankings are written by hand."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from jobmatch_core.linking.ranking import Ranking


class HandWritten:
    """Ranks titles as a table says; the concepts' URIs are `uri:0`, `uri:1` and so on."""

    def __init__(self, table: dict[str, list[tuple[int, float]]], threshold: float, taxonomy: Any) -> None:
        self.table = table
        self.calibration = SimpleNamespace(threshold=threshold)
        self.taxonomy = taxonomy or SimpleNamespace(uris=[f"uri:{number}" for number in range(20)])
        self.calls: list[list[str]] = []

    def rank(self, titles: Sequence[str]) -> list[Ranking]:
        """Return what the table says, nothing for titles that are not in it."""
        self.calls.append(list(titles))
        rows = [self.table.get(title, []) for title in titles]
        return [
            Ranking(
                concepts=np.array([concept for concept, _ in row], dtype=np.int64),
                entries=np.zeros(len(row), dtype=np.int64),
                places=np.zeros(len(row), dtype=np.int64),
                shares=np.zeros((len(row), 1)),
                probabilities=np.array([probability for _, probability in row], dtype=np.float64),
            )
            for row in rows
        ]


@pytest.fixture
def hand_written() -> Callable[..., Any]:
    """Give a maker of linkers: a table of title -> [(concept, probability), ...], a threshold, a taxonomy."""

    def make(table: dict[str, list[tuple[int, float]]], threshold: float = 0.5, taxonomy: Any = None) -> Any:
        return HandWritten(table, threshold, taxonomy)

    return make
