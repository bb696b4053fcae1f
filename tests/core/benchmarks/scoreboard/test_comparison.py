"""Means with their intervals, and the Pareto front.

Two systems on the same queries.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.benchmarks.datasets.title_sets import SIMILARITY_TASK
from jobmatch_core.benchmarks.scoreboard.comparison import (
    accuracy_curve,
    compare_pairs,
    compare_results,
    comparison_metric,
    cost_points,
    pair_outcomes,
    pareto_front,
    standing,
    won,
)
from jobmatch_core.benchmarks.scoreboard.entries import (
    PublishedResult,
    authors_entry,
    own_entry,
    published_entry,
    setting_of,
    system_label,
)
from jobmatch_core.benchmarks.scoreboard.results import QueryOutcome, ResultStore
from jobmatch_core.errors import SettingsError
from tests.made_results import make_authors_result, make_evaluation, make_result


def test_a_mean_and_its_interval() -> None:
    """Mean of 0.5 and 0.7 = 0.6; half widths 0.03 and 0.04 below: sqrt(0.0009 + 0.0016) / 2 = 0.025; above the same."""
    entries = [
        own_entry(make_result(dataset="deu_q_de_c_de", mrr=0.5, mrr_low=0.47, mrr_high=0.53, seconds=2.0)),
        own_entry(make_result(dataset="fra_q_fr_c_fr", mrr=0.7, mrr_low=0.66, mrr_high=0.74, seconds=3.0)),
    ]
    row = standing(entries, "mrr", 2, own=True)
    assert row.value == pytest.approx(0.6)
    assert row.interval == pytest.approx((0.575, 0.625))
    assert (row.datasets, row.complete, row.seconds) == (2, True, 5.0)
    assert standing(entries, "accuracy_at_1", 3, own=True).interval is None
    assert not standing(entries, "mrr", 3, own=True).complete


def test_an_accuracy_curve_by_hand() -> None:
    """Ranks 1, 3 and none: a third at 1 and 2, two thirds from 3 on."""
    outcomes = [QueryOutcome("query", rank, "found", "wanted", 0.0) for rank in (1, 3, None)]
    assert accuracy_curve(outcomes, depth=4) == pytest.approx([1 / 3, 1 / 3, 2 / 3, 2 / 3])
    assert len(accuracy_curve(outcomes)) == 100


@given(st.lists(st.none() | st.integers(1, 150), min_size=1, max_size=30))
def test_an_accuracy_curve_agrees_with_counting(ranks: list[int | None]) -> None:
    """At each k it is the share of ranks of at most k."""
    outcomes = [QueryOutcome("query", rank, "found", "wanted", 0.0) for rank in ranks]
    counted = [sum(rank is not None and rank <= k for rank in ranks) / len(ranks) for k in range(1, 101)]
    assert accuracy_curve(outcomes) == pytest.approx(counted)


def test_no_queries_have_no_accuracy() -> None:
    """Nothing is not nought."""
    with pytest.raises(ValueError, match="no accuracy without queries"):
        accuracy_curve([])


def test_a_published_mean_has_no_interval() -> None:
    """Its queries are not known; its size is."""
    entry = published_entry(PublishedResult("me5", "deu_q_de_c_de", {"mrr": 0.6}))
    row = standing([entry], "mrr", 1, own=False)
    assert (row.label, row.source, row.published, row.ranking) == ("mE5 (large)", "published", True, "by_name")
    assert (row.interval, row.seconds, row.size_mb) == (None, None, 2240)


def test_a_mean_says_where_its_figures_come_from() -> None:
    """Those of the authors with their version; seconds only where all were measured here, because machines differ."""
    here = own_entry(make_result("linker", "deu_q_de_c_de", seconds=2.0))
    theirs = authors_entry(make_authors_result("linker", "fra_q_fr_c_fr", size_mb=38.0))
    mixed, shipped = (standing(entries, "mrr", 2, own=True) for entries in ([here, theirs], [theirs]))
    assert mixed.source == "some yours: 1 of 2; the others shipped with 0.1.0"
    assert (shipped.source, shipped.size_mb) == ("shipped with 0.1.0", 38.0)
    assert (mixed.seconds, shipped.seconds) == (None, None)
    assert mixed.interval is not None


def test_systems_are_named_for_people() -> None:
    """Ours by jobmatch, baselines as in the paper, encoders by their model, others as they are."""
    names = (
        "linker:corpus",
        "linker",
        "linker:esco-1.0.3",
        "encoder:titles",
        "bm25",
        "encoder:all-MiniLM-L6-v2",
        "encoder:ours-0123abcd",
        "prompted:m",
        "x:y",
    )
    assert [system_label(name) for name in names] == [
        "jobmatch linker, the dataset's texts alone",
        "jobmatch linker, all names of the taxonomy",
        "jobmatch linker, all names of esco-1.0.3",
        "jobmatch title encoder",
        "BM25",
        "all-MiniLM-L6-v2",
        "ours (0123abcd)",
        "m, prompted",
        "x:y",
    ]


def test_there_is_no_mean_over_two_models() -> None:
    """Neither of two encoders nor of two calibrations; several taxonomies are no other model."""
    first = own_entry(make_result("linker", "deu_q_de_c_de", encoder="titles-1", calibration="a", taxonomy="x@1"))
    same = own_entry(make_result("linker", "fra_q_fr_c_fr", encoder="titles-1", calibration="a", taxonomy="y@2"))
    assert standing([first, same], "mrr", 2, own=True).model == "titles-1 a"
    for other in ({"encoder": "titles-2", "calibration": "a"}, {"encoder": "titles-1", "calibration": "b"}):
        with pytest.raises(ValueError, match="no mean of linker"):
            standing([first, own_entry(make_result("linker", "ita_q_it_c_it", **other))], "mrr", 2, own=True)


def test_settings_follow_from_the_languages() -> None:
    """O*NET's second dataset has the queries' language and others."""
    assert setting_of("de", ("de",)) == "monolingual"
    assert setting_of("de", ("en",)) == "cross-lingual"
    assert setting_of("en", ("de", "en")) == "multilingual"


def test_the_front_by_hand() -> None:
    """Cost 1 has 0.5; cost 2 has 0.4 (beaten) and 0.6; cost 3 has 0.6 (dearer than its equal); cost 9 has 0.9."""
    assert pareto_front([9, 2, 1, 3, 2], [0.9, 0.4, 0.5, 0.6, 0.6]) == [2, 4, 0]
    assert pareto_front([], []) == []


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12))
def test_the_front_is_what_nothing_beats(points: list[tuple[int, int]]) -> None:
    """Against the definition, by two loops."""
    costs, qualities = [cost for cost, _ in points], [quality for _, quality in points]
    front = pareto_front(costs, qualities)
    unbeaten = {
        (cost, quality)
        for cost, quality in points
        if not any((c <= cost and q > quality) or (c < cost and q >= quality) for c, q in points)
    }
    assert {points[number] for number in front} == unbeaten
    assert len(front) == len(unbeaten)


def test_costs_are_compared_where_they_are_known() -> None:
    """Seconds of an incomplete system, and a size that is None, are left out."""
    quick = standing([own_entry(make_result("quick", seconds=1.0, mrr=0.5))], "mrr", 1, own=True)
    slow = standing([own_entry(make_result("slow", seconds=9.0, mrr=0.4, size_mb=80.0))], "mrr", 1, own=True)
    partial = standing([own_entry(make_result("partial", seconds=0.1, mrr=0.9))], "mrr", 2, own=True)
    points = cost_points([quick, slow, partial], "seconds")
    assert [(p.standing.system, p.cost, p.quality, p.unbeaten) for p in points] == [
        ("quick", 1.0, 0.5, True),
        ("slow", 9.0, 0.4, False),
    ]
    assert [p.standing.system for p in cost_points([quick, slow], "size_mb")] == ["slow"]


FIRST = make_result("a", ranks=(1, 1, 3, None, 2, 1))
SECOND = make_result("b", ranks=(1, 9, 1, None, None, None))


def test_won_and_lost_by_hand() -> None:
    """Query 2: 1 against 9; query 3: 3 against 1; query 6: 1 against not found, which is clearer and comes first."""
    pairs, turned = pair_outcomes(FIRST, SECOND), pair_outcomes(SECOND, FIRST)
    assert [pair.query for pair in won(pairs, 1)] == ["query 6", "query 2"]
    assert [pair.query for pair in won(turned, 1)] == ["query 3"]
    assert [pair.query for pair in won(pairs, 5)] == ["query 5", "query 6", "query 2"]
    [pair] = won(turned, 1)
    assert (pair.first.rank, pair.second.rank) == (1, 3)


def test_the_comparison_by_hand() -> None:
    """Reciprocal ranks 1 1 1/3 0 1/2 1 and 1 1/9 1 0 0 0: three wins, one loss, difference (8/9 - 2/3 + 3/2) / 6."""
    compared = compare_pairs(FIRST, pair_outcomes(FIRST, SECOND))
    assert (compared.dataset, compared.ranking, compared.metric) == ("deu_q_de_c_de", "by_name", "mrr")
    assert (compared.queries, compared.wins, compared.losses) == (6, 3, 1)
    assert compared.difference == pytest.approx((8 / 9 - 2 / 3 + 3 / 2) / 6)
    assert 0 < compared.p_value <= 1


def test_title_similarity_is_compared_by_map() -> None:
    """The first right title stands first in all three; average precisions 0.5 0.5 0.25 and 0.25 0.5 1."""
    one, other = (
        make_result(
            system,
            "de",
            task=SIMILARITY_TASK,
            ranks=(1, 1, 1),
            outcomes=tuple(QueryOutcome(f"query {each}", 1, "x", "x", each) for each in precisions),
        )
        for system, precisions in (("a", (0.5, 0.5, 0.25)), ("b", (0.25, 0.5, 1.0)))
    )
    compared = compare_pairs(one, pair_outcomes(one, other))
    assert (compared.metric, compared.wins, compared.losses) == ("map", 1, 1)
    assert compared.difference == pytest.approx((0.25 - 0.75) / 3)


@pytest.mark.parametrize(("task", "metric"), [(SIMILARITY_TASK, "map"), ("melo", "mrr"), ("job-normalization", "mrr")])
def test_the_metric_fits_the_task(task: str, metric: str) -> None:
    """With 23 right documents a query the first says little; one occupation is right to a title, or few are."""
    assert comparison_metric(task) == metric


@pytest.mark.parametrize(
    "other",
    [
        make_result("b", ranks=(1, 1, 1, 1, 1, 1), data_hash="other"),
        make_result("b", ranks=(1, 1, 1, 1, 1, 1), ranking="by_occupation"),
        make_result("b", ranks=(1, 1, 1, 1, 1, 1), outcomes=()),
        make_result("b", ranks=(1, 1)),
    ],
    ids=["other data", "other ranking", "no outcomes", "other queries"],
)
def test_what_cannot_be_compared(other: object) -> None:
    """The message says to measure both again."""
    with pytest.raises(SettingsError, match="measure both"):
        pair_outcomes(FIRST, other)  # type: ignore[arg-type]


def test_stored_results_are_compared_where_both_are(tmp_path: Path) -> None:
    """Both rankings of the one dataset that both have."""
    store = ResultStore(tmp_path)
    for system, dataset, ranks in (
        ("a", "deu_q_de_c_de", (1, 1)),
        ("b", "deu_q_de_c_de", (2, 1)),
        ("a", "x_q_de_c_en", (1,)),
    ):
        store.save(make_evaluation(system, dataset, ranks=ranks))
    reports = compare_results(store, "melo", "a", "b")
    assert [(r.dataset, r.ranking, r.wins, r.losses) for r in reports] == [
        ("deu_q_de_c_de", "by_name", 1, 0),
        ("deu_q_de_c_de", "by_occupation", 1, 0),
    ]
    with pytest.raises(SettingsError, match="measured were: a, b"):
        compare_results(store, "melo", "a", "c")
    with pytest.raises(SettingsError, match="nothing yet"):
        compare_results(store, "title-similarity", "a", "b")


def test_an_encoder_has_the_name_that_it_was_measured_by(tmp_path: Path) -> None:
    """Without the digest of its files, unless results of other files have the same name."""
    store = ResultStore(tmp_path)
    for system in ("encoder:ours-0123abcd", "bm25"):
        store.save(make_evaluation(system, "deu_q_de_c_de"))
    assert len(compare_results(store, "melo", "encoder:ours", "bm25")) == 2
    assert len(compare_results(store, "melo", "bm25", "encoder:ours-0123abcd")) == 2
    store.save(make_evaluation("encoder:ours-4567abcd", "deu_q_de_c_de"))
    with pytest.raises(SettingsError, match="encoder:ours-0123abcd, encoder:ours-4567abcd"):
        compare_results(store, "melo", "encoder:ours", "bm25")
