"""Long work under a bar: how far it is, and how long it still takes."""

import threading
import time

import pytest

from jobmatch_core.entities import Progress
from jobmatch_core.errors import ModelError
from pages import _widgets
from pages._background import Background


class Bar:
    """A progress bar that keeps what it said."""

    def __init__(self) -> None:
        self.said: list[tuple[float, str]] = []

    def __call__(self, share: float, text: str) -> "Bar":
        """Say how far it is; Streamlit's function does the same as its method."""
        self.said.append((share, text))
        return self

    progress = __call__

    def empty(self) -> None:
        """Go away."""
        self.said.append((0.0, ""))


@pytest.fixture
def bar(monkeypatch: pytest.MonkeyPatch) -> Bar:
    """Put a bar in place of Streamlit's."""
    bar = Bar()
    monkeypatch.setattr(_widgets.st, "progress", bar)
    monkeypatch.setattr(_widgets, "_UNSEEN_SECONDS", 0.01)
    monkeypatch.setattr(_widgets, "_POLL_SECONDS", 0.01)
    return bar


def test_how_far_it_is(bar: Bar) -> None:
    """Half of it took ten seconds, so that ten are left; before anything is done nothing is said of that."""
    go_on = threading.Event()

    def work(progress: Progress) -> str:
        while len(bar.said) < 2:
            go_on.wait(0.01)
        progress(0, 2048)
        while len(bar.said) < 4:
            go_on.wait(0.01)
        progress(1024, 2048)
        while not any("left" in text for _, text in bar.said):
            go_on.wait(0.01)
        return "done"

    background = Background(work)
    background.begun = time.monotonic() - 10
    background.total = 1  # so that the bar is drawn from the start
    assert _widgets.finished(background, "Reading names") == "done"
    assert bar.said[0] == (0.0, "Reading names …")
    assert (0.0, "Reading names … 0 of 2,048") in bar.said
    assert any(share == 0.5 and text.startswith("Reading names … 1,024 of 2,048 · about 1") for share, text in bar.said)
    assert bar.said[-1] == (0.0, "")


def test_what_fails_is_raised() -> None:
    """By whoever waits for it."""

    def work(progress: Progress) -> str:
        raise ModelError("It is damaged.")

    with pytest.raises(ModelError, match="damaged"):
        _widgets.finished(Background(work), "Reading")
