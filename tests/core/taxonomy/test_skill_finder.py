"""Whose skill a text is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobmatch_core.taxonomy.skill_finder import TEXT_KEY, SkillKeys, SkillNames
from tests.made_taxonomy import skilled_taxonomy

NAMES = SkillNames(
    keys=["s:nets", "s:c", "s:cpp", "s:fish", "s:ts"],
    texts=["Netze", "C", "C++", "netze", "تصميم الشعار"],
    languages=["de", "en", "en", "nl", "ar"],
    preferred=[False, True, True, True, True],
)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("C++", "s:cpp"),
        ("c", "s:c"),
        ("  NETZE ", "s:fish"),
        ("تصميم  الشعار", "s:ts"),
        ("データ分析", "text:データ分析"),
        ("Übersetzen", "text:ubersetzen"),
        ("---", "text:---"),
    ],
)
def test_keys(text: str, key: str) -> None:
    """A name of any language in any case; of two skills the one that prefers it; else the text itself."""
    assert SkillKeys(NAMES).key(text) == key


def test_without_a_taxonomy() -> None:
    """Texts alone."""
    assert SkillKeys().key("C++") == TEXT_KEY + "cplusplus"


def test_of_a_taxonomy() -> None:
    """One key by the names of all its languages."""
    keys = SkillKeys.of(skilled_taxonomy())
    assert {keys.key(text) for text in ("Hammering Bytes", "CRAFT aa", "bytes-hammern", "אאא קקק")} == {
        "http://skills/0-0"
    }


def test_named() -> None:
    """Each skill once, under its first text; nothing of empty ones."""
    named = SkillKeys(NAMES).named([" C++", "", "c++ ", "  ", "Netze"])
    assert [(skill.key, skill.text) for skill in named] == [("s:cpp", "C++"), ("s:fish", "Netze")]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=6)))
def test_named_by_a_naive_loop(texts: list[str]) -> None:
    """No key twice, in the order of the texts."""
    keys = SkillKeys(NAMES)
    expected: list[str] = []
    for text in texts:
        if text.strip() and keys.key(text.strip()) not in expected:
            expected.append(keys.key(text.strip()))
    assert [skill.key for skill in keys.named(texts)] == expected
