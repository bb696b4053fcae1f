"""`jobmatch evaluate production-rate`."""

import json
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest
from typer.testing import Result

from jobmatch.services.linking import LinkingService
from jobmatch_core.errors import DataFileError, SettingsError

Cli = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("use_linker_home")


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """Write coded titles of two languages; the last code is wrong on purpose."""
    path = tmp_path / "sample.csv"
    rows = ["Cook;5120;5120;en", "Krankenschwester;2221;2221;de", "Bäcker;7512;7512;de", "Nurse;5120;2221;en"]
    path.write_text("\n".join(["title;isco;other;lang", *rows]), "utf-8")
    return path


@pytest.mark.thorough
def test_figures_for_programs(cli: Cli, sample: Path) -> None:
    """All levels of the linker, the dictionary and the nearest names, and the agreement of two people."""
    command = ("evaluate", "production-rate", sample, "--second-code", "other", "--language", "lang")
    answer = json.loads(cli(*command, "--system", "char_tf_idf", "--json").stdout)
    results = answer["results"]
    assert list(dict.fromkeys(result["coder"] for result in results)) == ["linker", "equal names", "char_tf_idf"]
    assert [result["digits"] for result in results[:4]] == [4, 3, 2, 1]
    assert (results[0]["titles"], results[0]["first"], results[0]["agreement"]) == (4, 0.75, 0.75)
    assert [rate["error"] for rate in results[0]["rates"]] == [0.01, 0.02, 0.04, 0.05, 0.10]
    assert set(answer["precision"]) == {"0.01", "0.02", "0.04", "0.05", "0.1"}


@pytest.mark.thorough
def test_tables_for_people(cli: Cli, sample: Path) -> None:
    """With the agreement of people as the ceiling, and what the columns mean."""
    shown = " ".join(cli("evaluate", "production-rate", sample, "--second-code", "other").stdout.split())
    assert "ISCO-08 unit groups; two people agree on 75.0%" in shown
    assert "share of titles coded with at most this share of wrong codes" in shown


@pytest.mark.thorough
def test_the_hint_repeats_taxonomy_and_languages(cli: Cli, tmp_path: Path) -> None:
    """With them `jobmatch link` gives what was measured; where nothing is coded there is no share of wrong codes."""
    path = tmp_path / "sample.csv"
    shown = []
    for codes in (("5120", "7512"), ("7512", "5120")):
        path.write_text("\n".join(["title;isco", f"Cooks;{codes[0]}", f"Bakers;{codes[1]}"]), "utf-8")
        command = ("evaluate", "production-rate", path, "--system", "char_tf_idf", "--languages", "en,de")
        shown.append(" ".join(cli(*command).stdout.split()))
    right, wrong = shown
    assert "--taxonomy isco-08 --languages en,de" in right
    assert "–" in wrong
    assert "--taxonomy" not in wrong


def test_an_unknown_system_is_refused_before_anything_is_coded(
    cli: Cli, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message lists the systems."""
    monkeypatch.setattr(LinkingService, "open", Mock(side_effect=AssertionError))
    with pytest.raises(SettingsError, match="There is no system 'none'; choose one of"):
        cli("evaluate", "production-rate", sample, "--system", "char_tf_idf", "--system", "none")


@pytest.mark.parametrize("command", ["production-rate", "questions"])
def test_a_missing_column_of_codes_says_which_option_names_it(cli: Cli, tmp_path: Path, command: str) -> None:
    """The default is `isco`; nothing is linked before."""
    path = tmp_path / "sample.csv"
    path.write_text("title;ISCO-08\nCooks;5120\nBakers;7512", "utf-8")
    more = ("--duties", "isco-08") if command == "questions" else ()
    with pytest.raises(
        DataFileError, match="no column 'isco' with ISCO-08 codes; name one with --code: title, ISCO-08"
    ):
        cli("evaluate", command, path, *more)
