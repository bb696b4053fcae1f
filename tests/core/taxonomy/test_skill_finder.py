"""Skills by the names that a text equals, and lists of skills in one text."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobmatch_core.taxonomy.skill_finder import TEXT_KEY, SkillKeys, SkillNames, SkillSplitter
from tests.made_taxonomy import skilled_taxonomy

NAMES = SkillNames(
    keys=["s:nets", "s:c", "s:cpp", "s:fish", "s:ts"],
    texts=["Netze", "C", "C++", "netze", "تصميم الشعار"],
    languages=["de", "en", "en", "nl", "ar"],
    preferred=[False, True, True, True, True],
)
KNOWN = ("Python", "SQL", "Docker", "C", "C++", "nursing, general", "data base", "front/back office", "文章作成", "Go")


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


@pytest.fixture
def splitter() -> SkillSplitter:
    """Return a splitter that knows some skills."""
    return SkillSplitter(
        SkillKeys(SkillNames([f"uri:{name}" for name in KNOWN], KNOWN, ["en"] * len(KNOWN), [True] * len(KNOWN)))
    )


@pytest.mark.parametrize(
    "sign", [" ● ", ", ", " | ", "|", "; ", ";", " / ", "/", " · ", "·", " • ", "\n", "、", "，", " ∙ "]
)
def test_signs(splitter: SkillSplitter, sign: str) -> None:
    """Known skills are found whatever stands between them."""
    assert splitter.split(sign.join(["Python", "sql", "Docker"])) == ["Python", "sql", "Docker"]
    assert not splitter.doubtful


@pytest.mark.parametrize(
    ("text", "skills"),
    [
        ("• Python\n• SQL\n", ["Python", "SQL"]),
        ("- Python\r\n- Docker", ["Python", "Docker"]),
        ("nursing, general; front/back office", ["nursing, general", "front/back office"]),
        ("C/C++, Python", ["C", "C++", "Python"]),
        ("Python, SQL, Kafka", ["Python", "SQL", "Kafka"]),
        ("Kafka; Flink", ["Kafka", "Flink"]),
        ("Kafka ● Flink", ["Kafka", "Flink"]),
        ("treball col·laboratiu", ["treball col·laboratiu"]),
        ("", []),
        (" ; ", []),
    ],
)
def test_texts(splitter: SkillSplitter, text: str, skills: Sequence[str]) -> None:
    """Names with signs in them stay whole; semicolons and bullets separate whatever stands between."""
    assert splitter.split(text) == list(skills)
    assert not splitter.note()


@pytest.mark.parametrize("text", ["Kafka, Flink, Python", "Kafka/Flink"])
def test_doubtful_texts(splitter: SkillSplitter, text: str) -> None:
    """Pieces that are mostly unknown stay one skill, and a warning says so."""
    assert splitter.split(text) == [text]
    assert splitter.note() == (
        "Texts that look like several skills were read as one each, because the taxonomy does not know most of the "
        f"pieces: 1, such as {text!r}. Put semicolons between skills."
    )


def test_sentences_are_not_doubtful(splitter: SkillSplitter) -> None:
    """A comma in a sentence is no sign of a list."""
    splitter.split("the ability to work with many people at once, who come from all parts of the world")
    assert splitter.note() == ""


def test_lists_are_lists(splitter: SkillSplitter) -> None:
    """The items of a list are skills as they stand."""
    named = splitter.named(["Kafka, Flink", "Python", "python"])
    assert [(skill.key, skill.text) for skill in named] == [
        ("text:kafka flink", "Kafka, Flink"),
        ("uri:Python", "Python"),
    ]
