"""What the reports of all trainings say."""

from dataclasses import asdict

import pytest

from jobmatch_core import __version__
from jobmatch_core.training.figures import EpochFigures
from jobmatch_core.training.reports import LoopReport, current_versions


def test_versions_and_memory_are_of_now() -> None:
    """A report made at the end of a training has them by itself; its keys are those of the file."""
    report = LoopReport(
        recipe={"seed": 1}, data_hash="0" * 64, seconds=2.0, backbone="b", weights=3, epochs=(EpochFigures(1, None, 2),)
    )
    assert report.versions["jobmatch"] == __version__
    assert {"python", "torch", "numpy", "sentence-transformers", "transformers"} <= set(report.versions)
    assert 10 < report.peak_memory_mb < 1_000_000
    assert list(asdict(report)) == [
        "recipe",
        "data_hash",
        "seconds",
        "versions",
        "peak_memory_mb",
        "backbone",
        "weights",
        "epochs",
    ]


def test_what_is_not_installed_has_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """As gensim on Python 3.14; all trainings report, also those that do not need it."""
    monkeypatch.setattr("jobmatch_core.training.reports._PACKAGES", ("numpy", "not-a-package"))
    assert set(current_versions()) == {"jobmatch", "python", "numpy"}
