"""What a terminal gets to see."""

import pytest
from rich.console import Console

from jobmatch_core.cli.output import print_line, print_table, printable


def test_no_text_gives_a_terminal_orders() -> None:
    """Escape sequences of either kind, bells and carriage returns; letters, tabs and ends of lines stay."""
    assert printable("\x1b]0;mine\x07nurse\r\x9b2J") == "�]0;mine�nurse��2J"
    assert printable("看護師\tКöchin\n🍳") == "看護師\tКöchin\n🍳"


def test_titles_from_files_are_printed_so(capsys: pytest.CaptureFixture[str]) -> None:
    """In lines and in tables; and markup is text."""
    print_line("a \x1b[31mtitle [bold]")
    print_table(["title"], [["another\x1b[2J"]], title="of \x1b[0m")
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "a �[31mtitle [bold]" in out


def test_figures_stay_whole_in_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The texts beside them are parted, and nothing of them is lost."""
    monkeypatch.setattr("jobmatch_core.cli.output._out", Console(width=80))
    figures = [f"0.{number}" for number in range(4701, 4708)]
    print_table(["recipe", "variant", *"abcdefg"], [["minilm-titles-document-25c7c0c5", "sentence-mean", *figures]])
    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert all(any(figure in line for line in lines) for figure in figures)
    names = "".join(line.split("│")[1].strip() for line in lines if line.startswith("│"))
    assert names == "minilm-titles-document-25c7c0c5"
