"""Sign-in by OpenID Connect with a provider in the test run: role, verdict, sign out, and what must fail."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, Request, expect
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from db.label_store import LabelStore
from jobmatch.access.principal import person_id
from jobmatch_core.io.ownership import Ownership
from jobmatch_core.linking.list_store import ListStore
from jobmatch_core.settings import Settings
from tests.e2e.conftest import _PATIENCE_MS, ROOT, NewVisitor, _wait_until_healthy, settle
from tests.e2e.test_in_a_browser import paste
from tests.e2e.test_label_pairs_in_a_browser import judge, market, ready  # noqa: F401  # a small marketplace
from tests.e2e.test_two_servers import eventually

_SECRET = "e2e-cookie-secret-of-at-least-32-characters"
_CONFIG = """
[access.sign_in]
issuer = "{issuer}"
client_id = "jobmatch"
client_secret = "secret"
cookie_secret = "{secret}"
address = "{address}"

[access.roles.groups]
annotators = "annotator"
admins = "admin"
"""


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def running(command: list[str], log: Path, home: Path, address: str, health: str) -> Iterator[None]:
    """Run a server until the block ends."""
    with log.open("wb") as output:
        environment = {**os.environ, "JOBMATCH_HOME": str(home), "JOBMATCH_VECTOR_URL": ""}
        server = subprocess.Popen([sys.executable, *command], cwd=ROOT, env=environment, stdout=output, stderr=output)
        try:
            _wait_until_healthy(address, server, log, health)
            yield
        finally:
            server.terminate()
            server.wait(timeout=10)


@pytest.fixture(scope="module")
def issuer(home: Path) -> Iterator[str]:
    """The provider, which believes whatever name it is told."""
    port = free_port()
    address = f"http://localhost:{port}"
    command = ["-W", "ignore", "-m", "oidc_provider_mock", "--port", str(port)]
    with running(command, home / "provider.txt", home, address, "/.well-known/openid-configuration"):
        yield address


@pytest.fixture(scope="module")
def server(home: Path, issuer: str) -> Iterator[str]:
    """The server, at an address that the provider sends people back to."""
    port = free_port()
    address, config = f"http://localhost:{port}", home / "serve.toml"
    config.write_text(_CONFIG.format(issuer=issuer, secret=_SECRET, address=address), "utf-8")
    command = ["-m", "jobmatch", "serve", "--config", str(config), "--port", str(port)]
    with running(command, home / "server.txt", home, address, "/_stcore/health"):
        yield address


@pytest.fixture
def other(home: Path, server: str) -> Iterator[str]:
    """Another server with the same home and configuration.

    People who sign in there are sent back to the first one's port, as a proxy before both might send them. A browser
    shows its cookies to both, since cookies know no ports.
    """
    port = free_port()
    address = f"http://localhost:{port}"
    command = ["-m", "jobmatch", "serve", "--config", str(home / "serve.toml"), "--port", str(port)]
    with running(command, home / "other.txt", home, address, "/_stcore/health"):
        yield address


@pytest.fixture
def context(new_visitor: NewVisitor) -> BrowserContext:
    """A browser that has never been here."""
    return new_visitor()


def known(issuer: str, subject: str, **claims: object) -> None:
    """Tell the provider what it knows of somebody."""
    httpx.put(f"{issuer}/users/{subject}", json=claims).raise_for_status()


def signed_in(context: BrowserContext, server: str, subject: str, path: str = "/about", begun: str = "") -> Page:
    """Sign in as somebody, perhaps begun at another server, and open a page."""
    page = context.new_page()
    page.goto((begun or server) + path)
    page.get_by_role("button", name="Sign in").click()
    page.locator("input[name=sub]").fill(subject)
    page.get_by_role("button", name="Authorize", exact=True).click()
    page.wait_for_url(re.compile(f"^{re.escape(server)}"))
    settle(page)
    page.goto(server + path)
    settle(page)
    return page


def asks_to_sign_in(page: Page) -> None:
    """Check that the page shows nothing but the way in."""
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    expect(page.get_by_role("link", name="Link titles")).to_have_count(0)


def accessible(page: Page) -> None:
    """Check that axe-core finds nothing serious."""
    found = Axe().run(page).response["violations"]
    assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []


@pytest.mark.thorough
def test_an_annotator_signs_in_judges_and_signs_out(
    context: BrowserContext, server: str, issuer: str, home: Path
) -> None:
    """The verdict is stored under the stable key, and shown with the name; other roles' pages are not there."""
    known(issuer, "ada", name="Ada Lovelace", groups=["annotators"])
    page = signed_in(context, server, "ada", "/label_pairs")
    expect(page.get_by_role("link", name="Label pairs")).to_be_visible()
    expect(page.get_by_role("link", name="Train models")).to_have_count(0)
    ready(page)
    judge(page, "1")
    expect(page.get_by_text("Ada Lovelace").first).to_be_visible()
    with LabelStore.open(Settings(home).label_store) as store:
        by = [each.annotator for each in store.judgments()]  # of other tests, too, whose people are not signed in
        assert [each for each in by if each.startswith("person-")] == [person_id(issuer, "ada")]
        assert [(each.name, each.role) for each in store.access.people()] == [("Ada Lovelace", "annotator")]
    page.goto(f"{server}/label_pairs?view=history")
    settle(page)
    expect(page.get_by_text("Ada Lovelace").last).to_be_visible()
    expect(page.get_by_text("person-")).to_have_count(0)
    page.goto(f"{server}/account")
    settle(page)
    accessible(page)
    page.goto(f"{server}/train_models")
    settle(page)
    accessible(page)
    expect(page.get_by_text("This page needs the role reviewer")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="End session").click()
    page.wait_for_url(re.compile(f"^{re.escape(server)}"))
    asks_to_sign_in(page)
    accessible(page)
    page.goto(f"{server}/label_pairs")
    settle(page)
    asks_to_sign_in(page)


