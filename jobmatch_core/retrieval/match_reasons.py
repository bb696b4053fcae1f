"""Reasons of a match in words: shared words, shares of a profile's sections, and words for scores.

Shared words are words that both sides use, and names of each other's skills. Sections are joined as recruiters know
them.

Words for scores are derived from the scores of past matches, since cosines of two models are not comparable. A score is
compared with the pairs of the same marketplace in which both sides were interested: half of those are above 'strong',
nine in ten above 'fair'. A freelancer who lacks a mandatory skill is never 'strong', however similar the texts are. If
a model hardly separates such pairs from others, no word is given.
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


# sections of `documents.SECTIONS` that are one thing to a reader, in the order in which they are always shown
_GROUPS = {
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
FREELANCER_GROUPS = tuple(_GROUPS["freelancer"])
_PAIRS = 200  # compared pairs, which takes half a second
_FEWEST_PAIRS = 20
_LEAST_AUC = 0.8  # lowest share of other pairs that such a pair must on average be above; ties count half
_LATEST = 4096  # interactions from the end of the file
STRONG, FAIR, WEAK = "strong", "fair", "weak"


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a text, and whether the other side shares it."""

    text: str
    shared: bool


@dataclass(frozen=True, slots=True)
class SharedWords:
    """Words and names to mark in the texts of one side.

    Attributes:
        words: folded words that both sides use, without stop words.
        names: folded words of each name of a skill that the other side asks for or offers; for common skills, the names
            of both sides.
    """

    words: frozenset[str]
    names: frozenset[Name]

    @classmethod
    def of(cls, project: Project, freelancer: Freelancer) -> "tuple[SharedWords, SharedWords]":
        """Compare a project with a profile; return the words to mark in the project's texts, and in the profile's."""
        wanted = _words(project.language, project.title, project.job_title, project.description)
        offered = _words(freelancer.language, freelancer.title, freelancer.description, freelancer.experience)
        skills = compared_skills(project, freelancer)
        shared = [name for skill in skills if skill.offered for name in (skill.wanted, skill.offered)]
        required = [skill.wanted for skill in skills]
        declared = [skill.text for skill in freelancer.skills]
        both = frozenset(wanted & offered)
        return (
            cls(both, _names(project.language, [*shared, *declared])),
            cls(both, _names(freelancer.language, [*shared, *required])),
        )

    def mark(self, text: str) -> list[Span]:
        """Split a text into spans; joined they are the text again, and neighbours differ in `shared`."""
        pieces = TextPieces.of(text)
        marked = {place for place, word in enumerate(pieces.folded) if not self.words.isdisjoint(word.split())}
        marked.update(place for places in pieces.named(self.names) for place in places)
        spans: list[Span] = []
        last = 0
        for place, (start, end) in enumerate(pieces.spans):
            if place in marked:
                joined = place - 1 in marked and text[last:start].isspace()
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
    """A group of sections.

    Attributes:
        name: name of the group.
        score: contribution to the score; negative if it lowers it.
        share: share of all positive contributions, 0 to 1; 0 if it is not positive.
    """

    name: str
    score: float
    share: float


def section_shares(contributions: Mapping[str, float], side: str) -> tuple[SectionShare, ...]:
    """Join one side's contributions into groups.

    Args:
        contributions: section -> contribution, see `matches.Contributions`.
        side: 'freelancer' or 'project'.
    """
    scores = {name: sum(contributions[section] for section in sections) for name, sections in _GROUPS[side].items()}
    whole = sum(score for score in scores.values() if score > 0)
    return tuple(SectionShare(name, score, score / whole if score > 0 else 0.0) for name, score in scores.items())


@dataclass(frozen=True, slots=True)
class ScoreWords:
    """Thresholds of the words.

    Attributes:
        strong: median score of pairs with interest on both sides.
        fair: their lowest decile.
        pairs: number of pairs.
    """

    strong: float
    fair: float
    pairs: int

    def word(self, match: Match) -> str:
        """Return 'strong', 'fair' or 'weak'."""
        if match.score >= self.strong and not match.missing_must_haves:
            return STRONG
        return FAIR if match.score >= self.fair else WEAK


@dataclass(frozen=True, slots=True)
class OpenFinder:
    """A finder of a marketplace's freelancers, with the words for its scores.

    Attributes:
        key: identifier of the model and marketplace.
        finder: finder of the freelancers.
        words: words for scores of projects with a category, if there is a history to derive them from.
        words_without_category: words for scores of projects without one.
    """

    key: str
    finder: Finder
    words: ScoreWords | None
    words_without_category: ScoreWords | None

    def words_for(self, project: Project) -> ScoreWords | None:
        """Return the words for a project's scores."""
        return self.words if project.category else self.words_without_category


def score_words(finder: Finder, marketplace: Marketplace, *, categories: bool = True) -> ScoreWords | None:
    """Compute the thresholds from the latest interested pairs; None if they are too few, or not separated.

    Args:
        finder: finder of the marketplace's freelancers.
        marketplace: marketplace with interactions.
        categories: true for projects with a category; without it every score is lower.

    Raises:
        MarketplaceError: the marketplace is damaged.
    """
    interactions = marketplace.interactions[max(0, len(marketplace.interactions) - _LATEST) :]
    pairs = [(interaction.project, interaction.freelancer) for interaction in interactions if interaction.positive][
        -_PAIRS:
    ]
    profiles = finder.profiles.by_id([freelancer for _, freelancer in pairs])
    rows = marketplace.project_rows if pairs else {}
    examples = [(marketplace.projects[rows[p]], profiles[f]) for p, f in pairs if p in rows and f in profiles]
    if not categories:
        examples = [(_without_category(project), freelancer) for project, freelancer in examples]
    if len(examples) < _FEWEST_PAIRS:
        return None
    projects = finder.model.encode_projects([project for project, _ in examples])
    freelancers = finder.model.encode_freelancers([freelancer for _, freelancer in examples])
    everyone = projects @ freelancers.T  # those who were interested in each other lie on the diagonal
    scores = everyone.diagonal()
    if np.mean(everyone < scores[:, None]) + np.mean(everyone == scores[:, None]) / 2 < _LEAST_AUC:
        return None
    return ScoreWords(float(np.median(scores)), float(np.quantile(scores, 0.1)), len(examples))


def _without_category(project: Project) -> Project:
    return replace(project, family="", family_name="", category="", category_name="")
