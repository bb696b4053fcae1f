"""The command line within the tests' process, as its own tests run it."""

from tests.jobmatch.cli.conftest import run_main

__all__ = ["run_main"]
