"""The figures of `python -m lab bench describe` are there and fit together. Their size is not tested."""

from dataclasses import asdict

import pytest

from lab.speed import describe_speed
from lab.speed.describe_speed import measure_describe_speed
from tests.core.descriptions.made_postings import WordEncoder


def test_all_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every figure is above zero; the long posting has as many sentences as were asked for."""
    monkeypatch.setattr(describe_speed, "load_encoder", lambda word: WordEncoder(name=word))
    told: list[tuple[int, int]] = []
    speed = measure_describe_speed("mean", "other", n_sentences=15, progress=lambda *step: told.append(step))
    numbers = {name: value for name, value in asdict(speed).items() if not isinstance(value, str)}
    assert [name for name, value in numbers.items() if not value > 0] == []
    assert (speed.long_sentences, speed.postings, speed.against) == (15, 12, "other")
    assert speed.ratio == pytest.approx(speed.against_s / speed.posting_s)
    assert told == [(step, 4) for step in range(1, 5)]


@pytest.mark.thorough
def test_without_another_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compared, and that is said."""
    monkeypatch.setattr(describe_speed, "opponent", lambda against: ("", ""))
    speed = measure_describe_speed("mean", n_sentences=3)
    assert (speed.against, speed.against_s, speed.ratio) == ("", 0, 0)
