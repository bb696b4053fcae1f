"""Results on disk: saved and read again, whole or not at all, damage told."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from jobmatch_core.benchmarks.scoreboard.results import FIGURES, OUTCOMES, ResultStore
from jobmatch_core.errors import DataFileError
from jobmatch_core.settings import Settings
from tests.made_results import make_evaluation


@pytest.fixture
def store(tmp_path: Path) -> ResultStore:
    """A store whose folder does not exist yet."""
    return ResultStore(tmp_path / "evaluations")


def test_what_is_saved_is_read_again(store: ResultStore) -> None:
    """Figures to the last bit, outcomes with ranks that are missing."""
    saved = make_evaluation(mrr=1 / 3, ranks=(1, None, 7), size_mb=38.5, note="vocabulary seen")
    store.save(saved)
    figures = store.figures("melo", "deu_q_de_c_de", "ours")
    assert figures is not None
    assert tuple(replace(result, outcomes=store.outcomes(result)) for result in figures) == saved


def test_figures_come_without_outcomes(store: ResultStore) -> None:
    """They are read only where somebody looks into a result."""
    saved = make_evaluation()
    store.save(saved)
    [by_name, by_occupation] = store.stored().results
    assert by_name == replace(saved[0], outcomes=())
    assert store.outcomes(by_occupation) == saved[1].outcomes


def test_nothing_is_there_at_first(store: ResultStore) -> None:
    """No folder is no error."""
    assert store.stored().results == ()
    assert store.figures("melo", "deu_q_de_c_de", "ours") is None


def test_the_newer_result_replaces_the_older(store: ResultStore) -> None:
    """One result a system and dataset."""
    store.save(make_evaluation(mrr=0.1))
    store.save(make_evaluation(mrr=0.2))
    assert [result.values["mrr"] for result in store.stored().results] == [0.2, 0.2]


NAMES = ["encoder:org/model", "encoder:org_model", "..", "../../x", ".hidden", "a" * 300, "größer & <b>", "CON\n"]


def test_any_name_has_a_place_of_its_own(store: ResultStore, tmp_path: Path) -> None:
    """Names that are no file names stay inside the folder and apart from each other."""
    for number, name in enumerate(NAMES):
        store.save(make_evaluation(name, mrr=number / 10))
    for number, name in enumerate(NAMES):
        kept = store.figures("melo", "deu_q_de_c_de", name)
        assert kept is not None
        assert (kept[0].system, kept[0].values["mrr"]) == (name, number / 10)
    assert len(store.stored().results) == 2 * len(NAMES)
    assert [path.name for path in tmp_path.iterdir()] == ["evaluations"]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"format": 99, "results": []}',
        '{"format": 1, "results": []}',
        '{"format": 1, "results": [1, 2]}',
    ],
)
def test_damaged_figures_are_told(store: ResultStore, tmp_path: Path, content: str) -> None:
    """By name, and the others are read all the same."""
    store.save(make_evaluation("broken"))
    store.save(make_evaluation("whole"))
    (tmp_path / "evaluations/melo/deu_q_de_c_de/broken" / FIGURES).write_text(content, "utf-8")
    stored = store.stored()
    assert {result.system for result in stored.results} == {"whole"}
    [warning] = stored.damaged
    assert "melo/deu_q_de_c_de/broken" in warning
    assert "measure it again" in warning
    with pytest.raises(DataFileError, match=FIGURES):
        store.figures("melo", "deu_q_de_c_de", "broken")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("mrr", "high"),
        ("system", 3),
        ("size_mb", "big"),
        ("corpus_languages", "de"),
        ("versions", []),
        ("ranking", "x"),
    ],
)
def test_a_wrong_field_is_damage(store: ResultStore, tmp_path: Path, field: str, value: object) -> None:
    """A figure that is no number never reaches the page."""
    store.save(make_evaluation())
    path = tmp_path / "evaluations/melo/deu_q_de_c_de/ours" / FIGURES
    content = json.loads(path.read_text("utf-8"))
    content["results"][0][field] = value
    path.write_text(json.dumps(content), "utf-8")
    with pytest.raises(DataFileError):
        store.figures("melo", "deu_q_de_c_de", "ours")


@pytest.mark.parametrize("damage", ["missing", "garbage"])
def test_damaged_outcomes_are_told(store: ResultStore, tmp_path: Path, damage: str) -> None:
    """The figures are still there."""
    store.save(make_evaluation())
    path = tmp_path / "evaluations/melo/deu_q_de_c_de/ours" / OUTCOMES
    path.unlink() if damage == "missing" else path.write_bytes(b"no table")
    result, _ = store.stored().results
    with pytest.raises(DataFileError, match="measure it again"):
        store.outcomes(result)


def test_what_a_killed_process_left_is_no_result(store: ResultStore, tmp_path: Path) -> None:
    """A half-written neighbour is not read."""
    store.save(make_evaluation())
    (tmp_path / "evaluations/melo/deu_q_de_c_de/.ours.tmp-12345678").mkdir()
    assert len(store.stored().results) == 2
    assert store.stored().damaged == ()


def test_the_store_lies_under_the_home(jobmatch_home: Path) -> None:
    """Where `JOBMATCH_HOME` says."""
    ResultStore.open().save(make_evaluation())
    assert (jobmatch_home / "evaluations" / "melo" / "deu_q_de_c_de" / "ours" / FIGURES).is_file()
    assert Settings.from_environment().evaluations == jobmatch_home / "evaluations"
