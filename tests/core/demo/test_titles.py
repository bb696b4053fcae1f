"""The titles of a made-up month: as many as asked for, in every language, the same for a seed, untidy and marked."""

from collections import Counter
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.demo.titles import MONTH_DAYS, AgencyTitle, agency_titles, everyday_names, title_rows
from jobmatch_core.demo.wording import load_agency
from jobmatch_core.taxonomy.bundled import isco_codes

UNTIL = date(2026, 11, 27)


@pytest.fixture(scope="module")
def month() -> list[AgencyTitle]:
    """The month of the demo."""
    return agency_titles(400, UNTIL)


def test_each_language_has_its_share(month: list[AgencyTitle]) -> None:
    """Six languages, and no more than one title between them."""
    counts = Counter(title.language for title in month)
    assert sum(counts.values()) == 400
    assert set(counts) == {"en", "de", "fr", "es", "it", "pl"}
    assert max(counts.values()) - min(counts.values()) <= 1


def test_the_seed_and_the_last_day_decide(month: list[AgencyTitle]) -> None:
    """The same twice; another seed gives others, another day the same titles on other days."""
    assert agency_titles(400, UNTIL) == month
    assert [title.title for title in agency_titles(400, UNTIL, seed=2)] != [title.title for title in month]


def test_the_titles_are_as_untidy_as_real_ones(month: list[AgencyTitle]) -> None:
    """Forms for both genders, capitals, pay, emoji, references, repeats, and titles that say nothing."""
    titles = [title.title for title in month]
    for pattern in ("(m/w/d)", "H/F", "⭐", "#", "€", "£", "zł", "20 "):
        assert any(pattern in title for title in titles), pattern
    assert sum(title.isupper() for title in titles) >= 10
    assert 10 <= 400 - len({title.casefold() for title in titles}) <= 100
    assert 10 <= sum(not title.group for title in month) <= 50


def test_titles_arrive_on_working_days_of_the_month(month: list[AgencyTitle]) -> None:
    """In order, and none in the future."""
    days = [title.received for title in month]
    assert days == sorted(days)
    assert days[0] > UNTIL - timedelta(days=MONTH_DAYS)
    assert days[-1] <= UNTIL
    assert all(day.weekday() < 5 for day in days)


def test_each_row_says_that_it_is_made_up(month: list[AgencyTitle]) -> None:
    """By its reference, which is its own."""
    rows = title_rows(month)
    assert len({row["reference"] for row in rows}) == 400
    assert all(row["reference"].startswith("DEMO-") for row in rows)
    assert [row["title"] for row in rows] == [title.title for title in month]


def test_every_group_has_names_in_every_language() -> None:
    """Enough to choose from; and abbreviations name groups of the taxonomy."""
    assert min(len(names) for names in everyday_names().values()) >= 5
    agency = load_agency()
    assert set(agency.groups) <= isco_codes()
    assert {group for wording in agency.wordings.values() for group in wording.short.values()} <= set(agency.groups)


@given(count=st.integers(0, 30), until=st.dates(date(2000, 1, 1), date(2100, 1, 1)), seed=st.integers(0, 1000))
def test_any_month_can_be_made_up(count: int, until: date, seed: int) -> None:
    """Every title has text, without an unfilled slot."""
    titles = agency_titles(count, until, seed)
    assert len(titles) == count
    assert all(title.title.strip() == title.title != "" for title in titles)
    assert not any(sign in title.title for title in titles for sign in "{}\n")
