"""The page 'Scoreboard': empty, with results, its drill-down, a measurement, and error messages."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch_core import __version__
from jobmatch_core.benchmarks.datasets import title_sets
from jobmatch_core.benchmarks.datasets.tasks import TASKS
from jobmatch_core.benchmarks.scoreboard.results import FIGURES, OUTCOMES, ResultStore
from jobmatch_core.benchmarks.scoreboard.scoreboard import Scoreboard
from jobmatch_core.benchmarks.scoreboard.workrb_results import WorkRBStore, read_workrb_results
from tests.made_results import VALUES, make_evaluation, write_melo
from tests.pages.observed import texts

DATASETS = ("deu_q_de_c_de", "fra_q_fr_c_fr", "ita_q_it_c_it", "deu_q_de_c_en")
EVIL = "**ours** <b>x</b> [z](http://a.org) :red[r]"
Open = Callable[..., AppTest]


@pytest.fixture
def nothing_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the shipped figures, so that only a test's datasets remain."""
    monkeypatch.setattr("jobmatch_core.benchmarks.scoreboard.scoreboard.authors_results", lambda: ())


@pytest.fixture
def measured(nothing_shipped: None) -> None:
    """Store results of two systems on four datasets."""
    store = ResultStore.open()
    for dataset in DATASETS:
        store.save(make_evaluation("ours", dataset, mrr=0.65, mrr_low=0.6, mrr_high=0.7, ranks=(1, 1, 4), size_mb=40.0))
        store.save(make_evaluation(EVIL, dataset, mrr=0.2, map=0.1, ndcg_at_10=0.1, ranks=(3, 1, 1)))


def table(app: AppTest) -> list[dict[str, object]]:
    """The rows of the table of systems."""
    return app.dataframe[0].value.to_dict("records")


def test_workrb_is_shown_by_text(measured: None, scoreboard: Open) -> None:
    """Beside ours with equal texts merged; other metrics than MRR and MAP are not there, which the page says."""
    WorkRBStore.open().save(read_workrb_results(Path(__file__).parents[1] / "data" / "workrb_results.json"))
    values = VALUES | {"mrr_merged": 0.875, "map_merged": 0.8}
    ResultStore.open().save(make_evaluation("linker:corpus", "deu_q_de_c_de", values=values))
    app = scoreboard()
    app.segmented_control(key="board_ranking").set_value("by_text").run()
    assert not app.exception
    said = texts(app)
    assert "MRR 0.875 on 1 monolingual dataset, by text" in said
    assert "Names that are written the same are ranked as one" in said
    rows = {(row["System"], row["Source"], row["Mean"]) for row in table(app)}
    assert ("BM25-lower (WorkRB)", "WorkRB", 0.5) in rows
    app.selectbox(key="board_metric").set_value("accuracy_at_1").run()
    assert not app.exception
    assert "By text, there are MRR and MAP only. Choose one of them." in texts(app)
    app.segmented_control(key="board_section").set_value("queries").run()
    assert not app.exception


def test_a_fresh_install_shows_what_the_authors_measured(scoreboard: Open) -> None:
    """Shipped figures by name appear beside the published systems; a second line gives the linker with all names."""
    app = scoreboard()
    assert not app.exception
    said = texts(app)
    headline = Scoreboard.of([], "melo").chosen("monolingual").headline("mrr", "by_name")
    assert headline is not None
    assert headline.further is not None
    assert re.search(
        rf"Rank \d of \d+: jobmatch (linker|title encoder), mean MRR {headline.own.value:.3f} "
        r"\(95%: 0\.\d+ to 0\.\d+\) on 16 monolingual datasets, by name\s+OpenAI text-embedding-3-large, "
        r"the best, has 0\.543",
        said,
    )
    assert "With all names of ESCO, which no other system is given" in said
    assert f"the linker has {headline.further.value:.3f} on 16 datasets (shipped with {__version__})" in said
    assert "Our encoder was trained on ESCO's names, the published ones were not" in said
    assert f'◆]{{foreground="#0072B2"}} {headline.own.label} ({headline.own.model})' in said
    assert "▲" not in said  # nothing was measured here
    assert "with equal names merged, as in WorkRB" in said
    assert f"The headline's figures: shipped with {__version__}; {headline.own.model}." in said
    rows = {(row["System"], row["Source"]) for row in table(app)}
    assert (headline.own.label, f"shipped with {__version__}") in rows
    assert ("BM25", "published") in rows
    app.segmented_control(key="board_ranking").set_value("by_occupation").run()
    assert not app.exception
    assert "There are no published figures of this kind" in texts(app)
    assert all(str(row["Source"]).startswith("shipped with ") for row in table(app))
    assert {"BM25", "Char TF-IDF", "Edit distance"} <= {row["System"] for row in table(app)}
    app.segmented_control(key="board_setting").set_value("cross-lingual").run()
    assert not app.exception
    assert "With all names of ESCO" not in texts(app)


