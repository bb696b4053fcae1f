"""Agreement of annotators: all, two by two, each against the others, over time."""

from datetime import UTC, date, timedelta, timezone
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, confusion_matrix

from jobmatch_core.entities import Judgment, Verdict
from jobmatch_core.labelling.agreement import Period, against_others, agreement, confusion, over_time, two_by_two
from jobmatch_core.labelling.coefficients import CATEGORIES, NO_OVERLAP, ONE_VERDICT, VerdictTable, verdict_table
from tests.core.labelling import plain_measures
from tests.core.labelling.made_judgments import arrays, histories, judgment, key_of, pair, said
from tests.core.labelling.plain_measures import NOTHING

ROWS = ["++--?.", "+---?+", "...-+-"]  # of a, b and c


def table_of(history: list[Judgment]) -> VerdictTable:
    """Return the table of a history."""
    return verdict_table(arrays(history))


def codes(table: VerdictTable) -> dict[str, list[int]]:
    """Return a pair's verdicts by annotator, in the order of their names."""
    cells = np.full((len(table.keys), len(table.annotators)), NOTHING)
    cells[table.pair, table.annotator] = table.code
    return {key.decode(): row for key, row in zip(table.keys.tolist(), cells.tolist(), strict=True)}


def test_the_table() -> None:
    """A row a pair, a column an annotator; the time is that of the last verdict."""
    table = table_of([*said(["+s", "?-"]), judgment("-", "b", pair("p0"), minute=9)])
    assert table.annotators == ("a", "b")
    first, second = key_of(pair("p0")), key_of(pair("p1"))
    assert codes(table) == {first: [0, 1], second: [NOTHING, 1]}
    place = [table.keys.tolist().index(key.encode()) for key in (first, second)]
    assert table.counts()[place].tolist() == [[1, 1, 0], [0, 1, 0]]
    assert table.latest[place[0]] - table.latest[place[1]] == timedelta(minutes=8)


def test_adjudications_and_undone_verdicts_are_no_opinions() -> None:
    """Skips are no opinions either: only b has one, so that there is no agreement to measure."""
    first = judgment("+", "a")
    history = [
        first,
        judgment("+", "b", minute=1),
        judgment(None, "a", minute=2, undoes=first.id),
        judgment("-", "c", minute=3, adjudicates=True),
        judgment("s", "d", minute=4),
    ]
    table = table_of(history)
    assert table.annotators == ("b",)
    assert agreement(table).percent.reason == NO_OVERLAP
    assert agreement(table).pairs == 0


def test_all() -> None:
    """Pair by pair: ++ 1, +- 0, -- 1, --- 1, ??+ 1/3, +- 0."""
    found = agreement(table_of(said(ROWS)))
    assert found.pairs == 6
    assert found.percent.value == pytest.approx((1 + 0 + 1 + 1 + 1 / 3 + 0) / 6)
    assert found.fleiss.value is not None
    assert found.alpha.value is not None


def test_two_by_two() -> None:
    """They share five, three and two pairs, and agree on four of them, one, and one."""
    found = two_by_two(table_of(said(ROWS)))
    assert [(each.first, each.second, each.percent.n) for each in found] == [
        ("a", "b", 5),
        ("b", "c", 3),
        ("a", "c", 2),
    ]
    assert [each.percent.value for each in found] == [pytest.approx(4 / 5), pytest.approx(1 / 3), pytest.approx(1 / 2)]
    answers = [("++--?", "+---?"), ("-?+", "-+-"), ("-?", "-+")]
    expected = [cohen_kappa_score(list(first), list(second)) for first, second in answers]
    assert [each.kappa.value for each in found] == [pytest.approx(value) for value in expected]


def test_two_who_share_nothing() -> None:
    """They are there, with a reason."""
    [found] = two_by_two(table_of(said(["+.", ".+"])))
    assert (found.kappa.value, found.kappa.reason) == (None, NO_OVERLAP)


def test_each_against_the_others() -> None:
    """c: of pair 3 both others said the same, of pair 4 neither of two, of pair 5 b did not: 1/3."""
    found = {each.annotator: each for each in against_others(table_of(said(ROWS)))}
    assert list(found) == ["a", "b", "c"]
    assert found["c"].verdicts == 3
    assert found["c"].percent.value == pytest.approx(1 / 3)
    assert found["a"].percent.value == pytest.approx((1 + 0 + 1 + 1 + 1 / 2) / 5)
    assert found["a"].percent.n == 5
    without_c = agreement(table_of(said(ROWS[:2]))).alpha
    assert found["c"].alpha_without == without_c
    assert found["c"].alpha_without.value > agreement(table_of(said(ROWS))).alpha.value


