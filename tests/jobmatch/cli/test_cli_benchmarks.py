"""`jobmatch evaluate melo|title-similarity|compare|overlap|build-melo`: what they print, and that they resume."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from jobmatch_core.benchmarks.scoreboard.results import FIGURES, ResultStore
from jobmatch_core.benchmarks.scoreboard.workrb_results import WorkRBStore
from jobmatch_core.encoders.loading import shipped_encoder
from tests.made_results import make_evaluation, write_melo

Cli = Callable[..., Result]
ISCO = "http://data.europa.eu/esco/isco/C"


@pytest.fixture
def datasets(tmp_path: Path) -> Path:
    """Two datasets in MELO's format; one has the name of a published one."""
    for name in ("deu_q_de_c_de", "tst_q_en_c_de"):
        folder = write_melo(tmp_path / "datasets", name)
        for file in folder.iterdir():
            file.write_text(file.read_text("utf-8").replace("_en_", "_de_"), "utf-8")
    return tmp_path / "datasets"


def test_json_has_both_rankings(cli: Cli, datasets: Path) -> None:
    """One object per dataset, system and ranking, without the outcomes of queries."""
    results = json.loads(cli("evaluate", "melo", datasets, "--system", "char_tf_idf", "--json").stdout)["results"]
    assert [(r["dataset"], r["system"], r["ranking"]) for r in results] == [
        ("deu_q_de_c_de", "char_tf_idf", "by_name"),
        ("deu_q_de_c_de", "char_tf_idf", "by_occupation"),
        ("tst_q_en_c_de", "char_tf_idf", "by_name"),
        ("tst_q_en_c_de", "char_tf_idf", "by_occupation"),
    ]
    assert results[0]["accuracy_at_1"] == 1
    assert results[0]["mrr"] == 1
    assert {"seconds", "ranking_seconds", "data_hash", "versions", "map", "recall_at_5", "mrr_low"} <= set(results[0])
    assert not any("outcomes" in result for result in results)


def test_one_dataset_is_enough(cli: Cli, datasets: Path) -> None:
    """A dataset's own folder, and several systems."""
    command = (
        "evaluate",
        "melo",
        datasets / "deu_q_de_c_de",
        "--system",
        "bm25",
        "--system",
        "edit_distance",
        "--json",
    )
    results = json.loads(cli(*command).stdout)["results"]
    assert [result["system"] for result in results] == ["bm25", "bm25", "edit_distance", "edit_distance"]


def test_people_see_means_apart(cli: Cli, datasets: Path) -> None:
    """Per setting and ranking; the best published system is shown with those by name."""
    shown = cli("evaluate", "melo", datasets, "--system", "char_tf_idf").stdout
    by_name, by_occupation = shown.partition("Mean MRR by occupation, 1 monolingual dataset")[::2]
    assert "Mean MRR by name, 1 monolingual dataset" in by_name
    assert "best published: OpenAI text-embedding-3-large" in by_name
    assert "0.6778" in by_name
    assert "best published" not in by_occupation
    assert "Mean MRR by name, 1 cross-lingual dataset" in by_occupation


