"""No option takes NaN or infinity, and no command prints them as JSON."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from jobmatch.cli.options import finite
from jobmatch.cli.output import print_json

OPTIONS = [("match", "--within-km"), ("match", "--max-day-rate"), ("map", "--min-dist"), ("map", "--perplexity")]


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e999"])
def test_every_option(run_main: Callable[..., Any], value: str) -> None:
    """Refused before anything is read."""
    for command, option in OPTIONS:
        ended = run_main(command, "x", f"{option}={value}")
        assert (ended.code, ended.out) == (2, "")
        assert option in ended.err
        assert "is not a finite number" in ended.err
    assert finite(None) is None
    assert finite(0.5) == 0.5


def test_figures_that_there_are_none_of(capsys: pytest.CaptureFixture[str]) -> None:
    """They are null."""
    print_json({"auc": float("nan"), "rows": [{"z": float("inf"), "n": 1}]})
    found = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert found == {"auc": None, "rows": [{"z": None, "n": 1}]}
