"""PV-DBOW on bags made by hand."""

import numpy as np
import pytest

from jobmatch_core.titles.skill_bags import SkillBag
from jobmatch_core.titles.skill_vectors import skill_vectors, skill_words, title_targets

CARE = [f"care {word}" for word in "abcdefgh"]
BUILD = [f"build {word}" for word in "stuvwxyz"]


@pytest.fixture(scope="module")
def bags() -> list[SkillBag]:
    """Ten bags of care and ten of building, each with five of eight skills, many times over."""
    random = np.random.default_rng(1)
    return [
        SkillBag((f"{skills[0]} {number}", "also"), tuple(random.choice(skills, 5, replace=False).tolist() * 10))
        for skills in (CARE, BUILD)
        for number in range(10)
    ]


def test_words_of_a_bag() -> None:
    """Each skill's words, and the short ones whole; a sentence has no second like it."""
    bag = SkillBag(("nurse",), ("Give care", "C++", "a b d e f g h"))
    assert skill_words(bag) == ["give", "care", "give_care", "c", *"abdefgh"]


def test_like_bags_have_like_vectors(bags: list[SkillBag]) -> None:
    """Every bag's nearest other bag is of its kind; vectors have unit length."""
    vectors = skill_vectors(bags, dimensions=16, epochs=60, seed=1)
    assert vectors.shape == (20, 16)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1)
    assert (cosines.argmax(axis=1) // 10).tolist() == [0] * 10 + [1] * 10


def test_the_seed_decides(bags: list[SkillBag]) -> None:
    """Fitted again it is the same, to the bit."""
    first, again, other = (skill_vectors(bags, dimensions=8, epochs=2, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.allclose(first, other)


def test_titles_share_their_bags_vector(bags: list[SkillBag]) -> None:
    """Two titles a bag; one that is in all bags stands there for each."""
    targets = title_targets(bags, np.eye(20, dtype=np.float32))
    assert len(targets.titles) == 40
    assert targets.titles[:4] == ["care a 0", "also", "care a 1", "also"]
    assert targets.bags[:4].tolist() == [0, 0, 1, 1]
