"""Texts of several skills, told apart by the usual signs."""

from collections.abc import Sequence

import pytest

from jobmatch_core.taxonomy.skill_finder import SkillKeys, SkillNames
from jobmatch_core.taxonomy.skill_lists import SkillSplitter

KNOWN = ("Python", "SQL", "Docker", "C", "C++", "nursing, general", "data base", "front/back office", "文章作成", "Go")


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
