"""Output of all commands: tables, JSON and progress bars."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer
from msgspec import Struct, to_builtins
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from jobmatch_core.io.text_files import json_text
from jobmatch_core.text.folding import visible, visible_json

if TYPE_CHECKING:
    from jobmatch_core import entities

_SHORT = 8  # characters of a figure
_NARROW = 4  # minimum characters of a wrapped text
_FRAME = 3  # characters of a column's border and padding
_out = Console()
_err = Console(stderr=True)


def print_json(value: dict[str, Any] | Struct) -> None:
    """Print one JSON object on standard output."""
    # not msgspec's own JSON, which writes 1e-05 as 0.00001: floats look the same in every answer
    fields = to_builtins(value) if isinstance(value, Struct) else value
    typer.echo(visible_json(json_text(fields, ensure_ascii=False, indent=2)))


def print_result(result: dict[str, Any], sentence: str, *, json: bool) -> None:
    """Print what a command did: as one JSON object, or as a sentence."""
    print_json(result) if json else print_line(sentence)


def print_line(text: str) -> None:
    """Print a line, without markup."""
    _out.print(Text(visible(text)))


def print_warning(text: str) -> None:
    """Print a line on standard error after the program's name."""
    typer.echo(f"jobmatch: {visible(text)}", err=True)


def print_note(text: str) -> None:
    """Print a line on standard error that is not a warning."""
    typer.echo(visible(text), err=True)


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]], *, title: str = "") -> None:
    """Print a table, without markup; in a narrow terminal long texts wrap and figures do not.

    Where not even the figures fit beside each other, each row becomes a block of lines, one per column.
    """
    cells = [[visible(str(cell)) for cell in row] for row in rows]
    short = [all(len(row[place]) <= _SHORT for row in cells) for place in range(len(columns))]
    if _least_width(columns, cells, short) > _out.width:
        _print_blocks(columns, cells, title)
        return
    table = Table(title=Text(visible(title)) if title else None, title_justify="left")
    for column, is_short in zip(columns, short, strict=True):
        table.add_column(column, no_wrap=is_short, overflow="fold")
    for row in cells:
        table.add_row(*map(Text, row))
    _out.print(table)


def _least_width(columns: Sequence[str], cells: Sequence[Sequence[str]], short: Sequence[bool]) -> int:
    """Return the width at which no figure is cut; long texts wrap at `_NARROW` letters."""
    widths = [
        max(cell_len(text) for text in (column, *(row[place] for row in cells))) if is_short else _NARROW
        for place, (column, is_short) in enumerate(zip(columns, short, strict=True))
    ]
    return sum(widths) + _FRAME * len(columns) + 1


def _print_blocks(columns: Sequence[str], cells: Sequence[Sequence[str]], title: str) -> None:
    if title:
        print_line(title)
    for row in cells:
        _out.print()
        for column, cell in zip(columns, row, strict=True):
            print_line(f"{column}: {cell}")


def print_figures(figures: dict[str, Any], *, json: bool) -> None:
    """Print figures by name as one JSON object or as a table."""
    if json:
        print_json(figures)
        return
    rows = [(name, f"{value:,.2f}" if isinstance(value, float) else value) for name, value in figures.items()]
    print_table(("figure", "value"), rows)


def three_decimals(value: float | None) -> str:
    """Return a figure with three decimals; '-' for None."""
    return "-" if value is None else f"{value:.3f}"


def is_terminal() -> bool:
    """Return whether standard error is a terminal, where bars are drawn."""
    return _err.is_terminal


@contextmanager
def progress_bar(what: str, *, hidden: bool = False) -> Iterator["entities.Progress"]:
    """Yield a progress callback that draws a bar on standard error, from its first call."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=_err, disable=hidden or not _err.is_terminal) as bar:
        task = bar.add_task(what, total=None, visible=False)
        yield lambda done, total: bar.update(task, completed=done, total=total, visible=True)
