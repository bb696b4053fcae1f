"""WorkRB's results.json on the scoreboard: read, stored, and compared by text alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from jobmatch_core.benchmarks.scoreboard.scoreboard import Scoreboard
from jobmatch_core.benchmarks.scoreboard.workrb_results import WorkRBStore, read_workrb_results
from jobmatch_core.errors import DataFileError
from tests.made_results import VALUES, make_result

EXAMPLE = Path(__file__).parents[3] / "data" / "workrb_results.json"
MELO, SIMILARITY = "MELO", "Job Title Similarity"


def changed(folder: Path, **figures: Any) -> Path:
    """Write the example with other figures of its first MELO dataset."""
    content = json.loads(EXAMPLE.read_text("utf-8"))
    content["task_results"][MELO]["datasetid_results"]["deu_q_de_c_de"]["metrics_dict"] |= figures
    path = folder / "results.json"
    path.write_text(json.dumps(content), "utf-8")
    return path


def test_what_workrb_writes_is_read() -> None:
    """Its MRR and MAP with equal texts merged, and the languages; other tasks are named."""
    file = read_workrb_results(EXAMPLE)
    assert file.model == "BM25-lower"
    assert file.left_out == ("Job to Skills",)
    assert [(result.task, result.dataset, result.values) for result in file.results] == [
        ("melo", "deu_q_de_c_de", {"mrr_merged": 0.5, "map_merged": 0.25}),
        ("melo", "deu_q_de_c_en", {"mrr_merged": 0.125}),
        ("title-similarity", "en", {"mrr_merged": 0.75, "map_merged": 0.375}),
        ("job-normalization", "en", {"mrr_merged": 0.4, "map_merged": 0.4}),
    ]
    assert {result.system for result in file.results} == {"BM25-lower (WorkRB)"}
    assert (file.results[1].query_language, file.results[1].corpus_languages) == ("de", ("en",))


def test_what_is_stored_is_read_again(tmp_path: Path) -> None:
    """A later file of the model replaces what it measured again, and leaves the rest."""
    store = WorkRBStore(tmp_path / "workrb")
    assert store.stored().results == ()
    store.save(read_workrb_results(EXAMPLE))
    store.save(read_workrb_results(changed(tmp_path, mrr=0.625)))
    stored = store.stored()
    assert stored.damaged == ()
    assert [(result.task, result.dataset, result.values["mrr_merged"]) for result in stored.results] == [
        ("job-normalization", "en", 0.4),
        ("melo", "deu_q_de_c_de", 0.625),
        ("melo", "deu_q_de_c_en", 0.125),
        ("title-similarity", "en", 0.75),
    ]


def test_a_damaged_stored_file_is_named(tmp_path: Path) -> None:
    """The others are read, and importing again repairs it."""
    store = WorkRBStore(tmp_path)
    store.save(read_workrb_results(EXAMPLE))
    [path] = tmp_path.glob("*.json")
    path.write_text('{"format": 1, "results": [{"system": 1}]}')
    [problem] = store.stored().damaged
    assert "import its results.json again" in problem
    store.save(read_workrb_results(EXAMPLE))
    assert len(store.stored().results) == 4


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "this is no results.json of WorkRB"),
        ("[]", "this is no results.json of WorkRB"),
        ('{"metadata": {"model_name": "x"}}', "task_results"),
        ('{"metadata": {"model_name": "x"}, "task_results": {}}', "there is no MRR or MAP of MELO"),
    ],
)
def test_another_file_is_refused(tmp_path: Path, content: str, problem: str) -> None:
    """The error says what was expected, and what to do."""
    path = tmp_path / "results.json"
    path.write_text(content)
    with pytest.raises(DataFileError, match=problem):
        read_workrb_results(path)


@pytest.mark.parametrize("value", [1.5, -0.1, float("nan"), float("inf")])
def test_a_figure_that_cannot_be_is_refused(tmp_path: Path, value: float) -> None:
    """The error names the dataset."""
    with pytest.raises(DataFileError, match=r"MELO, deu_q_de_c_de: mrr is .*; expected a number from 0 to 1"):
        read_workrb_results(changed(tmp_path, mrr=value))


def test_workrb_is_compared_by_text_alone() -> None:
    """Ours by name has MRR 0.75, by text 0.8, above WorkRB's 0.5; WorkRB has none by name."""
    ours = make_result("linker:corpus", values=VALUES | {"mrr_merged": 0.8, "map_merged": 0.7})
    further = read_workrb_results(EXAMPLE).results
    board = Scoreboard.of([ours], "melo", published=[], authors=[], workrb=further).chosen("monolingual")
    assert board.rankings == ("by_name", "by_text")
    assert [(row.system, row.value) for row in board.standings("mrr", "by_name")] == [("linker:corpus", 0.75)]
    rows = board.standings("mrr", "by_text")
    assert [(row.system, row.source, row.value) for row in rows] == [
        ("linker:corpus", "yours", 0.8),
        ("BM25-lower (WorkRB)", "WorkRB", 0.5),
    ]
    assert [(row.interval, row.merged) for row in rows] == [(None, None)] * 2
    headline = board.headline("mrr", "by_text")
    assert headline is not None
    assert (headline.place, headline.systems, headline.wins) == (1, 2, 1)
    assert board.standings("accuracy_at_1", "by_text") == []


def test_workrbs_models_are_not_ours() -> None:
    """Not even where nothing else was measured; they have a colour and a row of their own."""
    board = Scoreboard.of([], "title-similarity", workrb=read_workrb_results(EXAMPLE).results)
    assert board.ours == frozenset()
    assert [(entry.source, entry.group, entry.model) for entry in board.entries] == [("WorkRB", "yours", "")]
    assert board.headline("mrr", "by_text") is None
    [row] = board.records()
    assert (row["ranking"], row["source"], row["mrr"], row["map"]) == ("by_text", "WorkRB", 0.75, 0.375)