def test_what_is_done_is_not_done_again(cli: Cli, datasets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless --again is given."""
    command = ("evaluate", "melo", datasets, "--system", "char_tf_idf", "--json")
    first = cli(*command).stdout
    monkeypatch.setattr("jobmatch_core.benchmarks.scoreboard.run.evaluate", lambda *_, **__: 1 / 0)
    assert cli(*command).stdout == first
    with pytest.raises(ZeroDivisionError):
        cli(*command, "--again")


def test_rankings_are_written_beside_the_figures(cli: Cli, datasets: Path, tmp_path: Path) -> None:
    """A run and an artifact of each dataset and system, also of what was measured before."""
    command = ("evaluate", "melo", datasets, "--system", "char_tf_idf", "--json")
    first = json.loads(cli(*command).stdout)["results"]
    again = json.loads(cli(*command, "--rankings", tmp_path / "out").stdout)["results"]
    assert [result["mrr"] for result in again] == [result["mrr"] for result in first]
    assert sorted(str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.*")) == [
        "rankings/jobmatch-char-tf-idf/MELO__deu_q_de_c_de.json",
        "rankings/jobmatch-char-tf-idf/MELO__tst_q_en_c_de.json",
        "runs/melo__deu_q_de_c_de__char_tf_idf.run",
        "runs/melo__tst_q_en_c_de__char_tf_idf.run",
    ]


def test_figures_of_workrb_are_imported(cli: Cli) -> None:
    """They are printed, and stored for the page 'Scoreboard'."""
    example = Path(__file__).parents[2] / "data" / "workrb_results.json"
    answer = json.loads(cli("evaluate", "import-workrb", example, "--json").stdout)
    assert (answer["model"], answer["left_out"]) == ("BM25-lower", ["Job to Skills"])
    assert answer["results"][:2] == [
        {"task": "melo", "dataset": "deu_q_de_c_de", "mrr": 0.5, "map": 0.25},
        {"task": "melo", "dataset": "deu_q_de_c_en", "mrr": 0.125, "map": None},
    ]
    shown = cli("evaluate", "import-workrb", example).stdout
    assert "BM25-lower, measured by WorkRB, each text once" in shown
    assert "0.1250" in shown
    assert "Left out, because the Scoreboard does not have them: Job to Skills" in shown
    assert len(WorkRBStore.open().stored().results) == 4


def test_ours_are_measured_where_no_system_is_named(cli: Cli, datasets: Path) -> None:
    """The linker and the shipped encoder by default, on the texts of the corpus; both find `cook`."""
    results = json.loads(cli("evaluate", "melo", datasets / "tst_q_en_c_de", "--json").stdout)["results"]
    assert [(result["system"], result["ranking"]) for result in results] == [
        ("linker:corpus", "by_name"),
        ("linker:corpus", "by_occupation"),
        ("encoder:titles", "by_name"),
        ("encoder:titles", "by_occupation"),
    ]
    assert all(result["accuracy_at_1"] > 0 for result in results)
    assert all(result["size_mb"] == pytest.approx(shipped_encoder().size_mb) for result in results)
    assert all(result["encoder"] == shipped_encoder().name for result in results)
    assert [bool(result["calibration"]) for result in results] == [True, True, False, False]
    assert all(result["taxonomy"] == "" for result in results)
    assert results[0]["mrr_merged"] == results[0]["mrr"]  # there are no equal texts


def test_the_linker_with_a_taxonomys_names_has_to_know_which(
    run_main: Callable[..., Any], datasets: Path, tmp_path: Path
) -> None:
    """A taxonomy that is not installed, and a dataset without one, give one line of error."""
    unnamed = run_main("evaluate", "melo", datasets / "tst_q_en_c_de", "--system", "linker")
    assert (unnamed.code, unnamed.out) == (2, "")
    assert "does not say which taxonomy it was made of; name it, as linker:esco-1.0.3" in unnamed.err
    missing = run_main("evaluate", "melo", datasets / "deu_q_de_c_de", "--system", "linker")
    assert (missing.code, missing.out) == (2, "")
    assert "esco-1.0.3" in missing.err


def test_what_was_measured_with_is_shown(cli: Cli, datasets: Path) -> None:
    """Digests below the figures and beside the means; merged figures have columns of their own."""
    shown = cli("evaluate", "melo", datasets / "tst_q_en_c_de").stdout
    assert f"linker:corpus: encoder {shipped_encoder().name}, calibration " in shown
    assert "MRR, merged" in shown


def test_a_damaged_result_is_warned_of(run_main: Callable[..., Any], datasets: Path, jobmatch_home: Path) -> None:
    """It is measured again."""
    command = ("evaluate", "melo", datasets / "deu_q_de_c_de", "--system", "char_tf_idf", "--json")
    run_main(*command)
    path = jobmatch_home / "evaluations/melo/deu_q_de_c_de/char_tf_idf" / FIGURES
    path.write_text("{", "utf-8")
    ended = run_main(*command)
    assert ended.code == 0
    assert len(json.loads(ended.out)["results"]) == 2
    assert ended.err.endswith(f"Home: {jobmatch_home}\n")
    assert ended.err.count("\n") == 2
    assert "deu_q_de_c_de/char_tf_idf/figures.json cannot be read" in ended.err
    assert "and now was" in ended.err


def test_title_similarity(cli: Cli, tmp_path: Path) -> None:
    """The folder is named after its language."""
    folder = tmp_path / "en"
    folder.mkdir()
    (folder / "queries.tsv").write_text("cook\tcook\n", "utf-8")
    (folder / "corpus_documents.tsv").write_text("chef\tchef\nhead_cook\thead cook\n", "utf-8")
    (folder / "annotations.tsv").write_text("cook\t0\thead_cook\t1\n", "utf-8")
    command = ("evaluate", "title-similarity", folder, "--system", "char_tf_idf")
    [by_name, _] = json.loads(cli(*command, "--json").stdout)["results"]
    assert (by_name["task"], by_name["dataset"], by_name["map"]) == ("title-similarity", "en", 1.0)
    assert "best published" not in cli(*command).stdout


@pytest.mark.parametrize("words", [("--system", "nope"), ("--system", "encoder:")], ids=["unknown", "without a name"])
def test_an_unknown_system(run_main: Callable[..., Any], datasets: Path, words: tuple[str, ...]) -> None:
    """One line that lists the known ones."""
    ended = run_main("evaluate", "melo", datasets, *words)
    assert (ended.code, ended.out) == (2, "")
    assert "char_tf_idf" in ended.err
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize("verb", ["melo", "title-similarity", "overlap"])
def test_a_folder_without_datasets(run_main: Callable[..., Any], tmp_path: Path, verb: str) -> None:
    """An error, since an empty table would look like a result."""
    ended = run_main("evaluate", verb, tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert "queries.tsv" in ended.err


def test_compare(cli: Cli) -> None:
    """Wins and losses on each dataset that both were measured on."""
    for system, ranks in (("a", (1, 1, 2)), ("b", (2, 1, 1))):
        ResultStore.open().save(make_evaluation(system, ranks=ranks))
    [first, second] = json.loads(cli("evaluate", "compare", "melo", "a", "b", "--json").stdout)["results"]
    assert (first["dataset"], first["ranking"], second["ranking"]) == ("deu_q_de_c_de", "by_name", "by_occupation")
    assert (first["queries"], first["wins"], first["losses"], first["difference"]) == (3, 1, 1, 0.0)
    shown = cli("evaluate", "compare", "melo", "a", "b").stdout
    assert "a better" in shown
    assert "+0.0000" in shown
    assert "difference in MRR" in " ".join(shown.split())


def test_compare_title_similarity(cli: Cli) -> None:
    """By MAP, which is printed; the average precisions are 1 and 1/2."""
    for system, ranks in (("a", (1,)), ("b", (2,))):
        ResultStore.open().save(make_evaluation(system, "en", task="title-similarity", ranks=ranks))
    [first, _] = json.loads(cli("evaluate", "compare", "title-similarity", "a", "b", "--json").stdout)["results"]
    assert (first["metric"], first["wins"], first["difference"]) == ("map", 1, 0.5)
    assert "By MAP, query by query" in cli("evaluate", "compare", "title-similarity", "a", "b").stdout


def test_compare_without_results(run_main: Callable[..., Any]) -> None:
    """The error lists the measured systems."""
    ended = run_main("evaluate", "compare", "melo", "a", "b")
    assert (ended.code, ended.out) == (2, "")
    assert "nothing yet" in ended.err


def test_overlap(cli: Cli, datasets: Path) -> None:
    """`cook` is equal (0); the median of three smallest distances is the middle one."""
    results = json.loads(cli("evaluate", "overlap", datasets, "--json").stdout)["results"]
    assert [result["dataset"] for result in results] == ["deu_q_de_c_de", "tst_q_en_c_de"]
    assert 0 < results[0]["median"] < 0.5
    assert sum(results[0]["shares"]) == pytest.approx(1)
    assert "0." in cli("evaluate", "overlap", datasets).stdout


def test_overlap_explains_each_system(cli: Cli, tmp_path: Path) -> None:
    """Spearman's correlation with the MRR of each published and each measured system."""
    names = ("deu_q_de_c_de", "fra_q_fr_c_fr", "ita_q_it_c_it", "pol_q_pl_c_pl", "usa_q_en_c_en")
    for name, letters in zip(names, ("nurse", "rse", "nrse", "nrs", "n"), strict=True):
        folder = write_melo(tmp_path / "datasets", name)
        for file in folder.iterdir():
            file.write_text(file.read_text("utf-8").replace("_en_", f"_{name[-2:]}_"), "utf-8")
        (folder / "queries.tsv").write_text(f"Q1\t{letters}\nQ2\t{letters}\nQ3\t{letters}\n", "utf-8")
    for name, mrr in zip(names, (0.9, 0.7, 0.5, 0.3, 0.1), strict=True):
        ResultStore.open().save(make_evaluation("ours", name, mrr=mrr))
    command = ("evaluate", "overlap", tmp_path / "datasets")
    found = json.loads(cli(*command, "--json").stdout)["correlations"]
    ours = [each for each in found if each["source"] == "yours"]
    assert ours == [
        {"system": "ours", "source": "yours", "ranking": ranking, "datasets": 5, "spearman": pytest.approx(-1)}
        for ranking in ("by_name", "by_occupation")
    ]
    published = {each["system"] for each in found if each["source"] == "published"}
    assert {"edit_distance", "openai"} <= published
    assert len(published) == 15
    shown = " ".join(cli(*command).stdout.split())
    assert "Correlation of that median with each system's MRR, monolingual datasets" in shown
    assert "OpenAI text-embedding-3-large" in shown
    assert "-1.00 (n = 5)" in shown


@pytest.mark.thorough
def test_build_melo(cli: Cli, tiny_id: str, tmp_path: Path) -> None:
    """A crosswalk to the tiny taxonomy becomes a dataset that can be measured."""
    crosswalk = tmp_path / "tst_en"
    crosswalk.mkdir()
    entries = {"1": {"title": "bread maker", "matches": {"baker": "exactMatch"}}}
    (crosswalk / "crosswalk.json").write_text(json.dumps(entries), "utf-8")
    command = ("evaluate", "build-melo", crosswalk, tmp_path / "out", "--taxonomy", tiny_id, "--languages", "de,en")
    built = json.loads(cli(*command, "--json").stdout)
    assert (built["dataset"], built["queries"]) == ("tst_q_en_c_de_en", 1)
    assert "tst_q_en_c_de_en: 1 queries" in cli(*command).stdout
    measured = cli("evaluate", "melo", tmp_path / "out", "--system", "bm25", "--json")
    assert len(json.loads(measured.stdout)["results"]) == 2


@pytest.mark.usefixtures("use_linker_home")
def test_job_normalization_with_other_systems(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The linker's calibration first, then the others with both rankings."""
    path = tmp_path / "titles.csv"
    path.write_text(f"vacancyTitle,conceptUri\ncook,{ISCO}5120\nnurse,{ISCO}2221\n", "utf-8")
    store = ResultStore(tmp_path / "evaluations")  # the home is shared and stays as it is
    monkeypatch.setattr("jobmatch.cli.benchmarks.ResultStore.open", lambda: store)
    command = ("evaluate", "job-normalization", path, "--taxonomy", "isco-08", "--system", "char_tf_idf")
    linker, by_name, by_occupation = json.loads(cli(*command, "--json").stdout)["results"]
    assert "ece" in linker
    assert "languages" not in by_name  # it knows nothing of languages
    assert (by_name["system"], by_name["ranking"]) == ("char_tf_idf", "by_name")
    assert (by_occupation["task"], by_occupation["queries"]) == ("job-normalization", 2)
    shown = cli(*command).stdout
    assert "Risk and coverage" in shown
    assert "char_tf_idf" in shown
