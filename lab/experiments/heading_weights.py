"""The weights of `linking/headings`, fitted on headings of adverts whose unit groups are known."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from jobmatch_core.linking import Linker
from jobmatch_core.linking.headings import heading_features, heading_parts, is_sure, says_more, unit_masses
from jobmatch_core.titles.cleaning import CleanTitle, clean_title
from lab.experiments.real_titles import RealTitle

_L2 = 1e-3  # penalty of the weights' squares, beside the mean log likelihood
_START = (0.3, 0.3, 2.0)
_WITHOUT_JOB = 0.1  # how much a heading counts from which the job is taken out, against one that has it


@dataclass(frozen=True, slots=True)
class HeadingWeights:
    """What `fit_heading_weights` found."""

    headings: int  # number of headings that were fitted on
    whole: float
    part: float
    no_job: float


@dataclass(frozen=True, slots=True)
class _Choice:
    """(group, 2) features of the unit groups that a heading may mean, (group,) which are right, and its weight."""

    features: NDArray[np.float64]
    right: NDArray[np.bool_]
    weight: float


def fit_heading_weights(linker: Linker, titles: Sequence[RealTitle]) -> HeadingWeights:
    """Fit a conditional logit (McFadden 1974) on the headings among titles that are not sure as a whole.

    The choices are the unit groups that the title or a part of it may mean, and 'no job'. That is right where none of
    the groups is, and for the headings once more without their first part, which mostly names the job.
    """
    headings = list(_headings(linker, titles))
    choices = [_choice(masses, groups) for masses, groups in headings]
    choices += [_choice(_without_first(masses), (), _WITHOUT_JOB) for masses, _ in headings if len(masses) > 3]

    def loss(weights: NDArray[np.float64]) -> float:
        gain = 0.0
        for choice in choices:
            utilities = np.append(choice.features @ weights[:2], weights[2])
            hit = np.append(choice.right, not choice.right.any())
            gain += choice.weight * (np.logaddexp.reduce(utilities[hit]) - np.logaddexp.reduce(utilities))
        return float(-gain / max(len(choices), 1) + _L2 * weights[:2] @ weights[:2])

    whole, part, no_job = minimize(loss, np.array(_START), method="L-BFGS-B").x
    return HeadingWeights(len(headings), float(whole), float(part), float(no_job))


# the unit groups' probabilities by the whole of each heading, and by each of its parts that say something; the right
# groups
def _headings(linker: Linker, titles: Sequence[RealTitle]) -> Iterator[tuple[list[dict[int, float]], tuple[str, ...]]]:
    units = linker.index.units
    for title, ranking in zip(titles, linker.rank([title.title for title in titles]), strict=True):
        whole = _cleaned(linker, title.title)
        parts = [part for part in heading_parts(title.title, whole) if _cleaned(linker, part).forms]
        says = says_more([_cleaned(linker, part) for part in parts], whole)
        if parts and says and not is_sure(ranking, units):
            yield [unit_masses(each, units) for each in (ranking, *linker.rank(parts))], title.groups


def _choice(masses: Sequence[dict[int, float]], groups: Sequence[str], weight: float = 1.0) -> _Choice:
    features = heading_features(masses)
    right = np.array([f"{group:04d}" in groups for group in features], dtype=bool)
    return _Choice(np.array(list(features.values()), dtype=np.float64).reshape(-1, 2), right, weight)


def _without_first(masses: Sequence[dict[int, float]]) -> list[dict[int, float]]:
    rest = masses[2:]
    groups = {group for part in rest for group in part}
    return [{group: max(part.get(group, 0.0) for part in rest) / len(rest) for group in groups}, *rest]


def _cleaned(linker: Linker, text: str) -> CleanTitle:
    return clean_title(text, linker.index.known_words, linker.index.known_texts)
