"""jobmatch's systems as WorkRB's models, and local folders as its tasks: with a stand-in, and with the package."""

import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jobmatch_core.benchmarks.datasets.tasks import find_benchmarks
from jobmatch_core.benchmarks.scoreboard.ranking_files import ranking_files
from jobmatch_core.benchmarks.scoreboard.run import evaluate
from jobmatch_core.benchmarks.systems.lexical import TfIdf
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.errors import DataFileError, SettingsError
from tests import workrb_stand_in
from tests.made_results import write_melo
from tests.made_taxonomy import install, skilled_taxonomy

REAL = pytest.param("real", marks=pytest.mark.skipif(find_spec("workrb") is None, reason="WorkRB is not installed"))


@pytest.fixture(params=["stand-in", REAL])
def ours(request: pytest.FixtureRequest) -> Iterator[Any]:
    """The module, imported beside the stand-in or beside the package."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "stand-in":
            workrb_stand_in.install(patch)
        patch.delitem(sys.modules, "jobmatch.workrb", raising=False)
        yield import_module("jobmatch.workrb")
        sys.modules.pop("jobmatch.workrb", None)


def scores(model: Any, queries: list[str], targets: list[str]) -> Any:
    """Return a model's scores as WorkRB asks for them."""
    return model.compute_rankings(
        queries=queries, targets=targets, query_input_type="job_title", target_input_type="job_title"
    ).numpy()


def write_similarity(folder: Path, language: str = "en") -> None:
    """Write three titles as queries and documents; each is right for itself, and `cook` and `chef` for each other."""
    place = folder / language
    place.mkdir(parents=True)
    rows = [("cook", "cook"), ("chef", "chef"), ("bus_driver", "bus driver")]
    for name in ("queries.tsv", "corpus_documents.tsv"):
        (place / name).write_text("".join(f"{key}\t{text}\n" for key, text in rows), "utf-8")
    right = [("cook", "cook"), ("cook", "chef"), ("chef", "chef"), ("chef", "cook"), ("bus_driver", "bus_driver")]
    (place / "annotations.tsv").write_text("".join(f"{one}\t0\t{other}\t1\n" for one, other in right), "utf-8")


def test_without_the_package_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, in place of an ImportError."""
    monkeypatch.setitem(sys.modules, "workrb.models.base", None)
    monkeypatch.delitem(sys.modules, "jobmatch.workrb", raising=False)
    with pytest.raises(SettingsError, match=r'pip install "jobmatch\[workrb\]"'):
        import_module("jobmatch.workrb")


def test_the_title_encoder_is_a_model(ours: Any) -> None:
    """Its scores are the cosines of its vectors, (query, target)."""
    model = ours.title_encoder()
    assert model.name == "jobmatch-encoder-titles"
    assert model.classification_label_space is None
    vectors = shipped_encoder().encode(["cook", "chef", "bus driver"])
    found = scores(model, ["cook", "chef"], ["cook", "chef", "bus driver"])
    assert found.dtype == np.float32
    assert found == pytest.approx(vectors[:2] @ vectors.T, abs=1e-5)


def test_no_queries_have_no_scores(ours: Any) -> None:
    """The scores have no rows, and a column for each target."""
    assert scores(ours.title_encoder(), [], ["cook", "chef"]).shape == (0, 2)


def test_the_search_encoder_is_a_model(ours: Any) -> None:
    """Of a nurse and a cook, `somebody who cooks` finds the cook."""
    model = ours.search_encoder()
    assert model.name.startswith("jobmatch-search-")
    found = scores(model, ["somebody who cooks"], ["nurse", "cook"])
    assert found.shape == (1, 2)
    assert found[0, 1] > found[0, 0]


@pytest.mark.long
@pytest.mark.parametrize("titles", [False, True])
def test_the_linker_is_a_model(ours: Any, jobmatch_home: Path, titles: bool) -> None:
    """Over names of a taxonomy, and over titles."""
    model = ours.linker("isco-08", titles=titles)
    assert model.name == "jobmatch-linker-isco-08"
    found = scores(model, ["bus driver", "cook"], ["cooks", "bus drivers"])
    assert found.argmax(axis=1).tolist() == [1, 0]


def test_texts_are_classified_by_their_labels(ours: Any) -> None:
    """As WorkRB's own baselines do."""
    model = ours.title_encoder()
    found = model.compute_classification(["cook"], ["cook", "bus driver"], "job_title")
    assert found.argmax().item() == 0


