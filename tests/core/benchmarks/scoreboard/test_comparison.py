"""Two systems on the same queries."""

from pathlib import Path

import pytest

from jobmatch_core.benchmarks.datasets.title_similarity import TASK
from jobmatch_core.benchmarks.scoreboard.comparison import (
    compare_pairs,
    compare_results,
    comparison_metric,
    pair_outcomes,
    won,
)
from jobmatch_core.benchmarks.scoreboard.result_store import ResultStore
from jobmatch_core.benchmarks.scoreboard.results import QueryOutcome
from jobmatch_core.errors import SettingsError
from tests.made_results import make_evaluation, make_result

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
            system, "de", task=TASK, ranks=(1, 1, 1),
            outcomes=tuple(QueryOutcome(f"query {each}", 1, "x", "x", each) for each in precisions),
        )
        for system, precisions in (("a", (0.5, 0.5, 0.25)), ("b", (0.25, 0.5, 1.0)))
    )  # fmt: skip
    compared = compare_pairs(one, pair_outcomes(one, other))
    assert (compared.metric, compared.wins, compared.losses) == ("map", 1, 1)
    assert compared.difference == pytest.approx((0.25 - 0.75) / 3)


@pytest.mark.parametrize(("task", "metric"), [(TASK, "map"), ("melo", "mrr"), ("job-normalization", "mrr")])
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
        ("deu_q_de_c_de", "by_name", 1, 0), ("deu_q_de_c_de", "by_occupation", 1, 0),
    ]  # fmt: skip
    with pytest.raises(SettingsError, match="measured were: a, b"):
        compare_results(store, "melo", "a", "c")
    with pytest.raises(SettingsError, match="nothing yet"):
        compare_results(store, "title-similarity", "a", "b")
