"""The scoreboard: what is compared with what."""

import pytest

from jobmatch_core.benchmarks.scoreboard.entries import PUBLISHED_METRICS, PublishedResult
from jobmatch_core.benchmarks.scoreboard.results import RANKINGS, RankingKind, Result
from jobmatch_core.benchmarks.scoreboard.scoreboard import Scoreboard
from tests.made_results import make_authors_result, make_evaluation, make_result


def published(system: str, dataset: str, mrr: float) -> PublishedResult:
    """Make a published figure."""
    return PublishedResult(system, dataset, dict.fromkeys(PUBLISHED_METRICS, mrr))


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
    *run("linker:corpus", "deu_q_de_c_de", 0.5, 0.62),
    *run("linker:corpus", "fra_q_fr_c_fr", 0.4, 0.52),
    *run("linker:corpus", "deu_q_de_c_en", 0.3, 0.35),
    *run("bm25", "deu_q_de_c_de", 0.31, 0.99),
]


@pytest.fixture
def board() -> Scoreboard:
    """Two systems of ours beside three published ones."""
    return Scoreboard.of(OWN, "melo", PUBLISHED, authors=[])


def test_means_are_over_what_was_measured_here(board: Scoreboard) -> None:
    """Ita and usa were not measured, so no mean has them; openai's is (0.6 + 0.5) / 2, bm25's (0.3 + 0.3) / 2."""
    part = board.chosen("monolingual")
    assert part.datasets == ("deu_q_de_c_de", "fra_q_fr_c_fr")
    rows = {(row.system, row.published): row for row in part.standings("mrr", "by_name")}
    assert rows["openai", True].value == pytest.approx(0.55)
    assert rows["bm25", True].value == pytest.approx(0.3)
    assert rows["linker:corpus", False].value == pytest.approx(0.45)


def test_systems_without_all_datasets_come_last(board: Scoreboard) -> None:
    """However good: a mean over fewer datasets is not comparable."""
    rows = board.chosen("monolingual").standings("mrr", "by_name")
    assert [(row.system, row.published, row.complete) for row in rows] == [
        ("openai", True, True),
        ("linker:corpus", False, True),
        ("bm25", True, True),
        ("bm25_lemmas", True, False),
        ("bm25", False, False),
    ]


def test_a_dataset_of_ones_own_does_not_lead() -> None:
    """Where no system has all datasets, one with the best figure on a single dataset stands below the others."""
    one = run("edit_distance", "staff_q_en_c_en", 0.9, 0.9)
    board = Scoreboard.of([*OWN, *one], "melo", PUBLISHED, authors=[]).chosen("monolingual")
    rows = board.standings("mrr", "by_name")
    assert [(row.system, row.datasets) for row in rows] == [
        ("openai", 2),
        ("linker:corpus", 2),
        ("bm25", 2),
        ("edit_distance", 1),
        ("bm25_lemmas", 1),
        ("bm25", 1),
    ]


@pytest.mark.parametrize("ranking", RANKINGS)
def test_rankings_are_never_mixed(board: Scoreboard, ranking: RankingKind) -> None:
    """Means and datasets have figures of one ranking; no published one is by occupation."""
    part = board.chosen("monolingual")
    assert {row.ranking for row in part.standings("mrr", ranking)} == {ranking}
    rows = part.by_dataset("mrr", ranking)
    there = [entry for row in rows for entry in (row.own, row.rival, *row.others) if entry]
    assert {entry.ranking for entry in there} == {ranking}
    published = {entry.system for entry in there if entry.published}
    assert published == ({"openai", "bm25", "bm25_lemmas"} if ranking == "by_name" else set())


def test_settings_are_taken_apart(board: Scoreboard) -> None:
    """Only those that something was measured in."""
    assert board.settings == ("monolingual", "cross-lingual")
    assert board.chosen("cross-lingual").datasets == ("deu_q_de_c_en",)
    assert board.chosen("multilingual").standings("mrr", "by_name") != []  # nothing measured there: the published ones


def test_without_any_measurement_all_published_are_shown() -> None:
    """A task of which the authors measured nothing."""
    board = Scoreboard.of([], "melo", PUBLISHED, authors=[])
    assert board.settings == ("monolingual", "cross-lingual", "multilingual")
    assert len(board.chosen("monolingual").datasets) == 3
    assert board.headline("mrr", "by_name") is None
    [first, *_] = Scoreboard.of([], "melo", authors=[]).chosen("monolingual").standings("mrr", "by_name")
    assert (first.system, first.datasets) == ("openai", 24)


