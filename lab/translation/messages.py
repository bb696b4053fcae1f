"""Texts of the pages, read off their syntax trees: what `_`, `N_` and `plural` are called with, and what core lists."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lab.translation.core_texts import core_texts

ROOT = Path(__file__).parents[2]
SOURCES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]
_ONE, _SEVERAL = ("_", "N_"), "plural"
_CORE = "jobmatch_core"  # the place of what pages show of core's own words


@dataclass(frozen=True, slots=True)
class Message:
    """A text that is translated; *many* is its plural, '' for a text without a number."""

    text: str
    place: str  # file with the text
    many: str = ""

    @property
    def id(self) -> str | tuple[str, str]:
        """What catalogues know it by."""
        return (self.text, self.many) if self.many else self.text


def messages() -> Iterator[Message]:
    """Yield the texts of all pages in the order of the files, then those of core; a text may come several times."""
    for path in SOURCES:
        yield from messages_of(path.read_text("utf-8"), path.relative_to(ROOT).as_posix())
    for text in filter(None, core_texts()):
        yield Message(text, _CORE)


def messages_of(source: str, place: str) -> Iterator[Message]:
    """Yield the texts of a module; a text that is put together at run time, such as an f-string, is a bug.

    Raises ValueError if `plural` is called with texts that are no constants.
    """
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        called = call.func.id if isinstance(call.func, ast.Name) else ""
        if called in _ONE:
            for text in _constants(call.args[0]):
                yield Message(text, place)
        elif called == _SEVERAL:
            forms = [text for argument in call.args[:2] for text in _constants(argument)]
            if len(forms) != 2:
                raise ValueError(f"{place}:{call.lineno}: plural() needs two constant texts")
            yield Message(forms[0], place, forms[1])


def _constants(node: ast.expr) -> Iterator[str]:
    # a constant, or what one of several constants is chosen by: `kind or "none"`, `"a" if b else "c"`
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from _constants(value)
    elif isinstance(node, ast.IfExp):
        yield from _constants(node.body)
        yield from _constants(node.orelse)
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "get":  # NAMES.get(name, "other")
        yield from _constants(node.args[-1])