def test_figures_of_another_model_are_not_mixed_with_the_shipped_ones(scoreboard: Open) -> None:
    """With one of 16 datasets measured by another encoder, the headline keeps the shipped figures and says so."""
    [system] = {headline.own.system for headline in [Scoreboard.of([], "melo").headline("mrr", "by_name")] if headline}
    ResultStore.open().save(make_evaluation(system, mrr=0.99, encoder="titles-other", calibration="other"))
    app = scoreboard()
    assert not app.exception
    assert f"The headline's figures: shipped with {__version__}" in texts(app)
    assert "Mixed: there are also figures of this system with another encoder or calibration" in texts(app)
    rows = [row for row in table(app) if row["Encoder, calibration"] == "titles-other other"]
    assert [(row["Mean"], row["Datasets"], row["Source"]) for row in rows] == [(0.99, "1 of 16", "yours")]


def test_a_single_dataset_is_named_in_words(scoreboard: Open) -> None:
    """Headline, chart and table name the only selected dataset; a button shows all again."""
    app = scoreboard()
    app.multiselect(key="board_datasets").set_value(["fra_q_fr_c_fr"]).run()
    assert not app.exception
    assert re.search(r"Rank \d+ of \d+: jobmatch .*, MRR 0\.8\d+ .*on French titles, French ESCO, by name", texts(app))
    assert "All systems by name: MRR on French titles, French ESCO" in texts(app)
    [row] = app.dataframe[1].value.to_dict("records")
    assert (row["Dataset"], row["Id"]) == ("French titles, French ESCO", "fra_q_fr_c_fr")
    assert 0.8 < row["ours"] < 0.872
    assert row["Best other system"] == "OpenAI text-embedding-3-large (published)"
    app.button(key="board_show_all").click().run()
    assert "on 16 monolingual datasets" in texts(app)


def test_the_address_has_datasets_and_languages(scoreboard: Open) -> None:
    """A link opens the same part of the board; unknown names are ignored."""
    app = scoreboard(datasets="fra_q_fr_c_fr,nothing", languages="fr,de")
    assert app.multiselect(key="board_datasets").value == ["fra_q_fr_c_fr"]
    assert app.multiselect(key="board_languages").value == ["fr", "de"]
    app.multiselect(key="board_languages").set_value(["fr"]).run()
    app.run()
    assert not app.exception
    assert (app.query_params["languages"], app.query_params["datasets"]) == ("fr", "fra_q_fr_c_fr")
    app.segmented_control(key="board_section").set_value("queries").run()
    app.segmented_control(key="board_section").set_value("standings").run()
    assert app.multiselect(key="board_datasets").value == ["fra_q_fr_c_fr"]


def test_another_task_begins_with_its_own_ranking(scoreboard: Open) -> None:
    """The ranking is by name for tasks with published figures, else by occupation."""
    ResultStore.open().save(make_evaluation("linker", "titles", task="job-normalization"))
    app = scoreboard(task="job-normalization").run()  # what is set on arrival is in the address at the next run
    assert app.query_params["ranking"] == "by_occupation"
    app.segmented_control(key="board_task").set_value("melo").run()
    assert not app.exception
    assert app.query_params["ranking"] == "by_name"