AUTHORS = [
    make_authors_result("linker:corpus", "deu_q_de_c_de", mrr=0.1),
    make_authors_result("linker:corpus", "deu_q_de_c_de", mrr=0.2, ranking="by_occupation"),
    make_authors_result("linker:corpus", "ita_q_it_c_it", mrr=0.3),
    make_authors_result("bm25", "deu_q_de_c_de", mrr=0.4),
    make_authors_result("bm25", "deu_q_de_c_de", mrr=0.45, ranking="by_occupation"),
]


def test_what_the_authors_measured_stands_where_nothing_else_was() -> None:
    """A fresh install shows it; one's own figures take its place dataset by dataset, published ones too."""
    fresh = Scoreboard.of([], "melo", PUBLISHED, AUTHORS)
    assert fresh.datasets == ("deu_q_de_c_de", "ita_q_it_c_it")
    assert [(entry.system, entry.ranking, entry.source) for entry in fresh.entries if not entry.published] == [
        ("linker:corpus", "by_name", "shipped"),
        ("linker:corpus", "by_occupation", "shipped"),
        ("linker:corpus", "by_name", "shipped"),
        ("bm25", "by_occupation", "shipped"),
    ]
    own = Scoreboard.of(run("linker:corpus", "deu_q_de_c_de", 0.5, 0.6), "melo", PUBLISHED, AUTHORS)
    figures = {
        (entry.dataset, entry.ranking): (entry.value("mrr"), entry.source)
        for entry in own.entries
        if entry.system == "linker:corpus"
    }
    assert figures == {
        ("deu_q_de_c_de", "by_name"): (0.5, "yours"),
        ("deu_q_de_c_de", "by_occupation"): (0.6, "yours"),
        ("ita_q_it_c_it", "by_name"): (0.3, "shipped"),
    }
    assert own.measured_here("deu_q_de_c_de", "by_name").keys() == {"linker:corpus"}
    assert own.measured_here("ita_q_it_c_it", "by_name") == {}


OLD, NEW = {"encoder": "titles-1", "calibration": "a"}, {"encoder": "titles-2", "calibration": "a"}
SHIPPED = [
    make_authors_result("linker:corpus", "deu_q_de_c_de", mrr=0.4, **OLD),
    make_authors_result("linker:corpus", "fra_q_fr_c_fr", mrr=0.6, **OLD),
]


def test_a_figure_of_another_model_is_not_averaged_with_the_shipped_ones() -> None:
    """After one of two datasets is measured with another encoder, the headline is that of before; ours has a line."""
    board = Scoreboard.of([make_result("linker:corpus", "deu_q_de_c_de", mrr=0.9, **NEW)], "melo", PUBLISHED, SHIPPED)
    ours = [row for row in board.standings("mrr", "by_name") if row.system == "linker:corpus"]
    assert [(row.value, row.datasets, row.source, row.model) for row in ours] == [
        (pytest.approx(0.5), 2, "shipped with 0.1.0", "titles-1 a"),
        (pytest.approx(0.9), 1, "yours", "titles-2 a"),
    ]
    headline = board.headline("mrr", "by_name")
    assert headline is not None
    assert (headline.own.value, headline.own.source) == (pytest.approx(0.5), "shipped with 0.1.0")
    rows = {row.dataset: row.own for row in board.by_dataset("mrr", "by_name", headline.own)}
    assert {name: own and own.value("mrr") for name, own in rows.items()} == {
        "deu_q_de_c_de": 0.4,
        "fra_q_fr_c_fr": 0.6,
    }


def test_figures_of_one_model_are_some_yours_and_then_yours() -> None:
    """Dataset by dataset they take the place of the shipped ones."""
    measured = [make_result("linker:corpus", "deu_q_de_c_de", mrr=0.5, **OLD)]
    [some] = [row for row in Scoreboard.of(measured, "melo", [], SHIPPED).standings("mrr", "by_name") if row.own]
    assert (some.value, some.source) == (pytest.approx(0.55), "some yours: 1 of 2; the others shipped with 0.1.0")
    measured.append(make_result("linker:corpus", "fra_q_fr_c_fr", mrr=0.5, **OLD))
    [all_of_them] = [row for row in Scoreboard.of(measured, "melo", [], SHIPPED).standings("mrr", "by_name") if row.own]
    assert (all_of_them.value, all_of_them.source) == (pytest.approx(0.5), "yours")


