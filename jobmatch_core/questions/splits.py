"""Splits of a title's candidates into the options of a question, and what the answer is expected to bring.

A respondent is modelled by one number: they choose the option that holds their occupation, or 'none of these' where no
option does, except for `RESPONDENT_ERROR`, which all other answers share.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Candidate
from jobmatch_core.taxonomy.tables import UNIT_DIGITS

# Share of answers that are wrong: people read options in haste, and an option that stands for an occupation does not
# have all its duties. One in ten is an assumption, not a fit: an answer then multiplies odds by 18 to 36.
RESPONDENT_ERROR = 0.1
FEWEST, MOST = 2, 4  # options
LEAST_OPTION = 0.05  # probability of an option that is worth reading
LEAST_TOGETHER = 0.6  # probability of all options: otherwise 'none of these' is as likely an answer as any

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Split:
    """Options as sets of candidates."""

    options: tuple[tuple[int, ...], ...]  # (option,) numbers of its candidates, the likeliest option first
    of_groups: bool  # whether each option is a unit group of ISCO-08, not an occupation


def splits(candidates: Sequence[Candidate]) -> Iterator[Split]:
    """Yield the splits of candidates (best first) into unit groups and occupations that are worth a question."""
    groups: dict[str, list[int]] = {}
    for number, candidate in enumerate(candidates):
        groups.setdefault(candidate.isco, []).append(number)
    of_units = [tuple(numbers) for code, numbers in groups.items() if len(code) == UNIT_DIGITS]
    for options, of_groups in ((of_units, True), ([(number,) for number in range(len(candidates))], False)):
        masses = {option: sum(candidates[number].probability for number in option) for option in options}
        likely = [
            option for option in sorted(options, key=lambda option: -masses[option]) if masses[option] >= LEAST_OPTION
        ]
        likely = likely[:MOST]
        if len(likely) >= FEWEST and sum(masses[option] for option in likely) >= LEAST_TOGETHER:
            yield Split(tuple(likely), of_groups)


def likelihoods(split: Split, n_candidates: int) -> Floats:
    """Return the probability of each answer given each candidate, shape (option + 1, candidate + 1).

    The last answer is 'none of these', and the last candidate stands for whatever is no candidate.
    """
    n_options = len(split.options)
    table = np.full((n_options + 1, n_candidates + 1), RESPONDENT_ERROR / n_options)
    rest = np.ones(n_candidates + 1, dtype=np.bool_)
    for number, option in enumerate(split.options):
        table[number, list(option)] = 1 - RESPONDENT_ERROR
        rest[list(option)] = False
    table[n_options, rest] = 1 - RESPONDENT_ERROR
    return table


def after_answer(probabilities: Floats, split: Split, answer: int) -> Floats:
    """Return the candidates' probabilities after an answer, shape (candidate,); their sum may stay below one.

    Args:
        probabilities: (candidate,) before it; the rest up to one is whatever is no candidate.
        split: the options.
        answer: number of the chosen option; the number of options for 'none of these'.
    """
    joint = _joint(probabilities, split)[answer]
    return np.asarray(joint[:-1] / joint.sum())


def expected_gain(candidates: Sequence[Candidate], split: Split) -> float:
    """Return how much a question is expected to raise the highest probability: mean of occupations and unit groups."""
    probabilities = np.array([candidate.probability for candidate in candidates])
    codes, of_code = np.unique([candidate.isco for candidate in candidates], return_inverse=True)
    joint = _joint(probabilities, split)[:, :-1]
    in_groups = joint @ np.eye(len(codes))[of_code]
    gains = [table.max(axis=1).sum() - table.sum(axis=0).max() for table in (joint, in_groups)]
    return float(np.mean(gains))


# probability of each answer together with each candidate, and with whatever is no candidate
def _joint(probabilities: Floats, split: Split) -> Floats:
    rest = max(1.0 - float(probabilities.sum()), 0.0)
    return np.asarray(likelihoods(split, len(probabilities)) * np.append(probabilities, rest))
