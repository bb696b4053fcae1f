"""Pages by role: which are visible, the messages to insufficient roles, and the pages without sign-in."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from db.label_store import LabelStore
from jobmatch.access.access import Access
from jobmatch.access.current_access import set_access
from jobmatch.access.principal import LOCAL, Principal, PrincipalKind, Role
from jobmatch_core.entities import Pair, PairKind, Verdict
from pages.shared import sign_in
from pages.shared.page_list import PAGES
from tests.db.made_judgments import make_judgment
from tests.jobmatch.access.made_tokens import CONFIG
from tests.pages.observed import texts


@pytest.fixture(autouse=True)
def server(home: Path) -> Iterator[None]:
    """A server with sign-in."""

    def never() -> None:
        pytest.fail("nobody's session is looked up here")

    set_access(Access(CONFIG, never))  # type: ignore[arg-type]
    yield
    set_access(None)


def become(monkeypatch: pytest.MonkeyPatch, role: Role | None) -> Principal:
    """Sign in with a role."""
    somebody = Principal("person-1", "Ada Lovelace", role, PrincipalKind.PERSON)
    monkeypatch.setattr(sign_in, "principal", lambda: somebody)
    return somebody


def opened(app: AppTest, page: str) -> AppTest:
    """Open a page by its address, whether or not the navigation lists it."""
    app.run()
    app.switch_page(f"pages/{page}/{page}.py").run()
    assert not app.exception
    return app


def refused(app: AppTest) -> bool:
    """Return whether the page is refused for lack of a role."""
    return any("This page needs the role" in each.value for each in app.warning)


def test_nobody_sees_anything(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a session every page shows only the sign-in."""
    monkeypatch.setattr(sign_in, "principal", lambda: None)
    for page in ("about", "label_pairs"):
        opened(app, page)
        assert [each.key for each in app.button] == ["sign_in"]
        assert [each.value for each in app.title] == ["jobmatch"]
    assert not any(map(sign_in.may_see, PAGES))


@pytest.mark.first_case
@pytest.mark.parametrize("role", [None, *Role])
def test_light_pages_by_role(app: AppTest, monkeypatch: pytest.MonkeyPatch, role: Role | None) -> None:
    """A page refused to a role names the needed role and offers to sign out."""
    become(monkeypatch, role)
    app.query_params["view"] = "history"  # of 'Label pairs': its desk would make the large demo marketplace first
    for page in ("about", "label_pairs", "train_models"):
        opened(app, page)
        allowed = role is not None and role.reaches(PAGES[page].role)
        assert refused(app) == (not allowed)
        assert sign_in.may_see(page) == allowed
        if not allowed:
            assert f"needs the role **{PAGES[page].role}**" in app.warning[0].value
            assert [each.key for each in app.button] == ["sign_out"]


def test_a_viewer_gives_no_verdict(app: AppTest, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Viewers have no verdict buttons, and one drawn before the role changed has no effect."""
    become(monkeypatch, Role.VIEWER)
    app.query_params["title"] = "nurse"
    app.run()
    assert not [each.key for each in app.button if each.key.startswith("judge_")]
    become(monkeypatch, Role.ANNOTATOR)
    app.run()
    become(monkeypatch, Role.VIEWER)
    app.button(key="judge_1_positive").click().run()
    assert not app.exception
    assert "needs the role 'annotator'" in app.toast[0].value
    become(monkeypatch, Role.ANNOTATOR)
    app.run()
    app.button(key="judge_1_positive").click().run()
    with LabelStore.open(home / "jobmatch.db") as store:
        assert [each.annotator for each in store.current()] == ["person-1"]


@pytest.mark.first_case
@pytest.mark.parametrize(
    ("annotator", "role", "offered"),
    [("person-1", Role.REVIEWER, False), ("person-2", Role.REVIEWER, True), ("person-2", Role.ANNOTATOR, False)],
)
def test_who_settles(
    app: AppTest, home: Path, monkeypatch: pytest.MonkeyPatch, annotator: str, role: Role, offered: bool
) -> None:
    """A reviewer settles, unless they are one of the disagreeing annotators."""
    with LabelStore.open(home / "jobmatch.db") as store:
        pair = Pair(PairKind.TITLE_TITLE, "", "nurse", "carer")
        store.record_all([make_judgment(annotator=annotator, pair=pair), make_judgment(Verdict.NEGATIVE, "Bob", pair)])
    become(monkeypatch, role)
    app.query_params["view"] = "agreement"
    opened(app, "label_pairs")
    assert "Disagreements to settle: 1" in texts(app)
    assert any(each.key.startswith("label_settle_") for each in app.button) == offered


@pytest.mark.parametrize(("role", "sections"), [(Role.REVIEWER, 3), (Role.ADMIN, 4)])
def test_only_administrators_import_taxonomies(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, role: Role, sections: int
) -> None:
    """Others who open the form's address see the installed taxonomies."""
    become(monkeypatch, role)
    app.query_params["section"] = "import"
    opened(app, "taxonomies")
    [control] = app.segmented_control
    assert len(control.options) == sections
    assert any(each.key.startswith("remove_") for each in app.button) == (
        role is Role.ADMIN and control.value != "import"
    )


def links(app: AppTest) -> str:
    """Return the labels of a page's links to other pages."""
    return "\n".join(link.proto.label for link in app.get("page_link"))


def test_help_lists_what_one_may_see(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """'Account' is listed only where people sign in."""
    become(monkeypatch, Role.VIEWER)
    assert "Judge whether freelancers fit" not in links(opened(app, "about"))
    assert "See your role and sign out" in links(app)
    set_access(None)
    monkeypatch.setattr(sign_in, "principal", lambda: LOCAL)
    assert "Judge whether freelancers fit" in links(opened(app, "about"))
    assert "See your role and sign out" not in links(app)
