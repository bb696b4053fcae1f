"""`jobmatch map`: a table, a picture, two models, and what cannot be given."""

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import Result

from db.label_store import LabelStore
from jobmatch_core.entities import Pair, PairKind
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from tests.core.labelling.made_judgments import judgment
from tests.jobmatch.cli.conftest import Ended

Cli = Callable[..., Result]
_NAMES = ("map", "occupations", "--taxonomy", "isco-08", "--language", "en", "--language", "de", "--method", "pca")


def test_points_in_a_table(cli: Cli, tmp_path: Path) -> None:
    """With the figures as JSON."""
    out = tmp_path / "map.parquet"
    told = json.loads(cli(*_NAMES, "--model", "tf-idf", "--out", out, "--json").stdout)
    table = pd.read_parquet(out)
    assert told["points"] == told["items"] == len(table)
    assert {"id", "text", "language", "ISCO_major_group", "x", "y"} & set(table.columns) >= {"id", "text", "x", "y"}
    assert 0 < told["space_mixing"]["share"] < told["space_mixing"]["chance"]
    assert 0 < told["trustworthiness"] <= 1


@pytest.mark.first_case
@pytest.mark.parametrize(
    ("content", "options", "column"),
    [
        ("Job\nKöchin\nBürokaufmann\nKellnerin\nMaurer\nBäcker\n", (), "Job"),
        ("Nr;Stelle\n1;Köchin\n2;Bürokaufmann\n3;Kellnerin\n4;Maurer\n5;Bäcker\n", (), "Stelle"),
        ("x#y,z\nKöchin#1\nMaurer#2\nKellner#3\nBäcker#4\nTänzer#5\n", ("--separator", "#", "--column", "x"), "x"),
        ("Köchin\nBäcker\nKellnerin\nMaurer\nTänzer\n", ("--header-row", "0", "--column", "column 1"), "column 1"),
    ],
)
def test_a_table_is_read_as_the_link_reads_it(
    cli: Cli, tmp_path: Path, content: str, options: tuple[str, ...], column: str
) -> None:
    """With the same options; the detected layout is printed."""
    table, out = tmp_path / "t.csv", tmp_path / "map.csv"
    table.write_bytes(content.encode("cp1252"))
    words = ("map", table, "--out", out, "--method", "pca", "--model", "tf-idf", *options)
    told = json.loads(cli(*words, "--json").stdout)
    assert (told["column"], told["points"]) == (column, 5)
    assert {"Köchin", "Maurer"} <= set(pd.read_csv(out)["text"])
    assert f"titles in '{column}'" in cli(*words).stdout


def test_a_page_and_two_models(cli: Cli, tmp_path: Path) -> None:
    """The output has the quality of the map and the drifted items."""
    out = tmp_path / "map.html"
    shown = cli(*_NAMES, "--most", "200", "--against", "tf-idf", "--colour", "language", "--out", out).stdout
    assert "trustworthiness" in shown
    assert "Drift from tf-idf" in shown
    assert out.read_text("utf-8").startswith("<!doctype html>")


@pytest.mark.thorough
def test_labels_of_the_store(cli: Cli, run_main: Callable[..., Ended], jobmatch_home: Path, tmp_path: Path) -> None:
    """A point per judged pair; without judgments the error says where to judge, and no store is created."""
    words = ("map", "labels", "--marketplace", "isco-08", "--method", "pca", "--model", "tf-idf", "--out")
    ended = run_main(*words, tmp_path / "map.csv")
    assert (ended.code, "no labels of isco-08 yet" in ended.err) == (2, True)
    assert not Settings.from_environment().may_have_labels
    taxonomy = TaxonomyStore.open().load(BUNDLED_ID)
    uris = [taxonomy.uris[number] for number in taxonomy.occupation_numbers[:12]]
    pairs = [Pair(PairKind.TITLE_OCCUPATION, BUNDLED_ID, f"title {n}", uri) for n, uri in enumerate(uris)]
    with LabelStore.open(Settings(jobmatch_home).label_store) as store:
        store.record_all([judgment("+", of=pair) for pair in pairs])
    assert json.loads(cli(*words, tmp_path / "map.csv", "--json").stdout)["points"] == len(pairs)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--out", "map.docx"), "docx"),
        (("--out", "map.png", "--method", "som"), "umap, tsne, pca"),
        (("--out", "map.png", "--theme", "sepia"), "light, dark"),
        (("--out", "map.csv", "--neighbours", "1"), "2 or more neighbours"),
    ],
)
def test_what_cannot_be_given(words: tuple[str, ...], told: str, run_main: Callable[..., Ended]) -> None:
    """One line of error before anything is encoded."""
    ended = run_main("map", "occupations", *words)
    assert ended.code == 2
    assert told in ended.err
