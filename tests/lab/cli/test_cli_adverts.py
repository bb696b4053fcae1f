"""`python -m lab evaluate adverts`: what it prints."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

Cli = Callable[..., Result]


@pytest.fixture
def advert_folder(tmp_path: Path) -> Path:
    """Write two adverts, three CVs and their judgments."""
    folder = tmp_path / "toy"
    folder.mkdir()
    adverts = {"1": "Data analyst\n\nStatistics with python.", "2": "Painter\n\nPaint walls."}
    profiles = {"7": "Summary\n\nPython and statistics.", "8": "Summary\n\nWalls and ceilings.", "9": "Nurse"}
    for name, texts in (("queries", adverts), ("corpus", profiles)):
        lines = [json.dumps({"id": key, "text": text}) for key, text in texts.items()]
        (folder / f"dev_en_{name}.jsonl").write_text("\n".join(lines), "utf-8")
    (folder / "dev_qrels.tsv").write_text("1\t0\t7\t1\n2\t0\t8\t1\n", "utf-8")
    return folder


def test_adverts_as_json(cli: Cli, advert_folder: Path) -> None:
    """Each model as it was named; without names the untrained ones."""
    answer = json.loads(cli("evaluate", "adverts", advert_folder, "--model", "bm25", "--json").stdout)
    assert (answer["dataset"], answer["language"]) == ("toy", "en")
    [figures] = answer["results"]
    assert (figures["model"], figures["adverts"], figures["profiles"], figures["map"]) == ("bm25", 2, 3, 1)
    answer = json.loads(cli("evaluate", "adverts", advert_folder, "--json").stdout)
    assert [each["model"].split("-")[0] for each in answer["results"]] == ["bm25", "section", "untrained"]


def test_adverts_for_people(cli: Cli, advert_folder: Path) -> None:
    """A row a model."""
    shown = " ".join(cli("evaluate", "adverts", advert_folder, "--model", "bm25").stdout.split())
    assert "toy: 2 adverts, 3 CVs (en)" in shown
    assert "1.0000" in shown


@pytest.mark.parametrize(
    ("words", "told"), [((), "expected one file"), (("--model", "nothing"), "There is no model 'nothing'")]
)
def test_adverts_with_what_cannot_be(
    run_main: Callable[..., Any], tmp_path: Path, advert_folder: Path, words: tuple[str, ...], told: str
) -> None:
    """An empty folder, or no such model: one line."""
    ended = run_main("evaluate", "adverts", advert_folder if words else tmp_path, *words)
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err
