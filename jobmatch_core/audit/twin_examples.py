"""Examples of twins that are treated differently: which two texts, and what became of each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jobmatch_core.entities import Freelancer

EXAMPLES = 3  # of each language or cue
_TEXTS = ("title", "description", "experience", "category_name", "country")
_LONGEST = 80  # characters of a part that differs


@dataclass(frozen=True, slots=True)
class TitleExample:
    """A title in two forms."""

    masculine: str
    feminine: str
    # masculine_link, feminine_link: English names of the occupations or unit groups that they are linked to; '' if not
    # linked
    masculine_link: str
    feminine_link: str
    overlap: float  # rank-biased overlap of their candidates


@dataclass(frozen=True, slots=True)
class RankExample:
    """A profile in two versions."""

    project: str  # title of the project
    freelancer: str  # id of the freelancer
    title: str  # title of the profile
    # first, second: the parts of the texts that differ; '' for a text that the version lacks
    first: str
    second: str
    # first_rank, second_rank: ranks, from 1
    first_rank: int
    second_rank: int

    @property
    def moved(self) -> int:
        """Number of ranks between the versions."""
        return abs(self.first_rank - self.second_rank)


def differing_parts(first: Freelancer, second: Freelancer) -> tuple[str, str]:
    """Return what differs in the first differing text of two profiles, without equal words around it, shortened."""
    for before, after in _differing_texts(first, second):
        start = _equal_start(before, after)
        end = _equal_start(before[start:][::-1], after[start:][::-1])
        parts = (" ".join(words[start : len(words) - end]) for words in (before, after))
        left, right = (part if len(part) <= _LONGEST else f"{part[:_LONGEST]}…" for part in parts)
        return left, right
    return "", ""


def _differing_texts(first: Freelancer, second: Freelancer) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    for name in _TEXTS:
        texts = getattr(first, name), getattr(second, name)
        if texts[0] != texts[1]:
            yield texts[0].split(), texts[1].split()


def _equal_start(left: Sequence[str], right: Sequence[str]) -> int:
    pairs = zip(left, right, strict=False)
    return next((place for place, (one, other) in enumerate(pairs) if one != other), min(len(left), len(right)))
