"""Ways to run the laboratory's command line."""

import pytest

from lab.cli.main import app, main
from tests.jobmatch.cli.conftest import Program, _wide_terminal, backbone, cli, run_main, tiny_csv, tiny_home, tiny_id

__all__ = ["_wide_terminal", "backbone", "cli", "run_main", "tiny_csv", "tiny_home", "tiny_id"]


@pytest.fixture
def program() -> Program:
    """Give the command line that the tests of this folder are about."""
    return Program("python -m lab", app, main)
