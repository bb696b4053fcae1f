"""The page 'Link titles': one title, its answer, the evidence, and settings in the address."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch_core.entities import (
    ISCO_URI,
    Candidate,
    Evidence,
    GroupOffer,
    LinkResult,
)
from jobmatch_core.linking import Linker
from jobmatch_core.taxonomy import BUNDLED_ID
from tests.pages.link_titles.made_lists import select
from tests.pages.observed import (
    headline,
    left_to_check,
    link_list,
    options,
    pick,
    stored_judgments,
    table,
    texts,
    words,
)


def test_opens_with_an_example_and_its_answer(app: AppTest) -> None:
    """The page opens with an example and its candidates."""
    app.run()
    assert not app.exception
    assert app.text_input(key="title").value == "Krankenschwester (m/w/d)"
    assert "**nurse**" in texts(app)
    assert "Matched “Krankenschwester”, German" in texts(app)
    assert "Ignored: (m/w/d)" in texts(app)


def test_shows_names_in_the_language_asked_for(app: AppTest) -> None:
    """The names change language, and the address holds it."""
    app.run()
    app.selectbox(key="show").set_value("fr").run()
    assert "**infirmier**" in texts(app)
    assert app.query_params["show"] == "fr"


def test_an_example_is_linked_by_a_click(app: AppTest) -> None:
    """A click on an example below the input links it."""
    app.run()
    label = app.button(key="example_1").label
    app.button(key="example_1").click().run()
    assert app.text_input(key="title").value == label
    assert "Matched “" in texts(app)
    assert "No confident match" not in texts(app)


@pytest.mark.thorough
def test_groups_are_linked_to_where_asked_for(app: AppTest) -> None:
    """With groups, the best candidate for a group's name is the group."""
    app.run()
    app.text_input(key="title").set_value("Health professionals").run()
    assert ":gray[Health professionals] :gray[ISCO 22]" not in texts(app)
    app.toggle(key="groups").set_value(True).run()
    assert not app.exception
    assert ":gray[1] **Health professionals** :gray[ISCO 22]" in texts(app)


def test_the_address_brings_a_view_back(app: AppTest) -> None:
    """The address restores title and language."""
    app.query_params.update({"title": "Kellnerin", "show": "de"})
    app.run()
    assert "**Kellner**" in texts(app)


def test_a_click_with_a_late_address_changes_nothing_back(app: AppTest) -> None:
    """A quick click that still carries the earlier address does not restore the earlier title."""
    app.query_params["title"] = "Koch"
    app.run()
    app.text_input(key="title").set_value("Kellner").run()
    app.query_params["title"] = "Koch"
    app.run()
    assert app.text_input(key="title").value == "Kellner"
    app.query_params["title"] = "plombier"
    app.run()
    assert app.text_input(key="title").value == "plombier"


def test_an_unknown_taxonomy_in_the_address_is_named(app: AppTest) -> None:
    """A warning names the unknown taxonomy, and the default is used."""
    app.query_params["taxonomy"] = "<b>none</b>"
    app.run()
    assert not app.exception
    assert "The taxonomy <b>none</b> is not installed here" in texts(app)
    assert app.selectbox(key="taxonomy").value == "isco-08"


def test_an_empty_title_asks_for_one(app: AppTest) -> None:
    """Blanks are not a title."""
    app.run()
    app.text_input(key="title").set_value("   ").run()
    assert not app.exception
    assert "Type a job title above" in texts(app)


def test_a_title_in_another_script_finds_nothing(app: AppTest) -> None:
    """Without candidates, the page names the languages of the taxonomy."""
    app.query_params["title"] = "ᚠᚢᚦᚨᚱᚲ"
    app.run()
    assert "**Nothing found** for “ᚠᚢᚦᚨᚱᚲ”: no names in Runic. This taxonomy has names in" in texts(app)


