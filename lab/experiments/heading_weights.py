"""The weights of `linking/headings`, fitted on headings of adverts whose unit groups are known."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from jobmatch_core.linking import Linker
from jobmatch_core.linking.headings import heading_features, heading_parts, is_sure, unit_masses
from jobmatch_core.titles.cleaning import CleanTitle, clean_title
from lab.experiments.real_titles import RealTitle

_L2 = 1e-3  # penalty of the weights' squares, beside the mean log likelihood
_START = (0.3, 0.3, 2.0)


@dataclass(frozen=True, slots=True)
class HeadingWeights:
    """What `fit_heading_weights` found."""

    headings: int  # number of headings that were fitted on
    whole: float
    part: float
    no_job: float


def fit_heading_weights(linker: Linker, titles: Sequence[RealTitle]) -> HeadingWeights:
    """Fit a conditional logit (McFadden 1974) on the headings among titles that are not sure as a whole.

    The choices are the unit groups that the title or a part of it may mean, and 'no job' where none of them is right.
    """
    choices = _choices(linker, titles)

    def loss(weights: NDArray[np.float64]) -> float:
        gain = 0.0
        for features, right in choices:
            utilities = np.append(features @ weights[:2], weights[2])
            hit = np.append(right, not right.any())
            gain += np.logaddexp.reduce(utilities[hit]) - np.logaddexp.reduce(utilities)
        return float(-gain / max(len(choices), 1) + _L2 * weights[:2] @ weights[:2])

    whole, part, no_job = minimize(loss, np.array(_START), method="L-BFGS-B").x
    return HeadingWeights(len(choices), float(whole), float(part), float(no_job))


# (group, 2) features and (group,) whether a group is right, of each heading
def _choices(linker: Linker, titles: Sequence[RealTitle]) -> list[tuple[NDArray[np.float64], NDArray[np.bool_]]]:
    units, choices = linker.index.units, []
    for title, ranking in zip(titles, linker.rank([title.title for title in titles]), strict=True):
        parts = heading_parts(title.title, _cleaned(linker, title.title))
        parts = tuple(part for part in parts if _cleaned(linker, part).forms)
        if parts and not is_sure(ranking, units):
            masses = [unit_masses(each, units) for each in (ranking, *linker.rank(parts))]
            features = heading_features(masses)
            right = np.array([f"{group:04d}" in title.groups for group in features], dtype=bool)
            choices.append((np.array(list(features.values()), dtype=np.float64).reshape(-1, 2), right))
    return choices


def _cleaned(linker: Linker, text: str) -> CleanTitle:
    return clean_title(text, linker.index.known_words, linker.index.known_texts)
