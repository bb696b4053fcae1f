"""Long work under a progress bar: the progress and the time left."""

import threading

import pytest

from jobmatch.services import background_call
from jobmatch.services.background_call import Background
from jobmatch_core.entities import Progress
from jobmatch_core.errors import ModelError
from pages.shared import widgets


class Bar:
    """A progress bar that records its texts."""

    def __init__(self) -> None:
        self.said: list[tuple[float, str]] = []

    def __call__(self, share: float, text: str) -> "Bar":
        """Record the text; Streamlit's function does the same as its method."""
        self.said.append((share, text))
        return self

    progress = __call__

    def empty(self) -> None:
        """Do nothing, as the bar is removed."""
        self.said.append((0.0, ""))


@pytest.fixture
def bar(monkeypatch: pytest.MonkeyPatch) -> Bar:
    """Replace Streamlit's progress bar, which is drawn in an empty place."""
    bar = Bar()
    monkeypatch.setattr(widgets.st, "empty", lambda: bar)
    monkeypatch.setattr(widgets, "_UNSEEN_SECONDS", 0.01)
    monkeypatch.setattr(widgets, "_POLL_SECONDS", 0.01)
    return bar


class Work:
    """Long work that is one step further at each look."""

    def __init__(self, *steps: tuple[int, int, float]) -> None:
        """Take the steps: done, total, and seconds elapsed."""
        self._steps = iter(steps)
        self.begun = 100.0

    def wait(self, seconds: float) -> bool:
        """Go to the next step."""
        self.done, self.total, elapsed = next(self._steps, (0, 0, -1.0))
        self.reported = self.begun + elapsed
        return elapsed < 0

    def result(self) -> str:
        """Return the result."""
        return "done"


def test_how_far_it_is(bar: Bar) -> None:
    """Half of the work took ten seconds, so ten are left; before the start and at the end no time is shown."""
    work = Work((0, 0, 0.0), (0, 0, 0.0), (0, 2048, 1.0), (1024, 2048, 10.0), (3000, 2048, 30.0))
    assert widgets.finished(work, "Reading names") == "done"  # type: ignore[arg-type,comparison-overlap]
    assert bar.said == [
        (0.0, "Reading names …"),
        (0.0, "Reading names … 0 of 2,048"),
        (0.5, "Reading names … 1,024 of 2,048 · about 10 s left"),
        (1.0, "Reading names … 2,048 of 2,048"),
        (0.0, ""),
    ]


@pytest.mark.parametrize("second_total", [10, 4])
def test_another_stretch_of_work(second_total: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of a new stage counts from its start, whatever its total."""
    clock = iter([0.0, 5.0, 9.0, 20.0, 23.0])
    monkeypatch.setattr(background_call.time, "monotonic", lambda: next(clock))
    seen: list[tuple[float, float]] = []

    def work(progress: Progress) -> None:
        started.wait()
        for done, total in ((0, 10), (10, 10), (0, second_total), (1, second_total)):
            progress(done, total)
            seen.append((background.begun, background.reported))

    started = threading.Event()
    background = Background(work)
    started.set()
    background.wait(60)
    assert seen == [(5.0, 5.0), (5.0, 9.0), (20.0, 20.0), (20.0, 23.0)]


def test_a_stretch_that_does_not_say_when_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """It begins at the end of the one before."""
    clock = iter([0.0, 9.0, 20.0])
    monkeypatch.setattr(background_call.time, "monotonic", lambda: next(clock))

    def work(progress: Progress) -> None:
        progress(10, 10)
        progress(2, 4)

    background = Background(work)
    background.wait(60)
    assert (background.begun, background.reported) == (9.0, 20.0)


def test_what_fails_is_raised() -> None:
    """The waiting caller gets the error."""

    def work(progress: Progress) -> str:
        raise ModelError("It is damaged.")

    with pytest.raises(ModelError, match="damaged"):
        widgets.finished(Background(work), "Reading")


def test_what_turns_a_text_around_is_seen() -> None:
    """Direction overrides are spelled out in Markdown, cells and headings; right-to-left names stay unchanged."""
    assert widgets.plain("cook\u202exe.gnp \x1b[2J") == "cook⟨U\\+202E⟩xe\\.gnp ⟨U\\+001B⟩\\[2J"
    assert widgets.plain("טבח") == "\u2068טבח\u2069"
    shown = widgets.readable({"\u202ea": ["\x1bb", "טבח", None], "c": [1.5, 2.0, 3.0], "d": [["\u202ee"], [], []]})
    assert list(shown.columns) == ["⟨U+202E⟩a", "c", "d"]
    assert list(shown["⟨U+202E⟩a"])[:2] == ["⟨U+001B⟩b", "טבח"]
    assert list(shown["c"]) == [1.5, 2.0, 3.0]
    assert list(shown["d"]) == [["⟨U+202E⟩e"], [], []]


def test_a_long_text_is_cut_between_words() -> None:
    """A word longer than the tolerance is cut itself."""
    assert widgets.plain("one two three four", limit=14) == "one two three…"
    assert widgets.plain("one two three four", limit=13) == "one two three…"
    assert widgets.plain("one two threefold", limit=12) == "one two thre…"
    assert widgets.plain("x" * 20, limit=10) == "x" * 10 + "…"
    assert widgets.plain("one two", limit=7) == "one two"
