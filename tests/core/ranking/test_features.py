"""Features of a pool: each by a worked example."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from jobmatch_core.entities import Freelancer, NamedSkill, Project
from jobmatch_core.ranking.features import FEATURES, POOL, Floats, Pool, features_of, missing_must_haves
from jobmatch_core.ranking.profile_terms import ProfileTerms

PYTHON, GIT, DATA = NamedSkill("python", "Python"), NamedSkill("git", "Git"), NamedSkill("data", "data analysis")
PROJECT = Project(
    id="p",
    language="de",
    title="Webshop",
    job_title="Python developer",
    description="We sell shoes.",
    family="25",
    family_name="",
    category="2512",
    category_name="",
    mandatory=(PYTHON, DATA),
    bonus=(GIT,),
    country="DE",
)


def freelancer(title: str, *skills: NamedSkill, category: str = "2512", language: str = "de") -> Freelancer:
    """Return a profile."""
    return Freelancer("f", language, title, "", "", "25", "", category, "", skills, country="FR")


def values(name: str, *freelancers: Freelancer, project: Project = PROJECT) -> list[float]:
    """Return a feature of a pool."""
    return FEATURES[name](Pool(project, ProfileTerms.of(freelancers))).tolist()


NOBODY = freelancer("Gardener", category="6113", language="en")


def test_nearness_falls_with_the_rank() -> None:
    """The first has 1; the last of a full pool nearly 0."""
    found = values("similarity", *[NOBODY] * POOL)
    assert found[0] == 1
    assert found == sorted(found, reverse=True)
    assert 0 < found[-1] < 0.01


def test_shared_words_are_a_share_of_the_best() -> None:
    """Whoever shares the rarest words has 1, and nobody has less than 0."""
    found = values("shared words", freelancer("Webshop for shoes"), freelancer("Webshop"), NOBODY, NOBODY, NOBODY)
    assert found[0] == 1
    assert 0 < found[1] < 1
    assert found[2] == 0


def test_words_of_title_and_skills_are_a_cosine() -> None:
    """The same title and skills give 1, no common word 0."""
    same = freelancer("Python developer Webshop", PYTHON, DATA, GIT)
    assert values("words of title and skills", same, NOBODY) == pytest.approx([1, 0], abs=1e-6)


@pytest.mark.parametrize(
    ("skills", "declared", "in_text"), [((PYTHON, DATA), 1, 0), ((PYTHON,), 0.5, 0), ((), 0, 0), ((GIT,), 0, 0)]
)
def test_declared_must_haves(skills: Sequence[NamedSkill], declared: float, in_text: float) -> None:
    """The share of the mandatory skills; other skills do not count."""
    found = freelancer("Welder", *skills)
    assert values("must-haves declared", found) == [declared]
    assert values("must-haves in the text", found) == [in_text]


def test_must_haves_in_the_text_need_all_their_words() -> None:
    """'data analysis' is not in 'data entry'; a declared skill does not count again."""
    found = values(
        "must-haves in the text", freelancer("Analysis of data"), freelancer("Data entry"), freelancer("Python", PYTHON)
    )
    assert found == [0.5, 0, 0]


def test_missing_must_haves_are_bounded() -> None:
    """Two are wanted, one of them twice: what is not declared may be missing, and is if not all its words are there."""
    twice = replace(PROJECT, mandatory=(PYTHON, DATA, replace(PYTHON, text="snakes")))
    found = [freelancer("developer", PYTHON, DATA), freelancer("data developer", PYTHON), freelancer("Python"), NOBODY]
    least, most = missing_must_haves(Pool(twice, ProfileTerms.of(found)))
    assert (least.tolist(), most.tolist()) == ([0, 1, 1, 2], [0, 1, 2, 2])


def test_extras_are_counted_apart() -> None:
    """Desirable skills have features of their own."""
    assert values("extras declared", freelancer("Welder", GIT)) == [1]
    assert values("extras in the text", freelancer("Git trainer")) == [1]


def test_a_project_without_skills_has_none_in_common() -> None:
    """The features are 0 instead of undefined."""
    bare = replace(PROJECT, mandatory=(), bonus=())
    for name in ("must-haves declared", "must-haves in the text", "extras declared", "extras in the text"):
        assert values(name, freelancer("Python", PYTHON), project=bare) == [0]


@pytest.mark.parametrize(
    ("name", "expected"), [("category", [1, 0]), ("family", [1, 1]), ("language", [1, 0]), ("country", [0, 0])]
)
def test_facts_are_the_same_or_not(name: str, expected: list[float]) -> None:
    """1 for the same value, 0 for another."""
    assert values(name, freelancer("Welder"), NOBODY) == expected


def test_an_unknown_fact_is_not_shared() -> None:
    """Two unknown categories are not the same."""
    assert values("category", freelancer("x", category=""), project=replace(PROJECT, category="")) == [0]


def test_features_stand_in_their_order() -> None:
    """Columns are the requested features, rows the profiles."""
    pool = Pool(PROJECT, ProfileTerms.of((freelancer("Welder", PYTHON), NOBODY)))
    found: Floats = features_of(pool, ("category", "must-haves declared"))
    assert found.tolist() == [[1, 0.5], [0, 0]]
    assert np.isfinite(features_of(pool)).all()
