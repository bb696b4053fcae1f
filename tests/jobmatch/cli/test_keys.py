"""`jobmatch keys`: made and shown once, listed without the key, revoked."""

import json
from collections.abc import Callable
from typing import Any

from typer.testing import Result

from db.label_store import LabelStore
from jobmatch.access.api_keys import key_hash
from jobmatch_core.settings import Settings

Cli = Callable[..., Result]


def test_a_key_is_made_listed_and_revoked(cli: Cli) -> None:
    """Only the key that was printed once opens anything."""
    made = json.loads(cli("keys", "create", "OpenRefine", "--role", "viewer", "--scope", "reconcile", "--json").stdout)
    with LabelStore.open(Settings.from_environment().label_store) as store:
        found = store.access.key_of_hash(key_hash(made["key"]))
    assert found is not None
    assert (found.name, found.role, found.scopes) == ("OpenRefine", "viewer", ("reconcile",))
    listed = cli("keys", "list")
    assert made["key"] not in listed.stdout
    assert "OpenRefine" in listed.stdout
    assert json.loads(cli("keys", "revoke", made["id"], "--json").stdout) == {"revoked": made["id"]}
    [key] = json.loads(cli("keys", "list", "--json").stdout)["keys"]
    assert (key["id"], key["last_day"]) == (made["id"], None)
    assert key["revoked"] is not None


def test_in_words(cli: Cli) -> None:
    """The key alone in its line, so that it can be piped, and how to revoke it."""
    assert "There are no keys" in cli("keys", "list").stdout
    key, *rest = cli("keys", "create", "metrics", "--role", "viewer").stdout.splitlines()
    assert len(key) == 46
    assert "jobmatch keys revoke" in " ".join(rest)


def test_what_there_is_not(run_main: Callable[..., Any]) -> None:
    """An unknown role, scope or key, and an empty name."""
    assert "boss" in run_main("keys", "create", "x", "--role", "boss").err
    assert "api, esco, reconcile" in run_main("keys", "create", "x", "--role", "viewer", "--scope", "all").err
    assert "There is no key 'k1'" in run_main("keys", "revoke", "k1").err
    assert "needs a name" in run_main("keys", "create", " ", "--role", "viewer").err
