"""Long calls in background threads."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from jobmatch.services.background_call import Background

ROOT = Path(__file__).parents[3]
ENDLESS = """
import threading
from jobmatch.services.background_call import Background
begun = threading.Event()
Background(lambda progress: (begun.set(), threading.Event().wait()))
begun.wait()
"""


def test_whoever_waits_gets_the_result() -> None:
    """As soon as it exists, any number of times."""
    may_end = threading.Event()
    background = Background(lambda progress: may_end.wait() and "done")
    assert not background.wait(0)
    assert not background.failed
    may_end.set()
    assert background.wait(60)
    assert [background.result(), background.result(), background.failed] == ["done", "done", False]


def test_an_error_waits_for_whoever_asks() -> None:
    """Also one that normally ends a program."""

    def work(progress: object) -> None:
        raise SystemExit(3)

    background = Background(work)
    assert background.wait(60)
    assert background.failed
    with pytest.raises(SystemExit, match="3"):
        background.result()


def test_an_endless_call_holds_up_no_exit() -> None:
    """The program ends at once, as after Ctrl+C."""
    subprocess.run([sys.executable, "-c", ENDLESS], cwd=ROOT, check=True, timeout=120)
