"""Words for scores, derived from the scores of past matches.

Cosines of two models are not comparable. A score is compared with the pairs of the same marketplace in which both sides
were interested: half of those are above 'strong', nine in ten above 'fair'. A freelancer who lacks a mandatory skill is
never 'strong', however similar the texts are. If a model hardly separates such pairs from others, no word is given.
"""

from dataclasses import dataclass, replace

import numpy as np

from jobmatch_core.entities import Project
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.retrieval.finder import Finder
from jobmatch_core.retrieval.matches import Match

_PAIRS = 200  # compared pairs, which takes half a second
_FEWEST_PAIRS = 20
_LEAST_AUC = 0.8  # lowest share of other pairs that such a pair must on average be above; ties count half
_LATEST = 4096  # interactions from the end of the file
STRONG, FAIR, WEAK = "strong", "fair", "weak"


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
    pairs = [(each.project, each.freelancer) for each in interactions if each.positive][-_PAIRS:]
    profiles = finder.profiles.by_id([freelancer for _, freelancer in pairs])
    rows = marketplace.project_rows if pairs else {}
    known = [(marketplace.projects[rows[p]], profiles[f]) for p, f in pairs if p in rows and f in profiles]
    if not categories:
        known = [(_without_category(project), freelancer) for project, freelancer in known]
    if len(known) < _FEWEST_PAIRS:
        return None
    projects = finder.model.encode_projects([project for project, _ in known])
    freelancers = finder.model.encode_freelancers([freelancer for _, freelancer in known])
    everyone = projects @ freelancers.T  # those who were interested in each other lie on the diagonal
    scores = everyone.diagonal()
    if np.mean(everyone < scores[:, None]) + np.mean(everyone == scores[:, None]) / 2 < _LEAST_AUC:
        return None
    return ScoreWords(float(np.median(scores)), float(np.quantile(scores, 0.1)), len(known))


def _without_category(project: Project) -> Project:
    return replace(project, family="", family_name="", category="", category_name="")
