"""Runs of models and the tables of them: what takes another's place, means and deviations by hand."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from jobmatch_core.benchmarks.experiments.matching_runs import LanguageFigures, MatchingRun, matching_runs
from jobmatch_core.benchmarks.experiments.matching_table import language_rows, rows_of
from jobmatch_core.settings import Settings
from jobmatch_core.towers.matching_metrics import FIGURES, MatchingFigures


def figures(value: float | None) -> MatchingFigures:
    """Return the same number as every figure."""
    return MatchingFigures(**dict.fromkeys(FIGURES, value))


def run(model: str, seed: int, value: float | None, train_s: float = 1.0) -> MatchingRun:
    """Return a run over three projects, one of them German."""
    return MatchingRun(
        model=model,
        seed=seed,
        setting="{}",
        data_hash="abc",
        share_test=0.2,
        generated=True,
        projects=3,
        freelancers=24,
        interactions=28,
        train_s=train_s,
        score_s=0.5,
        versions={"jobmatch": "0"},
        overall=figures(value),
        languages=(LanguageFigures("en", 2, figures(value)), LanguageFigures("de", 1, figures(None))),
    )


def test_what_was_kept_comes_back(tmp_path: Path) -> None:
    """Record for record, with figures that nothing is known of, under JOBMATCH_HOME."""
    kept = run("bm25", 1, 0.5), run("towers", 1, None)
    for each in kept:
        matching_runs(Settings(tmp_path)).add("demo", each)
    assert matching_runs(Settings(tmp_path)).runs("demo") == kept
    content = json.loads((tmp_path / "evaluations" / "matching" / "demo.json").read_text("utf-8"))
    assert content["runs"][1]["overall"]["map"] is None


def test_another_seed_setting_or_marketplace_is_another_run() -> None:
    """Other figures are not."""
    first = run("towers", 1, 0.5)
    others = (replace(first, seed=2), replace(first, setting="other"), replace(first, data_hash="other"))
    assert not any(first.repeats(each) for each in others)
    assert first.repeats(replace(first, overall=figures(0.7)))


def test_table_1_by_hand() -> None:
    """0.2 and 0.4: mean 0.3, deviation sqrt(0.02); one run alone has none; an unknown figure stays unknown."""
    runs = [run("towers", 1, 0.2, 1), run("bm25", 1, 0.5), run("towers", 2, 0.4, 3), run("none", 1, None)]
    towers, bm25, none = rows_of(runs)
    assert (towers.model, towers.seeds, towers.projects, towers.train_s) == ("towers", 2, 3, 2)
    assert towers.mean == figures(pytest.approx(0.3))
    assert towers.deviation == figures(pytest.approx(0.02**0.5))
    assert (bm25.seeds, bm25.mean, bm25.deviation) == (1, figures(0.5), figures(None))
    assert (none.mean, none.deviation) == (figures(None), figures(None))


def test_table_2_by_hand() -> None:
    """A row a model and language, the German project saying nothing."""
    rows = language_rows([run("towers", 1, 0.2), run("towers", 2, 0.4)])
    assert [(row.model, row.language, row.projects, row.seeds) for row in rows] == [
        ("towers", "en", 2, 2),
        ("towers", "de", 1, 2),
    ]
    assert rows[0].mean == figures(pytest.approx(0.3))
    assert rows[1].mean == figures(None)
