"""The rules of docs/architecture.md, read off the syntax trees: which room imports which, and what no file does."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CODE = sorted(
    path
    for folder in ("jobmatch_core", "jobmatch", "pages", "db", "lab", "app.py")
    for path in ([ROOT / folder] if folder.endswith(".py") else (ROOT / folder).rglob("*.py"))
)
NAMES = [str(path.relative_to(ROOT)) for path in CODE]
TESTS = sorted((ROOT / "tests").rglob("*.py"))
MOST_LINES = 500

LAYERS = tomllib.loads((ROOT / "docs" / "layers.toml").read_text("utf-8"))
NAMED = {room for layer in LAYERS["layers"] for room in layer}


def rooms_named(name: str) -> list[str]:
    """Return the rooms that an entry of the table stands for: `pages.*` for each folder without an entry of its own."""
    if not name.endswith(".*"):
        return [name]
    folders = sorted({path.parent for path in (ROOT / name.removesuffix(".*")).glob("*/*.py")})
    rooms = [f"{name.removesuffix('*')}{folder.name}" for folder in folders]
    return [room for room in rooms if room not in NAMED]


RANK = {room: rank for rank, layer in enumerate(LAYERS["layers"]) for name in layer for room in rooms_named(name)}

KNOWN_TO_DB = tuple(
    f"jobmatch_core.{module}"
    for module in (
        "entities",
        "errors",
        "judgment_origin",
        "judgment_tallies",
        "quotas",
        "search_events",
        "earth",
        "vector_stores.vector_store",
    )
)
# package -> (what it never imports, what of that it may)
FORBIDDEN: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "jobmatch_core": (("streamlit", "sqlalchemy"), ()),
    "jobmatch": (
        ("streamlit", "sqlalchemy", "app", "pages"),
        (
            "streamlit.runtime.pages_manager",  # which `jobmatch app` sets up
            "streamlit.starlette",  # into which `jobmatch serve` puts its routes
            "streamlit.logger",  # whose loggers write into the server's log
            *("streamlit.config", "streamlit.auth_util", "streamlit.web.server"),  # the cookie of sign-in
        ),
    ),
    "db": (("streamlit", "jobmatch_core"), KNOWN_TO_DB),
    "pages": (("torch", "sqlalchemy", "sklearn", "numpy", "umap", "matplotlib"), ()),
    "app": (("torch", "sqlalchemy", "sklearn", "numpy", "jobmatch_core"), ()),
}
NEVER_CALLED = {"eval", "exec", "compile", "__import__", "pickle.load", "pickle.loads", "torch.load", "os.system"}
NEVER_IMPORTED = ("pickle", "joblib", "marshal", "shelve", "dill", "cloudpickle")


def module_of(path: Path) -> str:
    """Return a file's module name."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES: dict[str, Path] = {module_of(path): path for path in CODE}


@cache
def tree_of(path: Path) -> ast.Module:
    """Parse a file."""
    return ast.parse(path.read_text("utf-8"), str(path))


@cache
def imports(tree: ast.AST) -> tuple[str, ...]:
    """Return every imported module, wherever the import stands; `from a import b` is both a and a.b."""
    return tuple(_imports(tree))


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute, so that they can be read off"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def within(module: str, package: str) -> bool:
    """Say whether a module is a package or lies in it."""
    return module == package or module.startswith(package + ".")


def broken_rules(module: str, tree: ast.AST) -> list[str]:
    """Return the imports of a module that a rule forbids."""
    return [
        imported
        for package, (forbidden, allowed) in FORBIDDEN.items()
        if within(module, package)
        for imported in imports(tree)
        if any(within(imported, name) for name in forbidden) and not any(within(imported, name) for name in allowed)
    ]


