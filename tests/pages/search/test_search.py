"""The page 'Search': occupations, freelancers and projects, reasons, filters, similar items."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch.services.background_call import Background
from jobmatch.services.searching import SearchingService
from jobmatch_core.marketplace.marketplace import RecordBlock
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.search.search_index import SearchIndex
from jobmatch_core.search.search_items import Record
from jobmatch_core.search_events import SearchKind
from jobmatch_core.settings import Settings
from tests import made_marketplace
from tests.pages.search.conftest import titles

Open = Callable[..., AppTest]
EVIL = "**x** <b>y</b> [z](http://a.org) :red[r] $x^2$"


def box(app: AppTest) -> str:
    """Return the text of the search box."""
    return str(app.text_input(key="search_query").value)


def captions(app: AppTest) -> list[str]:
    """Return all captions."""
    return [each.value for each in app.caption]


def test_it_opens_on_examples(page: Open) -> None:
    """A click on an example searches; the cards give reasons."""
    app = page()
    assert not app.exception
    assert any("are searched" in text for text in captions(app))
    app.button(key="search_example_0").click().run()
    assert box(app) == "someone who repairs lifts"
    assert "someone who repairs lifts" in app.query_params["query"]


@pytest.mark.first_case
@pytest.mark.parametrize("kind", ["occupations", "freelancers", "projects"])
def test_nothing_is_indexed_before_a_question(page: Open, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """The first question opens the index, which has as many items as the page says before it."""
    asked: list[str] = []
    opening = SearchingService.opening

    def noted(service: SearchingService, kind: SearchKind, source: str) -> Background[SearchIndex[Record]]:
        asked.append(kind.value)
        return opening(service, kind, source)

    monkeypatch.setattr(SearchingService, "opening", noted)
    app = page(**{"in": kind, "marketplace": "tiny"})
    assert not app.exception
    [count] = [match[1] for text in captions(app) if (match := re.search(rf"([\d,]+) {kind} are searched", text))]
    assert asked == []
    app.text_input(key="search_query").set_value("nurse python homepage").run()
    assert asked == [kind]
    assert any(f" of {count} {kind}" in text for text in captions(app))


def test_occupations_are_found_by_words(page: Open) -> None:
    """An opened card links to other pages with its occupation."""
    app = page(query="nurse")
    assert "nurse" in titles(app)[0].lower()
    assert any(text.startswith("Why? Words **nurse**") for text in captions(app))
    assert app.button(key="search_open_1").label == "Open"
    app.button(key="search_open_1").click().run()
    assert not app.exception
    assert app.button(key="search_open_1").label == "Close"
    assert any("All names" in each.value for each in app.markdown)


def test_more_like_this_and_back(page: Open) -> None:
    """The item itself is left out; typing returns to the query."""
    app = page(query="nurse")
    first = titles(app)[0]
    app.button(key="search_like_1").click().run()
    assert not app.exception
    assert any(each.value == f"Like **{first}**" for each in app.markdown)
    assert first not in titles(app)
    app.button(key="search_back").click().run()
    assert titles(app)[0] == first
    app.button(key="search_like_1").click().run()
    app.text_input(key="search_query").set_value("nurses").run()
    assert titles(app)[0] == first
    assert "like" not in app.query_params


@pytest.mark.first_case
@pytest.mark.parametrize("kind", ["occupations", "freelancers", "projects"])
def test_every_card_says_why_and_leads_to_more_like_it(page: Open, kind: str) -> None:
    """This holds for the first and the last card."""
    app = page(query="nurse python", **{"in": kind, "marketplace": "tiny"})
    cards = titles(app)
    assert len([text for text in captions(app) if text.startswith("Why? ")]) == len(cards) > 2
    likes = [button.key for button in app.button if str(button.key).startswith("search_like_")]
    assert likes == [f"search_like_{rank}" for rank in range(1, len(cards) + 1)]
    app.button(key=likes[-1]).click().run()
    assert not app.exception
    assert any(each.value == f"Like **{cards[-1]}**" for each in app.markdown)
    assert len([text for text in captions(app) if text.startswith("Why? ")]) == len(titles(app)) > 1


def test_freelancers_with_the_filters_of_find_freelancers(page: Open) -> None:
    """The filters apply; without hits the page says what was tried."""
    app = page(query="python", **{"in": "freelancers", "marketplace": "tiny", "language": "de"})
    assert not app.exception
    assert titles(app)[:3] == ["python"] * 3
    assert all(text.startswith("German ·") for text in captions(app) if "synthetic" in text)
    assert any("12 freelancers that pass the filters" in text for text in captions(app))
    app = page(query="python", **{"in": "freelancers", "marketplace": "tiny", "rate": "1"})
    assert any("None of the 24 freelancers passes the filters." in each.value for each in app.warning)


def test_projects(page: Open) -> None:
    """An opened project shows its skills and a link to its freelancers."""
    app = page(query="homepage", **{"in": "projects", "marketplace": "tiny"})
    assert [each for each in app.selectbox(key="find_marketplace").options if each.endswith(" projects")]
    assert titles(app)[0] == "homepage"
    app.button(key="search_open_1").click().run()
    assert not app.exception
    assert any(each.value.startswith("Must have:") for each in app.markdown)


@pytest.mark.parametrize(
    "query", ["x" * 10_000, "🙂" * 40, EVIL, "מורה לילדים", "\u202eesrun", "'; DROP TABLE pairs;--"]
)
def test_anything_may_be_typed(page: Open, query: str) -> None:
    """Any text is escaped and never raises; long texts stay out of the address."""
    app = page()
    app.text_input(key="search_query").set_value(query).run()
    assert not app.exception
    assert not app.error
    assert app.caption or app.warning
    assert not any("<b>y</b>" in each.value or ":red[r]" in each.value for each in [*app.markdown, *app.warning])
    assert len(str(app.query_params.get("query", ""))) <= 300


def test_nothing_found_says_what_was_tried(page: Open) -> None:
    """The message has the number of items and a suggestion."""
    app = page(query="🙂")
    [said] = [each.value for each in app.warning]
    assert "Nothing found" in said
    assert "occupations has a word like yours" in said


@pytest.mark.parametrize(
    ("kind", "block"),
    [
        ("projects", RecordBlock(freelancers=made_marketplace.freelancers())),
        ("freelancers", RecordBlock(projects=made_marketplace.projects(1))),
    ],
    ids=["projects", "freelancers"],
)
def test_an_empty_index(page: Open, home: Path, kind: str, block: RecordBlock) -> None:
    """The page says so before and after a search, also for ten thousand right-to-left letters."""
    MarketplaceStore.open(Settings(home)).save("none", [block], origin={}, generated=False)
    app = page(**{"in": kind, "marketplace": "none"})
    assert any(f"has no {kind}" in each.value for each in app.info)
    for query in ("python", "מ" * 10_000):
        app.text_input(key="search_query").set_value(query).run()
        assert not app.exception
        assert any(f"has no {kind}" in each.value for each in app.warning)


def test_two_tabs_do_not_mix(page: Open) -> None:
    """Each tab has its own query and opened card."""
    one, other = page(query="nurse"), page(**{"in": "projects", "marketplace": "tiny"})
    one.button(key="search_open_1").click().run()
    other.text_input(key="search_query").set_value("emblem").run()
    one.run()
    assert (box(one), box(other)) == ("nurse", "emblem")
    assert other.button(key="search_open_1").label == "Open"
