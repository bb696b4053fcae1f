"""Which words are marked: by hand, and that a text parted is the text again.

Sections joined for display.
Words for scores, by past interest.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import FloatArray, Freelancer, Interaction, NamedSkill, Project
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.retrieval.freelancer_index import open_finder
from jobmatch_core.retrieval.match_reasons import (
    FAIR,
    STRONG,
    WEAK,
    ScoreWords,
    SharedWords,
    score_words,
    section_shares,
)
from jobmatch_core.retrieval.matches import Match, SkillMatch
from jobmatch_core.settings import Settings
from jobmatch_core.towers.documents import SECTIONS, Document, Kind
from jobmatch_core.vectors import normalised
from tests import made_marketplace
from tests.made_marketplace import TRADES

PROJECT = Project(
    id="p",
    language="en",
    title="Data engineer",
    job_title="",
    description="",
    family="",
    family_name="",
    category="",
    category_name="",
    mandatory=(NamedSkill("ml", "machine learning"), NamedSkill("cpp", "C++")),
    bonus=(),
)
FREELANCER = Freelancer(
    id="f",
    language="pl",
    title="",
    description="",
    experience="",
    family="",
    family_name="",
    category="",
    category_name="",
    skills=(NamedSkill("ml", "uczenie maszynowe"), NamedSkill("sap", "SAP")),
)


def marked(project: str, profile: str) -> tuple[list[str], list[str]]:
    """Return what is marked of a project's text and of a profile's."""
    wanted, offered = replace(PROJECT, description=project), replace(FREELANCER, description=profile)
    words = SharedWords.of(wanted, offered)
    return (
        [span.text for span in words[0].mark(project) if span.shared],
        [span.text for span in words[1].mark(profile) if span.shared],
    )


def test_words_that_both_use() -> None:
    """Whatever their case and accents; short and common words say nothing."""
    assert marked("We do Logistique for the 2024 fair", "logistiqué, for the 2024 fair") == (
        ["Logistique", "fair"],
        ["logistiqué", "fair"],
    )


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "About their work with others"),
        ("de", "Über können müssen während"),
        ("fr", "Avec dans pour entre été étée"),
    ],
)
def test_stop_words_are_no_match(language: str, text: str) -> None:
    """Whatever their accents, and where the language is only to be guessed from the text."""
    wanted, offered = (replace(each, language=language, description=text) for each in (PROJECT, FREELANCER))
    assert [span.shared for words in SharedWords.of(wanted, offered) for span in words.mark(text)] == [False, False]
    assert marked("they have been about the tables", "the tables, they have been about") == (["tables"], ["tables"])


def test_names_of_a_skill_that_both_have() -> None:
    """Across languages, each in its own words, as one span."""
    assert marked("you know machine learning.", "znam uczenie  maszynowe (5 lat)") == (
        ["machine learning"],
        ["uczenie  maszynowe"],
    )


def test_names_of_a_skill_that_the_other_side_only_writes() -> None:
    """A profile's text that names what is asked for, and a project's that names what is declared."""
    assert marked("SAP is a bonus", "I wrote C++; not C") == (["SAP"], ["C++"])


def test_a_name_is_marked_as_a_whole_on_both_sides() -> None:
    """With its short words and apostrophes, also where the profile does not declare the skill but writes of it."""
    wanted = replace(
        PROJECT, mandatory=(NamedSkill("api", "conception d'API REST"),), description="la conception d'API REST"
    )
    offered = replace(FREELANCER, experience="Conception d’API REST, 2 ans")
    words = SharedWords.of(wanted, offered)
    assert [span.text for span in words[0].mark(wanted.description) if span.shared] == ["conception d'API REST"]
    assert [span.text for span in words[1].mark(offered.experience) if span.shared] == ["Conception d’API REST"]


def test_a_full_stop_is_no_part_of_a_word() -> None:
    """Other marks beside a word are no part of it either."""
    assert marked("“Rust.” and logistics…", "Logistics! RUST?") == (["Rust", "logistics"], ["Logistics", "RUST"])


@pytest.mark.parametrize("text", ["", " ", "\n", "...", "()"])
def test_nothing_to_mark(text: str) -> None:
    """Texts without words."""
    assert marked(text, text) == ([], [])


TEXTS = st.text(st.sampled_from("Ca+.# \n(ł,ßא漢") | st.characters(exclude_categories=["Cs"]), max_size=40)


@given(TEXTS, TEXTS)
def test_the_spans_are_the_text_again(project: str, profile: str) -> None:
    """Whatever is in it; neighbours are never of one kind."""
    words = SharedWords.of(replace(PROJECT, description=project), replace(FREELANCER, description=profile))
    for part, text in zip(words, (project, profile), strict=True):
        spans = part.mark(text)
        assert "".join(span.text for span in spans) == text
        assert all(one.shared != next_.shared for one, next_ in pairwise(spans))
        assert all(span.text for span in spans)


KINDS: tuple[Kind, ...] = ("freelancer", "project")


def test_a_worked_example() -> None:
    """Category and family together 0.3 of a positive sum of 0.8; the text speaks against it."""
    contributions = {"title": 0.1, "description": -0.2, "family": 0.2, "category": 0.1, "skills": 0.4, "experience": 0}
    shares = {each.name: each for each in section_shares(contributions, "freelancer")}
    assert list(shares) == ["skills", "experience", "title", "text", "category"]
    assert shares["category"].score == pytest.approx(0.3)
    assert shares["category"].share == pytest.approx(0.375)
    assert (shares["text"].score, shares["text"].share) == (-0.2, 0)
    assert (shares["experience"].score, shares["experience"].share) == (0, 0)


def test_nothing_speaks_for_it() -> None:
    """There are no shares then."""
    assert {each.share for each in section_shares(dict.fromkeys(SECTIONS["project"], -0.1), "project")} == {0.0}


@given(st.sampled_from(KINDS), st.lists(st.floats(-1, 1), min_size=7, max_size=7))
def test_nothing_is_lost(kind: Kind, values: list[float]) -> None:
    """The groups' scores sum up to the sections', and shares to one or nothing."""
    contributions = dict(zip(SECTIONS[kind], values, strict=False))
    shares = section_shares(contributions, kind)
    assert sum(each.score for each in shares) == pytest.approx(sum(contributions.values()), abs=1e-9)
    whole = sum(each.share for each in shares)
    assert whole == pytest.approx(1) if any(each.score > 0 for each in shares) else whole == 0


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
