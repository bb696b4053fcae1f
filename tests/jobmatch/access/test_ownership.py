"""The table of stores: it names all that lies below a home, and each person may do what it says, no more."""

import ast
import io
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Receive, Scope, Send

from jobmatch.access.ownership import STORES, may_act, owner_id
from jobmatch.access.permissions import has_role, may_do
from jobmatch.access.principal import LOCAL, Principal, PrincipalKind, Role
from jobmatch.serve.v1.job_calls import JobCalls
from jobmatch.services.link_jobs import JobOptions, LinkJobStore
from jobmatch.services.linking import LinkOptions
from jobmatch_core.errors import LinkingError, TextError
from jobmatch_core.io.ownership import UNOWNED, Act, Allowed, Ownership
from jobmatch_core.io.user_store import TextStore
from jobmatch_core.linking.list_store import ListStore
from jobmatch_core.linking.review import ListOptions
from jobmatch_core.settings import Settings
from pages.shared.page_list import PAGES

ROOT = Path(__file__).parents[3]
CODE = [path for folder in ("jobmatch_core", "jobmatch", "pages", "db") for path in (ROOT / folder).rglob("*.py")]
OTHERS = {
    "nobody": Principal("person-nobody", "Ned", None, PrincipalKind.PERSON),
    **{role.value: Principal(f"person-{role}", str(role), role, PrincipalKind.PERSON) for role in Role},
    "local": LOCAL,
}
EVERYBODY = "viewer annotator reviewer admin local"
MAY = {  # store and item -> act -> who may do it besides the owner, by hand
    ("lists", "private"): {
        "list": "reviewer admin local",
        "open": "reviewer admin local",
        "rename": "local",
        "delete": "admin local",
    },
    ("lists", "shared"): {"list": EVERYBODY, "open": EVERYBODY, "rename": "local", "delete": "admin local"},
    ("lists", "unowned"): {
        "list": EVERYBODY,
        "open": EVERYBODY,
        "rename": "reviewer admin local",
        "delete": "reviewer admin local",
    },
    ("texts", "private"): {"open": "reviewer admin local", "delete": "admin local"},
    ("texts", "shared"): {"open": EVERYBODY, "delete": "admin local"},
    ("texts", "unowned"): {"open": EVERYBODY, "delete": "reviewer admin local"},
    ("jobs", "private"): {"open": "local", "delete": "local"},
    ("jobs", "unowned"): {"open": "local", "delete": "local"},
}
OWNERS_MAY = {"lists": set(Act), "texts": {Act.OPEN, Act.DELETE, Act.SHARE}, "jobs": {Act.OPEN, Act.DELETE}}
SHOWN_ON = {
    "crosswalks": "crosswalks",
    "taxonomies": "taxonomies",
    "marketplaces": "find_freelancers",
    "models": "latent_map",
    "benchmarks": "scoreboard",
    "evaluations": "scoreboard",
    "snapshots": "train_models",
    "training": "train_models",
    "promoted": "train_models",
}
DELETED_BY = {"taxonomies": "administer", "models": "administer", "crosswalks": "settle"}  # store -> action
THE_PROGRAM_S = {"indexes", "vectors", "caches", "tours", "demo.json"}


def owner_of(role: Role) -> Principal:
    """Return a person with a role who creates an item."""
    return Principal("person-owner", "Ada", role, PrincipalKind.PERSON)


class Lists:
    """Tries acts on a list."""

    def __init__(self, settings: Settings, owner: str, *, shared: bool) -> None:
        self.settings, everything = settings, ListStore.open(settings)
        self.id = everything.new([{"title": "nurse"}], "title", ListOptions("tiny-1"), owner=owner).id
        if shared:
            everything.share(self.id, shared=True)

    def tried(self, act: Act, allowed: Allowed) -> bool:
        """Try an act, and return whether it was done."""
        store, everything = ListStore.open(self.settings, allowed), ListStore.open(self.settings)
        if act is Act.LIST:
            return [card.id for card in store.listed()] == [self.id]
        before = everything.load(self.id).card
        acts: dict[Act, Callable[[str], Any]] = {
            Act.OPEN: store.load,
            Act.RENAME: partial(store.rename, name="midwife"),
            Act.DELETE: store.remove,
            Act.SHARE: partial(store.share, shared=not before.ownership.shared),
        }
        try:
            acts[act](self.id)
        except LinkingError:
            assert everything.load(self.id).card == before
            return False
        left = [stored.card for stored in everything.listed()]
        assert (left == [before]) == (act is Act.OPEN)
        return True


