"""The command line imports what a command needs, and no more."""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from typer.main import get_command

from jobmatch.cli.main import Commands, LazyCommands, app
from jobmatch_core.metrics.gauges import peak_memory_mb
from jobmatch_core.settings import Settings

ROOT = Path(__file__).parents[3]
SLOW = {"sklearn", "torch", "transformers", "streamlit", "umap", "matplotlib", "plotly"}
TABLES = {"pandas", "pyarrow", "openpyxl", "scipy"}


def loaded_by(*words: str, home: Path) -> set[str]:
    """Run a command in another process, and return the imported modules."""
    code = (
        f"import atexit, json, sys; sys.argv = {['jobmatch', *words]!r}\n"
        "atexit.register(lambda: print(json.dumps([*sys.modules]), file=sys.stderr))\n"
        "from jobmatch.cli.main import main; main()"
    )
    environment = {"PATH": "", "PYTHONPATH": str(ROOT), "JOBMATCH_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stderr))


def packages(modules: set[str]) -> set[str]:
    """Return the packages of modules."""
    return {module.split(".")[0] for module in modules}


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_version_and_help_import_no_command(tmp_path: Path, option: str) -> None:
    """No library of a command is imported either."""
    modules = loaded_by(option, home=tmp_path)
    assert packages(modules) & (SLOW | TABLES | {"numpy"}) == set()
    assert {place.partition(":")[0] for place in Commands.places.values()} & modules == set()


@pytest.mark.usefixtures("use_linker_home")
def test_listing_taxonomies_reads_no_table() -> None:
    """The manifests are enough."""
    modules = loaded_by("taxonomy", "list", home=Settings.from_environment().home)
    assert packages(modules) & (SLOW | TABLES) == set()
    assert "jobmatch.cli.link" not in modules


@pytest.mark.usefixtures("use_linker_home")
def test_a_stored_index_links_without_what_built_it() -> None:
    """Only scipy's sparse matrices are imported."""
    modules = loaded_by("link", "nurse", "--json", home=Settings.from_environment().home)
    assert packages(modules) & (SLOW | {"openpyxl"}) == set()
    assert {"scipy.stats", "scipy.optimize"} & modules == set()
    assert "scipy.sparse" in modules


def test_every_command_of_the_table_is_there() -> None:
    """Its module has the named attribute; what its text says of it is what it says itself."""
    commands = LazyCommands(Commands.places)
    for name, place in Commands.places.items():
        module, _, attribute = place.partition(":")
        assert hasattr(import_module(module), attribute)
        assert commands[name].name == name
        assert commands.purpose(name) == (commands[name].help or "").partition("\n\n")[0] != ""


def test_an_unknown_command_is_none() -> None:
    """As in typer's own groups, so that the error suggests another one."""
    commands = LazyCommands(Commands.places)
    assert commands.get("lnik") is None
    assert list(commands) == list(Commands.places)
    assert len(commands) == len(Commands.places)


def test_groups_keep_their_commands() -> None:
    """Their commands are found."""
    group = get_command(app)
    assert isinstance(group, Commands)
    taxonomy = group.commands["taxonomy"]
    assert {"import", "list", "show", "compare", "remove", "index"} == set(getattr(taxonomy, "commands", {}))


@pytest.mark.long
def test_it_is_imported_where_resource_and_fcntl_are_not_there() -> None:
    """As on Windows: all commands are imported, and memory is 0."""
    code = (
        "import filelock, psutil, sys; sys.modules.update(resource=None, fcntl=None)\n"  # for Linux they need it
        "import importlib, pkgutil, jobmatch.cli, jobmatch.services\n"
        "rooms = (jobmatch.cli, jobmatch.services)\n"
        "names = [m.name for r in rooms for m in pkgutil.iter_modules(r.__path__, r.__name__ + '.')]\n"
        "for name in (*names, 'jobmatch_core.benchmarks.link_speed'): importlib.import_module(name)\n"
        "from jobmatch_core.metrics.gauges import peak_memory_mb\n"
        "print(len(names), peak_memory_mb(), peak_memory_mb(children=True))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    count, *told = done.stdout.split()
    assert int(count) > 20
    assert told == ["0.0", "0.0"]


def test_memory_is_told_in_megabytes() -> None:
    """More than a few, and less than the machine has."""
    assert 10 < peak_memory_mb() < 1_000_000
