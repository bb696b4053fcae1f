"""Several systems on several datasets: kept, not done again, stopped."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from jobmatch_core.benchmarks.datasets.tasks import (
    TASKS,
    Benchmark,
    benchmark_folder,
    find_benchmarks,
    installed_benchmarks,
    normalization_benchmark,
)
from jobmatch_core.benchmarks.datasets.title_sets import taxonomy_of_titles
from jobmatch_core.benchmarks.scoreboard.results import FIGURES, ResultStore
from jobmatch_core.benchmarks.scoreboard.run import Campaign
from jobmatch_core.benchmarks.systems.catalogue import open_system
from jobmatch_core.errors import DataFileError, SettingsError, TaxonomyError
from jobmatch_core.metrics.ranking import METRICS, Metric
from jobmatch_core.taxonomy import TaxonomyStore
from tests.made_results import write_melo

ISCO = "http://data.europa.eu/esco/isco/C"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two datasets."""
    for name in ("one_q_en_c_en", "two_q_en_c_en"):
        write_melo(tmp_path / "datasets", name)
    return tmp_path / "datasets"


def campaign(folder: Path, *systems: str, again: bool = False) -> Campaign:
    """Plan to measure baselines on a folder's datasets."""
    makers = [partial(open_system, name) for name in systems]
    return Campaign(find_benchmarks("melo", folder), makers, ResultStore.open(), again=again)


def test_everything_is_measured_and_kept(folder: Path) -> None:
    """Dataset by dataset, in the order of the systems."""
    done = campaign(folder, "char_tf_idf", "edit_distance").run()
    assert [(first.dataset[:3], first.system) for first, _ in done] == [
        ("one", "char_tf_idf"),
        ("one", "edit_distance"),
        ("two", "char_tf_idf"),
        ("two", "edit_distance"),
    ]
    assert len(ResultStore.open().stored().results) == 8


def test_what_is_kept_is_not_measured_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless asked for, or the data or the version is another."""
    first = campaign(folder, "char_tf_idf").run()
    measured: list[str] = []

    def counted(system: object, dataset: object, **_: object) -> object:
        measured.append(dataset.name)  # type: ignore[attr-defined]
        return first[len(measured) - 1]

    monkeypatch.setattr("jobmatch_core.benchmarks.scoreboard.run.evaluate", counted)
    second = campaign(folder, "char_tf_idf").run()
    assert measured == []
    assert [result.values["mrr"] for result, _ in second] == [result.values["mrr"] for result, _ in first]
    campaign(folder, "char_tf_idf", again=True).run()
    assert measured == ["one_q_en_c_en", "two_q_en_c_en"]


def test_other_data_is_measured_anew(folder: Path) -> None:
    """A name more in the corpus is another dataset."""
    [before, _], _ = campaign(folder, "char_tf_idf").run()
    with (folder / "one_q_en_c_en" / "corpus_elements.tsv").open("a", encoding="utf-8") as file:
        file.write("C000004_en_000\tcooks\n")
    with (folder / "one_q_en_c_en" / "concept_mapping.tsv").open("a", encoding="utf-8") as file:
        file.write("C000004_en_000\turi:cooks\n")
    [after, _], _ = campaign(folder, "char_tf_idf").run()
    assert after.data_hash != before.data_hash


def test_a_new_metric_is_measured_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stored result without it is not taken for a whole one."""
    campaign(folder, "char_tf_idf").run()
    monkeypatch.setitem(METRICS, "accuracy_at_2", Metric("A@2", lambda ranks: ranks.accuracy_at(2)))
    [first, _], _ = campaign(folder, "char_tf_idf").run()
    assert 0 <= first.values["accuracy_at_2"] <= 1


def test_another_version_is_measured_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures of an older release are not taken for this one's."""
    campaign(folder, "char_tf_idf").run()
    monkeypatch.setattr("jobmatch_core.benchmarks.scoreboard.run.__version__", "99.0")
    [first, _], _ = campaign(folder, "char_tf_idf").run()
    assert first.versions["jobmatch"] == "99.0"


def test_damage_is_told_and_mended(folder: Path, jobmatch_home: Path) -> None:
    """A damaged result is measured again, with a warning."""
    campaign(folder, "char_tf_idf").run()
    path = jobmatch_home / "evaluations/melo/one_q_en_c_en/char_tf_idf" / FIGURES
    path.write_text("{", "utf-8")
    second = campaign(folder, "char_tf_idf")
    second.run()
    [warning] = second.warnings
    assert "one_q_en_c_en/char_tf_idf" in warning
    assert ResultStore.open().stored().damaged == ()


def test_stop_keeps_what_is_done(folder: Path) -> None:
    """Stopped while it measures the second: the first is kept, and the rest is done later."""
    work = campaign(folder, "char_tf_idf")

    def stop_in_the_second(done: int, total: int) -> None:
        if done > total / 2:
            work.stop()

    done = work.run(stop_in_the_second)
    assert [first.dataset for first, _ in done] == ["one_q_en_c_en"]
    assert (len(done), work.total) == (1, 2)
    assert {result.dataset for result in ResultStore.open().stored().results} == {"one_q_en_c_en"}
    assert len(campaign(folder, "char_tf_idf").run()) == 2


