"""Lists and pasted texts where people sign in: each person's own, unless they share them."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from db.access_store import Person
from db.label_store import LabelStore
from jobmatch.access.current_access import set_access
from jobmatch.access.denials import Denial
from jobmatch.access.principal import LOCAL, Principal, PrincipalKind, Role
from jobmatch_core.io.ownership import Ownership
from jobmatch_core.io.user_store import TextStore
from jobmatch_core.linking.list_store import ListStore
from jobmatch_core.linking.review import ListOptions
from jobmatch_core.settings import Settings
from pages.shared import sign_in
from tests.pages.conftest import ROOT, TINY_ID
from tests.pages.find_freelancers.conftest import market, market_home
from tests.pages.observed import headline, link_list, stored_judgments, table, texts
from tests.pages.posting_form import paste
from tests.pages.test_sign_in import server  # noqa: F401  # people sign in

ADA = Principal("person-ada", "Ada <b>", Role.ANNOTATOR, PrincipalKind.PERSON)
BOB = Principal("person-bob", "Bob", Role.ANNOTATOR, PrincipalKind.PERSON)
REVIEWER = Principal("person-eve", "Eve", Role.REVIEWER, PrincipalKind.PERSON)
ADMIN = Principal("person-max", "Max", Role.ADMIN, PrincipalKind.PERSON)
MISSING = "x" * 22
LISTS = "pages/link_titles/link_titles.py"
FORMS = {  # kind of text -> its page, the keys of the text in the form and of its id, and the rest of the address
    "postings": ("pages/job_descriptions/job_descriptions.py", "describe_text", "describe_text_id", {"posting": "own"}),
    "projects": ("pages/find_freelancers/find_freelancers.py", "find_own_text", "find_own_link", {"source": "own"}),
}
__all__ = ["market", "market_home"]  # fixtures
Be = Callable[[Principal | None], None]


@pytest.fixture
def be(monkeypatch: pytest.MonkeyPatch, home: Path) -> Be:
    """Sign in as a person in all sessions until the next call; all names are known."""
    with LabelStore.open(home / "jobmatch.db") as store:
        for who in (ADA, BOB, REVIEWER, ADMIN):
            at = datetime(2026, 11, 21, tzinfo=UTC)
            store.access.signed_in(Person(who.id, "https://id.example.org", who.id, who.name, str(who.role), at))
    return lambda who: monkeypatch.setattr(sign_in, "principal", lambda: who)


def opened(page: str = LISTS, **parameters: str) -> AppTest:
    """Open an address in a new session."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    app.switch_page(page)
    app.query_params.update({"taxonomy": TINY_ID, "view": "many"} | parameters)
    app.run()
    assert not app.exception
    return app


def keys(app: AppTest) -> set[str]:
    """Return the keys of all buttons, fields and switches."""
    return {str(each.key) for each in [*app.button, *app.text_input, *app.toggle]}


def test_who_signed_in_a_moment_ago_has_a_name(be: Be, home: Path) -> None:
    """An unknown annotator's name is read again; one who never signed in has none."""
    script = "import streamlit as st; from pages.shared.annotator import shown; st.text(shown(st.session_state['who']))"
    app = AppTest.from_string(script)

    def shown(who: str) -> str:
        app.session_state["who"] = who
        return str(app.run().text[0].value)

    assert shown(ADA.id) == ADA.name
    assert shown("person-zoe") == "person-zoe"
    with LabelStore.open(home / "jobmatch.db") as store:
        at = datetime(2026, 11, 21, tzinfo=UTC)
        store.access.signed_in(Person("person-zoe", "https://id.example.org", "zoe", "Zoe", "annotator", at))
    assert shown("person-zoe") == "Zoe"


def pasted(app: AppTest, field: str, text: str) -> AppTest:
    """Paste a text into a form; the one of postings has a button."""
    return paste(app, text) if field == "describe_text" else app.text_area(key=field).set_value(text).run()


def acts_on(app: AppTest, list_id: str) -> set[str]:
    """Return the actions that the shelf offers for a list."""
    return {key.removesuffix(f"_{list_id}") for key in keys(app) if key.endswith(f"_{list_id}")}


def made_list(home: Path, owner: str, *, shared: bool = False) -> str:
    """Store a list of an owner."""
    store = ListStore.open(Settings(home))
    list_id = store.new([{"title": "nurse"}], "title", ListOptions(TINY_ID), owner=owner).id
    if shared:
        store.share(list_id, shared=True)
    return list_id


def shown_error(app: AppTest) -> str:
    """Return the only error of a page."""
    [error] = app.error
    return str(error.value)


