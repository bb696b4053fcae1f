"""Sentence patterns of eight languages: complete, fillable, and without numbers that could be taken for codes."""

import re
from string import Formatter

import pytest

from jobmatch_core.marketplace.demo.phrases import LANGUAGES, Phrases, load_phrases
from jobmatch_core.taxonomy.bundled import LANGUAGES as BUNDLED_LANGUAGES
from jobmatch_core.text.folding import fold

SLOTS = {"title", "skill", "skills", "sector", "seniority", "years", "months", "days"}
ABOUT_SKILLS = {
    "freelancer": ("strengths", "story", "interest", "mission"),
    "project": ("tasks", "must", "nice"),
}


def slots(pattern: str) -> set[str]:
    """Return the names of a pattern's slots."""
    return {name for _, name, _, _ in Formatter().parse(pattern) if name}


def patterns(phrases: Phrases) -> list[str]:
    """Return all of a language's."""
    return [text for kinds in (phrases.freelancer, phrases.project) for kind in kinds.values() for text in kind]


def test_the_languages_are_those_of_the_bundled_taxonomy() -> None:
    """So that a marketplace of it has sentences everywhere."""
    assert LANGUAGES == BUNDLED_LANGUAGES


@pytest.mark.parametrize("language", [*LANGUAGES, "ja"])
def test_every_language_has_every_kind_of_sentence(language: str) -> None:
    """As English has, with slots that are known, and skills where a sentence is about them."""
    english, phrases = load_phrases("en"), load_phrases(language)
    for noun, kinds in (("freelancer", phrases.freelancer), ("project", phrases.project)):
        assert kinds.keys() == getattr(english, noun).keys()
        for kind in ABOUT_SKILLS[noun]:
            if language in LANGUAGES or kind != "interest":
                assert all(slots(text) & {"skill", "skills"} for text in kinds[kind])
    assert all(slots(text) <= SLOTS for text in patterns(phrases))
    assert len(phrases.seniority) == 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_vary(language: str) -> None:
    """Several patterns of each kind, no two the same, and as many sectors as in English."""
    phrases = load_phrases(language)
    for kinds in (phrases.freelancer, phrases.project):
        assert all(len(texts) >= 2 for texts in kinds.values())
        assert all(len(kinds[kind]) >= 4 for kind in ("title", "opening"))
    texts = patterns(phrases)
    assert len(texts) - len(set(texts)) == 1  # the plain title twice, since it is the commonest
    assert len(set(phrases.sectors)) == len(phrases.sectors) == len(load_phrases("en").sectors)
    assert not re.search(r"\d", "".join((*texts, *phrases.sectors)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_profiles_and_projects_do_not_share_sentences(language: str) -> None:
    """A matcher that counts words finds few of a profile's own ones in a project."""
    phrases = load_phrases(language)
    mine, theirs = (
        {word for texts in kinds.values() for text in texts for word in fold(re.sub(r"{\w+}", "", text)).split()}
        for kinds in (phrases.freelancer, phrases.project)
    )
    assert len(mine & theirs) / len(theirs) < 0.4


def test_other_languages_have_names_only() -> None:
    """No word of any language stands between them."""
    phrases = load_phrases("ja")
    assert not re.search(r"[^\W\d_]", re.sub(r"{\w+}", "", "".join((*patterns(phrases), *phrases.sectors))))


def test_lists() -> None:
    """Of none, one, two and three names."""
    german = load_phrases("de")
    assert [german.listed(list("abc")[:count]) for count in range(4)] == ["", "a", "a und b", "a, b und c"]
