"""Errors are one line on standard error with exit code 2; nothing on standard output, never a traceback."""

import errno
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from jobmatch.cli.main import app
from jobmatch_core import __version__
from jobmatch_core.errors import LabellingError
from tests.sampled import sampled

ROOT = Path(__file__).parents[3]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the command line as a user does, in a process of its own."""
    command = [sys.executable, "-W", "error", "-m", "jobmatch", *words]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write valid and invalid files into the working folder."""
    monkeypatch.chdir(tmp_path)
    contents = {
        "ok.csv": b"title,place\ncook,Leeds\n",
        "broken.csv": b'title,place\n"cook,Leeds\n',
        "long.csv": b"title,place\ncook,Leeds,1,2\n",
        "twice.csv": b"title,title\na,b\n",
        "n.csv": b"id,pay\n1,20\n",
        "latin.csv": "title\nKöchin\n".encode("cp1252"),
        "latin.jsonl": '{"title": "Köchin"}\n'.encode("cp1252"),
        "broken.jsonl": b'{"title": "cook"}\n{"title": \n',
        "list.jsonl": b"[1, 2]\n",
        "empty.csv": b"",
        "header.csv": b"title\n",
        "text.xlsx": b"no workbook",
        "text.parquet": b"no table",
        "titles.pdf": b"%PDF",
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder.csv").mkdir()
    for name in ("titles.zip", "zipped.csv", "zipped.jsonl"):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("titles.csv", "title\ncook\n")
    return tmp_path


IN_A_PROCESS = {
    "unknown taxonomy": (("link", "cook", "--taxonomy", "esco-9"), "There is no taxonomy 'esco-9'"),
    "unknown option": (("link", "cook", "--nope"), "No such option: --nope"),
    "no file": (("link", "--file", "no.csv", "--out", "o.csv"), "no.csv: there is no such file"),
    "bad language": (("link", "cook", "--show", "xx"), "'xx' is not a language known here"),
    "broken CSV": (("link", "--file", "broken.csv", "--out", "o.csv"), "broken.csv, line 2: the CSV"),
    "zip": (("taxonomy", "import", "titles.zip"), "titles.zip: this is a zip archive; unpack it"),
}


@pytest.mark.parametrize(("words", "message"), sampled(IN_A_PROCESS, every=6))
@pytest.mark.usefixtures("use_linker_home", "files")
def test_errors_in_a_process_of_their_own(words: tuple[str, ...], message: str) -> None:
    """Exit code 2, nothing on standard output, one line on standard error."""
    done = run(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"jobmatch: {message}")
    assert done.stderr.count("\n") == 1


def test_version_in_a_process_of_its_own() -> None:
    """Only the version is printed."""
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{__version__}\n", "")


FILE_ERRORS = {
    "long.csv": "long.csv, line 2: 4 fields where the header has 2",
    "twice.csv": "twice.csv, line 1: the column 'title' occurs twice",
    "broken.jsonl": "broken.jsonl, line 2: this line is not JSON",
    "list.jsonl": "list.jsonl, line 1: expected one JSON object a line",
    "empty.csv": "empty.csv: the file has no rows",
    "header.csv": "header.csv: the file has no rows",
    "text.xlsx": "text.xlsx: this is not an Excel workbook",
    "text.parquet": "text.parquet: this is not a Parquet file",
    "titles.pdf": "titles.pdf: expected a file that ends in .csv, .xlsx, .parquet, .jsonl",
    "titles.zip": "titles.zip: expected a file that ends in .csv, .xlsx, .parquet, .jsonl",
    "zipped.csv": "zipped.csv: ",
    "zipped.jsonl": "zipped.jsonl: ",
    "no.csv": "no.csv: there is no such file",
    "folder.csv": "Addresses, folders and --engine need a folder as output: --out FOLDER",
}


@pytest.mark.parametrize(("name", "message"), FILE_ERRORS.items())
@pytest.mark.usefixtures("use_linker_home")
def test_files_that_cannot_be_linked(run_main: Callable[..., Any], files: Path, name: str, message: str) -> None:
    """The error names the file and, if there is one, the line; nothing is written."""
    before = sorted(path.name for path in files.iterdir())
    ended = run_main("link", "--file", name, "--column", "title", "--out", "linked.csv")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.count("\n") == 1
    assert message in ended.err
    assert sorted(path.name for path in files.iterdir() if path.suffix != ".parts") == before


OPTION_ERRORS = [
    (("link",), "Give either titles or --file FILE."),
    (("link", "cook", "--file", "ok.csv", "--out", "o.csv"), "Give either titles or --file FILE."),
    (("link", "--file", "ok.csv"), "--out is required, such as linked.csv"),
    (("link", "--file", "n.csv", "--out", "o.csv"), "n.csv: name the column of titles; it has id, pay"),
    (
        ("link", "--file", "latin.csv", "--column", "title", "--out", "o.csv", "--encoding", "utf-8"),
        "latin.csv, line 2: this is not UTF-8 text",
    ),
    (
        ("link", "--file", "ok.csv", "--out", "o.csv", "--column", "job"),
        "ok.csv: there is no column 'job'; it has title",
    ),
    (("link", "--file", "ok.csv", "--column", "title", "--out", "o.doc"), "o.doc: expected a file that ends in"),
    (("link", "--file", "ok.csv", "--column", "title", "--out", "o.csv", "--encoding", "klingon"), "klingon"),
    (("link", "cook", "--languages", "de,xx"), "'xx' is not a language known here; known are ar, bg,"),
    (("link", "cook", "--languages", "hu"), "isco-08 has no names in hu; it has de, en,"),
    (("link", "cook", "--top", "0"), "Invalid value for '--top'"),
    (("link", "cook", "--top", "many"), "Invalid value for '--top'"),
    (("taxonomy", "show", "nope"), "There is no taxonomy 'nope'; installed are: isco-08."),
    (("taxonomy", "show", "../isco-08"), "There is no taxonomy '../isco-08'"),
    (("taxonomy", "show", "isco-08", "--occupation", "nope"), "There is no occupation 'nope' in isco-08."),
    (("taxonomy", "index", "nope"), "There is no taxonomy 'nope'"),
    (("taxonomy", "remove", "nope"), "There is no taxonomy 'nope'"),
    (("taxonomy", "remove", "isco-08"), "The bundled taxonomy cannot be removed."),
    (("taxonomy", "import", "nowhere"), "nowhere: there is no such file or folder"),
    (("taxonomy", "import", "."), "CSV files such as occupations_en.csv"),
    (
        ("taxonomy", "import", "ok.csv", "--name", "ISCO", "--version", "08", "--columns", "code=title,name=title"),
        "isco-08 is the bundled taxonomy",
    ),
    (("train", "linking"), "Missing option '--snapshot'"),
    (("nonsense",), "No such command 'nonsense'"),
]


@pytest.mark.parametrize(("words", "message"), OPTION_ERRORS, ids=[" ".join(words) for words, _ in OPTION_ERRORS])
@pytest.mark.usefixtures("use_linker_home", "files")
def test_options_that_cannot_be_used(run_main: Callable[..., Any], words: tuple[str, ...], message: str) -> None:
    """One line with the given and the allowed values."""
    ended = run_main(*words)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("jobmatch: ")
    assert ended.err.count("\n") == 1
    assert message in ended.err
    assert len(ended.err.strip()) > len("jobmatch: ")


@pytest.mark.usefixtures("use_linker_home")
def test_show_with_a_bad_language(run_main: Callable[..., Any]) -> None:
    """English is not used silently."""
    ended = run_main("taxonomy", "show", "isco-08", "--language", "xx")
    assert (ended.code, ended.out) == (2, "")
    assert "'xx' is not a language known here" in ended.err


@pytest.mark.parametrize("words", [(), ("taxonomy",), ("evaluate",)], ids=["all", "taxonomy", "evaluate"])
def test_without_a_command_the_help_is_shown(run_main: Callable[..., Any], words: tuple[str, ...]) -> None:
    """It lists the commands, without an empty error line."""
    ended = run_main(*words)
    assert "Usage:" in ended.out + ended.err
    assert not any(line.strip() == "jobmatch:" for line in ended.err.splitlines())


def test_a_home_that_cannot_be_written(
    run_main: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """JOBMATCH_HOME is a file."""
    (tmp_path / "file").write_text("", "utf-8")
    monkeypatch.setenv("JOBMATCH_HOME", str(tmp_path / "file"))
    ended = run_main("taxonomy", "list")
    assert (ended.code, ended.out) == (2, "")
    assert "could not be stored" in ended.err
    assert ended.err.count("\n") == 1


def test_what_to_do_about_the_disk_is_said(run_main: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an error of the library that only says what happened."""

    def full(*_: object) -> None:
        disk = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        raise LabellingError(f"labels.csv could not be written ({disk.strerror}).") from disk

    monkeypatch.setattr("jobmatch_core.taxonomy.TaxonomyStore.installed", full)
    ended = run_main("taxonomy", "list")
    assert "could not be written (No space left on device). Free some disk space" in ended.err


def test_ctrl_c_is_no_traceback(run_main: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 130, as shells expect."""

    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("jobmatch.services.linking.open_linker", stopped)
    ended = run_main("link", "cook")
    assert (ended.code, ended.out, ended.err) == (130, "", "jobmatch: stopped\n")


def test_bugs_stay_visible(run_main: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Only errors that the user can fix are put into one line."""

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("jobmatch.services.linking.open_linker", broken)
    with pytest.raises(ZeroDivisionError):
        run_main("link", "cook")


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield all commands and groups."""
    yield path
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, (*path, name))


ALL = list(commands(get_command(app)))


def test_every_command_is_walked() -> None:
    """The test below finds commands."""
    assert isinstance(get_command(app), TyperGroup)
    assert ("taxonomy", "import") in ALL
    assert len(ALL) >= 14


@pytest.mark.parametrize("path", ALL, ids=[" ".join(path) or "jobmatch" for path in ALL])
def test_help(cli: Callable[..., Any], path: tuple[str, ...]) -> None:
    """Every command's help has an example that starts with the command itself; a group lists its commands."""
    shown = " ".join(cli(*path, "--help").stdout.split())
    if any(longer[: len(path)] == path and longer != path for longer in ALL):
        assert all(longer[-1] in shown for longer in ALL if longer[:-1] == path and longer)
    else:
        assert f"Example: jobmatch {' '.join(path)} " in shown + " "
