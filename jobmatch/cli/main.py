"""The `jobmatch` command: its subcommands, imported when they are called, and its error messages."""

import ast
import errno
import sys
from collections.abc import Iterator, Mapping
from copy import copy
from importlib import import_module
from importlib.util import find_spec
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NoReturn, cast

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import Abort, TyperException
from typer.main import get_group

from jobmatch.cli.output import print_warning
from jobmatch_core import __version__
from jobmatch_core.errors import JobMatchError
from jobmatch_core.text.folding import visible

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter

Command = TyperCommand | TyperGroup
EXIT_ERROR = 2
EXIT_INTERRUPTED = 130
_NO_WRITING = "Choose a place that this user may write to; JOBMATCH_HOME is the folder of jobmatch's files."
_NO_ROOM = "Free some disk space and run the command again."
_OTHER_PATH = "Give another path."
_REMEDIES = {
    errno.ENAMETOOLONG: _OTHER_PATH,
    errno.ELOOP: _OTHER_PATH,
    errno.ENOTDIR: _OTHER_PATH,
    errno.EISDIR: _OTHER_PATH,
    errno.ENOENT: _OTHER_PATH,
    errno.EEXIST: _OTHER_PATH,
    errno.EROFS: _NO_WRITING,
    errno.EACCES: _NO_WRITING,
    errno.EPERM: _NO_WRITING,
    errno.ENOSPC: _NO_ROOM,
    errno.EDQUOT: _NO_ROOM,
    errno.EFBIG: _NO_ROOM,
    errno.EIO: "The disk is damaged or was removed.",
}
_NAME_SHOWN = 40  # characters that are shown of a name that is too long
_LONGEST_MESSAGE = 1500  # characters; a message may quote the content of a file


class LazyCommands(Mapping[str, Command]):
    """Commands by name; only looking one up imports its module."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = places

    def __getitem__(self, name: str) -> Command:
        module, _, attribute = self._places[name].partition(":")
        command = getattr(import_module(module), attribute)
        parent = typer.Typer()
        parent.add_typer(command, name=name) if isinstance(command, typer.Typer) else parent.command(name)(command)
        return cast("Command", get_group(parent).commands[name])

    def purpose(self, name: str) -> str:
        """Return what a command is for, as the text of its module says: importing all modules takes seconds."""
        module, _, attribute = self._places[name].partition(":")
        spec = find_spec(module)
        for node in ast.parse(Path(spec.origin).read_text("utf-8")).body if spec and spec.origin else ():
            match node:
                case ast.FunctionDef(name=named) if named == attribute:
                    return (ast.get_docstring(node) or "").partition("\n\n")[0]
                case ast.Assign(targets=[ast.Name(id=named)], value=ast.Call(keywords=keywords)) if named == attribute:
                    return "".join(ast.literal_eval(word.value) for word in keywords if word.arg == "help")
        return self[name].help or ""

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class LazyGroup(TyperGroup):
    """A group with the table of `LazyCommands` in the attribute *places* of a subclass."""

    places: ClassVar[Mapping[str, str]]

    def __init__(self, **attributes: object) -> None:
        super().__init__(**attributes)  # type: ignore[arg-type]  # typer's own
        self.commands = LazyCommands(self.places)  # type: ignore[assignment]  # no command is added to it

    def format_help(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """Write the help page, with the commands as far as it shows them."""
        commands, listed = LazyCommands(self.places), copy(self)
        listed.commands = {name: TyperCommand(name, help=commands.purpose(name)) for name in commands}
        super(LazyGroup, listed).format_help(ctx, formatter)


class Commands(LazyGroup):
    """The subcommands, in the order in which `--help` lists them."""

    places: ClassVar = {
        "app": "jobmatch.cli.serve:open_app",
        "demo": "jobmatch.cli.demo:demo",
        "serve": "jobmatch.cli.serve:serve",
        "link": "jobmatch.cli.link:link",
        "search": "jobmatch.cli.search:search",
        "search-log": "jobmatch.cli.search_log:app",
        "match": "jobmatch.cli.match:match",
        "map": "jobmatch.cli.maps:map_items",
        "describe": "jobmatch.cli.describe:describe",
        "taxonomy": "jobmatch.cli.taxonomy:app",
        "crosswalk": "jobmatch.cli.crosswalk:app",
        "marketplace": "jobmatch.cli.marketplace:app",
        "evaluate": "jobmatch.cli.evaluate:app",
        "audit": "jobmatch.cli.audit:app",
        "labels": "jobmatch.cli.labels:app",
        "keys": "jobmatch.cli.keys:app",
        "train": "jobmatch.cli.train:app",
        "models": "jobmatch.cli.models:app",
        "bench": "jobmatch.cli.bench:bench",
    }


app = typer.Typer(
    name="jobmatch",
    cls=Commands,
    help="Match jobs, people and occupations across languages.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def _options(version: bool = typer.Option(False, "--version", help="Print the version and stop.")) -> None:
    """Match jobs, people and occupations across languages."""
    if version:
        typer.echo(__version__)
        raise typer.Exit


def main() -> None:
    """Run the `jobmatch` command."""
    run(app)


def run(app: typer.Typer) -> NoReturn:
    """Run a command line; errors go to standard error in one line, with exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # for terminals without umlauts
    try:
        code = app(standalone_mode=False)
    except (JobMatchError, TyperException) as error:
        message = error.format_message() if isinstance(error, TyperException) else str(error)
        # of writing, a message that says what happened, not what to do
        if isinstance(error.__cause__, OSError) and " could not be " in message and message.endswith(")."):
            message = f"{message} {_REMEDIES.get(error.__cause__.errno or 0, '')}"
        sys.exit(_fail(" ".join(message.split())))
    except OSError as error:
        if error.errno not in _REMEDIES:
            raise
        sys.exit(_fail(_system_error(error)))
    except (KeyboardInterrupt, Abort):
        code = EXIT_INTERRUPTED
    if code == EXIT_INTERRUPTED:
        print_warning("stopped")
    sys.exit(code or 0)


def _system_error(error: OSError) -> str:
    name = str(error.filename or "")
    if error.errno == errno.ENAMETOOLONG:
        return f"{name[:_NAME_SHOWN]!r}... is too long for the name of a file; give a shorter one."
    place = f" ({name!r})" if name else ""
    return f"{error.strerror}{place}. {_REMEDIES[error.errno or 0]}"


def _fail(message: str) -> int:
    if shown := visible(message):  # empty without a command, when typer has shown its help
        print_warning(shown if len(shown) <= _LONGEST_MESSAGE else f"{shown[:_LONGEST_MESSAGE]}…")
    return EXIT_ERROR