def calls(tree: ast.AST) -> Iterator[str]:
    """Yield the dotted name of everything that is called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func)


def room_of(module: str) -> str:
    """Return the room that a module lies in: the longest name of the table that it begins with."""
    return max((room for room in RANK if within(module, room)), key=len)


def file_of(imported: str) -> str:
    """Return the module of ours that an imported name stands for, '' where it is none of ours."""
    while imported and imported not in MODULES:
        imported = imported.rpartition(".")[0]
    return imported


def upward(module: str, imported: str) -> bool:
    """Say whether an import breaks the table of layers."""
    own, other = room_of(module), room_of(imported)
    if own == other:
        return False
    beside = other in LAYERS["beside"].get(own, [])
    return RANK[other] < RANK[own] or (RANK[other] == RANK[own] and not beside)


def test_the_code_is_found() -> None:
    """None of the tests below may pass because it looked at nothing."""
    known = ("app.py", "jobmatch_core/entities.py", "jobmatch_core/linking/linker.py", "pages/shared/resources.py")
    assert set(known) <= set(NAMES)
    assert len(NAMES) > 50


def test_every_room_is_in_the_table() -> None:
    """Every room of the table exists, so that no rule is about nothing."""
    assert {room_of(module) for module in MODULES} == set(RANK)
    assert len(NAMED) == sum(map(len, LAYERS["layers"]))
    assert {"pages.about", "pages.scoreboard", "pages.shared"} <= set(RANK)
    assert RANK["pages.about"] < RANK["pages.shared"]


def test_no_room_imports_upward() -> None:
    """A room imports sideways only where docs/layers.toml says so, so that there is no circle of rooms."""
    edges = [(module, file_of(name)) for module, path in MODULES.items() for name in imports(tree_of(path))]
    broken = [f"{module} -> {other}" for module, other in edges if other and upward(module, other)]
    assert sorted(set(broken)) == []
    assert len(edges) > 1000


def test_what_stands_beside_is_used() -> None:
    """A permission that nobody needs goes."""
    used = {
        (room_of(module), room_of(other))
        for module, path in MODULES.items()
        for other in map(file_of, imports(tree_of(path)))
        if other
    }
    granted = {(room, other) for room, others in LAYERS["beside"].items() for other in others}
    assert granted - used == set()


def test_files_import_each_other_in_no_circle() -> None:
    """Not even by an import inside a function; what only a type checker reads does not count."""
    graph = {
        module: {file_of(name) for name in imports(tree_of(path))} - {"", module, *packages_above(module)}
        for module, path in MODULES.items()
    }
    TopologicalSorter(graph).prepare()  # raises CycleError with the circle


def packages_above(module: str) -> list[str]:
    """Return the packages that a module lies in."""
    parts = module.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts))]


def test_third_parties_keep_to_their_rooms() -> None:
    """The library knows neither Streamlit nor SQL, and pages do no maths."""
    broken = {name: broken_rules(module_of(path), tree_of(path)) for path, name in zip(CODE, NAMES, strict=True)}
    assert {name: imported for name, imported in broken.items() if imported} == {}


@pytest.mark.parametrize(
    ("module", "line", "broken"),
    [
        ("jobmatch_core.text.folding", "import streamlit as st", ["streamlit"]),
        ("jobmatch_core.text.folding", "def f():\n    import sqlalchemy.orm", ["sqlalchemy.orm"]),
        ("jobmatch_core.linking.linker", "from jobmatch_core.linking import index", []),
        ("db.store", "from jobmatch_core import settings", ["jobmatch_core.settings"]),
        ("db.store", "from jobmatch_core.entities import Label", []),
        ("jobmatch.serve.server", "from pages.shared import widgets", ["pages.shared.widgets"]),
        ("pages.x", "from sklearn.feature_extraction import text", ["sklearn.feature_extraction.text"]),
        ("pages.x", "from jobmatch_core import text, dbase", []),
    ],
)
def test_the_rule_itself(module: str, line: str, broken: list[str]) -> None:
    """The test above would notice."""
    assert broken_rules(module, ast.parse(line)) == broken


@pytest.mark.parametrize(
    ("module", "imported", "broken"),
    [
        ("jobmatch_core.titles.encoder", "jobmatch_core.linking.linker", True),
        ("jobmatch_core.linking.linker", "jobmatch_core.titles.encoder", False),
        ("jobmatch_core.linking.linker", "jobmatch_core.linking.index", False),
        ("jobmatch_core.linking.linker", "jobmatch_core.towers.tower", True),
        ("jobmatch_core.linking.linker", "jobmatch_core.entities", False),
        ("jobmatch_core.entities", "jobmatch_core.text.folding", True),
        ("jobmatch.services.runs", "pages.shared.widgets", True),
        ("pages.account.account", "jobmatch.serve.server", True),
        ("pages.account.account", "jobmatch.access.permissions", False),
        ("jobmatch.access.sessions", "jobmatch.serve.server", True),
        ("pages.scoreboard.scoreboard", "pages.taxonomies.browser", True),
    ],
)
def test_the_table_itself(module: str, imported: str, broken: bool) -> None:
    """The test of layers would notice."""
    assert upward(module, imported) == broken


def test_the_application_knows_all_vector_stores() -> None:
    """It opens and removes stores through the one module that adds PostgreSQL to the library's table of them."""
    opening = ("jobmatch_core.retrieval.freelancer_index",)
    found = {
        name
        for path, name in zip(CODE, NAMES, strict=True)
        if not name.startswith("jobmatch_core/")
        and any(within(imported, module) for imported in imports(tree_of(path)) for module in opening)
    }
    assert found == {"jobmatch/services/freelancer_finders.py"}