def test_abstains_and_shows_its_guesses_as_guesses(app: AppTest) -> None:
    """Below the threshold the page shows guesses, not in bold."""
    app.query_params["title"] = "accounts of a cook"
    app.run()
    assert not app.exception
    assert "No confident match" in texts(app)
    assert [link.proto.page for link in app.get("page_link")][:1] == ["search"]
    assert "Best guesses" in texts(app)
    assert "**nurse**" not in texts(app)


def test_names_and_titles_are_not_read_as_markdown(app: AppTest) -> None:
    """Text from files and people is escaped, and HTML is never allowed."""
    app.query_params["title"] = "**bold** <script>alert(1)</script> [link](http://example.org) :red[x]"
    app.run()
    assert not app.exception
    drawn = "\n".join(str(element.value) for element in app.markdown)
    assert r"\*\*bold\*\* \<script\>alert\(1\)" in drawn
    assert r"\[link\]\(http\:" in drawn
    assert ":red[" not in drawn
    assert not any(element.allow_html for element in app.markdown)


def test_details_open_with_description_and_all_names(app: AppTest) -> None:
    """The opened card shows description, skills and all names."""
    app.session_state["details_1"] = True
    app.run()
    assert not app.exception
    assert "Cares for patients." in texts(app)
    assert "5 Service" not in texts(app)
    assert "2 Professionals › 22 Health professionals" in texts(app)
    assert "This taxonomy lists no skills" in texts(app)
    assert app.code[0].value == "nurse"
    names = app.dataframe[0].value
    assert {"Krankenpfleger", "Krankenschwester"} <= set(names["Name"])


def test_matching_only_some_languages(app: AppTest) -> None:
    """A German name does not match if only French names are allowed."""
    app.query_params["title"] = "Krankenschwester"
    app.session_state["match_languages"] = ["fr"]
    app.run()
    assert "Matched “Krankenschwester”" not in texts(app)


def test_a_damaged_taxonomy_is_an_error_in_words(app: AppTest, home: Path) -> None:
    """A damaged file is an error message, not a traceback."""
    table = home / "taxonomies" / "tiny-1" / "names.parquet"
    table.unlink()
    table.write_bytes(b"no table")
    app.run()
    assert not app.exception
    assert "damaged" in texts(app)


@pytest.fixture
def of_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """A linker that is certain of unit group 2512 for 'Entwickler', but of none of its occupations."""

    def link_all(self: Linker, titles: Sequence[str], **options: Any) -> list[LinkResult]:
        results = original(self, titles, **options)
        return [_of_group(result) if result.title == "Entwickler" else result for result in results]

    original = Linker.link_all
    monkeypatch.setattr(Linker, "link_all", link_all)


def _of_group(result: LinkResult) -> LinkResult:
    developer = Candidate("developer", "software developer", "2512", 0.4, Evidence("developer", "en", {}))
    waiter = Candidate("waiter", "waiter", "5131", 0.02, Evidence("waiter", "en", {}))
    group = GroupOffer("2512", "Software developers", 0.93)
    return replace(result, candidates=(developer, waiter), abstained=False, group=group)


