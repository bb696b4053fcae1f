"""Access in the configuration: what is refused, and which role follows from what the provider says."""

from dataclasses import replace
from typing import Any

import pytest

from jobmatch.access.access_config import CLIENT_SECRET, COOKIE_SECRET, AccessConfig, RoleRules, checked
from jobmatch.access.principal import Role
from jobmatch_core.errors import SettingsError
from jobmatch_core.io.records import record_of
from tests.jobmatch.access.made_tokens import CONFIG, SIGN_IN

RULES = RoleRules(
    groups={"staff": Role.ANNOTATOR, "leads": Role.REVIEWER}, people={"ada@example.org": Role.ADMIN, "7": Role.VIEWER}
)


def test_nothing_is_needed_without_configuration() -> None:
    """As on a machine of one user."""
    assert checked(AccessConfig()) == AccessConfig()
    assert not AccessConfig().required
    assert AccessConfig(keys=True).required
    assert CONFIG.required


def test_a_table_of_toml() -> None:
    """All keys are known, and all roles valid."""
    table = {
        "keys": True,
        "sign_in": {
            "issuer": "https://id.example.org",
            "client_id": "jobmatch",
            "address": "https://jobmatch.example.org",
        },
        "roles": {"groups": {"staff": "annotator"}, "people": {"ada@example.org": "admin"}},
    }
    config = record_of(AccessConfig, table, "[access]")
    assert config.roles == RoleRules(groups={"staff": Role.ANNOTATOR}, people={"ada@example.org": Role.ADMIN})
    with pytest.raises(ValueError, match="boss"):
        record_of(AccessConfig, {"roles": {"everyone": "boss"}}, "[access]")


def test_secrets_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are used if the file has none, and not printed."""
    monkeypatch.setenv(CLIENT_SECRET, "from outside")
    monkeypatch.setenv(COOKIE_SECRET, "d" * 32)
    bare = replace(CONFIG, sign_in=replace(SIGN_IN, client_secret="", cookie_secret=""))
    config = checked(bare)
    assert config.sign_in is not None
    assert (config.sign_in.client_secret, config.sign_in.cookie_secret) == ("from outside", "d" * 32)
    assert checked(CONFIG) == CONFIG
    assert "from outside" not in repr(config)
    assert "d" * 32 not in repr(config)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"issuer": "http://id.example.org"}, "issuer .* https://"),
        ({"address": "jobmatch.example.org"}, "address .* https://"),
        ({"client_id": ""}, "client_id .* is empty"),
        ({"client_secret": ""}, CLIENT_SECRET),
        ({"cookie_secret": "short"}, COOKIE_SECRET),
        ({"session_minutes": -1}, "session_minutes"),
    ],
)
def test_what_is_refused(changed: dict[str, Any], message: str) -> None:
    """The message says what to write instead."""
    with pytest.raises(SettingsError, match=message):
        checked(replace(CONFIG, sign_in=replace(SIGN_IN, **changed)))


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_without_https_on_this_machine(host: str) -> None:
    """It is allowed for a trial."""
    checked(replace(CONFIG, sign_in=replace(SIGN_IN, issuer=f"http://{host}:9400", address=f"http://{host}:8501")))


def test_nobody_with_a_role() -> None:
    """Sign-in would be useless."""
    with pytest.raises(SettingsError, match="nobody a role"):
        checked(replace(CONFIG, roles=RoleRules()))


@pytest.mark.parametrize(
    ("claims", "role"),
    [
        ({}, None),
        ({"groups": ["staff"]}, Role.ANNOTATOR),
        ({"groups": "staff"}, Role.ANNOTATOR),
        ({"groups": ["staff", "leads", "others"]}, Role.REVIEWER),
        ({"groups": {"staff": True}}, None),
        ({"groups": [["staff"], 3, None]}, None),
        ({"sub": "7"}, Role.VIEWER),
        ({"sub": "ada@example.org"}, Role.ADMIN),
        ({"email": "ada@example.org", "email_verified": True}, Role.ADMIN),
        ({"email": "ada@example.org"}, None),
        ({"email": "ada@example.org", "email_verified": "true"}, None),
        ({"preferred_username": "ada@example.org"}, None),
    ],
)
def test_roles(claims: dict[str, Any], role: Role | None) -> None:
    """By group, subject, or verified e-mail address."""
    assert RULES.role(claims, "groups") is role


def test_a_role_for_everyone() -> None:
    """It is the minimum."""
    rules = replace(RULES, everyone=Role.VIEWER)
    assert rules.role({}, "groups") is Role.VIEWER
    assert rules.role({"roles": ["leads"]}, "roles") is Role.REVIEWER
