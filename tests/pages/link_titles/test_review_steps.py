"""Steps through the table of the review desk: the current title, skipping, clearing a decision, several spellings."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from jobmatch_core.linking.decisions import DECISIONS
from tests.pages.link_titles.made_lists import kept_rows, keys, select, statuses
from tests.pages.observed import headline, link_list, stored_judgments, table, texts, words


def selected(app: AppTest) -> list[object]:
    """Return the titles of the rows that the table highlights."""
    rows = app.session_state["many_table"]["selection"]["rows"]
    return [table(app)[row]["Title"] for row in rows]


def test_the_title_of_the_panel_is_highlighted(app: AppTest) -> None:
    """The first at first, then the next one, also after a filter; an undone title comes back."""
    link_list(app, "accounts of a cook", "nurse", "Koch")
    assert selected(app) == ["accounts of a cook"]
    app.button(key="accept").click().run()
    next_title = table(app)[0]["Title"]
    assert selected(app) == [next_title]
    assert f"**{next_title}**" in texts(app)
    app.text_input(key="many_search").set_value("koch").run()
    assert selected(app) == ["Koch"]
    app.button(key="none_of_these").click().run()
    app.text_input(key="many_search").set_value("").run()
    app.button(key="undo").click().run()
    assert selected(app) == ["Koch"]


def test_titles_are_skipped_and_gone_back_to(app: AppTest) -> None:
    """Without a decision, and not beyond the ends; a decision on a skipped-to title shows the one below."""
    titles = ["accounts of a cook", "Kellner Koch", "nurse"]
    link_list(app, *titles)
    order = [row["Title"] for row in table(app)]
    assert app.button(key="back").proto.shortcut == "b"
    assert app.button(key="skip").proto.shortcut == "s"
    seen = selected(app)
    for key in ("skip", "skip", "skip", "back"):
        app.button(key=key).click().run()
        seen += selected(app)
    assert seen == [order[0], order[1], order[2], order[2], order[1]]
    assert not {*statuses(app).values()} & {"accepted", "none of these"}
    app.button(key="none_of_these").click().run()
    assert selected(app) == [order[2]]
    assert statuses(app)[order[1]] == "none of these"
    app.button(key="none_of_these").click().run()
    assert selected(app) == [order[0]], "what was skipped comes after the last one"


def test_the_order_and_the_last_decision_are_said(app: AppTest) -> None:
    """Above the table."""
    link_list(app, "accounts of a cook", "nurse")
    assert "To check first, the least certain on top" in texts(app)
    app.button(key="accept").click().run()
    assert "Last: accounts of a cook: 5120 cook · to check first" in texts(app)
    app.button(key="undo").click().run()
    assert "Last: accounts of a cook: decision undone" in texts(app)
    app.button(key="new_list").click().run()
    link_list(app, "nurse")
    assert "Last:" not in texts(app)


def test_a_decision_is_cleared_later(app: AppTest, home: Path, cookies: dict[str, str]) -> None:
    """Its judgments are withdrawn, also those of an earlier session; the undo brings it back."""
    cookies["jobmatch_annotator"] = "Ann"
    link_list(app, "nurse", "Koch", "nurse")
    assert "clear_decision" not in keys(app)
    select(app, [row["Title"] for row in table(app)].index("nurse"))
    app.button(key="accept").click().run()
    app.button(key="accept").click().run()
    assert len(stored_judgments(home)) == 2
    del app.session_state["review_judgments"]  # as in another session
    select(app, [row["Title"] for row in table(app)].index("nurse"))
    app.button(key="clear_decision").click().run()
    assert not app.exception
    assert statuses(app) == {"nurse": "sure", "Koch": "accepted"}
    assert selected(app) == ["nurse"]
    assert words(stored_judgments(home)) == [("Koch", "cook", "positive")]
    assert [row["decision"] for row in kept_rows(app)] == [None, "accepted", None]
    app.button(key="undo").click().run()
    assert statuses(app)["nurse"] == "accepted"
    assert ("nurse", "nurse", "positive") in words(stored_judgments(home))


def test_spellings_of_a_title_are_decided_once(app: AppTest) -> None:
    """The panel names the others."""
    link_list(app, "Koch", "KOCH", "koch", "nurse", "Koch")
    assert {row["Title"]: row["Rows"] for row in table(app)} == {"Koch": 4, "nurse": 1}
    select(app, [row["Title"] for row in table(app)].index("Koch"))
    assert "also for 2 spellings: KOCH, koch" in texts(app)
    app.button(key="accept").click().run()
    assert [row["decision"] for row in kept_rows(app)] == ["accepted"] * 3 + [None, "accepted"]


def test_one_set_of_numbers(app: AppTest) -> None:
    """The headline counts what the chips count, also what was decided earlier; they add up to the rows of the list."""
    link_list(app, "accounts of a cook")
    app.button(key="none_of_these").click().run()
    app.button(key="new_list").click().run()
    link_list(app, "nurse", "Koch", "accounts of a cook", "Kellner Koch Krankenpfleger")
    app.button(key="accept").click().run()
    chips = dict(option.rsplit(" ", 1) for option in app.pills(key="many_status").options)
    left = int(chips.get("to check", 0)) + int(chips.get("unsure", 0))
    said = f"**{left} left to check**" if left else "**Nothing is left to check**"
    decided = sum(int(chips.get(status, 0)) for status in DECISIONS)
    assert decided == 2
    assert headline(app) == f"{said} · {decided} of 4 decided"
    assert sum(map(int, chips.values())) == 4


def test_the_group_of_a_hit_is_enough_after_a_search(app: AppTest) -> None:
    """Not that of the linker's first occupation."""
    link_list(app, "accounts of a cook")
    assert app.button(key="group_enough").label == "Group 5120 is enough"
    app.text_input(key="other_0").set_value("Krankenschwester").run()
    assert app.button(key="group_enough").label == "Group 2221 is enough"
    app.button(key="group_enough").click().run()
    [row] = kept_rows(app)
    assert (row["decided_level"], row["decided_isco"], row["isco"]) == ("unit group", "2221", "2221")
