"""Segmentation as a whole: nothing lost, every segment says something, in time that grows with the length."""

import time
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.descriptions.segments import Segment, SegmentKind, segments

H, B, S = SegmentKind.HEADING, SegmentKind.BULLET, SegmentKind.SENTENCE
PIECES = st.sampled_from(
    [
        "Wir suchen Sie.", "- ", "• ", "1) ", "Tasks:", "\n", "\n\n", "\r\n", " ", "\u2028", "z. B. ", "。", "仕事",
        "¿Qué?", "…", "***", "B", "x ", "3.5", "“", "(", ")", ";", "\t", "हम।", "؟", "ABC DEF", "#", "a b c d e f g h ",
    ]
)  # fmt: skip


@given(st.one_of(st.text(), st.lists(PIECES, max_size=60).map("".join)))
def test_nothing_is_lost(text: str) -> None:
    """The segments joined give the text back, without a gap, and each says something if anything does."""
    found = segments(text)
    assert "".join(each.text for each in found) == text
    assert [each.text for each in found] == [text[each.start : each.end] for each in found]
    assert all(before.end == behind.start for before, behind in pairwise(found))
    assert all(each.text for each in found)
    if any(map(str.isalnum, text)):
        assert all(any(map(str.isalnum, each.text)) for each in found)
    else:
        assert len(found) == bool(text)


def test_a_whole_posting() -> None:
    """Kinds and contents of a scraped one."""
    text = (
        "NIGHT NURSE\n\nWe look for a nurse, e.g. Ms. Smith. You care for patients at night!\n"
        "-----\nYour tasks:\n- Give medicine.  Write reports.\n-\nTrain others\n\n Apply now."
    )
    assert [(each.kind, each.content) for each in segments(text)] == [
        (H, "NIGHT NURSE"),
        (S, "We look for a nurse, e.g. Ms. Smith."),
        (S, "You care for patients at night!"),
        (H, "Your tasks:"),
        (B, "Give medicine."),
        (B, "Write reports."),
        (B, "Train others"),
        (S, "Apply now."),
    ]


def test_a_wall_of_text() -> None:
    """No line breaks: labels, dashes, lost spaces."""
    text = (
        "Zakres obowiązków: - rozładunek towaru - kontakt z klientem.Praca zmianowa od zaraz. Wymagania: "
        "wykształcenie zawodowe oraz doświadczenie na podobnym stanowisku i chęć do pracy w zespole które ceni spokój "
        "Oferujemy: stabilne zatrudnienie w oparciu o umowę o pracę oraz pakiet socjalny i prywatną opiekę medyczną "
        "Miejsce pracy: Kraków i okolice województwa małopolskiego blisko dworca oraz przystanku autobusowego"
    )
    found = segments(text)
    assert [(each.kind, each.content.split()[0]) for each in found] == [
        (H, "Zakres"), (B, "rozładunek"), (B, "kontakt"), (S, "Praca"),
        (S, "Wymagania:"), (S, "Oferujemy:"), (S, "Miejsce"),
    ]  # fmt: skip


def test_texts_that_say_nothing() -> None:
    """One segment without content, or none."""
    assert segments("") == ()
    assert segments(" \n--\n ") == (Segment(0, 6, B, " \n--\n "),)
    assert [each.content for each in segments("...")] == [""]


def test_time_grows_with_the_length() -> None:
    """Ten times the text takes about ten times as long; what is quadratic would take a hundred times."""
    unit = "- a; B: c. 1) D, e - f\n-\n•\n. . (z. B. \n" * 60
    short = _seconds(unit)
    assert _seconds(unit * 10) < 40 * short


def _seconds(text: str) -> float:
    """Return the processor time of the fastest of three."""
    times = []
    for _ in range(3):
        begun = time.process_time()
        segments(text)
        times.append(time.process_time() - begun)
    return min(times)
