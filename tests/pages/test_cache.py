"""The cache of what sessions share: keys, homes, bounds, failed background calls."""

import threading
from pathlib import Path

import pytest

from jobmatch.services.background_call import Background
from jobmatch_core.entities import Progress
from pages.shared.cache import cached


def test_one_result_for_each_key() -> None:
    """Arguments that are not part of the key do not matter."""
    calls: list[str] = []

    @cached(lambda name, extra: name, most=4)
    def length(name: str, extra: object) -> int:
        """Return a length."""
        calls.append(name)
        return len(name)

    assert [length("ab", 1), length("ab", object()), length("abc", extra=2)] == [2, 2, 3]
    assert calls == ["ab", "abc"]
    assert length.__doc__ == "Return a length."


def test_functions_with_the_same_key_have_their_own_results() -> None:
    """Streamlit sees the same inner function for both, yet results are separate."""

    @cached(lambda: "", most=1)
    def one() -> int:
        return 1

    @cached(lambda: "", most=1)
    def two() -> int:
        return 2

    assert (one(), two(), one(), two()) == (1, 2, 1, 2)
    one.clear()
    assert (one(), two()) == (1, 2)


def test_homes_are_apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Results of one `JOBMATCH_HOME` are not shown in another."""
    calls: list[int] = []

    @cached(lambda: "", most=4)
    def count() -> int:
        calls.append(1)
        return len(calls)

    assert (count(), count()) == (1, 1)
    monkeypatch.setenv("JOBMATCH_HOME", str(tmp_path / "another"))
    assert count() == 2


def test_the_least_recently_used_is_removed_and_released() -> None:
    """A removed result is computed again; `clear` removes all results."""
    calls: list[str] = []
    released: list[str] = []

    @cached(lambda name: name, most=2, on_release=released.append)
    def upper(name: str) -> str:
        calls.append(name)
        return name.upper()

    for name in ("a", "b", "c", "c", "a"):
        upper(name)
    assert calls == ["a", "b", "c", "a"]
    assert released == ["A", "B"]
    upper.clear()
    upper("a")
    assert calls[-1] == "a"
    assert len(calls) == 5


def test_a_failed_background_call_is_started_again() -> None:
    """A successful call is not."""
    attempts: list[int] = []
    returned = threading.Event()

    def work(progress: Progress) -> int:
        attempts.append(1)
        if len(attempts) == 1:
            returned.wait(10)
            raise OSError("no space left on device")
        return len(attempts)

    @cached(lambda: "", most=1)
    def working() -> "Background[int]":
        return Background(work)

    first = working()
    returned.set()
    assert first.wait(10)
    with pytest.raises(OSError, match="no space left"):
        first.result()
    second = working()
    assert second.wait(10)
    assert second.result() == 2
    assert working() is second


def test_an_exception_is_not_cached() -> None:
    """The next call computes again."""
    attempts: list[int] = []

    @cached(lambda: "", most=1)
    def reading() -> int:
        attempts.append(1)
        if len(attempts) == 1:
            raise ValueError("damaged")
        return len(attempts)

    with pytest.raises(ValueError, match="damaged"):
        reading()
    assert reading() == 2