def test_a_list_is_its_owners_until_it_is_shared(be: Be, home: Path) -> None:
    """Another person can open the list only while it is shared."""
    be(ADA)
    ada = opened()
    assert "You have no lists yet." in texts(ada)
    link_list(ada, "nurse")
    list_id = "".join(ada.query_params["list"])
    assert ListStore.open(Settings(home)).listed()[0].card.ownership == Ownership(ADA.id)
    assert "0 of 1 decided · yours, private" in headline(ada)
    be(BOB)
    bob = opened()
    assert "You have no lists yet." in texts(bob)
    assert shown_error(opened(list=list_id)) == shown_error(opened(list=MISSING))
    be(ADA)
    ada.button(key="new_list").click().run()
    assert acts_on(ada, list_id) == {"open", "name", "share", "delete"}
    ada.toggle(key=f"share_{list_id}").set_value(True).run()
    assert "yours, shared" in texts(ada)
    be(BOB)
    bob.run()
    assert "· Ada <b>, shared" in texts(bob)
    assert acts_on(bob, list_id) == {"open"}
    bob.button(key=f"open_{list_id}").click().run()
    assert [row["Title"] for row in table(bob)] == ["nurse"]
    bob.button(key="accept").click().run()
    assert [each.annotator for each in stored_judgments(home)] == [BOB.id]
    be(ADA)
    assert "1 of 1 decided" in texts(ada.run())
    ada.toggle(key=f"share_{list_id}").set_value(False).run()
    be(BOB)
    bob.run()
    assert not bob.exception
    assert "is no longer shared with you" in texts(bob)
    assert not bob.dataframe
    assert "There is no such list here" in shown_error(opened(list=list_id))
    bob.button(key="new_list").click().run()
    assert "You have no lists yet." in texts(bob)


@pytest.mark.thorough
def test_a_click_that_comes_too_late_does_nothing(be: Be, home: Path) -> None:
    """A click on a page drawn while the list was shared has no effect afterwards."""
    list_id = made_list(home, ADA.id, shared=True)
    be(BOB)
    bob = opened(list=list_id)
    bob.button(key="resume").click().run()
    assert len(table(bob)) == 1
    ListStore.open(Settings(home)).share(list_id, shared=False)
    bob.button(key="accept").click().run()
    assert not bob.exception
    assert stored_judgments(home) == []
    assert ListStore.open(Settings(home)).listed()[0].decided == 0
    be(ADMIN)
    admin = opened()
    be(BOB)
    admin.button(key=f"delete_{list_id}").click().run()
    assert not admin.exception
    assert len(ListStore.open(Settings(home)).listed()) == 1


@pytest.mark.first_case
@pytest.mark.parametrize(
    ("person", "private", "shared", "unowned"),
    [
        (ADA, {"open", "name", "share", "delete"}, {"open", "name", "share", "delete"}, {"open"}),
        (BOB, set(), {"open"}, {"open"}),
        (REVIEWER, {"open"}, {"open"}, {"open", "name", "delete"}),
        (ADMIN, {"open", "delete"}, {"open", "delete"}, {"open", "name", "delete"}),
        (LOCAL, {"open", "name", "delete"}, {"open", "name", "delete"}, {"open", "name", "delete"}),
    ],
)
def test_what_the_shelf_offers(
    be: Be, home: Path, person: Principal, private: set[str], shared: set[str], unowned: set[str]
) -> None:
    """The buttons depend on the role; the owner is named where people sign in."""
    lists = [made_list(home, ADA.id), made_list(home, ADA.id, shared=True), made_list(home, "")]
    be(person)
    if person is LOCAL:
        set_access(None)
    app = opened()
    assert [acts_on(app, list_id) for list_id in lists] == [private, shared, unowned]
    name = {ADA: "yours", LOCAL: None}.get(person, "Ada <b>")
    assert (f"{name}, shared" in texts(app)) == (person is not LOCAL)
    assert ("· everybody's" in texts(app)) == (person is not LOCAL)
    assert ("private" in texts(app)) == (person is not LOCAL)
    assert ("Everybody who can open this page sees the lists." in texts(app)) == (person is LOCAL)
    assert {each.label for each in app.toggle if str(each.key).startswith("share_")} == (
        {"Share with everybody here"} if person is ADA else set()
    )


def test_without_sign_in_lists_belong_to_everybody(be: Be, home: Path) -> None:
    """Without sign-in there is no owner, no switch, and no message about hidden lists."""
    set_access(None)
    be(LOCAL)
    app = opened()
    assert "You have no lists yet" not in texts(app)
    link_list(app, "nurse")
    assert headline(app).endswith("0 of 1 decided")
    app.button(key="new_list").click().run()
    [listed] = ListStore.open(Settings(home)).listed()
    assert listed.card.ownership == Ownership()
    assert acts_on(app, listed.id) == {"open", "name", "delete"}


