"""The figures of `python -m lab bench match` are there and fit together; how large they are is not tested."""

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.errors import MatchingError
from jobmatch_core.retrieval.finder import Profiles
from jobmatch_core.vector_stores.exact_store import ExactStore
from lab.speed import match_speed
from lab.speed.drawn_freelancers import drawn_freelancers, drawn_queries, real_freelancers, store_drawn_freelancers
from lab.speed.match_speed import measure_match_speed
from tests.hashing_model import HashingModel


@pytest.mark.long
def test_all_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every figure is above zero, and percentiles are in order."""
    monkeypatch.setattr(match_speed, "_QUERIES", 3)
    monkeypatch.setattr(match_speed, "_WARM_UP", 1)
    told: list[tuple[int, int]] = []
    speed = measure_match_speed(120, "untrained", progress=lambda *step: told.append(step))
    figures = asdict(speed)
    assert figures.pop("model").startswith("untrained")
    assert [name for name, value in figures.items() if not value > 0] == []
    assert speed.freelancers == 120
    assert speed.passing < 1
    assert speed.match_p50_ms <= speed.match_p95_ms
    assert told == [(step, 4) for step in range(5)]


def test_too_few_freelancers_are_told() -> None:
    """The best hundred must be there."""
    with pytest.raises(MatchingError, match="The best 100 of 99"):
        measure_match_speed(99)


def test_freelancers_are_drawn_around_real_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same profiles under other ids, with vectors near theirs; stored as they are drawn."""
    monkeypatch.setattr("lab.speed.drawn_freelancers._DRAWN_AT_ONCE", 30)
    real = real_freelancers(20, HashingModel())
    blocks = list(drawn_freelancers(real, 70))
    assert [len(block.profiles) for block in blocks] == [30, 30, 10]
    vectors = np.concatenate([block.vectors for block in blocks])
    cosines = np.einsum("ij,ij->i", vectors, real.vectors[np.arange(70) % 20])
    assert cosines == pytest.approx(0.89, abs=0.1)
    assert blocks[0].profiles[25].title == real.profiles[5].title
    store_drawn_freelancers(tmp_path, real, 70)
    store = ExactStore.open(tmp_path / "store")
    assert store.ids() == [f"{number:08}" for number in range(70)]
    assert list(Profiles(tmp_path)) == [each for block in blocks for each in block.profiles]
    assert store.search(vectors[31:32], limit=1)[0][0].id == "00000031"


def test_queries_are_the_same_every_time() -> None:
    """Projects with two filters."""
    first, *_ = queries = drawn_queries(4)
    assert queries == drawn_queries(4)
    assert first.filters.languages == (first.project.language, "en")
    assert first.filters.max_day_rate == 600
