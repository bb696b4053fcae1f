"""Headings of adverts, of which one part names the job: `PILNIE! Murarz-tynkarz, praca w delegacji, nocleg GRATIS`.

A title that is not sure as a whole may be so by one of its parts, where the others are pay, place, shifts or praise.
What each part says alone is weighed against what the whole says by a conditional logit over unit groups. A title with
nothing of an advert may be a job and its field (`operator, quarry`), and is left as it is.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from jobmatch_core.linking.arrays import Indices
from jobmatch_core.linking.index import NO_UNIT
from jobmatch_core.linking.ranking import Ranking
from jobmatch_core.titles.cleaning import CleanTitle, with_forms_divided

WHOLE_IS_SURE = 0.8  # probability of a unit group by the whole title, from which no part is read
# fitted by `python -m lab evaluate headings`, on 28 November 2026 before the lexicon had the names of that day
WHOLE = 0.8  # utility of a unit group by its log probability in the whole title
PART = 1.19  # the same in the part where it is likeliest
NO_JOB = 9.86  # utility of 'no job'
LATER = 0.85  # how much less each later part counts; chosen by cross-validation over languages
_LEAST = 1e-3  # probability that says nothing
_MOST_PARTS = 12  # more are a list
_DECIMALS = 5  # of what two texts that are read alike say, so that rounding does not choose
_BETWEEN = re.compile(
    r"\s[-–—•*]+\s|[·|｜★☆◎●■◆▲※♪]+|[!！‼]+|[,、，;；]\s*|[()（）【】<>《》≪≫\[\]]|:\s|：|\*{2,}|[\U0001F300-\U0001FAFF]+"
)
_IDEOGRAMS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")  # in whose languages spaces are separators
_BETWEEN_IDEOGRAMS = re.compile(r"[\s/／]+")
_OF_ADVERTS = re.compile(r"[\d|｜★☆◎●■◆▲※♪!！‼【】<>《》≪≫：€£$\U0001F300-\U0001FAFF]|\*{2,}")


def heading_parts(title: str, cleaned: CleanTitle) -> tuple[str, ...]:
    """Return the parts of a title that may be the heading of an advert; () for any other title.

    Args:
        title: the title as typed.
        cleaned: the same, cleaned; what is set aside of it tells an advert, unless it is an abbreviation.
    """
    aside = cleaned.set_aside
    if not (_OF_ADVERTS.search(title) or any(not (piece.isalpha() and piece.isupper()) for piece in aside)):
        return ()
    parts: list[str] = []
    for part in map(str.strip, _BETWEEN.split(with_forms_divided(title))):
        parts += _BETWEEN_IDEOGRAMS.split(part) if _IDEOGRAMS.search(part) else [part]
    parts = [part for part in parts if any(map(str.isalpha, part))]
    return tuple(parts) if max(cleaned.n_jobs, 1) < len(parts) <= _MOST_PARTS else ()  # each of several may be a job


def says_more(parts: Sequence[CleanTitle], whole: CleanTitle) -> bool:
    """Return whether parts that say something say more than the whole; in `cook (m/f/d)` the only one does not."""
    return [part.forms for part in parts] != [whole.forms]


def is_sure(ranking: Ranking, units: Indices) -> bool:
    """Return whether a title is sure as a whole; *units* are (concept,) unit groups, see `heading_ranking`."""
    return max(unit_masses(ranking, units).values(), default=0.0) >= WHOLE_IS_SURE


def heading_ranking(rankings: Sequence[Ranking], units: Indices) -> tuple[int, Ranking]:
    """Return the number of the text that answers for a heading, and its ranking by all of them.

    Args:
        rankings: of the whole title, and of its parts that say something, in their order.
        units: (concept,) code of the unit group as a number; `NO_UNIT` if an occupation has none.
    """
    masses = [unit_masses(ranking, units) for ranking in rankings]
    probabilities = heading_probabilities(masses)
    if not probabilities:
        return 0, rankings[0]
    likeliest = max(probabilities, key=probabilities.__getitem__)
    answer = max(range(len(masses)), key=lambda text: round(masses[text].get(likeliest, 0.0), _DECIMALS))
    mass, groups = masses[answer], _groups(rankings[answer], units).tolist()
    factors = {group: probabilities[group] / mass[group] for group in probabilities if mass.get(group)}
    moved = rankings[answer].probabilities * np.array([factors.get(group, 0.0) for group in groups])
    order = np.argsort(-moved, kind="stable")
    return answer, replace(rankings[answer], probabilities=moved).take(order)


def heading_probabilities(masses: Sequence[dict[int, float]]) -> dict[int, float]:
    """Return the probabilities of the unit groups of a heading.

    Args:
        masses: probabilities of the unit groups by the whole title, and by each of its parts.
    """
    features = heading_features(masses)
    utilities = {group: WHOLE * whole + PART * part for group, (whole, part) in features.items()}
    total = sum(np.exp(utility) for utility in (*utilities.values(), NO_JOB))
    return {group: float(np.exp(utility) / total) for group, utility in utilities.items()}


def heading_features(masses: Sequence[dict[int, float]]) -> dict[int, tuple[float, float]]:
    """Return what the whole title and the best part say of each unit group; see `heading_probabilities`."""
    whole, *parts = ({group: np.log(mass / _LEAST) for group, mass in text.items() if mass > _LEAST} for text in masses)
    by_part: dict[int, float] = {}
    for place, part in enumerate(parts):
        for group, said in part.items():
            by_part[group] = max(by_part.get(group, 0.0), LATER**place * said)
    return {group: (whole.get(group, 0.0), by_part.get(group, 0.0)) for group in whole | by_part}


def unit_masses(ranking: Ranking, units: Indices) -> dict[int, float]:
    """Return the probabilities of the unit groups of a ranking; see `heading_ranking`."""
    found, numbers = np.unique(_groups(ranking, units), return_inverse=True)
    sums = np.bincount(numbers, ranking.probabilities, len(found))
    return dict(zip(found.tolist(), sums.tolist(), strict=True))


# (candidate,) the unit group of each candidate; one without is a group of its own
def _groups(ranking: Ranking, units: Indices) -> Indices:
    own = units[ranking.concepts]
    return np.where(own == NO_UNIT, -ranking.concepts - 2, own)
