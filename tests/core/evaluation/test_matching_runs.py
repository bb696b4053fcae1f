"""Runs on disk and in tables: what is kept, what takes another's place, means and deviations by hand."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.evaluation.matching_metrics import FIGURES, MatchingFigures
from jobmatch_core.evaluation.matching_runs import LanguageFigures, MatchingRun, MatchingRunStore
from jobmatch_core.evaluation.matching_table import language_rows, rows_of
from jobmatch_core.settings import Settings


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
    """Record for record, in order, each marketplace by itself; nothing is there at first."""
    store = MatchingRunStore(tmp_path / "kept")
    assert store.runs("demo") == ()
    first, second = run("bm25", 1, 0.5), run("towers", 1, None)
    store.add("demo", first)
    store.add("demo", second)
    store.add("other", first)
    assert store.runs("demo") == (first, second)
    assert store.runs("other") == (first,)
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["demo.json", "lock", "other.json"]


def test_two_may_measure_at_once(tmp_path: Path) -> None:
    """What one adds while another does is not lost."""
    runs = [run("towers", seed, 0.5) for seed in range(12)]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda each: MatchingRunStore(tmp_path).add("demo", each), runs))
    assert sorted(each.seed for each in MatchingRunStore(tmp_path).runs("demo")) == list(range(12))


def test_a_repetition_takes_the_earlier_ones_place(tmp_path: Path) -> None:
    """The same model, seed, setting and data; another seed or setting does not."""
    store = MatchingRunStore(tmp_path)
    first = run("towers", 1, 0.5)
    others = (replace(first, seed=2), replace(first, setting="other"), replace(first, data_hash="other"))
    for each in (first, *others, replace(first, overall=figures(0.7))):
        store.add("demo", each)
    assert store.runs("demo") == (*others, replace(first, overall=figures(0.7)))


def test_runs_lie_where_results_do(tmp_path: Path) -> None:
    """Under JOBMATCH_HOME."""
    MatchingRunStore.open(Settings(tmp_path)).add("demo", run("bm25", 1, 0.5))
    assert (tmp_path / "evaluations" / "matching" / "demo.json").is_file()


@pytest.mark.parametrize(
    "content",
    ["", "[]", '{"format": 0, "runs": []}', '{"format": 1}', '{"format": 1, "runs": [{"model": "x"}]}'],
    ids=["empty", "a list", "another release's", "no runs", "half a run"],
)
def test_damage_is_told(tmp_path: Path, content: str) -> None:
    """And not taken for 'nothing measured yet', which would lose hours when something is added."""
    (tmp_path / "demo.json").write_text(content, "utf-8")
    with pytest.raises(DataFileError, match="delete the file"):
        MatchingRunStore(tmp_path).add("demo", run("bm25", 1, 0.5))
    assert (tmp_path / "demo.json").read_text("utf-8") == content


def test_the_file_is_plain_json(tmp_path: Path) -> None:
    """For other programs; figures that nothing is known of are null."""
    MatchingRunStore(tmp_path).add("demo", run("towers", 1, None))
    content = json.loads((tmp_path / "demo.json").read_text("utf-8"))
    assert (content["marketplace"], content["runs"][0]["overall"]["map"]) == ("demo", None)


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
