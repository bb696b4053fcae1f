"""`jobmatch evaluate matching|adverts`: what they print."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.towers.matching_metrics import FIGURES
from tests.made_marketplace import marketplace

Cli = Callable[..., Result]
WORDS = ("--model", "bm25", "--model", "section-sbert+projection-triplet", "--seeds", "2")


@pytest.fixture
def _stored() -> None:
    MarketplaceStore.open().save("tiny", marketplace().blocks(), origin={}, generated=True)


@pytest.mark.usefixtures("_stored")
def test_matching_as_json(cli: Cli) -> None:
    """A row a model, one a model and language, and on what."""
    result = cli("evaluate", "matching", "tiny", *WORDS, "--json")
    assert result.stderr.startswith("Home: ")
    answer = json.loads(result.stdout)
    counts = {name: answer[name] for name in ("marketplace", "generated", "projects", "freelancers", "interactions")}
    assert counts == {"marketplace": "tiny", "generated": True, "projects": 4, "freelancers": 24, "interactions": 28}
    bm25, projection = answer["results"]
    assert [(row["model"], row["seeds"]) for row in (bm25, projection)] == [
        ("bm25", 1), ("section-sbert+projection-triplet", 2),
    ]  # fmt: skip
    assert list(bm25["mean"]) == list(FIGURES)
    assert bm25["deviation"]["map"] is None
    assert projection["deviation"]["map"] >= 0
    assert [(row["model"], row["language"]) for row in answer["languages"][:2]] == [("bm25", "de"), ("bm25", "en")]


@pytest.mark.usefixtures("_stored")
def test_matching_for_people(cli: Cli) -> None:
    """Both tables; that the marketplace was made up is told; a second run takes what was kept."""
    for _ in range(2):
        shown = " ".join(cli("evaluate", "matching", "tiny", *WORDS).stdout.split())
        assert "tiny (generated): 4 test projects, 24 freelancers, 28 interactions" in shown
        assert "section-sbert+projection-triplet, by the language of the project" in shown
        assert "±" in shown
        assert "bm25" in shown


@pytest.mark.usefixtures("_stored")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nowhere",), "There is no marketplace 'nowhere'"),
        (("tiny", "--model", "tower"), "There is no model 'tower'"),
        (("tiny", "--model", "sbert-triplet"), "--sbert"),
        (("tiny", "--seeds", "0"), "--seeds"),
        (("tiny", "--encoder", "no/such/model"), "There is no model 'no/such/model'"),
    ],
)
def test_matching_with_what_cannot_be(run_main: Callable[..., Any], words: tuple[str, ...], told: str) -> None:
    """One line on standard error."""
    ended = run_main("evaluate", "matching", *words)
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err
    assert ended.err.count("\n") == 1


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
