"""Commands in the fenced blocks of the documents, for tests that run them."""

import re
import shlex
import sys
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[1]
_BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
_PROGRAMS = ("jobmatch", "jobmatch-admin")


def blocks(page: str, heading: str = "", *, language: str = "") -> list[str]:
    """Return the fenced blocks of a language, by default of none, of a page of docs/, or of one of its parts."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    if heading:
        [text] = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    return [dedent(block) for _, written_in, block in _BLOCK.findall(text) if written_in == language]


def commands(block: str) -> list[str]:
    """Return the commands of a block; one may go on in further lines, as in a shell."""
    whole: list[str] = []
    begun = ""
    for line in block.splitlines():
        begun += f"{line}\n"
        if line.strip() and not line.endswith("\\") and _is_closed(begun):
            whole.append(begun.strip())
            begun = ""
    assert not begun.strip(), f"a quotation is not closed: {begun}"
    return whole


def _is_closed(text: str) -> bool:
    try:
        shlex.split(text, comments=True)
    except ValueError:  # within a quotation
        return False
    return True


def write_program(folder: Path, name: str, script: str) -> None:
    """Write a program for the shell."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    (folder / name).chmod(0o755)


def write_jobmatch(folder: Path) -> None:
    """Write `jobmatch`, and what runs it as a service's administrator does: systemd's and Docker's way."""
    for name in _PROGRAMS:
        write_program(folder, name, f'exec {shlex.quote(sys.executable)} -m jobmatch "$@"')
    write_program(folder, "docker", 'shift 4\nexec jobmatch "$@"')  # docker compose exec jobmatch jobmatch ...
