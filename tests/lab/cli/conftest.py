"""Ways to run the laboratory's command line."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from lab.cli.main import app, main
from tests.jobmatch.cli.conftest import PLACES, Ended, _wide_terminal, tiny_csv, tiny_home, tiny_id  # noqa: F401


@pytest.fixture
def cli() -> Callable[..., Result]:
    """Run a command that must end well, within this process."""

    def invoke(*words: str | Path) -> Result:
        result = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        assert [line for line in result.stderr.splitlines() if not line.startswith(PLACES)] == []
        return result

    return invoke


@pytest.fixture
def run_main(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """Run `main` with its handling of errors, within this process."""

    def run(*words: str | Path) -> Ended:
        monkeypatch.setattr(sys, "argv", ["python -m lab", *map(str, words)])
        capsys.readouterr()  # what came before is not the command's
        with pytest.raises(SystemExit) as caught:
            main()
        return Ended(int(caught.value.code or 0), *capsys.readouterr())

    return run
