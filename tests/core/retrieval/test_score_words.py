"""Words for scores, by past interest."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.entities import FloatArray, Freelancer, Interaction, Project
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.retrieval.freelancer_index import open_finder
from jobmatch_core.retrieval.matches import Match, SkillMatch
from jobmatch_core.retrieval.score_words import FAIR, STRONG, WEAK, ScoreWords, score_words
from jobmatch_core.settings import Settings
from jobmatch_core.towers.documents import Document
from jobmatch_core.vectors import normalised
from tests import made_marketplace
from tests.made_marketplace import TRADES


@dataclass(frozen=True)
class TradeModel:
    """Knows everybody's trade by the id; *told* is how far, from 0 to 1."""

    told: float
    name: str = "trades"

    def encode_projects(self, projects: Sequence[Project]) -> FloatArray:
        """Return a unit vector a trade, and what all have in common."""
        return self._vectors([each.id for each in projects])

    def encode_freelancers(self, freelancers: Sequence[Freelancer]) -> FloatArray:
        """Return the same."""
        return self._vectors([each.id for each in freelancers])

    def section_vectors(self, documents: Sequence[Document]) -> FloatArray:
        """Not asked for here."""
        raise NotImplementedError

    def _vectors(self, ids: Sequence[str]) -> FloatArray:
        trades = [TRADES.index(each.split("-")[1]) for each in ids]
        vectors = self.told * np.eye(5, dtype=np.float32)[trades]
        vectors[:, 4] = 1 - self.told
        return normalised(vectors)


class CategoryModel(TradeModel):
    """Half of a vector is the category, where there is one."""

    def __init__(self) -> None:
        """Know trades."""
        super().__init__(1.0, "categories")

    def encode_projects(self, projects: Sequence[Project]) -> FloatArray:
        """Return the trade and the category of each."""
        return self._with_category(super().encode_projects(projects), [each.category for each in projects])

    def encode_freelancers(self, freelancers: Sequence[Freelancer]) -> FloatArray:
        """Return the same."""
        return self._with_category(super().encode_freelancers(freelancers), [each.category for each in freelancers])

    def _with_category(self, trades: FloatArray, categories: Sequence[str]) -> FloatArray:
        known = np.array([[each == name for name in ("code", "art")] for each in categories], dtype=np.float32)
        return normalised(np.hstack([trades, known]))


def opened(tmp_path: Path, market: Marketplace, told: float) -> ScoreWords | None:
    """Store a marketplace, and look at it with a model."""
    settings = Settings(tmp_path / "home")
    MarketplaceStore.open(settings).save("tiny", market.blocks(), origin={}, generated=True)
    finder = open_finder("tiny", TradeModel(told), settings=settings)
    return score_words(finder, MarketplaceStore.open(settings).load("tiny"))


def match(score: float, *skills: SkillMatch) -> Match:
    """Return somebody who was found."""
    return Match(made_marketplace.freelancers()[0], score, 1, skills)


def test_words_follow_past_interest(tmp_path: Path) -> None:
    """All pairs with interest are of one trade, whose cosine is 1 here; three a project, ten projects a trade."""
    words = opened(tmp_path, made_marketplace.marketplace(10), told=0.9)
    assert words is not None
    assert (words.strong, words.fair, words.pairs) == (pytest.approx(1), pytest.approx(1), 120)
    assert words.word(match(words.strong)) == STRONG
    assert words.word(match(0.2)) == WEAK


def test_projects_without_a_category_have_words_of_their_own(tmp_path: Path) -> None:
    """The model is not told of it, so that scores are lower."""
    settings = Settings(tmp_path)
    market = made_marketplace.marketplace(10)
    MarketplaceStore.open(settings).save("tiny", market.blocks(), origin={}, generated=True)
    finder = open_finder("tiny", CategoryModel(), settings=settings)
    with_it, without = (score_words(finder, market, categories=each) for each in (True, False))
    assert with_it is not None
    assert without is not None
    assert with_it.strong == pytest.approx(1)
    assert without.strong == pytest.approx(0.5**0.5)


def test_between_the_two(tmp_path: Path) -> None:
    """Fair lies between."""
    words = ScoreWords(strong=0.7, fair=0.5, pairs=100)
    assert [words.word(match(score)) for score in (0.7, 0.69, 0.5, 0.49)] == [STRONG, FAIR, FAIR, WEAK]


def test_who_lacks_a_must_have_is_never_strong() -> None:
    """However similar; what is only nice to have does not count."""
    words = ScoreWords(strong=0.7, fair=0.5, pairs=100)
    lacking, nice = SkillMatch("k", "Python", "", True), SkillMatch("k", "Python", "", False)
    assert [words.word(match(score, lacking)) for score in (0.99, 0.7, 0.4)] == [FAIR, FAIR, WEAK]
    assert words.word(match(0.83, nice)) == STRONG


def test_a_model_that_tells_nothing_has_no_words(tmp_path: Path) -> None:
    """All scores are alike, so that none is strong."""
    assert opened(tmp_path, made_marketplace.marketplace(10), told=0.0) is None


def test_too_little_is_known(tmp_path: Path) -> None:
    """No interactions, or ones with people who have left."""
    market = made_marketplace.marketplace(10)
    assert opened(tmp_path / "a", replace(market, interactions=()), told=0.9) is None
    strangers = tuple(Interaction(each.project, "gone", True, each.date) for each in market.interactions)
    assert opened(tmp_path / "b", replace(market, interactions=strangers), told=0.9) is None
