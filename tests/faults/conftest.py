"""The command line within the tests' process, as its own tests run it."""

from tests.jobmatch.cli.conftest import program, run_main

__all__ = ["program", "run_main"]
