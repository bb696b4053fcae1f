"""`jobmatch keys create|list|revoke`."""

import getpass
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from db.access_store import AccessKey
from jobmatch.access.api_keys import new_key
from jobmatch.access.permissions import SCOPES
from jobmatch.access.principal import Role
from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_json, print_line, print_result, print_table
from jobmatch.cli.places import open_labels
from jobmatch_core.settings import Settings

app = typer.Typer(help="Create, list and revoke keys of the server's API.", no_args_is_help=True)


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="Name of the program that uses the key, such as OpenRefine.")],
    role: Annotated[Role, typer.Option(help="Role of the key; each role includes the ones before it.")],
    scope: Annotated[
        list[str] | None,
        typer.Option(help=f"Part of the API that it opens: {', '.join(SCOPES)}; may be repeated; all by default."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Create a key and print it once; only its hash is stored.

    Example: jobmatch keys create OpenRefine --role viewer --scope reconcile
    """
    key, stored = new_key(name, role, scope or [], getpass.getuser(), datetime.now(UTC))
    with open_labels(Settings.from_environment()) as store:
        store.access.add_key(stored)
    if json:
        print_json({"key": key} | _record(stored))
    else:
        print_line(key)
        print_line(f"Copy it now; it is not shown again. `jobmatch keys revoke {stored.id}` revokes it.")


@app.command("list")
def list_(json: JsonOption = False) -> None:
    """List the keys, also revoked ones, with their role, maker and last use.

    Example: jobmatch keys list
    """
    with open_labels(Settings.from_environment()) as store:
        keys = store.access.all_keys()
    if json:
        print_json({"keys": [_record(key) for key in keys]})
    elif not keys:
        print_line("There are no keys. Create one with `jobmatch keys create NAME --role viewer`.")
    else:
        rows = [
            (
                key.id,
                key.name,
                key.role,
                ", ".join(key.scopes) or "all",
                f"{key.at:%Y-%m-%d}",
                key.made_by,
                key.last_day or "never",
                f"{key.revoked:%Y-%m-%d}" if key.revoked else "",
            )
            for key in keys
        ]
        print_table(("id", "name", "role", "opens", "made", "by", "last used", "revoked"), rows)


@app.command()
def revoke(
    key_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the key; see `jobmatch keys list`.")],
    json: JsonOption = False,
) -> None:
    """Revoke a key permanently; servers refuse it within seconds.

    Example: jobmatch keys revoke 1f2e3d4c
    """
    with open_labels(Settings.from_environment()) as store:
        store.access.revoke_key(key_id, getpass.getuser())
    print_result({"revoked": key_id}, f"Revoked the key {key_id}.", json=json)


def _record(key: AccessKey) -> dict[str, Any]:
    return {
        "id": key.id,
        "name": key.name,
        "role": key.role,
        "scopes": list(key.scopes),
        "made_by": key.made_by,
        "at": key.at.isoformat(),
        "last_day": key.last_day or None,
        "revoked": key.revoked.isoformat() if key.revoked else None,
    }