class Texts:
    """Tries acts on a text."""

    def __init__(self, settings: Settings, owner: str, *, shared: bool) -> None:
        self.settings, everything = settings, TextStore.open("projects", settings)
        self.id = everything.add({"title": "nurse"}, owner)
        if shared:
            everything.share(self.id, shared=True)

    def tried(self, act: Act, allowed: Allowed) -> bool:
        """Try an act, and return whether it was done."""
        store, everything = (
            TextStore.open("projects", self.settings, allowed),
            TextStore.open("projects", self.settings),
        )
        before = everything.stored(self.id)
        acts: dict[Act, Callable[[str], Any]] = {
            Act.OPEN: store.read,
            Act.DELETE: store.remove,
            Act.SHARE: partial(store.share, shared=not before.ownership.shared),
        }
        try:
            acts[act](self.id)
        except TextError:
            assert everything.stored(self.id) == before
            return False
        except KeyError:  # nothing lists or renames texts
            return False
        assert (self.settings.texts / "projects" / f"{self.id}.json").exists() == (act is not Act.DELETE)
        return True


class _Caller:
    """Middleware that recognises one principal."""

    def __init__(self, app: ASGIApp, principal: Principal) -> None:
        self._app, self._principal = app, principal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope.setdefault("state", {})["principal"] = self._principal
        await self._app(scope, receive, send)


class Jobs:
    """Tries acts on a job by its address."""

    def __init__(self, settings: Settings, owner: str, *, shared: bool) -> None:
        assert not shared
        self.jobs = LinkJobStore(settings)
        self.id = self.jobs.new(io.BytesIO(b"title\nnurse\n"), "titles.csv", JobOptions(LinkOptions()), owner).id

    def asked(self, principal: Principal, method: str, job_id: str) -> tuple[int, str]:
        """Return the answer to a call."""
        calls = JobCalls(self.jobs, runner=None, most_unfinished=1, other_codes=lambda options: ())  # type: ignore[arg-type]
        routes = [Route("/{id}", calls.job), Route("/{id}", calls.cancel_job, methods=["DELETE"])]
        app = Starlette(routes=routes, middleware=[Middleware(_Caller, principal=principal)])
        answer = TestClient(app).request(method, f"/{job_id}")
        return answer.status_code, answer.text

    def tried(self, act: Act, principal: Principal) -> bool:
        """Try an act, and return whether it was done."""
        methods = {Act.OPEN: "GET", Act.DELETE: "DELETE"}
        if act not in methods:
            return False
        answer = self.asked(principal, methods[act], self.id)
        if answer[0] < 300:
            assert self.jobs.folder(self.id).exists() == (act is Act.OPEN)
            return True
        assert answer == self.asked(principal, methods[act], "x" * 22), "as of a job that is missing"
        assert self.jobs.folder(self.id).exists()
        return False


def done(settings: Settings, store: str, state: str, owner: Principal, doer: Principal, act: Act) -> bool:
    """Create an item, let a person try an act on it, and return whether it was done."""
    item_owner = "" if state == "unowned" else owner.id
    if store == "jobs":
        return Jobs(settings, item_owner, shared=False).tried(act, doer)
    made = {"lists": Lists, "texts": Texts}[store](settings, item_owner, shared=state == "shared")
    return made.tried(act, partial(may_act, doer, store))


@pytest.mark.first_case
@pytest.mark.parametrize(("store", "state"), MAY)
def test_what_others_may_do(tmp_path: Path, store: str, state: str) -> None:
    """All people try all acts on an item of somebody else, or of nobody."""
    for act in Act:
        for name, doer in OTHERS.items():
            settings = Settings(tmp_path / act / name)
            expected = name in MAY[store, state].get(act, "").split()
            assert done(settings, store, state, owner_of(Role.VIEWER), doer, act) == expected, (act, name)


