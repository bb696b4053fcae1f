"""The audit of a matching model finds a cue that changes rankings, and none where nothing changes."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from jobmatch_core.audit.matching_audit import MatchingSubject, audit_matching
from jobmatch_core.audit.twins import Cue
from jobmatch_core.entities import FloatArray, Freelancer, Project
from jobmatch_core.errors import MatchingError
from jobmatch_core.ranking.ranker import shipped_ranker
from jobmatch_core.towers.documents import Document
from jobmatch_core.vectors import normalised
from tests.made_marketplace import freelancers, projects

SIGNED = "signed"
PEOPLE = tuple(
    replace(one, id=f"{one.id}-{copy}", description=f"{one.description} {copy}")
    for copy in range(4)
    for one in freelancers()
)


def _signed(freelancer: Freelancer) -> Freelancer:
    return replace(freelancer, description=f"{freelancer.description} {SIGNED}")


def _same(freelancer: Freelancer) -> Freelancer:
    return freelancer


CUE = Cue("signature", "name", "plain", "signed", _same, _signed)


class _Model:
    """Gives each profile a position by its id; *liking* adds to signed ones."""

    name = "made"

    def __init__(self, liking: float) -> None:
        self._liking = liking

    def encode_projects(self, projects: Sequence[Project]) -> FloatArray:
        return np.tile(np.array([[1, 0]], dtype=np.float32), (len(projects), 1))

    def encode_freelancers(self, freelancers: Sequence[Freelancer]) -> FloatArray:
        ids = [hash(one.description.removesuffix(f" {SIGNED}") + one.id) % 1000 / 1000 for one in freelancers]
        liked = [self._liking * (SIGNED in one.description) for one in freelancers]
        return normalised(np.array([[x + y, 1] for x, y in zip(ids, liked, strict=True)], dtype=np.float32))

    def section_vectors(self, documents: Sequence[Document]) -> FloatArray:
        raise NotImplementedError


def test_a_model_that_does_not_see_the_cue() -> None:
    """Rankings are equal, and both groups are selected alike: each freelancer is in both once."""
    [result] = audit_matching(MatchingSubject(_Model(0), None, projects(2), PEOPLE), [CUE])
    assert (result.overlap.mean, result.moved, result.left) == pytest.approx((1, 0, 0))
    assert result.impact.second_to_first.value == result.impact.exposure.value == pytest.approx(1)
    assert result.profiles == len(PEOPLE)


def test_a_model_that_likes_the_cue() -> None:
    """Where all have it, the order stays; where half have it, they alone are selected."""
    [result] = audit_matching(MatchingSubject(_Model(2), None, projects(2), PEOPLE), [CUE])
    assert result.overlap.mean == pytest.approx(1)
    assert result.impact.first_rate == 0
    assert result.impact.second_rate == pytest.approx(10 / len(PEOPLE) * 2)
    assert result.impact.adverse


def test_a_cue_that_nobody_has_is_left_out() -> None:
    """There is nothing to compare."""
    cue = replace(CUE, second=_same)
    assert audit_matching(MatchingSubject(_Model(0), None, projects(1), PEOPLE), [cue]) == []


def test_the_second_stage_is_audited_with_the_model() -> None:
    """A word that projects have brings signed profiles forward by BM25."""
    wanted = [replace(project, description=f"{project.description} {SIGNED}") for project in projects(1)]
    subject = MatchingSubject(_Model(0), shipped_ranker().scores, wanted, PEOPLE)
    [result] = audit_matching(subject, [CUE])
    assert result.impact.second_to_first.value > 1


def test_too_small_markets_are_refused() -> None:
    """With ten freelancers all are selected."""
    with pytest.raises(MatchingError, match="more than 10 freelancers"):
        audit_matching(MatchingSubject(_Model(0), None, projects(1), PEOPLE[:10]), [CUE])
