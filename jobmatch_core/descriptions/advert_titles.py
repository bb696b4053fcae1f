"""Synthetic advert titles from names of occupations, so that an encoder learns to ignore noise in titles.

A taxonomy's names are bare. Grades, contracts and what adverts call for are in the linker's `noise_words.toml`, which
takes the same things out of titles again; steps of a career, places and further jobs are added here.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.text.languages import ENGLISH
from jobmatch_core.titles.cleaning import noise_phrases

_SIDES = ((True, False), (False, True), (True, True))  # in front of the name, behind it, both: as often
_NEVER_IN_FRONT = {
    "no experience required", "no experience needed", "with experience", "traineeship", "internship", "apprenticeship",
    "graduate scheme", "graduate programme", "work placement", "beginner", "interns",
}  # fmt: skip
_PLACES = (
    "Amsterdam", "Athens", "Auckland", "Bangkok", "Berlin", "Boston", "Brussels", "Chicago", "Copenhagen", "Dubai",
    "Dublin", "Glasgow", "Helsinki", "Houston", "Johannesburg", "Lagos", "Leeds", "Lisbon", "London", "Madrid",
    "Manchester", "Manila", "Melbourne", "Milan", "Mumbai", "Munich", "Nairobi", "New York", "Oslo", "Paris", "Prague",
    "Riyadh", "Rome", "Singapore", "Stockholm", "Sydney", "Toronto", "Vienna", "Warsaw", "Zurich",
)  # fmt: skip
_STEPS = ("I", "II", "III", "1", "2")
_JOINTS = ("{} ({})", "{} - {}", "{}, {}", "{} {}")
_ANOTHER_JOB = ("{} / {}", "{} & {}", "{} and {}")


def as_advertised(postings: Sequence[Posting], share: float, seed: int) -> list[Posting]:
    """Return the postings in their order, a share of them with titles as adverts write them.

    Args:
        postings: postings with names of occupations as titles, in English.
        share: share of the postings to change, 0 to 1.
        seed: seed of the random choices.
    """
    random = np.random.default_rng(seed)
    titles = [each.title for each in postings]
    chosen = random.random(len(postings)) < share
    return [
        replace(posting, title=_advertised(posting.title, titles, random)) if adorned else posting
        for posting, adorned in zip(postings, chosen, strict=True)
    ]


def _advertised(name: str, others: Sequence[str], random: np.random.Generator) -> str:
    """Put a grade or the like in front of a name, or something behind it, or both."""
    in_front, behind = _SIDES[int(random.integers(len(_SIDES)))]
    title = name
    if in_front:
        grades = noise_phrases("seniority", ENGLISH)
        title = f"{_one_of([each for each in grades if each not in _NEVER_IN_FRONT], random)} {title}"
    return _with_something_behind(title, others, random) if behind else title


def _with_something_behind(title: str, others: Sequence[str], random: np.random.Generator) -> str:
    kinds = (  # a place twice as often as each of the others
        (_ANOTHER_JOB, others),
        (("{} {}",), _STEPS),
        (_JOINTS, noise_phrases("contract", ENGLISH)),
        (_JOINTS, noise_phrases("advert", ENGLISH)),
        (_JOINTS, _PLACES),
        (_JOINTS, _PLACES),
    )
    joints, added = kinds[int(random.integers(len(kinds)))]
    return _one_of(joints, random).format(title, _one_of(added, random))


def _one_of(choices: Sequence[str], random: np.random.Generator) -> str:
    return choices[int(random.integers(len(choices)))]
