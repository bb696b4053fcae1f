"""What is written down is true: commands, Python in the README, versions, limits and pinned packages."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import jobmatch_core
from jobmatch.cli.main import app
from jobmatch_core import settings
from jobmatch_core.labelling.export_formats import export_formats
from jobmatch_core.labelling.queues import POLICIES
from jobmatch_core.metrics.judgment_metrics import GRADED
from jobmatch_core.metrics.ranking import METRICS
from jobmatch_core.titles.encoder import shipped_folder
from jobmatch_core.towers.dual_losses import LOSSES
from jobmatch_core.towers.matching_metrics import FIGURES
from lab.cli.main import app as lab

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
LAB = "python -m lab"
CLI = {name: (ROOT / page).read_text("utf-8") for name, page in (("jobmatch", "docs/cli.md"), (LAB, "lab/README.md"))}
TUTORIALS = [ROOT / "docs" / name for name in ("recruiter.md", "annotator.md", "data-scientist.md")]
DOCUMENTS = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")),
]
NOTES = sorted((ROOT / "lab" / "notes").glob("[0-9]*.md"))
LINKED = [*DOCUMENTS, ROOT / "lab" / "notes" / "README.md", *NOTES]
PYTHON = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def commands(group: Any, path: str = "jobmatch") -> Iterator[tuple[str, Any]]:
    """Walk the commands, without the groups they are in."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


SERVICES = "jobmatch-admin|docker compose exec jobmatch jobmatch"  # how a service's commands are run
QUOTED = '[`"]{}[`"]'
COMMANDS = dict(commands(get_command(app))) | dict(commands(get_command(lab), LAB))


def test_the_commands_are_found() -> None:
    """The tests below look at all of them."""
    assert {"jobmatch link", "jobmatch taxonomy import", "jobmatch bench", f"{LAB} bench growth"} <= set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(command: str) -> None:
    """In docs/cli.md or lab/README.md, and with a help text of its own."""
    program = LAB if command.startswith(LAB) else "jobmatch"
    assert re.search(rf"^{command}\b", CLI[program], re.MULTILINE), f"{command} is not documented"
    assert len(COMMANDS[command].help.split("Example:")[0].strip()) > 10


@pytest.mark.parametrize(
    ("page", "patterns"),
    [
        pytest.param("cli.md", list(map(QUOTED.format, METRICS)), id="metrics of rankings"),
        pytest.param("cli.md", list(map(QUOTED.format, GRADED)), id="metrics of searches"),
        pytest.param("cli.md", list(map(QUOTED.format, FIGURES)), id="metrics of matching"),
        pytest.param("cli.md", list(map(QUOTED.format, LOSSES)), id="losses of the towers"),
        pytest.param("cli.md", [rf"\b{name}\b" for name in export_formats()], id="export formats"),
        pytest.param("annotator.md", [rf"\| {policy.label} \|" for policy in POLICIES.values()], id="queues"),
    ],
)
def test_every_choice_is_documented(page: str, patterns: Sequence[str]) -> None:
    """A new entry of a table has its line in the documentation."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    assert [pattern for pattern in patterns if not re.search(pattern, text)] == []
    assert patterns


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_has_a_help_text(command: str) -> None:
    """Every option and every argument has a help text."""
    assert [each.name for each in COMMANDS[command].params if not getattr(each, "help", None)] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_documented(command: str) -> None:
    """`--json` once for all, the others in the part of the page about their command."""
    program = LAB if command.startswith(LAB) else "jobmatch"
    group = command.removeprefix(program).split()[0]
    [part] = re.findall(rf"^## {program} {group}\n(.*?)(?=^## |\Z)", CLI[program], re.DOTALL | re.MULTILINE)
    options = {opt for each in COMMANDS[command].params for opt in each.opts if opt.startswith("--")} - {
        "--help",
        "--json",
    }
    assert [option for option in sorted(options) if option not in part] == []


def test_documented_commands_exist() -> None:
    """Every line of a code block that runs one of both programs names a command, and only options that it has."""
    lines = [
        f"{LAB if program == LAB else 'jobmatch'} {command}"
        for document in DOCUMENTS
        for block in re.findall(r"^```\w*\n(.*?)^```", document.read_text("utf-8"), re.DOTALL | re.MULTILINE)
        for program, command in re.findall(rf"^({SERVICES}|jobmatch|{LAB}) ([^|\n]*)", block, re.MULTILINE)
    ]
    assert len(lines) > 10
    for line in lines:
        found = [command for command in COMMANDS if line.startswith(f"{command} ") or line == command]
        assert found, f"there is no command for: {line}"
        known = {opt for each in COMMANDS[found[0]].params for opt in (*each.opts, *each.secondary_opts)}
        assert set(re.findall(r"--[a-z][a-z-]*", line)) <= known, line


def test_the_readme_has_python() -> None:
    """Without an example the test below would run nothing."""
    assert PYTHON


@pytest.mark.parametrize("block", PYTHON, ids=[f"block {number}" for number in range(1, len(PYTHON) + 1)])
@pytest.mark.usefixtures("use_linker_home")
def test_the_readmes_python_runs(block: str) -> None:
    """As a user would run it: in a process of its own, with the bundled taxonomy, without a warning."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", block], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert bool(done.stdout.strip()) == ("print(" in block)