def test_against_one_other_is_cohens() -> None:
    """With two annotators it is the same as two by two, from either side."""
    table = table_of(said(ROWS[:2]))
    [both], each = two_by_two(table), against_others(table)
    assert [one.kappa.value for one in each] == [pytest.approx(both.kappa.value)] * 2
    assert [one.alpha_without.reason for one in each] == [NO_OVERLAP] * 2


def test_nobody_and_one() -> None:
    """Nothing to compare."""
    assert two_by_two(table_of([])) == []
    assert against_others(table_of([])) == []
    assert over_time(table_of([]), Period.DAY) == []
    assert agreement(table_of([])).alpha.reason == NO_OVERLAP
    assert two_by_two(table_of(said(["++"]))) == []
    [alone] = against_others(table_of(said(["++"])))
    assert (alone.verdicts, alone.percent.reason) == (2, NO_OVERLAP)


def test_over_days_and_weeks() -> None:
    """A pair belongs to the day of its last verdict; Monday begins the week, midnight in the zone the day."""
    a_day = 24 * 60
    history = [
        judgment("+", "a", pair("p1")),  # Monday, 9 o'clock UTC
        judgment("+", "b", pair("p1"), minute=a_day),
        judgment("+", "a", pair("p2"), minute=2 * a_day - 60),
        judgment("-", "b", pair("p2"), minute=2 * a_day - 12 * 60),  # Tuesday, 21 o'clock
        judgment("-", "b", pair("p3"), minute=8 * a_day),
    ]
    table = table_of(history)
    days = over_time(table, Period.DAY)
    assert [each.start for each in days] == [date(2026, 3, 3), date(2026, 3, 4), date(2026, 3, 10)]
    assert [each.agreement.percent.value for each in days] == [1.0, 0.0, None]
    assert days[0].agreement.alpha.reason == ONE_VERDICT
    weeks = over_time(table, Period.WEEK)
    assert [(each.start, each.agreement.pairs) for each in weeks] == [(date(2026, 3, 2), 2), (date(2026, 3, 9), 0)]
    assert weeks[0].agreement.percent.value == 0.5
    far_west = over_time(table, Period.DAY, zone=timezone(-timedelta(hours=10)))
    assert [each.start for each in far_west] == [date(2026, 3, 2), date(2026, 3, 3), date(2026, 3, 9)]
    assert over_time(table, Period.DAY, zone=UTC) == days


def test_confusion() -> None:
    """The first one's verdicts are the rows."""
    found = confusion(table_of(said(ROWS)), "a", "b")
    assert found.verdicts == (Verdict.POSITIVE, Verdict.NEGATIVE, Verdict.UNSURE)
    assert found.counts.tolist() == [[1, 1, 0], [0, 2, 0], [0, 0, 1]]
    assert confusion(table_of(said(ROWS)), "b", "a").counts.tolist() == found.counts.T.tolist()


def test_confusion_with_nobody() -> None:
    """A name that has said nothing is a slip of the caller."""
    with pytest.raises(ValueError, match="not in tuple"):
        confusion(table_of(said(ROWS)), "a", "z")


@settings(max_examples=25, deadline=None)
@given(histories(max_size=25))
def test_two_by_two_as_scikit_learn(history: list[Judgment]) -> None:
    """Whatever was said and taken back."""
    table, plain = table_of(history), plain_measures.plain_table(history)
    for each in two_by_two(table):
        columns = plain.codes[:, [plain.column(each.first), plain.column(each.second)]]
        shared = columns[(columns != NOTHING).all(axis=1)]
        assert each.percent.n == len(shared)
        if len(shared):
            counts = confusion(table, each.first, each.second).counts
            np.testing.assert_array_equal(counts, confusion_matrix(*shared.T, labels=range(len(CATEGORIES))))
            assert each.percent.value == pytest.approx((shared[:, 0] == shared[:, 1]).mean())
        if len(np.unique(shared)) > 1:
            assert each.kappa.value == pytest.approx(cohen_kappa_score(*shared.T))
        else:
            assert each.kappa.value is None
            assert each.kappa.reason


@settings(max_examples=50, deadline=None)
@given(histories("abcde", n_pairs=5, max_size=40), st.sampled_from(["UTC", "Asia/Kathmandu", "Pacific/Kiritimati"]))
def test_as_judgment_by_judgment(history: list[Judgment], zone: str) -> None:
    """To the last digit, of whatever was said and taken back."""
    table, plain = table_of(history), plain_measures.plain_table(history)
    assert agreement(table) == plain_measures.agreement(plain)
    assert two_by_two(table) == plain_measures.two_by_two(plain)
    assert against_others(table) == plain_measures.against_others(plain)
    for period in Period:
        found = over_time(table, period, zone=ZoneInfo(zone))
        assert found == plain_measures.over_time(plain, period, zone=ZoneInfo(zone))
