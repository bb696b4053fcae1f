"""Headings, bullets and paragraphs by their lines."""

import pytest

from jobmatch_core.descriptions.blocks import MARKER, SegmentKind, blocks, is_heading, list_items

H, B, S = SegmentKind.HEADING, SegmentKind.BULLET, SegmentKind.SENTENCE


def found(text: str) -> list[tuple[str, SegmentKind]]:
    """Return the blocks' texts and kinds."""
    return [(text[block.start : block.end], block.kind) for block in blocks(text)]


def test_blocks_of_a_posting() -> None:
    """A heading by its colon, bullets, a paragraph."""
    text = "Your tasks:\n- Plan shifts\n• Train new staff\n\nWe look forward to hearing from you soon.\n"
    assert found(text) == [
        ("Your tasks:\n", H),
        ("- Plan shifts\n", B),
        ("• Train new staff\n\n", B),
        ("We look forward to hearing from you soon.\n", S),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "- bake bread",
        "– bake bread",
        "* bake bread",
        "+ bake bread",
        "•bake bread",
        "● bake bread",
        "\uf0b7 bake",
        "· bake",
        "-Bake bread",
        "1. Bake bread",
        "2) Bake bread",
        "(3) Bake bread",
        "1.2. Bake bread",
        "a) Bake bread",
        "iv. Bake bread",
        "o\tBake bread",
        "・パンを焼く",
        "①パンを焼く",
        "一、烤面包",
        "✓ Bake bread",
        "> Bake bread",
    ],
)
def test_lines_with_bullets(line: str) -> None:
    """However they are marked."""
    assert found(f"We need you.\n{line}\n") == [("We need you.\n", S), (f"{line}\n", B)]
    assert MARKER.match(line)


@pytest.mark.parametrize("line", ["-5 degrees is cold.", "J. Smith leads it.", "o gestire i turni.", "2500 EUR."])
def test_lines_without(line: str) -> None:
    """A number, a name and a word are no bullets."""
    assert found(f"We need you.\n{line}\n") == [("We need you.\n", S), (f"{line}\n", S)]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Wymagania:", True),
        ("仕事内容：", True),
        ("YOUR PROFILE", True),
        ("## About us", True),
        ("**Benefits**", True),
        ("【応募資格】", True),
        ("We are looking for you.", False),
        ("IT", False),
        ("your profile", False),
        ("We are looking for a baker who likes to rise early and bakes bread of which people tell:", False),
    ],
)
def test_headings_by_their_form(content: str, expected: bool) -> None:
    """A colon, marks or capitals, if short."""
    assert is_heading(content) is expected


def test_a_short_line_over_others_is_a_heading_and_they_its_list() -> None:
    """Scraped lists lose their bullets."""
    text = "Compétences requises\nDiplôme BAC+5\nEsprit d'équipe\n\nNous vous attendons avec impatience à Lyon.\n"
    assert [kind for _, kind in found(text)] == [H, B, B, S]
    text = "Vos missions :\nMaintenance des bases\nSurveillance des jobs\n"
    assert [kind for _, kind in found(text)] == [H, B, B]


def test_a_short_line_alone() -> None:
    """It heads what follows; at the end, or below a heading, it is a sentence."""
    ward = "Our ward\n\nIt has 10 beds for patients of all ages.\n\nApply by Monday"
    assert [kind for _, kind in found(ward)] == [H, S, S]
    contact = "Contact:\nMartina Smith\n\nWe are glad to tell you more about all of it."
    assert [kind for _, kind in found(contact)] == [H, S, S]


def test_wrapped_lines_belong_together() -> None:
    """Unless the line before ends with a stop, is short, or the next begins like a sentence or a bullet."""
    long = "We are looking for somebody who likes to work with other people"
    assert found(f"{long}\nand to cook.") == [(f"{long}\nand to cook.", S)]
    assert found(f"- {long}\n  and to cook.") == [(f"- {long}\n  and to cook.", B)]
    assert len(found(f"{long}.\nand to cook.")) == 2
    assert len(found(f"{long}\nYou cook.")) == 2
    assert len(found(f"{long}\n\nand to cook.")) == 2
    assert len(found(f"{long}\n- and to cook.")) == 2
    assert len(found("shift work and weekends,\nearly mornings;")) == 2


def test_a_bullet_on_a_line_of_its_own() -> None:
    """It belongs to the line behind it."""
    text = "You will:\n-\nDeliver care.\n-\nTrain staff.\n-"
    assert found(text) == [("You will:\n", H), ("-\nDeliver care.\n", B), ("-\nTrain staff.\n", B), ("-", B)]


def test_nothing() -> None:
    """An empty text has no block, a blank one has one."""
    assert found("") == []
    assert found(" \n\n ") == [(" \n\n ", S)]


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
        "A team - small, but fine - looks for you",
        "Vertriebs- und Marketingleiter",
        "• bake",
        "from 9 - 17 h",
        "we have 3) and 1. of 3) whatever",
        "infirmier·ère",
        "on 1. May",
        "",
    ],
)
def test_no_items(text: str) -> None:
    """An aside, half a word, one bullet at the start, numbers that do not count up."""
    assert items(text) == [text]


def test_a_later_count_begins_at_one_again() -> None:
    """Two lists in one line."""
    assert items("x 1) a 2) b 1) c 2) d 3) e") == ["x ", "1) a ", "2) b ", "1) c ", "2) d ", "3) e"]