@pytest.mark.long
def test_a_list_is_private_until_it_is_shared(new_visitor: NewVisitor, server: str, issuer: str, home: Path) -> None:
    """It belongs to the issuer and subject of who made it; its address leads nobody else to it before."""
    for subject in ("frida", "greta"):
        known(issuer, subject, name=subject.title(), groups=["annotators"])
    shutil.rmtree(Settings(home).lists, ignore_errors=True)  # what other tests left is everybody's
    page = signed_in(new_visitor(), server, "frida", "/?view=many")
    expect(page.get_by_text("You have no lists yet.")).to_be_visible()
    paste(page, ["nurse", "Koch"])
    expect(page.get_by_text("0 of 2 decided · yours, private")).to_be_visible()
    [listed] = ListStore.open(Settings(home)).listed()
    assert listed.card.ownership == Ownership(person_id(issuer, "frida"))
    path = f"/?view=many&list={listed.id}"
    other = signed_in(new_visitor(), server, "greta", path)
    expect(other.get_by_text("There is no such list here.")).to_be_visible()
    expect(other.get_by_text("You have no lists yet.")).to_be_visible()
    page.get_by_role("button", name="New list").click()
    settle(page)
    page.locator(".st-key-shelf").get_by_role("button", name="Edit").click()
    page.get_by_text("Share with everybody here").click()
    expect(page.get_by_text("yours, shared")).to_be_visible()
    accessible(page)
    other.goto(server + path)
    settle(other)
    expect(other.get_by_text("0 of 2 decided · Frida, shared")).to_be_visible()


@pytest.mark.long
def test_a_group_that_was_taken_away(context: BrowserContext, server: str, issuer: str) -> None:
    """It counts until the session ends, and no longer from the next sign-in on."""
    known(issuer, "bob", name="Bob", groups=["annotators"])
    page = signed_in(context, server, "bob", "/account")
    expect(page.get_by_text("role annotator")).to_be_visible()
    known(issuer, "bob", name="Bob", groups=[])
    page.reload()
    settle(page)
    expect(page.get_by_text("role annotator")).to_be_visible()
    context.clear_cookies()
    page.close()
    page = signed_in(context, server, "bob", "/account")
    expect(page.get_by_text("your account has no role here yet")).to_be_visible()
    expect(page.get_by_role("link", name="Help")).to_have_count(0)


@pytest.mark.long
def test_an_administrator_ends_sessions(
    new_visitor: NewVisitor, context: BrowserContext, server: str, issuer: str
) -> None:
    """Whoever is signed in has to sign in again, and is told why; nothing that they click is done before."""
    known(issuer, "carol", name="Carol", groups=["annotators"])
    known(issuer, "dora", name="Dora", groups=["admins"])
    page = signed_in(context, server, "carol")
    end_sessions(new_visitor, server, issuer, "dora", "carol")
    is_told_that_sessions_were_ended(page)


@pytest.mark.long
def test_sign_in_at_two_servers(
    new_visitor: NewVisitor, context: BrowserContext, server: str, other: str, issuer: str
) -> None:
    """Begun at one and ended at the other, it counts at both; so does the end that an administrator makes at one."""
    known(issuer, "gus", name="Gus", groups=["annotators"])
    known(issuer, "hal", name="Hal", groups=["admins"])
    page = signed_in(context, server, "gus", "/account", begun=other)
    expect(page.get_by_text("role annotator")).to_be_visible()
    # Streamlit draws pages only at the address of the sign-in; downloads ask for the session, too
    download = f"{other}/media/none"
    assert context.request.get(download).status == 404
    end_sessions(new_visitor, server, issuer, "hal", "gus")
    assert eventually(lambda: context.request.get(download).status == 401)