def test_importing_the_library_is_light() -> None:
    """A script that needs only the errors or the version does not wait for seconds."""
    code = "import jobmatch_core.errors, jobmatch_core.settings, sys, json; print(json.dumps([*sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {module.split(".")[0] for module in json.loads(done.stdout)}
    assert "jobmatch_core" in loaded
    heavy = {
        "torch",
        "streamlit",
        "pandas",
        "numpy",
        "sklearn",
        "scipy",
        "pyarrow",
        "sentence_transformers",
        "openpyxl",
    }
    assert loaded & heavy == set()


def test_the_command_line_starts_light() -> None:
    """Each command imports the libraries that it needs itself."""
    code = "import sys, json, jobmatch.cli.main; print(json.dumps([*sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {module.split(".")[0] for module in json.loads(done.stdout)} & {
        "numpy",
        "pandas",
        "sklearn",
        "scipy",
        "pyarrow",
        "torch",
        "streamlit",
        "transformers",
        "umap",
        "matplotlib",
    } == set()


def test_files_are_short() -> None:
    """One noun a file; longer ones are two. A file of tests has one subject too."""
    lines = {path.relative_to(ROOT).as_posix(): len(path.read_text("utf-8").splitlines()) for path in (*CODE, *TESTS)}
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}
    assert "tests/conftest.py" in lines


def test_modules_are_named_after_what_they_are() -> None:
    """No grab-bags."""
    words = {"utils", "util", "helpers", "helper", "common", "misc"}
    assert [name for name in NAMES if words & set(Path(name).stem.strip("_").split("_"))] == []
    assert [name for name in NAMES if words & set(Path(name).parts)] == []


def risky_words(tree: ast.AST) -> list[str]:
    """Return what could run what is read: imports, calls and arguments; pickle in any form, raw HTML."""
    called = list(calls(tree))
    keywords = {word.arg for node in ast.walk(tree) if isinstance(node, ast.Call) for word in node.keywords}
    return [
        *(name for name in imports(tree) if name.split(".")[0] in NEVER_IMPORTED),
        *(name for name in called if name in NEVER_CALLED or name.endswith(("components.html", "st.html"))),
        *sorted(keywords & {"unsafe_allow_html", "allow_pickle", "shell"}),
    ]


def test_nothing_runs_what_it_reads() -> None:
    """No pickle in any form, no code from text, no raw HTML but for our own style sheet."""
    found = {name: risky_words(tree_of(path)) for path, name in zip(CODE, NAMES, strict=True)}
    # there it reads pages/theme.css, nothing else
    assert {name: words for name, words in found.items() if words} == {"app.py": ["st.html"]}


def test_models_come_without_their_own_code() -> None:
    """All are loaded in one place, from the disk, and where their code could be trusted it is said that it is not."""
    loading = [
        (name, {word.arg: ast.unparse(word.value) for word in node.keywords})
        for path, name in zip(CODE, NAMES, strict=True)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("SentenceTransformer", "from_pretrained"))
    ]
    assert [each for each in loading if each[1].get("trust_remote_code") != "False"] == []
    # modules that are in memory already, and else the one file that checks a folder first
    from_disk = [each for each in loading if "modules" not in each[1]]
    assert {name for name, _ in from_disk} == {"jobmatch_core/model_store/transformer_models.py"}
    assert [each for each in from_disk if each[1].get("local_files_only") != "True"] == []


def test_only_one_file_caches() -> None:
    """What sessions share is cached by `pages/shared/cache.py`, where the number of results is a required argument."""
    caching = {
        name
        for path, name in zip(CODE, NAMES, strict=True)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and node.attr in ("cache_data", "cache_resource")
    }
    assert caching == {"pages/shared/cache.py"}
    source = (ROOT / "pages" / "shared" / "cache.py").read_text(encoding="utf-8")
    [decorator] = [
        node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef) and node.name == "cached"
    ]
    required = [
        argument.arg
        for argument, default in zip(decorator.args.kwonlyargs, decorator.args.kw_defaults, strict=True)
        if default is None
    ]
    assert required == ["most"]
    assert source.count("cache_resource(max_entries=most,") == 1


def test_tables_are_written_in_three_files_only() -> None:
    """All neutralise what a spreadsheet would take for a formula, so that no export can forget it."""
    writes = re.compile(r"csv\.(?:Dict)?[wW]riter\(|\.to_csv\(|\.to_excel\(|\bWorkbook\(")
    found = {
        path.relative_to(ROOT).as_posix()
        for folder in ("jobmatch_core", "jobmatch", "db", "pages")
        for path in (ROOT / folder).rglob("*.py")
        if writes.search(path.read_text("utf-8"))
    }
    assert found == {
        "jobmatch_core/io/tables.py",
        "jobmatch_core/io/xlsx_file.py",
        "jobmatch_core/labelling/label_files.py",
    }
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert config["client"]["disableDataExport"] is True  # a table's own toolbar writes cells as they are
