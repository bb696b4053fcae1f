"""Lists that were written into one line."""

import pytest

from jobmatch_core.descriptions.inline_lists import list_items


def items(text: str) -> list[str]:
    """Return the text cut at its items."""
    starts = list_items(text)
    return [text[start:end] for start, end in zip([0, *starts], [*starts, len(text)], strict=True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tasks: • bake • sell •clean", ["Tasks: ", "• bake ", "• sell ", "•clean"]),
        ("Wymagania: - prawo jazdy - chęci", ["Wymagania: ", "- prawo jazdy ", "- chęci"]),
        ("bake - sell - clean - go", ["bake ", "- sell ", "- clean ", "- go"]),
        ("Nitelikler: -Mezun, -Tecrübeli", ["Nitelikler: ", "-Mezun, ", "-Tecrübeli"]),
        ("You 1) bake 2) sell 3) clean", ["You ", "1) bake ", "2) sell ", "3) clean"]),
        ("You 1. bake 2. sell", ["You ", "1. bake ", "2. sell"]),
        ("急募【仕事内容】接客【給与】25万", ["急募", "【仕事内容】接客", "【給与】25万"]),
    ],
)
def test_items(text: str, expected: list[str]) -> None:
    """By bullets, dashes, numbers and brackets."""
    assert items(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "A team - small, but fine - looks for you", "Vertriebs- und Marketingleiter", "• bake", "from 9 - 17 h",
        "we have 3) and 1. of 3) whatever", "infirmier·ère", "on 1. May", "",
    ],
)  # fmt: skip
def test_no_items(text: str) -> None:
    """An aside, half a word, one bullet at the start, numbers that do not count up."""
    assert items(text) == [text]


def test_a_later_count_begins_at_one_again() -> None:
    """Two lists in one line."""
    assert items("x 1) a 2) b 1) c 2) d 3) e") == ["x ", "1) a ", "2) b ", "1) c ", "2) d ", "3) e"]
