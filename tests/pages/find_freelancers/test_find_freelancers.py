"""The page 'Find freelancers': the example, must-haves, filters, the map, a project of one's own."""

import re
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Info, Multiselect, TextArea

from jobmatch_core.entities import NamedSkill
from jobmatch_core.marketplace.marketplace import RecordBlock
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.retrieval.matches import MatchOrder
from jobmatch_core.settings import Settings
from pages.find_freelancers import project_choice
from tests import made_marketplace
from tests.pages.find_freelancers.conftest import Open, bars, cards
from tests.pages.observed import texts

OWN = (
    "Programmierer für die Abrechnung\nWir suchen jemanden mit Python und SQL für die Auswertung.\nVon Vorteil: Docker"
)


def chips(app: AppTest, part: str) -> Multiselect:
    """Return the chips of the pasted text."""
    [found] = [each for each in app.multiselect if str(each.key).startswith(f"find_own_{part}_")]
    return found


def test_opens_with_a_project_and_its_freelancers(page: Open, market: MarketplaceStore) -> None:
    """The page opens with ten synthetic cards with score, skills and reasons; the address holds the selection."""
    app = page()
    assert not app.exception
    assert texts(app).count("synthetic") == 2
    assert "300 freelancers · the first 100 are listed" in texts(app)
    [counted] = [element for element in app.markdown if "are listed" in element.value]
    assert "Must-haves are compared for the 300 most similar freelancers" in counted.help
    assert "**Strong**: all must-haves" in counted.help
    assert cards(app) == 10
    assert texts(app).count("Must have, ") == 10
    assert texts(app).count("Why: ") == 10
    assert "words of title and skills" in texts(app)
    assert all("Similarity 0." in bar and "**" in bar for bar in bars(app))
    app.run()
    assert app.query_params["project"] == "p000001"
    assert app.query_params["marketplace"] == "demo"


def test_a_project_finds_freelancers_in_other_languages(page: Open, market: MarketplaceStore) -> None:
    """Skills match across languages; the chip shows both names."""
    german = next(each for each in market.load("demo").projects if each.language == "de" and len(each.mandatory) > 1)
    app = page(project=german.id)
    for _ in range(3):
        app.button(key="find_more").click().run()
    assert cards(app) == 40
    found = [caption.value.split("·")[0].strip() for caption in app.caption]
    assert len({"English", "Polish", "French", "Dutch", "Spanish"} & set(found)) >= 3
    assert ":blue-badge[:material/check:" in "".join(element.value for element in app.markdown)
    assert " = " in texts(app)


@pytest.mark.thorough
def test_another_project_begins_with_few_cards(page: Open, market: MarketplaceStore) -> None:
    """'Show more' applies to one project only."""
    app = page()
    app.button(key="find_more").click().run()
    assert cards(app) == 20
    app.selectbox(key="find_project").set_value("p000002").run()
    assert cards(app) == 10
    assert app.query_params["project"] == "p000002"


def must_haves(app: AppTest) -> list[tuple[int, int]]:
    """Return for each card the number of must-haves present and required."""
    found = [re.match(r":small\[Must have, (\d+) of (\d+)", element.value) for element in app.markdown]
    return [(int(each[1]), int(each[2])) for each in found if each]


@pytest.fixture
def asking(market: MarketplaceStore) -> str:
    """The id of a project with several must-haves."""
    return next(each.id for each in market.load("demo").projects if len(each.mandatory) > 2)


def test_must_haves_come_first_and_no_word_says_otherwise(page: Open, asking: str) -> None:
    """Must-haves come first by default, and no card that lacks one is called strong; sorting by similarity differs."""
    app = page(project=asking)
    shown = [there for there, _ in must_haves(app)]
    assert shown == sorted(shown, reverse=True)
    app.selectbox(key="find_sort").set_value(MatchOrder.SCORE).run()
    assert not app.exception
    assert app.query_params["sort"] == "score"
    scores = [float(bar.split()[1]) for bar in bars(app) if bar.startswith("Similarity")]
    assert scores == sorted(scores, reverse=True)
    for _ in range(4):
        app.button(key="find_more").click().run()
    words = [bar.split("**")[1] for bar in bars(app) if bar.startswith("Similarity")]
    lacking = [word for word, (there, asked) in zip(words, must_haves(app), strict=True) if there < asked]
    assert lacking
    assert "strong" not in lacking


