"""`jobmatch map`: a table, a picture, two models, and what cannot be given."""

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import Result

from tests.jobmatch.cli.conftest import Ended

Cli = Callable[..., Result]
_NAMES = ("map", "occupations", "--taxonomy", "isco-08", "--language", "en", "--language", "de", "--method", "pca")


def test_points_in_a_table(cli: Cli, tmp_path: Path) -> None:
    """With the figures as JSON for programs."""
    out = tmp_path / "map.parquet"
    told = json.loads(cli(*_NAMES, "--model", "tf-idf", "--out", out, "--json").stdout)
    table = pd.read_parquet(out)
    assert told["points"] == told["items"] == len(table)
    assert {"id", "text", "language", "ISCO_major_group", "x", "y"} & set(table.columns) >= {"id", "text", "x", "y"}
    assert 0 < told["space_mixing"]["share"] < told["space_mixing"]["chance"]
    assert 0 < told["trustworthiness"] <= 1


def test_a_page_and_two_models(cli: Cli, tmp_path: Path) -> None:
    """Told for people: how far to believe it, and who drifted."""
    out = tmp_path / "map.html"
    shown = cli(*_NAMES, "--most", "200", "--against", "tf-idf", "--colour", "language", "--out", out).stdout
    assert "trustworthiness" in shown
    assert "Drift from tf-idf" in shown
    assert out.read_text("utf-8").startswith("<!doctype html>")


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
    """Said in one line, before anything is encoded."""
    ended = run_main("map", "occupations", *words)
    assert ended.code == 2
    assert told in ended.err