@pytest.mark.usefixtures("measured")
def test_the_headline_and_the_table(scoreboard: Open) -> None:
    """The table has our system, published ones, and intervals for figures measured here."""
    app = scoreboard()
    assert not app.exception
    said = texts(app)
    assert "Rank 3 of 17: ours, mean MRR 0.650 (95%: 0.621 to 0.679) on 3 monolingual datasets, by name" in said
    assert "E5 (Mistral 7B), the best, has 0.68" in said
    rows = {row["System"]: row for row in table(app)}
    assert (rows["ours"]["Mean"], rows["ours"]["95%"], rows["ours"]["Source"]) == (0.65, "0.621 to 0.679", "yours")
    assert (rows["ours"]["Seconds"], rows["ours"]["MB"], rows["ours"]["Datasets"]) == (4.5, 40.0, "3 of 3")
    assert rows["E5 (Mistral 7B)"]["95%"] == ""
    assert len(rows) == 17


@pytest.mark.usefixtures("measured")
def test_choices_are_in_the_address(scoreboard: Open) -> None:
    """The address restores the view."""
    app = scoreboard(setting="cross-lingual", ranking="by_name", metric="map")
    assert not app.exception
    assert "ours, MAP 0.700 (95%: 0.600 to 0.750) on German titles, English ESCO, by name" in texts(app)
    app.selectbox(key="board_metric").set_value("ndcg_at_10").run()
    assert app.query_params["metric"] == "ndcg_at_10"
    assert "NDCG@10 0.700" in texts(app)
    assert len(table(app)) == 2


@pytest.mark.usefixtures("measured")
def test_an_address_with_nonsense(scoreboard: Open) -> None:
    """Invalid values in the address are ignored."""
    app = scoreboard(task="x", section="y", setting="multilingual", ranking="z", metric="<b>", dataset="nope")
    assert not app.exception
    assert ": ours, mean MRR" in texts(app)
    assert "on 3 monolingual datasets" in texts(app)


@pytest.mark.usefixtures("measured")
def test_filters(scoreboard: Open) -> None:
    """Filters by query language and dataset apply and are cleared."""
    app = scoreboard()
    app.multiselect(key="board_languages").set_value(["fr"]).run()
    assert "on French titles, French ESCO" in texts(app)
    app.multiselect(key="board_languages").set_value([]).run()
    app.multiselect(key="board_datasets").set_value(["deu_q_de_c_de", "ita_q_it_c_it"]).run()
    assert "on 2 monolingual datasets" in texts(app)
    assert not app.exception


@pytest.mark.usefixtures("measured")
def test_queries_won_and_lost(scoreboard: Open) -> None:
    """With ranks 1 1 4 against 3 1 1, the first query is won and the third lost."""
    app = scoreboard(section="queries", dataset="fra_q_fr_c_fr", first="ours", second=EVIL)
    assert not app.exception
    assert "1 query that ours (A) gets and" in texts(app)
    assert "(B) misses" in texts(app)
    [won] = app.dataframe[0].value.to_dict("records")
    assert (won["Query"], won["Correct name"], won["Rank, ours"], won[f"Rank, {EVIL}"]) == ("query 1", "wanted 1", 1, 3)
    [lost] = app.dataframe[1].value.to_dict("records")
    assert lost["Query"] == "query 3"
    assert "more than chance" in texts(app) or "may be chance" in texts(app)
    assert "Difference in MRR -0.028" in texts(app)
    app.selectbox(key="board_k").set_value(5).run()
    assert "0 queries that ours (A) gets" in texts(app)
    app.selectbox(key="board_k").set_value(1).run()
    app.text_input(key="board_query_search").set_value("nothing like that").run()
    assert "No queries contain these letters." in texts(app)