def test_only_those_with_all_must_haves(page: Open, asking: str) -> None:
    """The switch is in the address; if nobody has all must-haves, a button includes the others."""
    app = page(project=asking)
    app.toggle(key="find_complete").set_value(True).run()
    assert not app.exception
    assert app.query_params["complete"] == "True"
    if nobody := "None of the 300 most similar freelancers has all" in texts(app):
        app.button(key="find_show_all").click().run()
        assert cards(app) == 10
    assert nobody or all(there == asked for there, asked in must_haves(app))


@pytest.mark.thorough
def test_nobody_has_all_must_haves(page: Open, market: MarketplaceStore) -> None:
    """A warning says so, and a button includes the others."""
    app = page(source="own", complete="True")
    app.text_area(key="find_own_text").set_value(OWN).run()
    chips(app, "mandatory").set_value(["SQL", "welding under water"]).run()
    assert not app.exception
    assert "**None of the 300 most similar freelancers has all 2 must-haves.**" in texts(app)
    app.button(key="find_show_all").click().run()
    assert cards(app) == 10


@pytest.mark.parametrize(("days", "said"), [(-400, "available now"), (0, "available now"), (400, "free from ")])
def test_when_somebody_is_free(page: Open, home: Path, days: int, said: str) -> None:
    """A past date counts as available now."""
    free = (date.today() + timedelta(days=days)).isoformat()
    people = [replace(each, available_from=free) for each in made_marketplace.freelancers()]
    blocks = [RecordBlock(projects=made_marketplace.projects(1), freelancers=people)]
    MarketplaceStore.open(Settings(home)).save("tiny", blocks, origin={})
    shown = texts(page()).replace("\u00a0", " ")
    assert shown.count(said) == 10


def test_chips_belong_to_their_text(page: Open, market: MarketplaceStore) -> None:
    """Chips of the earlier text that a slow browser still sends do not change those of the new text."""
    app = page(source="own")
    stale = chips(app, "mandatory")
    app.text_area(key="find_own_text").set_value(OWN).run()
    assert chips(app, "mandatory").proto.id != stale.proto.id
    app.session_state[stale.key] = ["Power BI"]
    app.run()
    assert sorted(chips(app, "mandatory").value) == ["Python", "SQL"]


