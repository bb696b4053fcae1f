"""Percents have one form, '10%', in what programs say and in the documents, as charts and tables write them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.documented_commands import ROOT

OTHER_FORM = re.compile(r"(?<=\d) %(?! ?\d)(?![\w(\[{%])")
SOURCES = [
    path for room in ("pages", "jobmatch", "jobmatch_core", "db") for path in sorted((ROOT / room).rglob("*.py"))
]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def said(source: str) -> Iterator[str]:
    """Yield the texts of a module, with a digit in place of each value in them; not its docstrings."""
    tree = ast.parse(source)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "0" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not {id(node)} & (docstrings | parts):
            yield node.value


def test_programs_write_percents_without_a_space() -> None:
    """In every module of the product."""
    other = [(path.name, text) for path in SOURCES for text in said(path.read_text("utf-8")) if OTHER_FORM.search(text)]
    assert not other


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_documents_write_percents_without_a_space(document: Path) -> None:
    """In every line."""
    assert not [line for line in document.read_text("utf-8").splitlines() if OTHER_FORM.search(line)]


def test_the_other_form_is_recognised() -> None:
    """Also after a value, and not in a remainder or a format."""
    assert OTHER_FORM.search(next(said('f"{share:.0f} % of them"')))
    assert not any(OTHER_FORM.search(text) for text in ("10% of them", "7 % 3", "100 %s"))
