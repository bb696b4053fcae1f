"""Templates of the texts that core composes and pages show: errors, conflicts, findings of audits, qualities of maps.

Core composes them in English, mostly with f-strings, and does not know that they are translated. A template is such an
f-string with its expressions as fields; `pages/shared/composed.py` finds the template of a text.
"""

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple, TypeVar

from jobmatch_core import errors
from lab.translation.untranslated import is_read

NodeT = TypeVar("NodeT")
ROOT = Path(__file__).parents[2]
_RAISING = ("jobmatch_core", "jobmatch/services", "jobmatch/access", "db")  # packages whose errors pages show
_COMPOSING = (  # modules with further texts
    "jobmatch_core/audit/report.py",
    "jobmatch_core/audit/report_comparison.py",
    "jobmatch_core/benchmarks/retrieval/search_runs.py",
    "jobmatch_core/benchmarks/scoreboard/comparison.py",
    "jobmatch_core/benchmarks/scoreboard/entries.py",
    "jobmatch_core/crosswalks/conflicts.py",
    "jobmatch_core/maps/latent_map.py",
    "jobmatch_core/training/ranker_report.py",
)
_PHRASE = re.compile(r"[a-z]+ [a-z]+ [a-z]")  # in a table, what is no name
_WORD = re.compile(r"[a-z]{3,}(?![^{]*\})")  # outside of fields
_ERRORS = {name for name, item in vars(errors).items() if isinstance(item, type) and issubclass(item, Exception)}
# an error, or a method that returns one; what labels are read with raises ValueError, which becomes the error of a file
_READING = (*_ERRORS, "error", "ValueError")
_READERS = ("jobmatch_core/labelling/", "jobmatch_core/marketplace/", "jobmatch_core/io/")


def composed_texts() -> Iterator[tuple[str, str]]:
    """Yield each template with its file, in the order of the files; a template may come several times."""
    for path in sorted(path for package in _RAISING for path in (ROOT / package).rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        for text in templates_of(
            path.read_text("utf-8"), _READING if place.startswith(_READERS) else _ERRORS, every=place in _COMPOSING
        ):
            yield text, place


def templates_of(source: str, raised: Collection[str] = _ERRORS, *, every: bool = False) -> Iterator[str]:
    """Yield the templates of a module: of what is *raised* with them, or of every text that people read, too."""
    tree = ast.parse(source)
    every_function = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    functions = {node.name: node for node in every_function}
    shown = [(node, _Scope({}, functions)) for node in _texts(tree)] if every else []
    for function in every_function:
        scope = _Scope(dict(_assigned(function)), functions)
        calls = (node for node in ast.walk(function) if isinstance(node, ast.Call))
        shown += [(argument, scope) for call in calls if _name(call.func) in raised for argument in call.args]
    for node, scope in shown:
        yield from filter(_is_template, scope.whole(node))
        yield from filter(_WORD.search, scope.fields(node))
    if shown:  # constants may have fields of their own, for `format`
        constants = [node.value for node in tree.body if isinstance(node, ast.Assign)]
        yield from filter(_is_template, _strings(constants))
        in_tables = _strings(value for node in constants if isinstance(node, ast.Dict) for value in node.values)
        yield from filter(_PHRASE.search, in_tables)  # tables have names, too


class _Scope(NamedTuple):
    """What the names of an expression stand for."""

    local: dict[str, ast.expr]
    functions: dict[str, ast.FunctionDef]

    def whole(self, node: ast.expr) -> list[str]:
        """Return a template for each way through an expression; none for what only a run knows."""
        if isinstance(node, ast.JoinedStr):
            return ["".join(map(_piece, node.values))]
        if isinstance(node, ast.Constant):
            return [_piece(node)] if isinstance(node.value, str) else []
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return list(map("".join, product(self.whole(node.left), self.whole(node.right))))
        return [text for way, scope in self._ways(node) for text in scope.whole(way)]

    def fields(self, node: ast.expr) -> Iterator[str]:
        """Yield the templates of the fields of an expression's f-strings, which may be texts of core themselves."""
        for way, scope in self._ways(node):
            yield from scope.fields(way)
        for part in ast.walk(node):
            if isinstance(part, ast.FormattedValue):
                yield from self.whole(part.value)
                yield from (text for way, scope in self._ways(part.value) for text in scope.fields(way))

    def _ways(self, node: ast.expr) -> Iterator[tuple[ast.expr, "_Scope"]]:
        # a name or a function counts once on each way, since a text may be put together from itself
        name = _name(node.func) if isinstance(node, ast.Call) else _name(node)
        scope = _Scope(_without(self.local, name), _without(self.functions, name))
        if isinstance(node, ast.IfExp):
            yield from ((node.body, self), (node.orelse, self))
        elif isinstance(node, ast.Name) and name in self.local:
            yield self.local[name], scope
        elif isinstance(node, ast.Call) and name in self.functions:
            returns = (inner for inner in ast.walk(self.functions[name]) if isinstance(inner, ast.Return))
            yield from ((inner.value, scope) for inner in returns if inner.value is not None)


def _without(named: dict[str, NodeT], name: str) -> dict[str, NodeT]:
    return {key: node for key, node in named.items() if key != name}


def _strings(nodes: Iterable[ast.expr]) -> Iterator[str]:
    yield from (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))


def _assigned(function: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value
        elif isinstance(node, ast.NamedExpr):
            yield node.target.id, node.value


def _texts(tree: ast.Module) -> Iterator[ast.expr]:
    # f-strings, and constants that are neither part of one nor a docstring
    inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    inner |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    yield from (
        node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr | ast.Constant) and id(node) not in inner
    )


def _piece(part: ast.expr) -> str:
    if isinstance(part, ast.FormattedValue):
        return _field(part.value)
    return str(ast.literal_eval(part)).replace("{", "{{").replace("}", "}}")


def _field(value: ast.expr) -> str:
    if isinstance(value, ast.BoolOp):
        value = value.values[0]
    words = re.sub(r"\W+|_+", "_", ast.unparse(value)).strip("_")[:40]
    return f"{{{words if words.isidentifier() else 'value'}}}"


def _is_template(text: str) -> bool:
    return is_read(text) or bool(re.search(r"[a-z]{2,} [a-z]", re.sub(r"\{\w*\}", " ", text)))


def _name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
