"""What a terminal gets to see."""

import pytest

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
