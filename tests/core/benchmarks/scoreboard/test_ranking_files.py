"""Rankings as files: runs of trec_eval and artifacts of WorkRB, compared with rankings worked out by hand."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.datasets.melo import read_melo
from jobmatch_core.benchmarks.scoreboard.ranking_files import artifact_name, first_of_each, ranking_files, workrb_model
from jobmatch_core.benchmarks.scoreboard.run import evaluate
from jobmatch_core.benchmarks.systems.lexical import EditDistance
from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import SettingsError
from tests.made_results import write_melo

SCORES = np.array([[0.25, 0.5, 0.125, 0.5], [0.1, 0.2, 0.3, -0.4], [1, 0, 0, 0]], dtype=np.float32)


@pytest.fixture
def dataset(tmp_path: Path) -> RankingDataset:
    """Three queries over four names; the last name is written as the second, with white space around it."""
    dataset = read_melo(write_melo(tmp_path))
    return replace(dataset, elements=["cook", "chef", "nurse", " chef "])


def written(folder: Path, dataset: RankingDataset, scores: FloatArray = SCORES, system: str = "our system:1") -> None:
    """Write scores in two blocks, ranked as they are."""
    with ranking_files(folder, dataset, system) as keep:
        keep(0, scores[:2], scores[:2])
        keep(2, scores[2:], scores[2:])


def test_a_run_is_as_trec_eval_reads_it(dataset: RankingDataset, tmp_path: Path) -> None:
    """Best first, equal scores by descending id: C000003 before C000001_en_001 at 0.5."""
    written(tmp_path, dataset)
    [run] = (tmp_path / "runs").iterdir()
    assert run.name == "melo__tst_q_en_c_en__our_system_1.run"
    assert run.read_text().splitlines()[:5] == [
        "Q1 Q0 C000003_en_000 1 0.50000 our_system:1",
        "Q1 Q0 C000001_en_001 2 0.50000 our_system:1",
        "Q1 Q0 C000001_en_000 3 0.25000 our_system:1",
        "Q1 Q0 C000002_en_000 4 0.12500 our_system:1",
        "Q2 Q0 C000002_en_000 1 0.30000 our_system:1",
    ]
    assert len(run.read_text().splitlines()) == 12


def test_what_is_not_ranked_is_not_in_a_run(dataset: RankingDataset, tmp_path: Path) -> None:
    """Minus infinity, as for what is not among MELO's best hundred."""
    written(tmp_path, dataset, np.where(SCORES < 0.3, np.float32(-np.inf), SCORES))
    [run] = (tmp_path / "runs").iterdir()
    assert [line.split()[2] for line in run.read_text().splitlines()] == [
        *("C000003_en_000", "C000001_en_001"),
        "C000002_en_000",
        "C000001_en_000",
    ]


def test_an_artifact_has_each_text_once(dataset: RankingDataset, tmp_path: Path) -> None:
    """The first chef stands for both, and every cell is there."""
    written(tmp_path, replace(dataset, queries=["cook", "nurses ", "cook"]))
    path = tmp_path / "rankings" / "jobmatch-our-system-1" / "MELO__tst_q_en_c_en.json"
    artifact = json.loads(path.read_text())
    assert artifact["scores"] == {
        "0": {"0": 0.25, "1": 0.5, "2": 0.125},
        "1": {"0": pytest.approx(0.1), "1": pytest.approx(0.2), "2": pytest.approx(0.3)},
    }
    assert artifact["header"] == {
        "schema_version": 1,
        "workrb_version": "0.6.0",
        "model_name": "jobmatch-our-system-1",
        "task_name": "MELO",
        "dataset_id": "tst_q_en_c_en",
        "split": "test",
        "num_queries": 2,
        "num_targets": 3,
        "first_query_text": "cook",
        "last_query_text": "nurses",
        "first_target_text": "cook",
        "last_target_text": "nurse",
    }


def test_cells_left_out_are_below_the_others(
    dataset: RankingDataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """WorkRB takes them for 0: of 0.1, 0.2, 0.3 the best two stay, from 1; of -1, -2, -3 too, as 2 and 1."""
    monkeypatch.setattr("jobmatch_core.benchmarks.scoreboard.ranking_files._RUN_DEPTH", 2)
    monkeypatch.setattr("jobmatch_core.benchmarks.scoreboard.ranking_files._CELLS", 0)
    scores = np.array([[0.1, 0.2, 0.3, 9], [-1, -2, -3, 9], [-np.inf, 2, -np.inf, 9]], dtype=np.float32)
    written(tmp_path, dataset, scores, "bm25")
    artifact = json.loads((tmp_path / "rankings" / "jobmatch-bm25" / "MELO__tst_q_en_c_en.json").read_text())
    assert artifact["scores"] == {
        "0": {"1": pytest.approx(1.2), "2": pytest.approx(1.3)},
        "1": {"0": 2.0, "1": 1.0},
        "2": {"1": 3.0},
    }


def test_job_normalization_has_a_run_alone(dataset: RankingDataset, tmp_path: Path) -> None:
    """WorkRB's task ranks preferred names, so that no artifact of all names fits."""
    written(tmp_path, replace(dataset, task="job-normalization"))
    assert [path.name for path in tmp_path.glob("r*")] == ["runs"]


def test_nothing_is_left_of_what_failed(dataset: RankingDataset, tmp_path: Path) -> None:
    """Neither a run nor an artifact that is cut off."""
    with pytest.raises(IndexError), ranking_files(tmp_path / "out", dataset, "bm25") as keep:
        keep(0, SCORES, SCORES[:, 0])
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file()] == []


def test_a_folder_that_cannot_be_written(dataset: RankingDataset, tmp_path: Path) -> None:
    """The error says where and what to do."""
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(SettingsError, match=r"could not be written to .*file .*name another folder"),
        ranking_files(tmp_path / "file", dataset, "bm25"),
    ):
        pass


def test_an_evaluation_keeps_its_scores(dataset: RankingDataset, tmp_path: Path) -> None:
    """The run ranks `cook` first for `cook`, as the figures say."""
    with ranking_files(tmp_path, dataset, "edit_distance") as keep:
        evaluate(EditDistance("edit_distance"), dataset, keep=keep)
    [run] = (tmp_path / "runs").iterdir()
    assert run.read_text().splitlines()[0].split()[:4] == ["Q1", "Q0", "C000001_en_000", "1"]
    assert artifact_name(dataset) == "MELO__tst_q_en_c_en.json"


@pytest.mark.parametrize(
    ("system", "name"),
    [("linker:corpus", "jobmatch-linker-corpus"), ("encoder:../../x", "jobmatch-encoder-..-..-x")],
)
def test_names_of_models_are_names_of_folders(system: str, name: str) -> None:
    """No path leads out of the folder."""
    assert workrb_model(system) == name


def test_equal_texts_are_found() -> None:
    """By their letters, without white space around them."""
    assert first_of_each(["b", "a", " b", "A", "a"]) == [0, 1, 3]
