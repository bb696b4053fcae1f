"""Many strings in one block of bytes."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.text.packed_texts import PackedTexts

TEXTS = ["cook", "", "Köchin", "料理人", "👩‍🍳", "cook"]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))), st.data())
def test_they_are_a_list(texts: list[str], data: st.DataObject) -> None:
    """Length, items, slices, iteration and items at given places; lone surrogates are refused."""
    packed = PackedTexts.of(texts)
    assert (len(packed), list(packed), packed[1:-1]) == (len(texts), texts, texts[1:-1])
    assert [packed[place] for place in range(-len(texts), len(texts))] == [*texts, *texts]
    places = data.draw(st.lists(st.integers(0, len(texts) - 1))) if texts else []
    assert packed.take(np.array(places, np.intp)) == [texts[place] for place in places]


@given(st.lists(st.text("aé料 ", max_size=4)), st.text("aé料 ", max_size=2))
def test_those_that_a_part_stands_in(texts: list[str], part: str) -> None:
    """The same as Python's `in`; an empty part is in all strings."""
    found = PackedTexts.of(texts).containing(part)
    assert found.tolist() == [place for place, text in enumerate(texts) if part in text]


@given(st.lists(st.text("aé😀 ", max_size=3), min_size=1), st.text("aé", max_size=2), st.data())
def test_compared_with_a_part(texts: list[str], part: str, data: st.DataObject) -> None:
    """Lengths are counted in characters, not in bytes."""
    places = data.draw(st.lists(st.integers(0, len(texts) - 1)))
    begins, lengths = PackedTexts.of(texts).compared(np.array(places, dtype=np.intp), part)
    assert begins.tolist() == [texts[place].startswith(part) for place in places]
    assert lengths.tolist() == [len(texts[place]) for place in places]


def test_places_that_there_are_not() -> None:
    """An IndexError, as for a list."""
    with pytest.raises(IndexError):
        PackedTexts.of(TEXTS)[len(TEXTS)]


def test_more_than_are_made_at_once() -> None:
    """All strings are yielded in order."""
    texts = [str(number) for number in range(10_000)]
    assert list(PackedTexts.of(texts)) == texts


def test_saved_and_loaded_they_are_the_same(tmp_path: Path) -> None:
    """Also without any strings."""
    for number, texts in enumerate((TEXTS, [])):
        path = tmp_path / f"{number}.arrow"
        PackedTexts.of(texts).save(path)
        assert list(PackedTexts.load(path)) == texts


@pytest.mark.parametrize("kept", [0, 1, 100, -1, -40])
def test_a_file_that_is_cut_short(tmp_path: Path, kept: int) -> None:
    """An error, not a crash."""
    path = tmp_path / "texts.arrow"
    PackedTexts.of(TEXTS).save(path)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises((OSError, ValueError)):
        PackedTexts.load(path)


def test_a_file_whose_bytes_were_changed(tmp_path: Path) -> None:
    """Any change gives an error or other texts, but no crash."""
    path = tmp_path / "texts.arrow"
    PackedTexts.of(TEXTS).save(path)
    content = path.read_bytes()
    changed = path.with_name("changed.arrow")
    for place, byte in enumerate(content):
        for other in (0xFF, byte ^ 0x10):
            changed.write_bytes(content[:place] + bytes([other]) + content[place + 1 :])
            try:
                texts = PackedTexts.load(changed)
            except (OSError, ValueError):
                continue
            assert all(isinstance(text, str) for text in texts)
