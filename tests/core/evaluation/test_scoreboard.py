"""The scoreboard: what is compared with what."""

import pytest

from jobmatch_core.evaluation.published import PublishedResult
from jobmatch_core.evaluation.results import Result
from jobmatch_core.evaluation.scoreboard import Scoreboard
from tests.made_results import make_evaluation, make_result


def published(system: str, dataset: str, mrr: float) -> PublishedResult:
    """Make a published figure."""
    return PublishedResult(system, dataset, mrr, mrr, mrr, mrr, mrr)


PUBLISHED = [
    published("openai", "deu_q_de_c_de", 0.6),
    published("openai", "fra_q_fr_c_fr", 0.5),
    published("openai", "deu_q_de_c_en", 0.4),
    published("openai", "usa_q_en_c_de_en", 0.7),
    published("bm25_lemmas", "deu_q_de_c_de", 0.9),
    published("bm25", "deu_q_de_c_de", 0.3),
    published("bm25", "fra_q_fr_c_fr", 0.3),
    published("bm25", "ita_q_it_c_it", 0.3),
]


def run(system: str, dataset: str, by_name: float, by_occupation: float) -> tuple[Result, Result]:
    """Make a run's results with these MRR."""
    first, second = make_evaluation(system, dataset)
    return (
        make_result(system, dataset, mrr=by_name, ranking=first.ranking),
        make_result(system, dataset, mrr=by_occupation, ranking=second.ranking),
    )


OWN = [
    *run("ours", "deu_q_de_c_de", 0.5, 0.62),
    *run("ours", "fra_q_fr_c_fr", 0.4, 0.52),
    *run("ours", "deu_q_de_c_en", 0.3, 0.35),
    *run("bm25", "deu_q_de_c_de", 0.31, 0.99),
]


@pytest.fixture
def board() -> Scoreboard:
    """Two systems of ours beside three published ones."""
    return Scoreboard.of(OWN, "melo", PUBLISHED)


def test_means_are_over_what_was_measured_here(board: Scoreboard) -> None:
    """Ita and usa were not measured, so no mean has them; openai's is (0.6 + 0.5) / 2, bm25's (0.3 + 0.3) / 2."""
    part = board.chosen("monolingual")
    assert part.datasets == ("deu_q_de_c_de", "fra_q_fr_c_fr")
    rows = {(row.system, row.own): row for row in part.standings("mrr", "by_name")}
    assert rows["openai", False].value == pytest.approx(0.55)
    assert rows["bm25", False].value == pytest.approx(0.3)
    assert rows["ours", True].value == pytest.approx(0.45)


def test_systems_without_all_datasets_come_last(board: Scoreboard) -> None:
    """However good: a mean over fewer datasets is not comparable."""
    rows = board.chosen("monolingual").standings("mrr", "by_occupation")
    assert [(row.system, row.own, row.complete) for row in rows] == [
        ("ours", True, True), ("openai", False, True), ("bm25", False, True), ("bm25", True, False),
        ("bm25_lemmas", False, False),
    ]  # fmt: skip


def test_rankings_are_not_mixed(board: Scoreboard) -> None:
    """By occupation shows ours by occupation, and the published ones, which are by name, say so."""
    for row in board.standings("mrr", "by_occupation"):
        assert row.ranking == ("by_occupation" if row.own else "by_name")
    for row in board.standings("mrr", "by_name"):
        assert row.ranking == "by_name"


def test_settings_are_taken_apart(board: Scoreboard) -> None:
    """Only those that something was measured in."""
    assert board.settings == ("monolingual", "cross-lingual")
    assert board.chosen("cross-lingual").datasets == ("deu_q_de_c_en",)
    assert board.chosen("multilingual").standings("mrr", "by_name") != []  # nothing measured there: the published ones


def test_without_own_results_all_published_are_shown() -> None:
    """An empty home has a scoreboard."""
    board = Scoreboard.of([], "melo", PUBLISHED)
    assert board.settings == ("monolingual", "cross-lingual", "multilingual")
    assert len(board.chosen("monolingual").datasets) == 3
    assert board.headline("mrr", "by_occupation") is None
    [first, *_] = Scoreboard.of([], "melo").chosen("monolingual").standings("mrr", "by_name")
    assert (first.system, first.datasets) == ("openai", 24)