@pytest.mark.usefixtures("measured")
def test_curves_of_accuracy(scoreboard: Open) -> None:
    """Once opened, a curve of each system that was measured on the dataset, with the figures as a file."""
    app = scoreboard(section="queries", dataset="fra_q_fr_c_fr", first="ours", second=EVIL)
    closed = [chart.proto.id for chart in app.get("plotly_chart")]
    app.session_state["board_curves"] = True
    app.run()
    assert not app.exception
    opened = [chart for chart in app.get("plotly_chart") if chart.proto.id not in closed]
    assert len(opened) == 1
    drawn = json.loads(opened[0].proto.spec)["data"]
    assert sorted(line["y"][:4] for line in drawn) == [[2 / 3, 2 / 3, 2 / 3, 1.0], [2 / 3, 2 / 3, 1.0, 1.0]]


def test_similar_titles_are_compared_by_map(scoreboard: Open) -> None:
    """The comparison uses average precisions, 1 and 1/2 against 1/2 and 1/2."""
    for system, ranks in (("ours", (1, 2)), ("theirs", (2, 2))):
        ResultStore.open().save(make_evaluation(system, "en", task="title-similarity", ranks=ranks))
    app = scoreboard(task="title-similarity", section="queries", dataset="en", first="ours", second="theirs")
    assert not app.exception
    assert "Difference in MAP +0.250" in texts(app)


def test_one_system_alone_cannot_be_compared(scoreboard: Open) -> None:
    """The page says that a second system is needed and published ones have no queries, with a button to measure."""
    app = scoreboard(section="queries", dataset="deu_q_de_c_de")
    assert "Nothing was measured here on German titles, German ESCO" in texts(app)
    assert "have no results per query" in texts(app)
    ResultStore.open().save(make_evaluation("linker"))
    _forget(app)
    assert "Only jobmatch linker, all names of the taxonomy was measured here on German titles, German ESCO" in texts(
        app
    )
    app.button(key="board_to_measure").click().run()
    assert not app.exception
    assert app.query_params["section"] == "measure"


@pytest.mark.usefixtures("measured")
def test_names_are_not_read_as_markdown(scoreboard: Open) -> None:
    """Text from files is shown literally."""
    app = scoreboard(section="queries", first=EVIL, second="ours")
    drawn = "\n".join(str(element.value) for element in app.markdown)
    assert r"\*\*ours\*\* \<b\>" in drawn
    assert ":red[" not in drawn
    assert not any(element.allow_html for element in app.markdown)


@pytest.mark.usefixtures("measured")
def test_damaged_results_are_warned_of(scoreboard: Open, home: Path) -> None:
    """All other results are shown."""
    (home / "evaluations" / "melo" / "deu_q_de_c_de" / "ours" / FIGURES).write_text("{", "utf-8")
    (home / "evaluations" / "melo" / "fra_q_fr_c_fr" / "ours" / OUTCOMES).unlink()
    app = scoreboard()
    assert not app.exception
    assert "melo/deu_q_de_c_de/ours/figures.json cannot be read" in texts(app)
    app = scoreboard(section="queries", dataset="fra_q_fr_c_fr", first="ours", second=EVIL)
    assert not app.exception
    assert "measure it again" in texts(app)


def test_a_task_without_anything(scoreboard: Open) -> None:
    """The page says so and shows how to measure."""
    app = scoreboard(task="title-similarity")
    assert not app.exception
    assert "No figures have been measured or published for 'Similar titles' yet" in texts(app)
    assert "queries.tsv" in texts(app)


def test_a_system_is_measured_from_the_page(scoreboard: Open, home: Path) -> None:
    """Standings and overlap appear after a dataset is installed and measured."""
    app = scoreboard(section="measure")
    assert "No dataset of this task is installed yet." in texts(app)
    assert app.code[0].value == str(home / "benchmarks" / "melo")
    write_melo(home / "benchmarks" / "melo")
    app.run()
    _measure_letters(app)
    assert not app.exception
    assert "Measured: 1 of 1." in texts(app)
    app.button(key="board_to_standings").click().run()
    assert "Char TF-IDF: MRR 1.000 (95%: 1.000 to 1.000) on English titles (tst), English ESCO, by name" in texts(app)
    app.session_state["board_section"] = "overlap"
    app.run()
    assert not app.exception
    assert "over 3 queries" in texts(app)