def end_sessions(new_visitor: NewVisitor, server: str, issuer: str, admin: str, subject: str) -> None:
    """End somebody's sessions as an administrator, after a question."""
    time.sleep(1)  # the provider tells the time of a sign-in in whole seconds
    page = signed_in(new_visitor(), server, admin, "/account")
    accessible(page)
    expect(page.get_by_test_id("stTopNav").get_by_role("link", name="Account")).to_be_visible()  # not behind 'more'
    row = page.locator(f".st-key-account_{person_id(issuer, subject)}")
    row.get_by_role("button", name="End sessions …").click()
    dialog = page.get_by_role("dialog")
    accessible(page)
    dialog.get_by_role("button", name="End sessions", exact=True).click()
    expect(page.get_by_text(f"Ended the sessions of {subject.title()}")).to_be_visible()
    page.close()


def is_told_that_sessions_were_ended(page: Page) -> None:
    """Click until the page asks to sign in again, and says why."""
    links = page.get_by_test_id("stTopNav").get_by_role("link", name="Help")
    deadline = time.monotonic() + _PATIENCE_MS / 1000
    while links.count() and time.monotonic() < deadline:  # the server asks its store every few seconds
        links.click(timeout=2000)
        page.wait_for_timeout(500)
    expect(page.get_by_text("An administrator has ended your sessions")).to_be_visible()
    asks_to_sign_in(page)


@pytest.mark.thorough
def test_a_state_that_is_replayed(new_visitor: NewVisitor, context: BrowserContext, server: str, issuer: str) -> None:
    """The address that the provider sends back to lets nobody in a second time, neither here nor in another browser."""
    known(issuer, "eve", name="Eve", groups=["admins"])
    answers: list[str] = []
    callback = f"{server}/oauth2callback"

    def noted(request: Request) -> None:
        if request.url.startswith(callback):
            answers.append(request.url)

    context.on("request", noted)
    page = signed_in(context, server, "eve")
    context.remove_listener("request", noted)
    [answer] = answers
    for other in (context, new_visitor()):
        other.clear_cookies(name=re.compile("_streamlit_user"))
        other.request.get(answer)
        assert [each for each in other.cookies() if each.get("name", "").startswith("_streamlit_user")] == []
        again = other.new_page()
        again.goto(server)
        settle(again)
        asks_to_sign_in(again)
        again.close()
    page.close()


@pytest.mark.thorough
@pytest.mark.parametrize(("secret", "shown"), [(_SECRET, "Your session has expired"), ("another" * 8, "")])
def test_a_cookie_that_does_not_count(
    context: BrowserContext, server: str, issuer: str, secret: str, shown: str
) -> None:
    """Expired, or forged: nobody is signed in."""
    claims = (
        f'{{"iss": "{issuer}", "sub": "ada", "aud": "jobmatch", "iat": 1, "exp": {9**10 if not shown else 2}, '
        f'"groups": ["admins"], "is_logged_in": true, "provider": "default", "origin": "{server}"}}'
    )
    value = create_signed_value(secret, "_streamlit_user", claims).decode()
    context.add_cookies([{"name": "_streamlit_user", "value": value, "url": server}])
    page = context.new_page()
    page.goto(f"{server}/account")
    settle(page)
    asks_to_sign_in(page)
    expect(page.get_by_text(shown or "Sign in to link titles")).to_be_visible()


@pytest.mark.thorough
def test_tokens_of_the_provider_at_the_api(server: str, issuer: str) -> None:
    """A real one is let in, by the role of its person; a forged one, and none, are not."""
    known(issuer, "fay", name="Fay", groups=["annotators"])
    token = id_token(issuer)
    route = f"{server}/api/v1/taxonomies"
    assert httpx.get(route, headers={"Authorization": f"Bearer {token}"}).status_code == 200
    assert httpx.get(route).status_code == 401
    head, body, signature = token.split(".")
    for bad in (f"{head}.{body}.{signature[::-1]}", f"{head}.{body}.", id_token(issuer, client="another")):
        answer = httpx.get(route, headers={"Authorization": f"Bearer {bad}"})
        assert answer.status_code == 401
        assert answer.headers["content-type"] == "application/problem+json"


def id_token(issuer: str, client: str = "jobmatch") -> str:
    """Return a token of the provider for Fay, as a program gets it that she has allowed to act for her."""
    back = "http://localhost/back"
    asked = {
        "client_id": client,
        "redirect_uri": back,
        "response_type": "code",
        "scope": "openid profile",
        "state": "s",
    }
    allowed = httpx.post(f"{issuer}/oauth2/authorize", params=asked, data={"sub": "fay"})
    code = httpx.URL(allowed.headers["location"]).params["code"]
    answer = httpx.post(
        f"{issuer}/oauth2/token",
        data={"grant_type": "authorization_code", "code": code, "redirect_uri": back},
        auth=(client, "secret"),
    )
    return str(answer.json()["id_token"])
