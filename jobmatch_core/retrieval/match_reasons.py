"""Reasons of a match in words: shared words, shares of sections, and words for scores.

Cosines of different models are not comparable, so scores are compared with those of past pairs with mutual interest:
half of these are above 'strong', nine in ten above 'fair'. Without a mandatory skill a match is never 'strong'. If a
model hardly separates such pairs from others, there are no words.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from jobmatch_core.entities import Freelancer, Project
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.retrieval.finder import Finder
from jobmatch_core.retrieval.matches import Match, compared_skills
from jobmatch_core.text.folding import Name, TextPieces, fold, folded_name
from jobmatch_core.text.language_guess import guess_language, is_common, is_stop_word

_FEWEST_LETTERS = 4  # shorter shared words say little, unless they are a skill


# sections of `documents.SECTIONS` that are shown as one, in display order
SECTION_GROUPS = {
    "freelancer": {
        "skills": ("skills",),
        "experience": ("experience",),
        "title": ("title",),
        "text": ("description",),
        "category": ("category", "family"),
    },
    "project": {
        "skills": ("mandatory_skills", "bonus_skills"),
        "title": ("title", "job_title"),
        "text": ("description",),
        "category": ("category", "family"),
    },
}
_PAIRS = 200  # compared pairs, which takes half a second
_FEWEST_PAIRS = 20
_LEAST_AUC = 0.8  # minimum mean share of other pairs that a pair with mutual interest outscores; ties count half
_LATEST = 4096  # interactions from the end of the file
STRONG, FAIR, WEAK = "strong", "fair", "weak"


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a text, and whether the other side shares it."""

    text: str
    shared: bool


@dataclass(frozen=True, slots=True)
class SharedWords:
    """Words and names to mark in the texts of one side."""

    words: frozenset[str]  # folded words that both sides use, without stop words
    # folded words of the names of the other side's skills, and of both sides' names of shared skills, which the
    # freelancer declares or writes of
    names: frozenset[Name]

    @classmethod
    def of(cls, project: Project, freelancer: Freelancer) -> "tuple[SharedWords, SharedWords]":
        """Return the words to mark in a project's texts and in a profile's."""
        wanted = _words(project.language, project.title, project.job_title, project.description)
        offered = _words(freelancer.language, freelancer.title, freelancer.description, freelancer.experience)
        skills = compared_skills(project, freelancer)
        shared = [
            name for skill in skills if (match := skill.offered or skill.written) for name in (skill.wanted, match)
        ]
        required = [skill.wanted for skill in skills]
        declared = [skill.text for skill in freelancer.skills]
        both = frozenset(wanted & offered)
        return (
            cls(both, _names(project.language, [*shared, *declared])),
            cls(both, _names(freelancer.language, [*shared, *required])),
        )

    def mark(self, text: str) -> list[Span]:
        """Split a text into spans of alternating `shared`."""
        pieces = TextPieces.of(text)
        marked = {place for place, word in enumerate(pieces.folded) if not self.words.isdisjoint(word.split())}
        named = list(pieces.named(self.names))
        marked.update(place for places in named for place in places)
        within = {place for places in named for place in places[1:]}  # what parts a name is marked with it: 'd'API'
        spans: list[Span] = []
        last = 0
        for place, (start, end) in enumerate(pieces.spans):
            if place in marked:
                joined = place in within or (place - 1 in marked and text[last:start].isspace())
                start = last if joined else start
                _append(spans, text[last:start], shared=False)
                _append(spans, text[start:end], shared=True)
                last = end
        _append(spans, text[last:], shared=False)
        return spans


def _words(language: str, *texts: str) -> set[str]:
    language = language or guess_language(" ".join(texts))
    words = {word for text in texts for word in fold(text).split()}
    return {
        word
        for word in words
        if len(word) >= _FEWEST_LETTERS and not word.isdigit() and not is_stop_word(word, language)
    }


def _names(language: str, texts: Iterable[str]) -> frozenset[Name]:
    names = {folded_name(text) for text in texts}
    return frozenset(name for name in names if name and not is_common(" ".join(name), language))


def _append(spans: list[Span], text: str, *, shared: bool) -> None:
    if not text:
        return
    if spans and spans[-1].shared == shared:
        text = spans.pop().text + text
    spans.append(Span(text, shared))


@dataclass(frozen=True, slots=True)
class SectionShare:
    """A group of sections."""

    name: str  # name of the group
    score: float  # contribution to the score; negative if it lowers it
    share: float  # share of all positive contributions, 0 to 1; 0 if negative


def section_shares(contributions: Mapping[str, float], side: str) -> tuple[SectionShare, ...]:
    """Sum the contributions by section of one side, 'freelancer' or 'project', into groups."""
    groups = SECTION_GROUPS[side]
    scores = {name: sum(contributions[section] for section in sections) for name, sections in groups.items()}
    whole = sum(score for score in scores.values() if score > 0)
    return tuple(SectionShare(name, score, score / whole if score > 0 else 0.0) for name, score in scores.items())


@dataclass(frozen=True, slots=True)
class ScoreWords:
    """Thresholds of the words."""

    strong: float  # median score of pairs with mutual interest
    fair: float  # lowest decile of these scores
    pairs: int

    def word(self, match: Match) -> str:
        """Return 'strong', 'fair' or 'weak'."""
        if match.score >= self.strong and not match.missing_must_haves:
            return STRONG
        return FAIR if match.score >= self.fair else WEAK


@dataclass(frozen=True, slots=True)
class OpenFinder:
    """A finder with the words for its scores."""

    key: str  # identifier of the model and marketplace
    finder: Finder  # finder of the freelancers
    words: ScoreWords | None  # words for scores of projects with a category; None without enough history
    words_without_category: ScoreWords | None  # the same for projects without a category

    def words_for(self, project: Project) -> ScoreWords | None:
        """Return the words for a project's scores."""
        return self.words if project.category else self.words_without_category


def score_words(finder: Finder, marketplace: Marketplace, *, categories: bool = True) -> ScoreWords | None:
    """Compute the thresholds from the latest pairs with mutual interest; None if too few or not separated.

    Without categories of projects every score is lower. Raises MarketplaceError if the marketplace is damaged.
    """
    interactions = marketplace.interactions[max(0, len(marketplace.interactions) - _LATEST) :]
    pairs = [(interaction.project, interaction.freelancer) for interaction in interactions if interaction.positive][
        -_PAIRS:
    ]
    profiles = finder.profiles.by_id([freelancer for _, freelancer in pairs])
    rows = marketplace.project_rows if pairs else {}
    examples = [(marketplace.projects[rows[p]], profiles[f]) for p, f in pairs if p in rows and f in profiles]
    if not categories:
        examples = [
            (replace(project, family="", family_name="", category="", category_name=""), freelancer)
            for project, freelancer in examples
        ]
    if len(examples) < _FEWEST_PAIRS:
        return None
    projects = finder.model.encode_projects([project for project, _ in examples])
    freelancers = finder.model.encode_freelancers([freelancer for _, freelancer in examples])
    everyone = projects @ freelancers.T  # pairs with mutual interest are on the diagonal
    scores = everyone.diagonal()
    if np.mean(everyone < scores[:, None]) + np.mean(everyone == scores[:, None]) / 2 < _LEAST_AUC:
        return None
    return ScoreWords(float(np.median(scores)), float(np.quantile(scores, 0.1)), len(examples))
