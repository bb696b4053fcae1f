"""What a terminal gets to see."""

import json
from io import StringIO

import pytest
from rich.console import Console

from jobmatch.cli.output import print_json, print_line, print_table, print_warning, progress_bar

HOSTILE = "\x1b]0;mine\x07nurse\r\x9b2J \u202egnp.exe"


def test_json_gives_a_terminal_no_orders_and_loses_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Control characters of Latin-1 and direction overrides, which JSON allows, are escaped."""
    print_json({"title": HOSTILE})
    out = capsys.readouterr().out
    assert json.loads(out) == {"title": HOSTILE}
    assert out.isascii()


def test_warnings_are_printed_so(capsys: pytest.CaptureFixture[str]) -> None:
    """On standard error, without control characters."""
    print_warning("no \x1b[2J")
    assert capsys.readouterr() == ("", "jobmatch: no ⟨U+001B⟩[2J\n")


def test_titles_from_files_are_printed_so(capsys: pytest.CaptureFixture[str]) -> None:
    """In lines and tables; markup is text."""
    print_line("a \x1b[31mtitle [bold]")
    print_table(["title"], [["another\x1b[2J"]], title="of \x1b[0m")
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "a ⟨U+001B⟩[31mtitle [bold]" in out


def test_a_bar_is_drawn_once_there_is_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """An index that need not be built is not mentioned."""
    for steps in ((), ((0, 4), (4, 4))):
        terminal = Console(file=StringIO(), force_terminal=True)
        monkeypatch.setattr("jobmatch.cli.output._err", terminal)
        with progress_bar("Building") as progress:
            for done, total in steps:
                progress(done, total)
        assert isinstance(terminal.file, StringIO)
        assert ("Building" in terminal.file.getvalue()) == bool(steps)


def test_figures_stay_whole_in_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only texts are wrapped, without loss."""
    monkeypatch.setattr("jobmatch.cli.output._out", Console(width=80))
    figures = [f"0.{number}" for number in range(4701, 4708)]
    print_table(["recipe", "variant", *"abcdefg"], [["minilm-titles-document-25c7c0c5", "sentence-mean", *figures]])
    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert all(any(figure in line for line in lines) for figure in figures)
    names = "".join(line.split("│")[1].strip() for line in lines if line.startswith("│"))
    assert names == "minilm-titles-document-25c7c0c5"


@pytest.mark.parametrize("width", [20, 60])
def test_a_table_too_wide_for_the_terminal_is_a_list(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    """Figures that do not fit beside each other stand below each other, each with the name of its column."""
    monkeypatch.setattr("jobmatch.cli.output._out", Console(width=width))
    figures = [f"0.{number}" for number in range(4701, 4708)]
    print_table(["recipe", *"abcdefg"], [["towers", *figures], ["other", *reversed(figures)]], title="Figures")
    title, first, second = capsys.readouterr().out.split("\n\n")
    assert title == "Figures"
    assert first.splitlines() == [
        "recipe: towers",
        *(f"{name}: {figure}" for name, figure in zip("abcdefg", figures, strict=True)),
    ]
    assert second.splitlines()[-1] == "g: 0.4701"
