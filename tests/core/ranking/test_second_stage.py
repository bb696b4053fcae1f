"""Both stages over whole marketplaces: the pool comes first, in the ranker's order."""

from collections.abc import Sequence

import numpy as np
import pytest

from jobmatch_core.entities import FloatArray, Freelancer, Interaction, Project
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.ranking import second_stage
from jobmatch_core.ranking.ranker import Ranker
from jobmatch_core.ranking.second_stage import SecondStage, fit_ranker, past_answers
from jobmatch_core.towers.documents import Document

PROJECT = Project("p", "en", "webshop in python", "", "", "25", "", "2512", "", (), ())


def freelancer(id_: str, title: str, category: str) -> Freelancer:
    """Return a profile."""
    return Freelancer(id_, "en", title, "", "", "25", "", category, "", ())


FREELANCERS = (
    freelancer("near", "webshop in python", "1"),
    freelancer("right", "webshop in python", "2512"),
    freelancer("far", "gardens", "2512"),
)


class TitleLengths:
    """A model by which texts are similar whose titles are about as long as that of the project."""

    name = "title-lengths"

    def encode(self, documents: Sequence[Document]) -> FloatArray:
        """Return points on a quarter of a circle."""
        angles = np.array([min(len(document.texts[0]), 30) / 20 for document in documents])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


ENCODER = TitleLengths()


def test_the_ranker_orders_the_pool_and_the_model_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a pool of two, the third stays below, although the ranker prefers its category."""
    monkeypatch.setattr(second_stage, "POOL", 2)
    [scores] = SecondStage(ENCODER, Ranker({"category": 1.0}, "by hand").scores).record_scores([PROJECT], FREELANCERS)
    assert np.argsort(-scores).tolist() == [1, 0, 2]


def test_answers_stand_beside_the_freelancers_of_the_pool() -> None:
    """Each profile of the pool has its own answer, most similar first."""
    market = Marketplace("m", (PROJECT,), FREELANCERS, (Interaction("p", "far", False, "2026-01-01"),))
    [answered] = past_answers(ENCODER, market)
    assert answered.answers.tolist() == [0, 0, -1]


def test_a_ranker_is_fitted_on_a_marketplace() -> None:
    """Interest within the category gives the category a weight."""
    told = (Interaction("p", "right", True, "2026-01-01"), Interaction("p", "near", False, "2026-01-01"))
    ranker = fit_ranker(ENCODER, Marketplace("m", (PROJECT,), FREELANCERS, told), "made")
    assert ranker.weights["category"] > 0
    assert ranker.fitted_on == "made"
