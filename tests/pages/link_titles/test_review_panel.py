"""The panel of the review desk: options, their keys, searches, and verdicts on one title or several."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch.services.background_call import Background
from jobmatch.services.searching import SearchingService
from jobmatch_core.entities import ISCO_URI, GroupOffer, LinkResult
from jobmatch_core.errors import ModelError
from jobmatch_core.linking import Linker
from jobmatch_core.taxonomy import BUNDLED_ID
from pages.link_titles import occupation_choice
from tests.pages.link_titles.made_lists import kept_rows, picker, select
from tests.pages.observed import link_list, options, stored_judgments, table, texts, words


def test_another_candidate_can_be_picked(app: AppTest) -> None:
    """An option decides at once, and the next title is shown; a decided title shows its decision first."""
    link_list(app, "Kellner Koch Krankenpfleger", "nurse")
    first, second, *_ = options(app)
    assert {first.split(" · ")[0], second.split(" · ")[0]} < {"cook", "nurse", "waiter"}
    app.button(key="pick_2").click().run()
    assert "**nurse**" in texts(app), "the next title"
    [row] = [row for row in table(app) if row["Status"] == "changed"]
    assert row["Occupation"] == second.split(" · ")[0]
    decided = {row["title"]: row["decided_uri"] for row in kept_rows(app)}
    assert decided == {"Kellner Koch Krankenpfleger": row["Occupation"], "nurse": None}
    select(app, 1)
    assert options(app)[:2] == [second, first]
    app.button(key="accept").click().run()
    assert [row["Status"] for row in table(app)].count("changed") == 1


def test_the_first_option_is_what_the_table_shows(app: AppTest) -> None:
    """'This is right' takes it; without any option there is nothing to accept."""
    link_list(app, "accounts of a cook", "nurse", "ᚠᚢᚦᚨᚱᚲ ᚷᚹ")
    for number, row in enumerate(table(app)):
        select(app, number)
        name = str(row["Occupation"]).removeprefix("? ")
        found = options(app)
        assert (found[0].split(" · ")[0] if found else "nothing found") == name
        assert app.button(key="accept").disabled == (not found)
        assert app.button(key="accept").help == (f"Accepts {name}, the first of the list" if found else "")
        assert [each.key for each in app.button if str(each.key).startswith("pick_")] == [
            f"pick_{place}" for place in range(1, len(found) + 1)
        ]
        nothing = "The taxonomy has no similar name. Search for an occupation above."
        assert (nothing in texts(app)) == (not found)


def test_options_have_the_keys_of_their_digits(app: AppTest) -> None:
    """The first nine; verdicts have letters."""
    link_list(app, "Kellner Koch Krankenpfleger")
    app.text_input(key="other_0").set_value("works with people").run()
    shortcuts = {str(each.key): each.proto.shortcut for each in app.button}
    assert [shortcuts[f"pick_{place}"] for place in range(1, 6)] == ["1", "2", "3", "4", "5"]
    assert {shortcuts[key] for key in shortcuts if key.startswith("pick_")} <= {*"123456789", ""}
    verdicts = [shortcuts[key] for key in ("accept", "none_of_these", "group_enough", "undo")]
    assert verdicts == ["a", "n", "g", "u"]


def test_a_search_lists_each_occupation_once(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hits come first with ISCO codes; candidates keep their probability."""
    monkeypatch.setattr(occupation_choice, "_PATIENCE_SECONDS", 600.0)  # whatever the machine's load
    link_list(app, "Kellner Koch")
    candidates = options(app)
    assert all(re.search(r" · ISCO \d{4} · ([01]\.\d\d|under 0\.01)$", label) for label in candidates)
    app.text_input(key="other_0").set_value("Krankenschwester").run()
    assert not app.exception
    labels = options(app)
    assert labels[0].startswith("nurse · ISCO 2221")
    assert set(candidates) <= set(labels)
    names = [label.split(" · ")[0] for label in labels]
    assert len(set(names)) == len(names)
    app.text_input(key="other_0").set_value("serves guests").run()  # only its description says so
    assert options(app)[0] in candidates
    assert options(app)[0].startswith("waiter · ISCO 5131")
    assert set(candidates) <= set(options(app))
    app.button(key="accept").click().run()
    assert [row["decided_uri"] for row in kept_rows(app)] == ["waiter"]


def test_a_search_that_finds_nothing_says_so(app: AppTest) -> None:
    """The candidates stay."""
    link_list(app, "Kellner Koch")
    candidates = options(app)
    app.text_input(key="other_0").set_value("ᚠᚢᚦᚨᚱᚲ").run()
    assert "No occupation matches these words." in texts(app)
    assert options(app) == candidates