def test_ties_and_a_model_of_ones_own() -> None:
    """The headline says with how many it shares its rank, and where the best model that was measured here stands."""
    own = [
        make_result("linker:corpus", "deu_q_de_c_de", mrr=0.6),
        make_result("encoder:mine", "deu_q_de_c_de", mrr=0.5),
        make_result("encoder:other", "deu_q_de_c_de", mrr=0.2),
        make_result("bm25", "deu_q_de_c_de", mrr=0.3),
    ]
    headline = Scoreboard.of(own, "melo", PUBLISHED[:1], []).headline("mrr", "by_name")
    assert headline is not None
    assert (headline.place, headline.ties) == (1, 1)
    assert headline.measured is not None
    assert (headline.measured.system, headline.measured.value, headline.measured_place) == ("encoder:mine", 0.5, 3)
    alone = Scoreboard.of(own[:1], "melo", PUBLISHED[1:2], []).headline("mrr", "by_name")
    assert alone is not None
    assert (alone.ties, alone.measured) == (0, None)


def test_another_model_on_all_datasets_is_the_headline() -> None:
    """What runs here is shown first, the shipped figures beside it."""
    names = ("deu_q_de_c_de", "fra_q_fr_c_fr")
    board = Scoreboard.of([make_result("linker:corpus", name, mrr=0.3, **NEW) for name in names], "melo", [], SHIPPED)
    headline = board.headline("mrr", "by_name")
    assert headline is not None
    assert (headline.own.value, headline.own.source) == (pytest.approx(0.3), "yours")


def test_the_linker_with_further_names_has_no_rank() -> None:
    """Published systems were not given them: it stands beside the headline, whatever it reaches."""
    results = [
        *run("linker", "deu_q_de_c_de", 0.95, 0.95),
        *run("linker:corpus", "deu_q_de_c_de", 0.5, 0.5),
        *run("encoder:titles", "deu_q_de_c_de", 0.45, 0.4),
    ]
    headline = Scoreboard.of(results, "melo", PUBLISHED[:1], []).headline("mrr", "by_name")
    assert headline is not None
    assert headline.further is not None
    assert (headline.own.system, headline.further.system, headline.further.value) == ("linker:corpus", "linker", 0.95)
    assert (headline.place, headline.systems, headline.wins) == (2, 3, 0)


def test_where_nothing_was_published_the_linker_is_one_of_all() -> None:
    """Similar titles are linked to a taxonomy, which is what the system is."""
    own = [
        make_result(system, "en", task="title-similarity", query_language="en", corpus_languages=("en",), mrr=mrr)
        for system, mrr in (("linker", 0.6), ("encoder:titles", 0.5))
    ]
    headline = Scoreboard.of(own, "title-similarity").headline("mrr", "by_name")
    assert headline is not None
    assert (headline.own.system, headline.further, headline.systems) == ("linker", None, 2)


def test_other_tasks_have_no_published_figures() -> None:
    """MELO's do not slip in beside title similarity's."""
    own = [make_result("linker", "en", task="title-similarity", query_language="en", corpus_languages=("en",)), *OWN]
    board = Scoreboard.of(own, "title-similarity")
    assert [entry.system for entry in board.entries] == ["linker"]
    assert Scoreboard.of(own, "job-normalization").entries == ()


def test_the_headline_compares_like_with_like(board: Scoreboard) -> None:
    """By name ours has 0.45 and is second of three; by occupation it has 0.57 and no published figure beside it.

    By name it is below openai on both datasets. By occupation only bm25 is there, on deu, and better: no win.
    """
    part = board.chosen("monolingual")
    by_name, by_occupation = part.headline("mrr", "by_name"), part.headline("mrr", "by_occupation")
    assert by_name is not None
    assert by_name.rival is not None
    assert (by_name.own.system, by_name.own.value, by_name.place) == ("linker:corpus", pytest.approx(0.45), 2)
    assert (by_name.rival.system, by_name.rival.value) == ("openai", pytest.approx(0.55))
    assert (by_name.systems, by_name.wins) == (3, 0)
    assert by_occupation is not None
    assert (by_occupation.own.value, by_occupation.rival, by_occupation.wins) == (pytest.approx(0.57), None, 0)
    assert (by_occupation.place, by_occupation.systems) == (1, 1)


def test_the_headline_counts_baselines_of_the_same_ranking() -> None:
    """By occupation ours has 0.6 and 0.4, bm25 0.5 and 0.5: above it on one dataset, level in the mean."""
    results = [
        *run("linker:corpus", "deu_q_de_c_de", 0.1, 0.6),
        *run("linker:corpus", "fra_q_fr_c_fr", 0.1, 0.4),
        *run("bm25", "deu_q_de_c_de", 0.1, 0.5),
        *run("bm25", "fra_q_fr_c_fr", 0.1, 0.55),
    ]
    headline = Scoreboard.of(results, "melo", PUBLISHED, []).headline("mrr", "by_occupation")
    assert headline is not None
    assert headline.rival is not None
    assert (headline.own.system, headline.rival.system) == ("linker:corpus", "bm25")
    assert (headline.place, headline.systems, headline.wins) == (2, 2, 1)


