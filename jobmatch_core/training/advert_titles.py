"""Names of occupations as adverts write them, for an encoder to learn what in a title is not the job.

A taxonomy's names are bare. What adverts add is in the linker's `noise_words.toml`, which takes the same things out of
titles again; places and further jobs are added here.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.languages import ENGLISH
from jobmatch_core.linking.cleaning import noise_phrases

_BEFORE, _BEHIND = (
    0.5,
    0.6,
)  # of the titles that are written so, those with something in front, and with something after
_PLACES = (
    "Amsterdam", "Athens", "Auckland", "Bangkok", "Berlin", "Boston", "Brussels", "Chicago", "Copenhagen", "Dubai",
    "Dublin", "Glasgow", "Helsinki", "Houston", "Johannesburg", "Lagos", "Leeds", "Lisbon", "London", "Madrid",
    "Manchester", "Manila", "Melbourne", "Milan", "Mumbai", "Munich", "Nairobi", "New York", "Oslo", "Paris", "Prague",
    "Riyadh", "Rome", "Singapore", "Stockholm", "Sydney", "Toronto", "Vienna", "Warsaw", "Zurich",
)  # fmt: skip
_STEPS = ("I", "II", "III", "1", "2")
_JOINTS = ("{} ({})", "{} - {}", "{}, {}", "{} {}")


def as_advertised(postings: Sequence[Posting], share: float, seed: int) -> list[Posting]:
    """Return the postings in their order, a share of them with titles as adverts write them.

    Args:
        postings: whose titles are names of occupations, in English.
        share: of the postings, 0 to 1.
        seed: of what is drawn.
    """
    random = np.random.default_rng(seed)
    titles = [each.title for each in postings]
    chosen = random.random(len(postings)) < share
    return [
        replace(posting, title=_advertised(posting.title, titles, random)) if adorned else posting
        for posting, adorned in zip(postings, chosen, strict=True)
    ]


def _advertised(name: str, others: Sequence[str], random: np.random.Generator) -> str:
    """Put a grade or the like in front of a name, or something after it, or both."""
    title = name
    if random.random() < _BEFORE:
        title = f"{_one_of(noise_phrases('seniority', ENGLISH), random)} {title}"
    if random.random() < _BEHIND:
        title = _behind(title, others, random)
    return title


def _behind(title: str, others: Sequence[str], random: np.random.Generator) -> str:
    """Add a place, a contract, what adverts call for, a step of a career, or another job."""
    kind = random.integers(6)
    if kind == 0:
        return f"{title} {_one_of(_STEPS, random)}"
    if kind == 1:
        return f"{title} {_one_of(('/', '&', 'and'), random)} {_one_of(others, random)}"
    added = {
        2: noise_phrases("contract", ENGLISH),
        3: noise_phrases("advert", ENGLISH),
    }.get(int(kind), _PLACES)
    return _one_of(_JOINTS, random).format(title, _one_of(added, random))


def _one_of(choices: Sequence[str], random: np.random.Generator) -> str:
    return choices[int(random.integers(len(choices)))]