def test_a_search_without_its_model_is_the_linkers_alone(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The linker searches alone, and the page shows the reason."""

    def refuse(*source: object) -> None:
        raise ModelError("The search model in use, gone, cannot be used.")

    monkeypatch.setattr(SearchingService, "opening", refuse)
    link_list(app, "ᚠᚢᚦᚨᚱᚲ ᚷᚹ")
    app.text_input(key="other_0").set_value("Krankenschwester").run()
    assert "The search model in use, gone, cannot be used" in texts(app)
    assert options(app)[0].startswith("nurse")


def test_a_search_does_not_wait_for_its_index(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the index is built, the linker searches alone, and its hits can be accepted."""
    built = Event()
    index = Background(lambda _: built.wait())
    monkeypatch.setattr(SearchingService, "opening", lambda *_: index)
    monkeypatch.setattr(occupation_choice, "_PATIENCE_SECONDS", 0.01)
    link_list(app, "Kellner Koch")
    app.text_input(key="other_0").set_value("Krankenschwester").run()
    assert not app.exception
    assert "Searched in names only" in texts(app)
    app.button(key="accept").click().run()
    built.set()
    assert [row["decided_uri"] for row in kept_rows(app)] == ["nurse"]


def test_ticked_titles_get_another_occupation_together(app: AppTest) -> None:
    """A candidate or a hit applies to all selected titles, in one step with one undo."""
    link_list(app, "Koch", "Kellner", "Krankenpfleger", "ᚠᚢᚦᚨᚱᚲ ᚷᚹ")
    before = table(app)
    select(app, 0, 1, 2)
    assert app.button(key="accept").label.startswith("These ")
    assert picker(app).value is None
    picker(app).set_value(("occupation", "cook")).run()
    assert app.button(key="accept").label == "All 3 are cook"
    [search] = [each for each in app.text_input if each.label == "Another occupation"]
    search.set_value("Friseurin").run()
    assert app.button(key="accept").label == "All 3 are hairdresser"
    app.button(key="accept").click().run()
    assert not app.exception
    decided = [row["decided_uri"] for row in kept_rows(app) if row["decided_uri"]]
    assert decided == ["barber"] * 3
    app.button(key="undo").click().run()
    assert table(app) == before
    select(app, *range(4))
    picker(app).set_value(("occupation", "cook"))
    app.button(key="accept").click().run()  # at once
    rows = {row["title"]: row for row in kept_rows(app)}
    assert {row["decided_uri"] for row in rows.values()} == {"cook"}
    assert (rows["Koch"]["decision"], rows["Kellner"]["decision"]) == ("accepted", "changed")


def test_an_occupation_that_was_not_proposed_can_be_searched(app: AppTest) -> None:
    """A title without candidates can be linked by a search."""
    link_list(app, "ᚠᚢᚦᚨᚱᚲ ᚷᚹ")
    app.text_input(key="other_0").set_value("pfleger").run()
    app.button(key="accept").click().run()
    assert not app.exception
    assert (table(app)[0]["Status"], table(app)[0]["Probability"]) == ("changed", None)
    [row] = kept_rows(app)
    assert (row["decision"], row["decided_uri"], row["decided_by"], row["link_uri"]) == ("changed", "nurse", "me", None)


def test_the_panel_marks_what_decides_about_a_title(app: AppTest) -> None:
    """Unknown words are orange, ignored pieces are gray, and both are named."""
    link_list(app, "accounts of a  cook (m/w/d)")
    assert ":orange[**accounts**] :orange[**of**] :orange[**a**] **cook** :gray[(m/w/d)]" in texts(app)
    assert "unknown: accounts, of, a · ignored: (m/w/d)" in texts(app)
    assert "Row 1 · to check: unknown word" in texts(app)


def test_the_panel_says_how_far_a_title_is_coded(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The deepest group that is sure, of a title that is not linked."""
    original = Linker.link_all

    def link_all(self: Linker, titles: Sequence[str], **choices: Any) -> list[LinkResult]:
        coded = GroupOffer("51", "Service <b>", 0.93)
        return [replace(each, coded=coded) for each in original(self, titles, **choices)]

    monkeypatch.setattr(Linker, "link_all", link_all)
    link_list(app, "accounts of a cook", "nurse")
    assert "partly coded: 51 Service <b>" in texts(app)
    select(app, [row["Title"] for row in table(app)].index("nurse"))
    assert "partly coded" not in texts(app)


def test_the_group_of_a_title_is_enough(app: AppTest, home: Path) -> None:
    """One key for the unit group of the likeliest occupation, where the occupation itself does not matter."""
    link_list(app, "accounts of a cook", "juggler")
    assert app.button(key="group_enough").label == "Group 5120 is enough"
    assert app.button(key="group_enough").help == "Unit group 5120 Cooks"
    app.button(key="group_enough").click().run()
    assert not app.exception
    rows = {row["Title"]: row for row in table(app)}
    assert rows["accounts of a cook"]["Occupation"] == "5120 Cooks"
    assert rows["accounts of a cook"]["Status"] == "changed"
    decided = kept_rows(app)[0]
    assert (decided["decided_level"], decided["decided_isco"]) == ("unit group", "5120")
    assert ("accounts of a cook", f"{ISCO_URI}5120", "positive") in words(stored_judgments(home))
    select(app, [row["Title"] for row in table(app)].index("juggler"))
    assert app.button(key="group_enough").disabled, "a juggler has no code"
    assert app.button(key="group_enough").label == "The group is enough"
    select(app, [row["Title"] for row in table(app)].index("accounts of a cook"))
    assert options(app)[0].startswith("Cooks (unit group 5120)")
    app.button(key="undo").click().run()
    assert stored_judgments(home) == []


def test_in_isco_08_no_group_is_offered_beside_it(app: AppTest) -> None:
    """The occupations are the groups."""
    app.query_params["taxonomy"] = BUNDLED_ID
    link_list(app, "cook", "qwertz", "Lehrkraft")
    for row in range(3):
        assert select(app, row).button(key="group_enough").disabled