def test_a_published_baseline_measured_again_counts_once() -> None:
    """Places are those of systems; bm25 was published with 0.3 and measured with 0.31."""
    results = [*run("linker:corpus", "deu_q_de_c_de", 0.1, 0.1), *run("bm25", "deu_q_de_c_de", 0.31, 0.31)]
    beside = [published("bm25", "deu_q_de_c_de", 0.3)]
    headline = Scoreboard.of(results, "melo", beside, []).headline("mrr", "by_name")
    assert headline is not None
    assert (headline.place, headline.systems) == (2, 2)


def test_the_headline_compares_on_our_datasets() -> None:
    """A second system of ours that was measured elsewhere does not change what the first is compared on."""
    results = [*OWN[:4], *run("linker:other", "ita_q_it_c_it", 0.1, 0.1)]
    headline = Scoreboard.of(results, "melo", PUBLISHED, []).chosen("monolingual").headline("mrr", "by_name")
    assert headline is not None
    assert headline.rival is not None
    assert (headline.own.datasets, headline.rival.datasets) == (2, 2)
    assert headline.rival.value == pytest.approx(0.55)


def test_without_our_systems_the_measured_ones_are_ours() -> None:
    """Whoever measures an encoder of their own sees it in the headline."""
    board = Scoreboard.of(run("encoder:mine", "deu_q_de_c_de", 0.61, 0.62), "melo", PUBLISHED, [])
    headline = board.headline("mrr", "by_name")
    assert headline is not None
    assert (headline.own.system, headline.place, headline.wins) == ("encoder:mine", 2, 0)


def test_dataset_rows(board: Scoreboard) -> None:
    """The best of ours, the best other and the rest; the hardest first."""
    first, second = board.chosen("monolingual").by_dataset("mrr", "by_name")
    assert (first.dataset, second.dataset) == ("fra_q_fr_c_fr", "deu_q_de_c_de")
    assert second.own is not None
    assert second.rival is not None
    assert (second.own.system, second.rival.system) == ("linker:corpus", "bm25_lemmas")
    assert [(entry.system, entry.published) for entry in second.others] == [
        ("bm25", False),
        ("openai", True),
        ("bm25", True),
    ]
    part = board.chosen("monolingual")
    headline = part.headline("mrr", "by_name")
    assert headline is not None
    [_, named] = part.by_dataset("mrr", "by_name", headline.own)
    assert named.own is not None
    assert named.own.system == "linker:corpus"


def test_metrics_that_were_not_published(board: Scoreboard) -> None:
    """Only what was measured is shown then."""
    rows = board.chosen("monolingual").standings("ndcg_at_10", "by_name")
    assert [row.published for row in rows] == [False, False]
    headline = board.headline("ndcg_at_10", "by_name")
    assert headline is not None
    assert headline.rival is None


def test_filters(board: Scoreboard) -> None:
    """By query language and by dataset."""
    assert board.languages == ("de", "fr")
    assert board.chosen(languages=["fr"]).datasets == ("fra_q_fr_c_fr",)
    assert board.chosen(datasets=["deu_q_de_c_en"]).ours == {"linker:corpus"}
    assert board.chosen("monolingual", languages=["xx"]).entries == ()


def test_groups_of_systems() -> None:
    """Baselines are baselines whoever measured them; only other systems measured here are yours."""
    systems = ("linker:corpus", "bm25", "encoder:mine")
    results = [result for system in systems for result in run(system, "deu_q_de_c_de", 0.5, 0.6)]
    board = Scoreboard.of(results, "melo", PUBLISHED, authors=[])
    groups = {(entry.system, entry.source): entry.group for entry in board.entries}
    assert groups["linker:corpus", "yours"] == "ours"
    assert groups["bm25", "yours"] == groups["bm25", "published"] == "baseline"
    assert groups["encoder:mine", "yours"] == "yours"
    assert groups["openai", "published"] == "published"


def test_records_have_everything(board: Scoreboard) -> None:
    """A row a dataset, system and ranking; published ones without what was not published."""
    records = board.records()
    assert len(records) == 8 + 6
    assert len({tuple(record) for record in records}) == 1
    sources = {record["source"] for record in records}
    assert sources == {"yours", "published"}
    published_record = next(record for record in records if record["source"] == "published")
    assert (published_record["ranking"], published_record["auc"], published_record["seconds"]) == (
        "by_name",
        None,
        None,
    )