def test_other_tasks_have_no_published_figures() -> None:
    """MELO's do not slip in beside title similarity's."""
    own = [make_result("ours", "en", task="title-similarity", query_language="en", corpus_languages=("en",)), *OWN]
    board = Scoreboard.of(own, "title-similarity")
    assert [entry.system for entry in board.entries] == ["ours"]
    assert Scoreboard.of(own, "job-normalization").entries == ()


def test_the_headline(board: Scoreboard) -> None:
    """Ours has 0.57 by occupation; on deu 0.62 is under bm25_lemmas' 0.9, on fra 0.52 is above all: one win of two."""
    headline = board.chosen("monolingual").headline("mrr", "by_occupation")
    assert headline is not None
    assert (headline.own.system, headline.own.value) == ("ours", pytest.approx(0.57))
    assert headline.published is not None
    assert (headline.published.system, headline.published.value) == ("openai", pytest.approx(0.55))
    assert headline.wins == 1


def test_the_headline_compares_on_our_datasets() -> None:
    """A second system of ours that was measured elsewhere does not change what the first is compared on."""
    results = [*OWN[:4], *run("other", "ita_q_it_c_it", 0.1, 0.1)]
    headline = Scoreboard.of(results, "melo", PUBLISHED).chosen("monolingual").headline("mrr", "by_name")
    assert headline is not None
    assert headline.published is not None
    assert (headline.own.datasets, headline.published.datasets) == (2, 2)
    assert headline.published.value == pytest.approx(0.55)


def test_dataset_rows(board: Scoreboard) -> None:
    """The best of ours, the best published and the rest; the hardest first."""
    first, second = board.chosen("monolingual").by_dataset("mrr", "by_occupation")
    assert (first.dataset, second.dataset) == ("fra_q_fr_c_fr", "deu_q_de_c_de")
    assert second.own is not None
    assert second.published is not None
    assert (second.own.system, second.published.system) == ("bm25", "bm25_lemmas")
    assert {(entry.system, entry.own) for entry in second.others} == {
        ("ours", True),
        ("openai", False),
        ("bm25", False),
    }
    [_, named] = board.chosen("monolingual").by_dataset("mrr", "by_occupation", "ours")
    assert named.own is not None
    assert named.own.system == "ours"


def test_the_table_has_both_rankings(board: Scoreboard) -> None:
    """Published systems have only one; nothing is listed twice."""
    rows = board.chosen("monolingual").table("mrr", "by_occupation")
    assert next((row.system, row.own) for row in rows) == ("ours", True)
    assert len({(row.system, row.own) for row in rows}) == len(rows) == 5
    by_system = {(row.system, row.own): row for row in rows}
    assert by_system["openai", False].by_occupation is None
    ours = by_system["ours", True]
    assert ours.by_name is not None
    assert ours.by_occupation is not None
    assert (ours.by_name.value, ours.by_occupation.value) == (pytest.approx(0.45), pytest.approx(0.57))


def test_metrics_that_were_not_published(board: Scoreboard) -> None:
    """Only ours are shown then."""
    rows = board.chosen("monolingual").standings("ndcg_at_10", "by_name")
    assert [row.own for row in rows] == [True, True]
    headline = board.headline("ndcg_at_10", "by_name")
    assert headline is not None
    assert headline.published is None


def test_filters(board: Scoreboard) -> None:
    """By query language and by dataset."""
    assert board.languages == ("de", "fr")
    assert board.chosen(languages=["fr"]).datasets == ("fra_q_fr_c_fr",)
    assert board.chosen(datasets=["deu_q_de_c_en"]).own_systems == ("ours",)
    assert board.chosen("monolingual", languages=["xx"]).entries == ()


def test_languages(board: Scoreboard) -> None:
    """The same systems in every row, None where one was not measured."""
    rows = board.chosen("monolingual").by_language("mrr", "by_occupation")
    assert [row.language for row in rows] == ["de", "fr"]
    assert {row.labels for row in rows} == {("ours", "bm25", "OpenAI text-embedding-3-large", "BM25")}
    assert rows[1].values == (0.52, None, 0.5, 0.3)


def test_records_have_everything(board: Scoreboard) -> None:
    """A row a dataset, system and ranking; published ones without what was not published."""
    records = board.records()
    assert len(records) == 8 + 6
    assert len({tuple(record) for record in records}) == 1
    sources = {record["source"] for record in records}
    assert sources == {"measured here", "published"}
    published_record = next(record for record in records if record["source"] == "published")
    assert (published_record["ranking"], published_record["auc"], published_record["seconds"]) == (
        "by_name",
        None,
        None,
    )
