"""Terms of profiles: worked examples, what is stored and opened again, and damage."""

from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.entities import Freelancer, NamedSkill
from jobmatch_core.errors import MatchingError
from jobmatch_core.ranking.profile_terms import FACTS, ProfileTerms, core_numbers, term_number, term_numbers


def freelancer(id_: str, title: str, *skills: str, category: str = "2512") -> Freelancer:
    """Return a profile."""
    named = tuple(NamedSkill(skill.casefold(), skill) for skill in skills)
    return Freelancer(id_, "en", title, f"I am a {title}", "", "25", "", category, "", named, country="DE")


ALL = (freelancer("a", "Python developer", "Python", "Git"), freelancer("b", "Welder", category=""))


def test_words_are_folded_and_numbered_alike_in_every_text() -> None:
    """Case and accents do not matter, and repeated words stay repeated."""
    assert term_numbers("Café CAFE") == [term_number("cafe")] * 2


def test_the_core_has_each_word_of_title_and_skills_once() -> None:
    """The description is left out."""
    expected = [term_number(word) for word in ("python", "developer", "git")]
    assert core_numbers(["Python developer"], ALL[0].skills) == expected
    assert sorted(ProfileTerms.of(ALL).core[0].indices.tolist()) == sorted(expected)


def test_rows_of_the_core_have_length_one() -> None:
    """The product of two such rows is their cosine."""
    core = ProfileTerms.of(ALL).core
    assert np.asarray(core.multiply(core).sum(axis=1)).ravel() == pytest.approx([1, 1])


def test_rare_words_weigh_more() -> None:
    """A word of every profile weighs less than a word of one."""
    rarity = ProfileTerms.of((ALL[0], freelancer("c", "Python trainer"))).rarity
    assert rarity[term_number("python")] < rarity[term_number("trainer")] < rarity[term_number("nobody says this")]


def test_unknown_facts_equal_nothing() -> None:
    """A profile without a category has -1 there, and its other facts."""
    facts = ProfileTerms.of(ALL).facts
    assert facts.shape == (2, len(FACTS))
    assert facts[1, 0] == -1
    assert facts[0, 1] == facts[1, 1] == term_number("25")


def test_what_is_saved_opens_the_same(tmp_path: Path) -> None:
    """All arrays survive, and rows can be taken from the files."""
    terms = ProfileTerms.of(ALL)
    terms.save(tmp_path / "terms")
    opened = ProfileTerms.load(tmp_path / "terms").take([1, 0])
    assert len(opened) == 2
    for name in ("words", "core", "skills"):
        assert (getattr(opened, name) != getattr(terms, name)[[1, 0]]).nnz == 0
    assert opened.facts.tolist() == terms.facts[[1, 0]].tolist()


def test_no_profile_is_a_marketplace_too(tmp_path: Path) -> None:
    """An empty list is stored and opened."""
    ProfileTerms.of(()).save(tmp_path)
    assert len(ProfileTerms.load(tmp_path)) == 0


@pytest.mark.parametrize("missing", ["facts.npy", "words.indptr.npy"])
def test_damaged_terms_say_what_to_delete(tmp_path: Path, missing: str) -> None:
    """A missing file is told with the folder."""
    ProfileTerms.of(ALL).save(tmp_path)
    (tmp_path / missing).unlink()
    with pytest.raises(MatchingError, match="delete that folder"):
        ProfileTerms.load(tmp_path)