def test_melo_is_a_task(ours: Any, tmp_path: Path) -> None:
    """With the name, the ids and the languages of WorkRB's; `cook` has two right names, both of its occupation."""
    write_melo(tmp_path)
    write_melo(tmp_path, "deu_q_de_c_en")
    task = ours.Melo(tmp_path)
    assert task.name == "MELO"
    assert sorted(task.dataset_ids) == ["deu_q_de_c_en", "tst_q_en_c_en"]
    dataset = task.datasets["tst_q_en_c_en"]
    assert dataset.query_texts == ["cook", "nurses", "driver of a bus"]
    assert dataset.target_space == ["cook", "chef", "nurse", "bus driver"]
    assert dataset.target_indices == [[0, 1], [2], [3]]
    languages = task.get_dataset_languages("deu_q_de_c_en")
    assert ([*languages.input_languages], [*languages.output_languages]) == (["de"], ["en"])
    assert task.task_group == "rank_job_normalization"
    assert task.label_type == "multi_label"


def test_title_similarity_is_a_task(ours: Any, tmp_path: Path) -> None:
    """Measured with the shipped encoder, which ranks each title first for itself: MRR 1, as ours."""
    write_similarity(tmp_path)
    task = ours.TitleSimilarity(tmp_path)
    assert (task.name, task.task_group) == ("Job Title Similarity", "rank_semantic_similarity")
    assert task.datasets["en"].target_indices == [[0, 1], [0, 1], [2]]
    assert task.evaluate(ours.title_encoder(), ["mrr"], "en") == {"mrr": 1.0}


def test_job_normalization_ranks_preferred_names(ours: Any, jobmatch_home: Path, tmp_path: Path) -> None:
    """A title of an occupation that the taxonomy does not have is left out."""
    taxonomy = skilled_taxonomy()
    install(taxonomy, jobmatch_home)
    number = int(taxonomy.occupation_numbers[1])
    rows = [("a title", taxonomy.uris[number]), ("another", "http://data.europa.eu/esco/occupation/none")]
    path = tmp_path / "titles.csv"
    path.write_text("vacancyTitle,conceptUri\n" + "".join(f"{title},{uri}\n" for title, uri in rows), "utf-8")
    task = ours.JobNormalization(path, taxonomy.id)
    dataset = task.datasets["en"]
    assert (task.name, task.label_type) == ("Job Normalization", "single_label")
    assert dataset.query_texts == ["a title"]
    assert [dataset.target_space[place] for place in dataset.target_indices[0]] == [taxonomy.name(number, "en")]
    path.write_text(f"vacancyTitle,conceptUri\nanother,{rows[1][1]}\n", "utf-8")
    with pytest.raises(DataFileError, match="has none of its occupations"):
        ours.JobNormalization(path, taxonomy.id)


def test_a_language_that_workrb_does_not_know(ours: Any, tmp_path: Path) -> None:
    """The error names it and the dataset."""
    write_similarity(tmp_path, "ru")
    with pytest.raises(DataFileError, match="ru: WorkRB does not know the language ru; leave this dataset out"):
        ours.TitleSimilarity(tmp_path)


@pytest.mark.skipif(find_spec("workrb") is None, reason="WorkRB is not installed")
def test_workrb_computes_its_figures_from_our_rankings(tmp_path: Path) -> None:
    """The figures from the written artifact are those that it computes from the model."""
    workrb: Any = import_module("workrb")
    module: Any = import_module("jobmatch.workrb")
    write_similarity(tmp_path / "data")
    [benchmark] = find_benchmarks("title-similarity", tmp_path / "data")
    system = TfIdf("char_tf_idf", "char")
    with ranking_files(tmp_path / "out", benchmark.read(), system.name) as keep:
        evaluate(system, benchmark.read(), keep=keep)
    tasks = [module.TitleSimilarity(tmp_path / "data")]
    replayed = workrb.evaluate_rankings(tmp_path / "out/rankings/jobmatch-char-tf-idf", tasks, f"{tmp_path}/replayed")
    direct = workrb.evaluate(module.JobmatchModel(system), tasks, f"{tmp_path}/direct")
    [first], [second] = (
        [task.datasetid_results["en"].metrics_dict for task in result.task_results.values()]
        for result in (replayed, direct)
    )
    assert first == pytest.approx(second)
    assert first["mrr"] == 1