@pytest.mark.thorough
def test_a_text_pasted_while_the_example_is_drawn(
    page: Open, market: MarketplaceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Skills of the example, whose run was interrupted, do not become skills of the pasted text."""
    with monkeypatch.context() as cut_short:
        cut_short.setattr(project_choice, "_category", lambda market: st.stop())
        app = page(source="own")
    app.text_area(key="find_own_text").set_value(OWN).run()
    assert not app.exception
    assert sorted(chips(app, "mandatory").value) == ["Python", "SQL"]
    assert chips(app, "bonus").value == ["Docker"]


def test_a_profile_unfolds(page: Open, market: MarketplaceStore) -> None:
    """The profile shows its texts, its id, and the sums behind the score."""
    app = page()
    assert not app.code
    app.session_state["find_card_profile_1"] = True
    app.run()
    assert not app.exception
    assert app.code[0].value.startswith("f0")
    assert "Parts of the profile: skills" in texts(app)


def test_long_projects_and_profiles_are_cut(page: Open, home: Path) -> None:
    """The card of each shows eight skills and the beginning; what was cut is in the project's and the profile's box."""
    skills = tuple(NamedSkill(str(number), f"skill {number}") for number in range(20))
    title, text = "data " * 40 + "engineer", "word " * 100 + "end"
    people = [replace(each, title=title, skills=skills[:5]) for each in made_marketplace.freelancers()]
    projects = [replace(each, description=text, mandatory=skills) for each in made_marketplace.projects(1)]
    blocks = [RecordBlock(projects=projects, freelancers=people)]
    MarketplaceStore.open(Settings(home)).save("long", blocks, origin={})
    app = page()
    assert not app.exception
    lines = [line.value for line in app.markdown if line.value.startswith(":small[Must have, 5 of 20]")]
    assert len(lines) == 10
    assert all(line.endswith(" :gray-badge[12 more]") for line in lines)
    cut, whole = [line.value for line in app.markdown if line.value.startswith("Must have: ")]
    assert cut.endswith(" :gray-badge[12 more]")
    assert "skill 19" in whole
    assert [line.value for line in app.expander[0].markdown] == [text, whole]
    assert "engineer" not in texts(app)
    app.session_state["find_card_profile_1"] = True
    app.run()
    assert f"**{title}**" in texts(app)
    assert "skill 19, missing" in texts(app)


def test_filters(page: Open, market: MarketplaceStore) -> None:
    """Filters are set by widgets and by the address, and cleared."""
    app = page()
    app.multiselect(key="find_languages").set_value(["de"]).run()
    app.number_input(key="find_rate").set_value(600).run()
    assert not app.exception
    assert "of 300 freelancers match the filters" in texts(app)
    assert (app.query_params["language"], app.query_params["rate"]) == ("de", "600")
    assert all(caption.value.startswith("German") for caption in app.caption if "a day" in caption.value)
    app.button(key="find_clear").click().run()
    assert "300 freelancers ·" in texts(app)
    assert "language" not in app.query_params


def test_filters_from_the_address(page: Open, market: MarketplaceStore) -> None:
    """The address sets every filter."""
    app = page(language="de,en,xx", country="DE", near="Berlin", km="900", by="2030-01-01", rate="900", family="25")
    assert not app.exception
    assert app.multiselect(key="find_languages").value == ["de", "en"]
    assert app.multiselect(key="find_countries").value == ["DE"]
    assert app.multiselect(key="find_families").value == ["25"]
    assert (app.selectbox(key="find_near").value, app.number_input(key="find_km").value) == ("Berlin", 900)
    assert str(app.date_input(key="find_by").value) == "2030-01-01"
    assert app.expander[0].label == "Filters · 6 set"


def test_an_address_with_nonsense(page: Open, market: MarketplaceStore) -> None:
    """Invalid values in the address are ignored."""
    app = page(
        marketplace="nope",
        model="<b>",
        project="p9",
        source="x",
        view="y",
        language="klingon",
        by="soon",
        rate="-1",
        km="9999999",
        near="",
        against="z",
    )
    assert not app.exception
    assert "There is no marketplace nope here." in texts(app)
    assert "There is no project p9" in texts(app)
    assert cards(app) == 10


def test_nobody_passes(page: Open, market: MarketplaceStore) -> None:
    """The page names the filter that excludes everybody, and offers to clear it."""
    app = page(language="pl", by="2000-01-01")
    assert not app.exception
    assert "No freelancers match these filters." in texts(app)
    assert "The filter on availability leaves nobody, regardless of the other filters." in texts(app)
    assert app.button(key="find_loosen_0").label.startswith("Without the filter on availability: ")
    app.button(key="find_loosen_0").click().run()
    assert cards(app) > 0
    assert app.multiselect(key="find_languages").value == ["pl"]


def test_several_filters_must_go(page: Open, market: MarketplaceStore) -> None:
    """Only the filters that exclude everybody are cleared."""
    app = page(language="pl", by="2000-01-01", rate="1")
    assert "the filters on availability and day rate" in app.button(key="find_loosen_0").label.replace("The", "the")
    app.button(key="find_loosen_all").click().run()
    assert "300 freelancers ·" in texts(app)


def test_a_place_that_is_none(page: Open, market: MarketplaceStore) -> None:
    """The form says so below the place, and keeps its button to clear the filters."""
    app = page(near="Atlantis")
    assert not app.exception
    [form] = [each for each in app.expander if each.label.startswith("Filters")]
    assert "Atlantis' is not a known place" in form.error[0].value.replace("\\", "")
    assert "Correct the place under 'Filters'" in texts(app)
    assert cards(app) == 0
    app.button(key="find_clear").click().run()
    assert cards(app) == 10


def test_a_project_of_ones_own(page: Open, market: MarketplaceStore) -> None:
    """The form starts with an example; its chips count as skills and follow the text."""
    app = page(source="own")
    assert not app.exception
    assert cards(app) == 10
    assert "Python" in chips(app, "mandatory").value
    app.text_area(key="find_own_text").set_value(OWN).run()
    assert sorted(chips(app, "mandatory").value) == ["Python", "SQL"]
    assert chips(app, "bonus").value == ["Docker"]
    assert "Read as: “Programmierer für die Abrechnung” · language: German" in texts(app)
    assert "Pay, places and dates in the text exclude nobody" in texts(app)
    chips(app, "mandatory").set_value(["SQL"]).run()
    app.text_area(key="find_own_text").set_value(OWN + " und Linux").run()
    assert chips(app, "mandatory").value == ["SQL"]
    assert chips(app, "bonus").value == ["Docker", "Linux"]
    assert texts(app).count(" of 1") == 10


@pytest.mark.thorough
def test_a_project_of_ones_own_comes_back(page: Open, another: Open, market: MarketplaceStore) -> None:
    """The address, which holds only an id, restores the project in another session."""
    app = page(source="own")
    app.text_area(key="find_own_text").set_value(OWN * 20).run()
    chips(app, "mandatory").set_value(["SQL", "welding"]).run()
    app.text_input(key="find_own_title").set_value("Our title").run()
    app.selectbox(key="find_own_category").set_value("2512").run()
    address = {name: app.query_params[name] for name in app.query_params}
    assert not any("Python" in str(value) or "Our" in str(value) for value in address.values())
    app = another(**address)
    assert not app.exception
    assert app.session_state["find_source"] == "own"
    assert app.text_area(key="find_own_text").value == OWN * 20
    assert chips(app, "mandatory").value == ["SQL", "welding"]
    assert app.selectbox(key="find_own_category").value == "2512"
    assert "Read as: “Our title”" in texts(app)
    assert "Stored on this server for 90 days" in texts(app)


def test_a_project_that_is_not_kept_any_more(page: Open, market: MarketplaceStore) -> None:
    """The page reports a deleted text and shows the example; text in the address is not an id."""
    app = page(text=OWN)
    assert not app.exception
    assert "There is no such text here." in texts(app)
    assert "Python" in chips(app, "mandatory").value


@pytest.mark.thorough
def test_a_kept_project_is_deleted(page: Open, market: MarketplaceStore, home: Path) -> None:
    """Deleting asks for confirmation."""
    app = page(source="own")
    app.text_area(key="find_own_text").set_value(OWN).run()
    assert len(list((home / "texts" / "projects").iterdir())) == 1
    app.button(key="find_own_link_delete").click().run()
    app.button(key="find_own_link_delete_confirmed").click().run()
    assert not app.exception
    assert list((home / "texts" / "projects").iterdir()) == []
    assert "Umzug" in str(app.text_area(key="find_own_text").value)


def test_an_empty_form(page: Open, market: MarketplaceStore) -> None:
    """The page says what to do next."""
    app = page(source="own")
    app.text_area(key="find_own_text").set_value(" ").run()
    assert not app.exception
    shown = [each for each in app.main if isinstance(each, Info | TextArea | Multiselect)]
    assert [type(each) for each in shown[:3]] == [TextArea, Info, Multiselect], "between the text and its skills"
    assert "Paste a project's text above" in texts(app)
    assert cards(app) == 0
    assert "text" not in app.query_params


@pytest.mark.thorough
def test_a_copy_can_be_changed(page: Open, market: MarketplaceStore) -> None:
    """The copy has all fields of the project."""
    app = page()
    project = market.load("demo").projects[0]
    app.button(key="find_copy").click().run()
    assert not app.exception
    assert app.text_input(key="find_own_title").value == project.title
    assert chips(app, "mandatory").value == [skill.text for skill in project.mandatory]
    assert app.selectbox(key="find_own_category").value == project.category
    assert cards(app) == 10


def test_the_map(page: Open, market: MarketplaceStore) -> None:
    """The map is drawn without network access."""
    app = page(view="map")
    assert not app.exception
    assert "Click a circle to see who is there" in texts(app)
    [chart] = app.get("plotly_chart")
    assert "scattergeo" not in chart.proto.spec
    assert "Where the first 100 freelancers are" in chart.proto.spec


@pytest.mark.usefixtures("market")
def test_a_few_words_lead_to_the_search(page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search box opens the page 'Search' with the same marketplace; blank text does nothing."""
    asked: list[tuple[str, dict[str, str]]] = []
    monkeypatch.setattr(st, "switch_page", lambda path, query_params: asked.append((path, query_params)))
    app = page()
    app.text_input(key="search_box").set_value("  ").run()
    assert asked == []
    app.text_input(key="search_box").set_value("logo designer").run()
    assert not app.exception
    query = {"in": "freelancers", "query": "logo designer", "marketplace": "demo"}
    assert asked == [("pages/search/search.py", query)]