def test_a_damaged_dataset_is_an_error_in_words(scoreboard: Open, home: Path) -> None:
    """The message names the file; finished measurements are kept."""
    write_melo(home / "benchmarks" / "melo", "aaa_q_en_c_en")
    broken = write_melo(home / "benchmarks" / "melo", "bbb_q_en_c_en")
    (broken / "queries.tsv").write_text("one field\n", "utf-8")
    app = scoreboard(section="measure")
    _measure_letters(app)
    assert not app.exception
    assert "queries.tsv, line 1" in texts(app)
    assert "1 of 2" in texts(app)


def test_overlap_without_datasets(scoreboard: Open) -> None:
    """The page says what is needed."""
    app = scoreboard(section="overlap")
    assert not app.exception
    assert "It needs the datasets" in texts(app)


def test_vacancy_titles_need_a_taxonomy(app: AppTest, scoreboard: Open, home: Path) -> None:
    """The taxonomy selected on another page is used, and its occupations are ranked."""
    folder = home / "benchmarks" / "job-normalization"
    folder.mkdir(parents=True)
    (folder / "titles.csv").write_text("vacancyTitle,conceptUri\nnurse,nurse\n", "utf-8")
    app.run()
    app = scoreboard(task="job-normalization", section="measure", taxonomy="tiny-1")
    assert app.selectbox(key="taxonomy").value == "tiny-1"
    _measure_letters(app, "job-normalization")
    assert not app.exception
    assert "Measured: 1 of 1." in texts(app)


def test_overlap_of_vacancy_titles(scoreboard: Open, home: Path) -> None:
    """The overlap uses the selected taxonomy; if it lacks the occupations, the page says what to install."""
    folder = home / "benchmarks" / "job-normalization"
    folder.mkdir(parents=True)
    (folder / "titles.csv").write_text("vacancyTitle,conceptUri\nnurses,nurse\n", "utf-8")
    ResultStore.open().save(make_evaluation("ours", "titles", task="job-normalization"))
    app = scoreboard(task="job-normalization", section="overlap")
    app.selectbox(key="taxonomy").set_value("tiny-1").run()
    assert not app.exception
    assert "over 1 queries" in texts(app)
    assert "nan" not in texts(app)
    (folder / "others.csv").write_text("vacancyTitle,conceptUri\nnurses,uri:unknown\n", "utf-8")
    app.run()
    app.selectbox(key="board_overlap_dataset").set_value("others").run()
    assert not app.exception
    assert "No query of others has a correct name here" in texts(app)
    assert "such as ESCO" in texts(app)


def test_the_link_to_the_data_is_the_datasheets(scoreboard: Open) -> None:
    """The loader and the page name the same source."""
    [source] = re.findall(r"Source: (https://[^ ]+?)\.?\s", title_sets.__doc__ or "")
    assert f"({source})" in "\n".join(
        str(each.value) for each in scoreboard(task="title-similarity", section="measure").markdown
    )


def test_your_systems_are_drawn_apart(scoreboard: Open) -> None:
    """A system measured here has marks and a legend of its own, even where it is the best of the others."""
    store = ResultStore.open()
    for dataset in ("deu_q_de_c_de", "fra_q_fr_c_fr"):
        store.save(make_evaluation("encoder:mine", dataset, mrr=0.99))
    app = scoreboard()
    assert not app.exception
    assert '▲]{foreground="#009E73"} yours, measured here' in texts(app)
    figure = json.loads(app.get("plotly_chart")[0].proto.spec)
    triangles = [trace for trace in figure["data"] if trace["marker"].get("symbol") == "triangle-up"]
    assert [len(trace["y"]) for trace in triangles] == [2]


def _forget(app: AppTest) -> None:
    """Clear the cached results, as after a measurement or half a minute."""
    from pages.shared import resources

    resources.stored_results.clear()
    app.run()


def _measure_letters(app: AppTest, task: str = "melo") -> None:
    """Measure one system instead of the two preselected ones."""
    assert app.multiselect(key=f"board_systems_{task}").value == list(TASKS[task].systems)
    app.multiselect(key=f"board_systems_{task}").set_value(["char_tf_idf"]).run()
    app.button(key="board_start").click().run()
