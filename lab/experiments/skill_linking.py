"""Skill linking: the ESCO skills of sentences, ranked, by R-precision at 1, 5 and 10.

R-precision at k of a sentence is the number of its right skills among the first k, divided by the lesser of k and the
number of its right skills; the mean is over the sentences that have a right skill. All skills with an English name are
ranked for the whole sentence, without the annotated spans.
Data and task: Decorte et al. (2022), on sentences of SkillSpan (Zhang et al. 2022).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.descriptions.skill_extractor import SkillExtractor
from jobmatch_core.descriptions.skill_index import SkillIndex
from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.linking.scorers import TfidfScorer
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold
from jobmatch_core.text.locales import ENGLISH
from lab.shipping.skill_span_files import LinkedSentence

CUTOFFS = (1, 5, 10)
_BLOCK = 64  # sentences that are compared with all names at a time


@dataclass(frozen=True, slots=True)
class LinkingRow:
    """R-precision of a system on a set, at each of `CUTOFFS`."""

    set: str
    system: str
    sentences: int
    r_precision: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class FoundFigures:
    """Skills found from the threshold on, against the links of sentences."""

    sentences: int  # number of sentences, also those without a skill
    found: int  # number of skills found
    right: int  # number of these that are linked
    linked: int  # number of linked skills

    @property
    def precision(self) -> float:
        """Share of the found skills that are linked; 0 if none is found."""
        return self.right / max(self.found, 1)

    @property
    def recall(self) -> float:
        """Share of the linked skills that are found; 0 if none is linked."""
        return self.right / max(self.linked, 1)


def r_precision(ranked: Sequence[int], right: frozenset[int], k: int) -> float:
    """Return the right ones among the first k, divided by the lesser of k and their number, which is at least 1."""
    return len(right.intersection(ranked[:k])) / min(k, len(right))


def preferred_numbers(taxonomy: Taxonomy) -> dict[str, int]:
    """Return the skills' numbers by preferred English name."""
    table = taxonomy.tables.skill_names
    preferred = table[table["preferred"] & (table["language"] == ENGLISH)]
    return dict(zip(map(str.strip, preferred["text"]), preferred["skill"].to_list(), strict=True))


def measure(name: str, system: str, rankings: Sequence[Sequence[int]], right: Sequence[frozenset[int]]) -> LinkingRow:
    """Return the means of a system on a set over the sentences that have a right skill."""
    pairs = [pair for pair in zip(rankings, right, strict=True) if pair[1]]
    means = tuple(float(np.mean([r_precision(*pair, k) for pair in pairs])) for k in CUTOFFS)
    return LinkingRow(name, system, len(pairs), means)


def rank_by_extractor(
    extractor: SkillExtractor, sentences: Sequence[str], progress: Progress = no_progress
) -> list[list[int]]:
    """Return the skill numbers of each sentence, the first ten."""
    rankings = []
    for number, sentence in enumerate(sentences):
        rankings.append([skill.skill for skill in extractor.rank(sentence, CUTOFFS[-1])])
        progress(number + 1, len(sentences))
    return rankings


def rank_by_letters(taxonomy: Taxonomy, sentences: Sequence[str], *, all_names: bool) -> list[list[int]]:
    """Return the ranking by the TF-IDF cosine of letters of the sentence and the names.

    Args:
        all_names: compare all English names, of which a skill's best counts, instead of the preferred ones.
    """
    table = taxonomy.tables.skill_names
    chosen = table[(table["language"] == ENGLISH) & (table["preferred"] | all_names)].sort_values(
        "skill", kind="stable"
    )
    scorer = TfidfScorer.fit("char", [fold(text) for text in chosen["text"]])
    rows = np.arange(len(chosen))
    return _ranked(
        chosen["skill"].to_numpy(),
        sentences,
        lambda block: scorer.table(scorer.encode([fold(text) for text in block]), rows),
    )


def rank_by_meaning(index: SkillIndex, sentences: Sequence[str]) -> list[list[int]]:
    """Return the ranking by the cosine of the vectors of the sentence and the names, of which a skill's best counts."""
    names = index.names_of(np.arange(len(index.numbers)))
    return _ranked(
        np.repeat(index.numbers, np.diff(names.starts, append=len(names.rows))),
        sentences,
        lambda block: index.meaning(index.encode(block), names),
    )


def found_figures(
    extractor: SkillExtractor,
    sentences: Sequence[LinkedSentence],
    right: Sequence[frozenset[int]],
    progress: Progress = no_progress,
) -> FoundFigures:
    """Return how many of the skills that the extractor finds are linked."""
    skills = extractor.find([sentence.text for sentence in sentences], progress=progress)
    hits = sum(skill.skill in right[skill.sentence] for skill in skills)
    return FoundFigures(len(sentences), len(skills), hits, sum(map(len, right)))


# numbers of the skills, (name,) ascending, and the scores of a block of sentences, (sentence, name)
def _ranked(
    skills: NDArray[np.integer[Any]], sentences: Sequence[str], score: Callable[[Sequence[str]], FloatArray]
) -> list[list[int]]:
    numbers, starts = np.unique(skills, return_index=True)
    rankings: list[list[int]] = []
    for first in range(0, len(sentences), _BLOCK):
        best = np.maximum.reduceat(score(sentences[first : first + _BLOCK]), starts, axis=1)
        rankings += numbers[np.argsort(-best, axis=1, kind="stable")[:, : CUTOFFS[-1]]].tolist()
    return rankings
