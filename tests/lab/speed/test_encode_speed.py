"""How fast the title encoder is: what is timed, and on which titles. The rates themselves are the machine's."""

from collections.abc import Sequence
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.entities import FloatArray
from lab.speed import encode_speed
from lab.speed.encode_speed import measure_encode_speed

NAMES = [
    f"{work} of {thing}" for work in ("maker", "seller", "driver", "keeper") for thing in ("bread", "cars", "ships")
]


class Clock:
    """A second passes from one look to the next."""

    def __init__(self) -> None:
        self.perf_counter = count().__next__


class Noted:
    """An encoder that only notes what it is given."""

    name, size_mb = "noted-1", 38.5

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return nothing much."""
        self.calls.append(list(texts))
        return np.zeros((len(texts), 2), dtype=np.float32)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Draw titles from a few names, each draw with another word in front; return the names of all that were drawn."""
    names: dict[str, str] = {}

    def draw(index: object, n: int, seed: int) -> SimpleNamespace:
        titles = [f"{seed} {name}" for name in NAMES] + [NAMES[0], "no job at all"]
        drawn_from = [*NAMES, NAMES[seed % 2], ""]  # the last but one is a title of two names, in turn
        names.update(zip(titles, drawn_from, strict=True))
        return SimpleNamespace(titles=titles, names=drawn_from)

    monkeypatch.setattr(encode_speed, "held_out_titles", draw)
    monkeypatch.setattr(encode_speed.NameIndex, "build", lambda taxonomy: None)
    return names


@pytest.fixture
def encoders(monkeypatch: pytest.MonkeyPatch) -> tuple[Noted, Noted]:
    """Put a noting encoder in place of ours and of the other one; time passes by looks at the clock."""
    own, other = Noted(), Noted()
    monkeypatch.setattr(encode_speed.TitleEncoder, "load", lambda folder: own)
    monkeypatch.setattr(encode_speed, "load_encoder", lambda name: other)
    monkeypatch.setattr(encode_speed, "time", Clock())
    return own, other


def test_the_warm_half_is_unseen(drawn: dict[str, str], encoders: tuple[Noted, Noted]) -> None:
    """No title of it, and no name behind one, was met in the cold half."""
    own, _ = encoders
    speed = measure_encode_speed("other", n_titles=40)
    cold, warm = own.calls
    assert (len(cold), len(warm), speed.titles) == (20, 20, 40)
    assert len({*cold, *warm}) == 40
    jobs = [{drawn[title] for title in half if drawn[title] and title != NAMES[0]} for half in (cold, warm)]
    assert all(jobs)
    assert not jobs[0] & jobs[1]


@pytest.mark.usefixtures("drawn")
def test_both_rates_against_the_other(encoders: tuple[Noted, Noted], monkeypatch: pytest.MonkeyPatch) -> None:
    """A second a pass: 20 titles a second, and 5 of the other encoder, which was warmed before it was timed."""
    own, other = encoders
    monkeypatch.setattr(encode_speed, "N_AGAINST", 5)
    told: list[tuple[int, int]] = []
    speed = measure_encode_speed("a/folder/other", n_titles=40, progress=lambda *step: told.append(step))
    assert (speed.cold_titles_per_s, speed.warm_titles_per_s, speed.against_titles_per_s) == (20, 20, 5)
    assert (speed.cold_ratio, speed.warm_ratio, speed.against) == (4, 4, "other")
    assert other.calls == [own.calls[1][:32], own.calls[1][:5]]
    assert told == [(20, 40), (40, 40)]


@pytest.mark.usefixtures("drawn", "encoders")
def test_without_another_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package with MiniLM is not installed: no ratio."""
    monkeypatch.setattr(encode_speed.importlib.util, "find_spec", lambda name: None)
    speed = measure_encode_speed(n_titles=10)
    assert (speed.against, speed.against_titles_per_s, speed.cold_ratio, speed.warm_ratio) == ("", 0, 0, 0)


@pytest.mark.usefixtures("drawn")
def test_the_shipped_encoder_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Afresh from its folder, not the one that this process has used."""
    monkeypatch.setattr(encode_speed, "load_encoder", lambda name: Noted())
    speed = measure_encode_speed("other", n_titles=10)
    assert (speed.encoder, speed.size_mb) == (shipped_encoder().name, shipped_encoder().size_mb)
    assert speed.cold_titles_per_s > 0
    assert speed.rss_mb > speed.size_mb
