"""Texts in the code of pages that are shown, but not translated."""

import ast
import re
from collections.abc import Iterator

TRANSLATING = ("_", "N_", "plural")
# arguments that no viewer reads
_UNSEEN = (
    "key icon type color width height mode mime format gap border vertical_alignment horizontal_alignment "
    "label_visibility persist_state shortcut html css js textposition selection_mode encoding errors on_select "
    "icon_position"
).split()
# functions and methods whose texts no viewer reads
_CODE = (
    "compile encode decode startswith endswith split partition rpartition replace removesuffix removeprefix "
    "strip rstrip TypeVar cast hasattr getattr component code get pop setdefault read_cookie cached download_name Path "
    "open select_language strftime fullmatch sub"
).split()
_FIRST_CODE = ("page_link", "switch_page", "Page")  # of these, no viewer reads the first
_MARKS = re.compile(r":material/\w+:|:[a-z-]+\[|https?://\S+|`[^`]*`|%?\{[^{}]*\}|<[^<>]*>|&\w+;")
# two words, or one that begins a sentence or a label
_READ = re.compile(r"[A-Za-z]{2,}[,:;.]? \W*[A-Za-z]{2,}|^\W*[A-Z][a-z]{2,}\b(?![_/.\w]*[_/])")
_PROGRAM = re.compile(
    r"export default|function |const |\{ [\w-]+:|^[a-z]+[-_.][\w.-]+$|^\w+://|^jobmatch \w+ |^#|%[A-Za-z]"
)


def is_read(text: str) -> bool:
    """Return whether a text looks like one that people read, rather than a key, a name in code, or a program."""
    return not _PROGRAM.search(text) and bool(_READ.search(_MARKS.sub(" ", text)))


def untranslated(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each text of a module that people seem to read and that no catalogue can hold."""
    tree = ast.parse(source)
    passed = _passed(tree)
    for node in ast.walk(tree):
        if id(node) in passed:
            continue
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
            passed |= {id(part) for part in node.values}
            if is_read(text):
                yield node.lineno, text
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and is_read(node.value):
            yield node.lineno, node.value


def _passed(tree: ast.Module) -> set[int]:
    # ids of the nodes that are translated, docstrings, types, or read by programs only
    passed: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            passed.add(id(node.value))
        elif isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            read_from = len(node.args) if name in (*TRANSLATING, *_CODE) else int(name in _FIRST_CODE)
            unseen = [argument.value for argument in node.keywords if argument.arg in _UNSEEN]
            passed |= {id(inner) for outer in (*node.args[:read_from], *unseen) for inner in ast.walk(outer)}
        elif isinstance(node, ast.Subscript):
            passed |= {id(inner) for inner in ast.walk(node.slice)}
        elif isinstance(node, ast.Compare):
            passed |= {id(inner) for side in (node.left, *node.comparators) for inner in ast.walk(side)}
        elif isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            passed |= {id(inner) for inner in ast.walk(node.annotation)}
        elif isinstance(node, ast.FunctionDef) and node.returns is not None:
            passed |= {id(inner) for inner in ast.walk(node.returns)}
    return passed