@pytest.mark.usefixtures("of_group")
def test_a_unit_group_is_shown_as_an_answer(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its code and name come first, then its occupations, then others as guesses; the announcement names it too."""
    heard: list[str] = []
    monkeypatch.setattr("pages.link_titles.one_title.announce", heard.append)
    app.query_params["title"] = "Entwickler"
    app.run()
    assert not app.exception
    found = texts(app)
    assert "#### 2512 Software developers" in found
    assert "None of its occupations alone is sure enough; choose one below, or accept the group." in found
    assert "No confident match" not in found
    assert ":gray[1] **software developer**" in found
    assert ":gray[2] :gray[waiter]" in found
    assert found.index("software developer**") < found.index("Occupations of other unit groups:")
    assert heard[-1].startswith("Entwickler: unit group 2512 Software developers, probability 0.93.")


@pytest.mark.usefixtures("of_group")
def test_a_row_linked_to_a_unit_group_counts_as_linked(app: AppTest) -> None:
    """Table, filters and headline count it; it is accepted as a group unless an occupation is chosen."""
    link_list(app, "Entwickler", "nurse", "accounts of a cook")
    assert left_to_check(app) == "**1 left to check**"

    def row_of_group() -> dict[str, object]:
        return {row["Title"]: row for row in table(app)}["Entwickler"]

    def select_group() -> None:
        select(app, [row["Title"] for row in table(app)].index("Entwickler"))

    linked = row_of_group()
    assert (linked["Occupation"], linked["Status"]) == ("2512 Software developers", "sure")
    assert linked["Probability"] == 0.93
    app.session_state["many_filter"] = True
    app.run()
    assert app.multiselect(key="many_reasons").options == ["unknown word · 1"]
    assert app.multiselect(key="many_levels").options == ["occupation · 1", "unit group · 1"]
    app.multiselect(key="many_levels").set_value(["unit group"]).run()
    assert [row["Title"] for row in table(app)] == ["Entwickler"]
    app.button(key="remove_level_unit group").click().run()
    select_group()
    assert options(app)[0] == "Software developers (unit group 2512) · 0.93"
    assert "ISCO 2 Professionals › 25 " in texts(app)
    assert app.button(key="group_enough").disabled, "it is the first option"
    app.button(key="accept").click().run()
    accepted = row_of_group()
    assert accepted == linked | {"Status": "accepted"}
    select_group()
    pick(app, "software developer")
    assert (row_of_group()["Occupation"], row_of_group()["Status"]) == ("software developer", "changed")


@pytest.mark.first_case
@pytest.mark.usefixtures("of_group")
@pytest.mark.parametrize("way", ["one", "several", "all"])
def test_a_unit_group_is_accepted_as_a_group(app: AppTest, home: Path, way: str) -> None:
    """Key, selection and the button for all accept the group, and the title becomes the name of no occupation."""
    link_list(app, "Entwickler", "nurse")
    if way == "all":
        assert app.button(key="accept_many").label == "Accept all 2 sure, 1 of them unit groups"
    rows = [row["Title"] for row in table(app)]
    select(app, *([rows.index("Entwickler")] if way == "one" else range(len(rows)) if way == "several" else []))
    app.button(key="accept_many" if way == "all" else "accept").click().run()
    assert not app.exception
    judged = {title: uri for title, uri, verdict in words(stored_judgments(home)) if verdict == "positive"}
    assert judged["Entwickler"] == f"{ISCO_URI}2512"
    review = app.session_state["many_open"].review
    row = next(row for row in review.to_rows() if row["title"] == "Entwickler")
    assert (row["decision"], row["decided_level"], row["decided_isco"]) == ("accepted", "unit group", "2512")
    assert (row["link_level"], row["link_probability"], row["link_group"]) == (
        "unit group",
        0.93,
        "Software developers",
    )


@pytest.mark.first_case
@pytest.mark.parametrize("way", ["one", "searched", "several", "all for all", "all"])
def test_a_group_of_isco_08_is_accepted_as_a_group(app: AppTest, way: str) -> None:
    """An occupation has the same URI, yet the next link is to the group, with the annotator's name."""
    title, officers = "Police Person", f"{ISCO_URI}5412"
    app.query_params["taxonomy"] = BUNDLED_ID
    link_list(app, title, "a police person")
    rows = [row["Title"] for row in table(app)]
    assert all(str(row["Occupation"])[:4].isdigit() for row in table(app))
    if way == "all":
        app.slider(key="accept_from").set_value(0.5).run()
    else:
        select(app, *([rows.index(title)] if way in ("one", "searched") else range(len(rows))))
    [search] = [each for each in app.text_input if each.label == "Another occupation"]
    if way == "searched":
        search.set_value("police officer").run()
    if way == "all for all":
        app.selectbox[-1].set_value(("occupation", officers)).run()
    app.button(key="accept_many" if way == "all" else "accept").click().run()
    assert not app.exception
    row = next(row for row in app.session_state["many_open"].review.to_rows() if row["title"] == title)
    assert (row["decision"], row["decided_level"], row["decided_uri"]) == ("accepted", "unit group", officers)
    app.button(key="new_list").click().run()
    link_list(app, title)
    [row] = table(app)
    assert (row["Occupation"], row["Status"]) == ("5412 Police officers", "sure")
    [row] = app.session_state["many_open"].review.to_rows()
    assert (row["link_matched_name"], row["link_matched_source"]) == (title, "own")
    assert "Earlier verdicts: " in texts(app)


def test_a_group_of_isco_08_is_accepted_for_one_title(app: AppTest, cookies: dict[str, str]) -> None:
    """The card of the group and of the equal occupation are the same; the name keeps its capitals."""
    cookies["jobmatch_annotator"] = "Ann Lee"
    app.query_params["taxonomy"], app.query_params["title"] = BUNDLED_ID, "Police Person"
    app.run()
    app.button(key="judge_1_positive").click().run()
    assert not app.exception
    assert "ISCO-08 unit group. Accepted by Ann Lee on " in texts(app)
    assert app.button(key="judge_group_undo")


def test_what_is_sure_is_counted_alike_everywhere(app: AppTest) -> None:
    """Headline, chips, button and file count alike, before and after decisions."""
    link_list(app, "nurse", "Koch", "nurse", "accounts of a cook")

    def counted() -> tuple[str, list[str], str, list[object]]:
        rows = list(app.session_state["many_open"].review.to_rows())
        return (
            headline(app),
            list(app.pills(key="many_status").options),
            app.button(key="accept_many").label,
            [row["link_status"] for row in rows],
        )

    said, chips, button, statuses = counted()
    assert said == "**1 left to check** · 0 of 4 decided"
    assert (chips, button, statuses.count("sure")) == (["sure 3", "to check 1"], "Accept all 3 sure", 3)
    app.button(key="accept_many").click().run()
    said, chips, button, statuses = counted()
    assert said == "**1 left to check** · 3 of 4 decided", "what is sure was not left"
    assert (chips, button) == (["to check 1", "accepted 3"], "Nothing to accept")
    assert (statuses.count("sure"), statuses.count("accepted")) == (0, 3)


def test_a_unit_group_is_accepted_on_its_card(app: AppTest, home: Path, request: pytest.FixtureRequest) -> None:
    """The verdict is on the group, for this title only."""
    request.getfixturevalue("of_group")
    app.query_params["title"] = "Entwickler"
    app.run()
    app.button(key="judge_group_positive").click().run()
    assert words(stored_judgments(home)) == [("Entwickler", f"{ISCO_URI}2512", "positive")]
    app.button(key="judge_group_undo").click().run()
    assert stored_judgments(home) == []


def test_the_target_precision_moves_the_threshold(app: AppTest) -> None:
    """The slider changes the threshold of one title and shows the coverage; a list keeps its own until linked again."""
    link_list(app, "nurse", "nurse helper")
    costs = [caption.value for caption in app.caption if "of the titles that it was measured on" in caption.value]
    app.slider(key="precision").set_value(0.98).run()
    assert not app.exception
    [cost] = [caption.value for caption in app.caption if "of the titles that it was measured on" in caption.value]
    assert costs != [cost]
    assert "Linked with a target precision of 0.90" in texts(app)
    app.button(key="relink").click().run()
    assert app.session_state["many_open"].review.options.precision == 0.98
    assert "Linked with a target precision" not in texts(app)
    app.segmented_control(key="view").set_value("one").run()
    app.text_input(key="title").set_value("nurse helper").run()
    strict = "No confident match" in texts(app)
    app.slider(key="precision").set_value(0.80).run()
    assert (strict, "No confident match" in texts(app)) == (True, False)