def test_the_changelog_knows_the_version() -> None:
    """The newest heading is the version, or what is not released yet."""
    headings = re.findall(r"^## \[?([^\]\s]+)\]?", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[0] in (jobmatch_core.__version__, "Unreleased")
    assert re.fullmatch(r"\d+\.\d+\.\d+", jobmatch_core.__version__)


def test_the_upload_limit_is_said_twice_but_once_decided() -> None:
    """Streamlit reads its own file, the pages ours."""
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert config["server"]["maxUploadSize"] == settings.UPLOAD_LIMIT_MB


def test_the_app_keeps_to_this_machine() -> None:
    """It asks nobody for a password, so nobody else may reach it; and it reports to nobody."""
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert config["server"]["address"] == "127.0.0.1"
    assert config["browser"]["gatherUsageStats"] is False


REQUIREMENTS = [
    line
    for line in (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    if line.strip() and not line.startswith("#")
]


def test_requirements_are_pinned_with_a_reason() -> None:
    """`name==version  # why`, `name[extra]==...` or `...; python_version<'3.14'  # why`; each package once."""
    assert len(REQUIREMENTS) >= 10
    pattern = re.compile(r"^([a-z0-9-]+)(\[[a-z,]+\])?==\d+(\.\d+)+(; python_version<'3\.\d+')?\s+# \S.{3,}$")
    assert [line for line in REQUIREMENTS if not pattern.match(line)] == []
    names = [re.split(r"\[|==", line)[0] for line in REQUIREMENTS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("document", LINKED, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_to_files_are_not_broken(document: Path) -> None:
    """Every relative link of a document leads to a file."""
    text = re.sub(r"```.*?```", "", document.read_text("utf-8"), flags=re.DOTALL)
    targets = [target.split("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text)]
    local = [target for target in targets if target and not re.match(r"[a-z]+:", target)]
    assert [target for target in local if not (document.parent / target).exists()] == []


def test_the_map_of_the_code_is_complete() -> None:
    """Every module and folder at the top of the library is in the map, and nothing that is not there."""
    [tree] = re.findall(r"^## What is where\n+```\n(.*?)^```", CONTRIBUTING, re.DOTALL | re.MULTILINE)
    listed = sorted(line.split()[0].rstrip("/") for line in tree.splitlines() if line.startswith("  "))
    there = sorted(
        path.name
        for path in (ROOT / "jobmatch_core").iterdir()
        if not path.name.startswith("__") and (path.suffix == ".py" or (path / "__init__.py").exists())
    )
    assert listed == there


@pytest.mark.parametrize("document", LINKED, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_headings(document: Path) -> None:
    """Every link to a part of a page names a heading of it, as GitHub makes anchors of headings."""
    text = re.sub(r"```.*?```", "", document.read_text("utf-8"), flags=re.DOTALL)
    links = re.findall(r"\]\(([^)\s:#]*)#([^)\s]+)\)", text)
    assert [link for link in links if link[1] not in anchors(document.parent / link[0] if link[0] else document)] == []


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", TUTORIALS, ids=lambda path: path.name)
def test_a_tutorial_is_complete(document: Path) -> None:
    """It says what is needed and what to do when it goes wrong, has commands, and README leads to it."""
    text = document.read_text("utf-8")
    assert "\n## What you need\n" in text
    assert "\n## When something goes wrong\n" in text
    assert "\njobmatch " in text
    assert f"(docs/{document.name})" in README


@pytest.mark.parametrize("name", ["results.md", "experiments.md"])
def test_the_figures_of_a_page_are_in_the_notes(name: str) -> None:
    """Every decimal figure of the page is in a note of the laboratory, to the last digit."""
    figure = re.compile(r"(?<![\d.,-])\d+\.\d+(?!\d|\.\d)")
    figures = set(figure.findall((ROOT / "docs" / name).read_text("utf-8"))) - {"3.11"}  # Python
    assert len(figures) > 60
    assert figures - {number for note in NOTES for number in figure.findall(note.read_text("utf-8"))} == set()


def test_the_experiments_are_short() -> None:
    """At most 6,000 words, tables included."""
    assert len((ROOT / "docs" / "experiments.md").read_text("utf-8").split()) <= 6000


def test_every_note_is_listed() -> None:
    """In the table of lab/notes/README.md."""
    index = (ROOT / "lab" / "notes" / "README.md").read_text("utf-8")
    assert re.findall(r"^\| \[[\d-]+\]\(([\w.-]+)\)", index, re.MULTILINE) == [note.name for note in NOTES]


def test_pictures_are_light() -> None:
    """Pictures have at most 200 kB, README's 300 kB, so that a clone and a page stay quick."""
    sizes = {path: path.stat().st_size for path in (ROOT / "docs").rglob("*.png")}
    assert len(sizes) >= 7
    first = ROOT / "docs" / "screenshot.png"
    assert {path.name: size for path, size in sizes.items() if size > (300_000 if path == first else 200_000)} == {}


def test_the_ten_changes_name_files_that_are_there() -> None:
    """The table has ten rows, and every path in it exists."""
    [part] = re.findall(r"^## Where a change goes\n(.*?)^## ", CONTRIBUTING, re.DOTALL | re.MULTILINE)
    rows = [line for line in part.splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 10
    paths = [path for row in rows for path in re.findall(r"`([\w./]+/[\w./]*)`", row)]
    assert len(paths) >= 20
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_model_card_says_the_models_size() -> None:
    """Once, and truly: of all of its files together."""
    folder = shipped_folder()
    [said] = re.findall(r"([\d.]+) MB", (folder / "README.md").read_text("utf-8"))
    assert said == f"{sum(path.stat().st_size for path in folder.rglob('*') if path.is_file()) / 1e6:.1f}"
