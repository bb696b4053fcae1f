"""The ranker: its sum by hand, its fit on made choices, and what is stored."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import Freelancer, NamedSkill, Project
from jobmatch_core.errors import ModelError
from jobmatch_core.ranking.features import FEATURES, Pool
from jobmatch_core.ranking.profile_terms import ProfileTerms
from jobmatch_core.ranking.ranker import Answers, Ranker, shipped_ranker

PYTHON = NamedSkill("python", "Python")
PROJECT = Project("p", "en", "Python", "", "", "25", "", "2512", "", (PYTHON,), ())
RANKER = Ranker({"category": 2.0, "must-haves declared": 3.0, "language": 0.0}, "by hand")


def freelancer(*skills: NamedSkill, category: str = "2512") -> Freelancer:
    """Return a profile."""
    return Freelancer("f", "en", "Somebody", "", "", "25", "", category, "", skills)


def pool(*freelancers: Freelancer) -> Pool:
    """Return a pool of the project."""
    return Pool(PROJECT, ProfileTerms.of(freelancers))


def test_the_score_is_the_weighted_sum() -> None:
    """2 for the category, 3 for the must-have."""
    assert RANKER.scores(pool(freelancer(PYTHON), freelancer(), freelancer(category="1"))).tolist() == [5, 2, 0]


def test_parts_come_largest_first_and_shares_add_up_to_one() -> None:
    """Features that add nothing are left out."""
    (first, both), (second, neither) = RANKER.best(pool(freelancer(category="1"), freelancer(PYTHON)), 2)
    assert (first, second) == (1, 0)
    assert both.parts == (("must-haves declared", 3.0), ("category", 2.0))
    assert both.shares() == [("must-haves declared", 0.6), ("category", 0.4)]
    assert neither.score == 0
    assert neither.shares() == []


def test_the_best_keep_the_order_of_the_pool_among_equals() -> None:
    """Two of three alike, the better one last."""
    made = pool(freelancer(), freelancer(), freelancer(PYTHON))
    assert [row for row, _ in RANKER.best(made, 2)] == [2, 0]


def test_the_fit_learns_what_decided() -> None:
    """Where the declared skill decides and the category does not, only the skill gets a weight of the two."""
    made = pool(freelancer(category="1"), freelancer(PYTHON, category="1"), freelancer(), freelancer(PYTHON))
    past = [Answers(made, np.array([-1, 1, -1, 1], dtype=np.int8))] * 5
    weights = Ranker.fit(past, "made").weights
    assert weights["must-haves declared"] > 1
    assert weights["category"] < weights["must-haves declared"] / 20


@given(st.lists(st.sampled_from([-1, 0, 1]), min_size=4, max_size=4).filter(lambda answers: 1 in answers))
def test_weights_are_never_negative(answers: list[int]) -> None:
    """More of a feature never lowers a freelancer, whatever the past says."""
    made = pool(freelancer(category="1"), freelancer(PYTHON, category="1"), freelancer(), freelancer(PYTHON))
    weights = Ranker.fit([Answers(made, np.array(answers, dtype=np.int8))], "made").weights
    assert all(weight >= 0 for weight in weights.values())


def test_a_past_without_interest_cannot_be_fitted() -> None:
    """The error says what is missing."""
    with pytest.raises(ModelError, match="needs some past answers"):
        Ranker.fit([Answers(pool(freelancer()), np.array([-1], dtype=np.int8))], "made")


def test_what_is_saved_loads_the_same(tmp_path: Path) -> None:
    """Weights and their origin survive."""
    RANKER.save(tmp_path / "ranker.json")
    assert Ranker.load(tmp_path / "ranker.json") == RANKER


@pytest.mark.parametrize("text", ["", "{}", '{"format": 1, "fitted_on": "", "weights": {"charm": 1.0}}'])
def test_a_damaged_ranker_is_refused(tmp_path: Path, text: str) -> None:
    """Also one with a feature that does not exist."""
    (tmp_path / "ranker.json").write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match="fit it again"):
        Ranker.load(tmp_path / "ranker.json")


def test_the_shipped_ranker_weighs_every_feature() -> None:
    """It works without any label, and names its origin."""
    assert shipped_ranker().weights.keys() == FEATURES.keys()
    assert "generated marketplaces" in shipped_ranker().fitted_on


@pytest.mark.parametrize("skills", ["must-haves", "extras"])
def test_the_shipped_ranker_weighs_declared_skills_more_than_mentioned_ones(skills: str) -> None:
    """Who declares a skill comes before who mentions it, all else equal."""
    weights = shipped_ranker().weights
    assert weights[f"{skills} declared"] > 1.5 * weights[f"{skills} in the text"]
