"""The question that would settle a title, on both views of 'Link titles'."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch_core.entities import Candidate, Evidence, LinkResult
from jobmatch_core.labelling.own_names import ANSWERED
from jobmatch_core.link_reasons import NOT_SURE
from jobmatch_core.linking import Linker
from jobmatch_core.questions.option_texts import OptionText
from tests.pages.link_titles.made_lists import kept_rows, keys
from tests.pages.observed import link_list, stored_judgments, texts

OPEN = "Kellner oder Koch"
HOSTILE = "<b>Serve</b> [meals](http://x) $x$"


@pytest.fixture(autouse=True)
def open_title(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave one title open between waiter and cook, told apart by a hostile text and one from right to left."""

    def link_all(self: Linker, titles: Sequence[str], **options: Any) -> list[LinkResult]:
        return [_open(self, result) if result.title == OPEN else result for result in original(self, titles, **options)]

    def told_apart(*_: object) -> list[OptionText]:
        return [OptionText(HOSTILE, "skills in made"), OptionText("יבשל ארוחות", "skills in made")]

    original = Linker.link_all
    monkeypatch.setattr(Linker, "link_all", link_all)
    monkeypatch.setattr("jobmatch_core.questions.question.option_texts", told_apart)


def _open(linker: Linker, result: LinkResult) -> LinkResult:
    shares = {"waiter": 0.45, "cook": 0.4}
    codes = {name: linker.taxonomy.isco_codes[linker.taxonomy.number(name)] for name in shares}
    candidates = [Candidate(name, name, codes[name], share, Evidence(name, "en", {})) for name, share in shares.items()]
    return replace(result, candidates=tuple(candidates), abstained=True, group=None, reason=NOT_SURE, coded=None)


def test_one_click_settles_a_title(app: AppTest, jobmatch_home: Path) -> None:
    """The answer orders the candidates, is recorded as one person's, and can be changed; its texts are escaped."""
    app.query_params["title"] = OPEN
    app.session_state["annotator"] = "Ann"
    app.run()
    assert not app.exception
    assert "Which of these describes your work best?" in texts(app)
    assert "<b>" not in app.button(key="question_0").label
    assert "\\<b\\>" in app.button(key="question_0").label
    assert ":gray[1] :gray[waiter]" in texts(app)
    app.button(key="question_1").click().run()
    assert not app.exception
    assert ":gray[1] **cook**" in texts(app)
    assert "Answered: “" in texts(app)
    app.button(key="change_answer").click().run()
    assert "question_0" in keys(app)
    app.button(key="question_none").click().run()
    assert "Answered: “None of these”" in texts(app)
    assert [judgment.provenance.policy for judgment in stored_judgments(jobmatch_home)] in ([], [ANSWERED])


def test_an_answer_decides_on_a_row(app: AppTest) -> None:
    """In the panel, like a click on what it settles the title as; other titles have no question."""
    link_list(app, OPEN, "nurse")
    app.session_state["annotator"] = "Ann"
    app.run()
    assert "panel_question_0" in keys(app)
    [folded] = [each for each in app.expander if each.label == "One question would settle it"]
    assert not folded.proto.expanded, "the candidates are in sight"
    app.button(key="panel_question_1").click().run()
    assert not app.exception
    assert {row["title"]: row["decided_uri"] for row in kept_rows(app)} == {OPEN: "cook", "nurse": None}
    assert "panel_question_0" not in keys(app)