def test_progress_never_goes_back(folder: Path) -> None:
    """Progress ends with its total."""
    calls: list[tuple[int, int]] = []
    campaign(folder, "char_tf_idf", "bm25").run(lambda done, total: calls.append((done, total)))
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)
    assert calls[-1][0] == calls[-1][1]


def test_errors_are_the_users(folder: Path) -> None:
    """An unknown system, or a damaged dataset after a whole one, which is kept."""
    with pytest.raises(SettingsError, match="no system 'nope'"):
        campaign(folder, "nope").run()
    (folder / "two_q_en_c_en" / "queries.tsv").write_text("one field\n", "utf-8")
    with pytest.raises(DataFileError, match=r"queries.tsv"):
        campaign(folder, "char_tf_idf").run()
    assert {result.dataset for result in ResultStore.open().stored().results} == {"one_q_en_c_en"}


def test_installed_benchmarks(jobmatch_home: Path) -> None:
    """What users put under the home is found by task; an empty home has none."""
    assert installed_benchmarks("melo") == []
    assert installed_benchmarks("job-normalization") == []
    assert benchmark_folder("melo") == jobmatch_home / "benchmarks" / "melo"
    write_melo(benchmark_folder("melo"))
    [benchmark] = installed_benchmarks("melo")
    assert (benchmark.name, benchmark.read().name) == ("tst_q_en_c_en", "tst_q_en_c_en")
    assert installed_benchmarks("title-similarity") == []


def test_a_task_is_one_entry(jobmatch_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its datasets are found where the page looks for them, and measured."""
    monkeypatch.setitem(TASKS, "mine", replace(TASKS["melo"], label="Mine"))
    write_melo(benchmark_folder("mine"))
    [benchmark] = installed_benchmarks("mine")
    assert benchmark.task == "mine"
    [[by_name, _]] = Campaign([benchmark], [partial(open_system, "char_tf_idf")], ResultStore.open()).run()
    assert by_name.queries == 3


def test_titles_are_read_with_the_taxonomy_that_their_uris_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever are installed; it is loaded when they are read, and not when they are found."""
    header = "concept_id,language,preferred,alternatives,parent,description\n"
    (tmp_path / "jobs.csv").write_text(f"{header}{ISCO}5120,en,cook,chef,,\n{ISCO}0,en,x,,,\n", "utf-8")
    TaxonomyStore.open().import_from(tmp_path / "jobs.csv")
    path = benchmark_folder("job-normalization") / "titles.csv"
    path.parent.mkdir(parents=True)
    path.write_text(f"vacancyTitle,conceptUri\nchef,{ISCO}5120\ncook,{ISCO}0\n", "utf-8")
    with monkeypatch.context() as patched:
        patched.setattr(TaxonomyStore, "load", lambda *_: 1 / 0)
        [benchmark] = installed_benchmarks("job-normalization")
    assert benchmark.read().taxonomy == "isco-08"
    path.write_text("vacancyTitle,conceptUri\nchef,uri:cook\n", "utf-8")
    with pytest.raises(SettingsError, match=r"titles\.csv does not say which taxonomy .* --taxonomy"):
        benchmark.read()


@pytest.mark.parametrize(
    ("uri", "taxonomy"),
    [("http://data.europa.eu/esco/occupation/90f75f67", "esco-1.0.3"), (f"{ISCO}5120", "isco-08")],
)
def test_the_taxonomy_of_titles(uri: str, taxonomy: str) -> None:
    """By the URIs of their occupations."""
    assert taxonomy_of_titles("titles.csv", [uri]) == taxonomy


def test_titles_are_measured_on_a_taxonomy() -> None:
    """Job normalization ranks an installed taxonomy's occupations."""
    path = benchmark_folder("job-normalization") / "titles.csv"
    path.parent.mkdir(parents=True)
    path.write_text(f"vacancyTitle,conceptUri\ncook,{ISCO}5120\n", "utf-8")
    [benchmark] = installed_benchmarks("job-normalization", "isco-08")
    [[_, by_occupation]] = Campaign([benchmark], [partial(open_system, "char_tf_idf")], ResultStore.open()).run()
    assert (by_occupation.task, by_occupation.dataset, by_occupation.values["accuracy_at_1"]) == (
        "job-normalization",
        "titles",
        1.0,
    )
    with pytest.raises(TaxonomyError):
        normalization_benchmark(path, "nope")


def test_benchmarks_are_read_late(folder: Path) -> None:
    """Finding reads nothing but names."""
    (folder / "one_q_en_c_en" / "queries.tsv").write_text("damaged", "utf-8")
    benchmarks = find_benchmarks("melo", folder)
    assert [benchmark.name for benchmark in benchmarks] == ["one_q_en_c_en", "two_q_en_c_en"]
    assert all(isinstance(benchmark, Benchmark) for benchmark in benchmarks)