@pytest.mark.parametrize("store", OWNERS_MAY)
@pytest.mark.parametrize("role", Role)
def test_what_owners_may_do(tmp_path: Path, store: str, role: Role) -> None:
    """The same in each role; nothing without a role."""
    owner = owner_of(role)
    lost = Principal(owner.id, owner.name, None, owner.kind)
    for act in Act:
        settings = Settings(tmp_path / act)
        assert done(settings, store, "private", owner, owner, act) == (act in OWNERS_MAY[store]), act
        assert not done(Settings(tmp_path / f"lost-{act}"), store, "private", owner, lost, act)


def test_every_store_of_people_is_walked() -> None:
    """The tests above cover all stores whose items may have an owner."""
    of_people = {store for store, acts in STORES.items() if any(rule.owner for rule in acts.values())}
    assert of_people == set(OWNERS_MAY) == {store for store, _ in MAY}


@pytest.mark.parametrize("name", OTHERS)
def test_common_stores_follow_their_pages(name: str) -> None:
    """People who may open the page may list and open the items; some may delete some of them."""
    somebody = OTHERS[name]
    for store, page in SHOWN_ON.items():
        opens = has_role(somebody, PAGES[page].role)
        assert [may_act(somebody, store, act, UNOWNED) for act in (Act.LIST, Act.OPEN)] == [opens] * 2, store
        assert not any(may_act(somebody, store, act, UNOWNED) for act in (Act.RENAME, Act.SHARE))
        assert not any(may_act(somebody, store, act, Ownership(somebody.id)) for act in (Act.RENAME, Act.SHARE))
        deletes = store in DELETED_BY and may_do(somebody, DELETED_BY[store])
        assert may_act(somebody, store, Act.DELETE, UNOWNED) == deletes, store


def test_nobody_opens_what_is_the_program_s() -> None:
    """Rows of the database are not opened as items; they have rules of their own."""
    assert {store for store, acts in STORES.items() if not acts} == THE_PROGRAM_S | {"jobmatch.db"}
    assert set(STORES) == {*OWNERS_MAY, *SHOWN_ON, *THE_PROGRAM_S, "jobmatch.db"}


def test_every_folder_of_a_home_is_in_the_table(tmp_path: Path) -> None:
    """No other code names a path below the home."""
    settings = Settings(tmp_path)
    values = (getattr(settings, name) for name in vars(Settings) if not name.startswith("_"))
    assert {path.name for path in values if isinstance(path, Path) and path.parent == tmp_path} == set(STORES)
    elsewhere = re.compile(r"(settings|environment\(\))\.home\s*(/|\.joinpath)")
    assert [path for path in CODE if elsewhere.search(path.read_text("utf-8"))] == []
    assert len(CODE) > 300


def test_nobody_opens_a_store_of_people_for_everybody() -> None:
    """Pages and routes open each store with the rights of its user."""
    stores = {"ListStore", "ListStore.open", "TextStore", "TextStore.open", "StoredList"}
    opened = [
        (path, "allowed" in {keyword.arg for keyword in call.keywords})
        for path in CODE
        if path.is_relative_to(ROOT / "pages") or path.is_relative_to(ROOT / "jobmatch" / "serve")
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func) in stores
    ]
    assert [path for path, allowed in opened if not allowed] == []
    assert len(opened) == 2


def test_every_store_is_documented() -> None:
    """In the first column of the table of docs/access.md, which lists nothing else."""
    part = (
        (ROOT / "docs" / "access.md").read_text("utf-8").partition("## What belongs to whom")[2].partition("\n## ")[0]
    )
    rows = re.findall(r"^\| (`.*?) \|", part, re.MULTILINE)
    assert sorted(re.findall(r"`(\S+)`", " ".join(rows))) == sorted({*STORES})


def test_items_of_this_machine_belong_to_nobody() -> None:
    """Without an owner, they are visible to everybody once sign-in is switched on."""
    assert owner_id(LOCAL) == ""
    assert owner_id(owner_of(Role.VIEWER)) == "person-owner"
