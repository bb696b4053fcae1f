"""What the reports of all trainings say."""

from dataclasses import asdict

from jobmatch_core import __version__
from jobmatch_core.training.figures import EpochFigures
from jobmatch_core.training.reports import LoopReport


def test_versions_and_memory_are_of_now() -> None:
    """A report made at the end of a training has them by itself; its keys are those of the file."""
    report = LoopReport(
        recipe={"seed": 1}, data_hash="0" * 64, seconds=2.0, backbone="b", weights=3, epochs=(EpochFigures(1, None, 2),)
    )
    assert report.versions["jobmatch"] == __version__
    assert {"python", "torch", "numpy", "sentence-transformers", "transformers", "gensim"} <= set(report.versions)
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