def test_the_map_shows_only_lists_that_may_be_opened(be: Be, home: Path) -> None:
    """A list that is no longer shared is not mapped any more."""
    list_id = made_list(home, ADA.id, shared=True)
    be(BOB)
    bob = opened(list=list_id)
    bob.button(key="resume").click().run()
    store = ListStore.open(Settings(home))
    store.share(list_id, shared=False)
    bob.switch_page("pages/latent_map/latent_map.py")
    bob.query_params.update({"what": "titles", "method": "pca"})
    bob.run()
    assert not bob.exception
    assert "This map shows your own titles" in texts(bob)


@pytest.mark.first_case
@pytest.mark.parametrize("kind", FORMS)
def test_a_text_is_its_owners_until_it_is_shared(be: Be, home: Path, kind: str, request: pytest.FixtureRequest) -> None:
    """Another person's address looks like that of a missing text; a shared text can be read but not deleted."""
    page, field, link, address = FORMS[kind]
    if kind == "projects":
        request.getfixturevalue("market")
    be(ADA)
    ada = opened(page, **address)
    pasted(ada, field, "You bake bread.")
    text_id = "".join(ada.query_params["text"])
    assert TextStore.open(kind, Settings(home)).stored(text_id).ownership == Ownership(ADA.id)
    assert "Only its owner and reviewers can read it." in texts(ada)
    be(BOB)
    bob = opened(page, text=text_id, **address)
    assert shown_error(bob) == shown_error(opened(page, text=MISSING, **address))
    assert "bake bread" not in bob.text_area(key=field).value
    be(ADA)
    ada.toggle(key=f"{link}_share").set_value(True).run()
    assert "Everybody who can sign in can read it at this page's address." in texts(ada)
    be(BOB)
    bob = opened(page, text=text_id, **address)
    assert bob.text_area(key=field).value == "You bake bread."
    assert not {f"{link}_share", f"{link}_delete"} & keys(bob)
    pasted(bob, field, "You bake rolls.")
    own = "".join(bob.query_params["text"])
    assert own != text_id
    assert TextStore.open(kind, Settings(home)).stored(own).ownership == Ownership(BOB.id)
    be(REVIEWER)
    assert opened(page, text=own, **address).text_area(key=field).value == "You bake rolls."
    be(ADMIN)
    admin = opened(page, text=own, **address)
    admin.button(key=f"{link}_delete").click().run()
    admin.button(key=f"{link}_delete_confirmed").click().run()
    assert not admin.exception
    assert [path.stem for path in (home / "texts" / kind).iterdir()] == [text_id]


@pytest.mark.first_case
@pytest.mark.parametrize("act", ["unshared", "deleted"])
def test_a_text_that_is_gone_offers_nothing(be: Be, home: Path, act: str) -> None:
    """A session that still has the deleted text says so; changing it stores it as its own text."""
    page, field, link, address = FORMS["postings"]
    store = TextStore.open("postings", Settings(home))
    text_id = store.add({"title": "", "description": "You bake bread."}, ADA.id)
    store.share(text_id, shared=True)
    be(BOB)
    bob = opened(page, text=text_id, **address)
    assert "Everybody who can sign in can read it" in texts(bob)
    if act == "deleted":
        store.remove(text_id)
    else:
        store.share(text_id, shared=False)
    bob.run()
    assert "This text is not stored here any more" in texts(bob)
    assert not {f"{link}_share", f"{link}_delete"} & keys(bob)
    pasted(bob, field, "You bake rolls.")
    assert store.stored("".join(bob.query_params["text"])).ownership == Ownership(BOB.id)


def test_nothing_is_stored_once_a_session_is_over(be: Be, home: Path) -> None:
    """A text without an owner would be open to everybody."""
    page, field, _, address = FORMS["postings"]
    be(ADA)
    form, lists = opened(page, **address), opened()
    lists.query_params["view"] = "many"
    lists.run()
    lists.text_area(key="many_paste").set_value("nurse").run()
    be(None)
    pasted(form, field, "You bake bread.")
    lists.button(key="many_link").click().run()
    for app in (form, lists):
        assert not app.exception
        assert [each.key for each in app.button] == ["sign_in"]
    assert not (home / "texts").exists()
    assert not (home / "lists").exists()
    with pytest.raises(Denial, match="session is over"):
        sign_in.owner()


def test_a_text_without_sign_in(be: Be, home: Path) -> None:
    """Anybody with the address can read and delete it."""
    set_access(None)
    be(LOCAL)
    page, field, link, address = FORMS["postings"]
    app = opened(page, **address)
    pasted(app, field, "You bake bread.")
    assert "Anyone with this page's address can read it." in texts(app)
    assert f"{link}_delete" in keys(app)
    assert f"{link}_share" not in keys(app)
    text_id = "".join(app.query_params["text"])
    assert TextStore.open("postings", Settings(home)).stored(text_id).ownership == Ownership()
