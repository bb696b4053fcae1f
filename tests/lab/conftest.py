"""Fixtures of the product's tests that the laboratory's need, too."""

from tests.core.benchmarks.conftest import hand_written
from tests.core.conftest import bundled, data_folder
from tests.core.titles.conftest import taxonomy
from tests.jobmatch.serve.conftest import service

__all__ = ["bundled", "data_folder", "hand_written", "service", "taxonomy"]
