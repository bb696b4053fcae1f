"""D2: pairs of names of the same or a close occupation, and negatives of each name.

Paper: Deniz et al. (2024), section 3.1.2. Positives of an occupation are all pairs of its names without repetition; 30%
of that number more between its names and those of its broader occupations, where it is a narrower one; 10 % more
between its names and those of other occupations of its unit group. That is done for each language, and once more with
names of any language, where a text that two languages share is one name.

Each name has about 128 negatives from other ISCO-08 groups: 50 % from another major group, and within the same next
coarser group 25 % from another sub-major, 15 % from another minor and 10 % from another unit group. Missing candidates
are replaced by those of the next coarser group. Negatives are drawn again with the same seed, not stored. `max_pairs`
limits the pairs across languages, which the paper must have limited, too, but does not describe.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from jobmatch_core.errors import TaxonomyError
from jobmatch_core.titles.occupation_names import OccupationNames

SHARES = (0.50, 0.25, 0.15, 0.10)  # another major, sub-major, minor, unit group
LEVELS = len(SHARES) + 1  # everything, then the groups of one to four digits
_NONE = np.empty(0, dtype=np.int64)
ANY_LANGUAGE = ""
PARENT_SHARE = 0.30  # both of an occupation's own number of pairs
UNIT_GROUP_SHARE = 0.10
POOL = 128  # negatives a name
Positions = NDArray[np.int64]


def group_bounds(codes: Sequence[str]) -> NDArray[np.int32]:
    """Return the bounds of each title's groups among titles sorted by ISCO-08 code.

    Args:
        codes: ISCO-08 code of each title, sorted.

    Returns:
        Shape (title, level, 2): begin and end of all titles, of the major, sub-major, minor and unit group.
    """
    bounds = np.empty((len(codes), LEVELS, 2), dtype=np.int32)
    for digits in range(LEVELS):
        groups = np.array([code[:digits] for code in codes], dtype=np.str_)
        starts = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]])
        ends = np.r_[starts[1:], len(codes)]
        bounds[:, digits, 0] = np.repeat(starts, ends - starts)
        bounds[:, digits, 1] = np.repeat(ends, ends - starts)
    return bounds


def share_counts(n: int) -> list[int]:
    """Split *n* by the shares, so that the parts add up to it; 128 gives 64, 32, 19, 13."""
    return [int(count) for count in np.diff(np.round(np.cumsum((0.0, *SHARES)) * n))]


def draw_negatives(bounds: NDArray[np.int32], n: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Draw negatives of a title without repetition.

    Args:
        bounds: the title's row of `group_bounds`, shape (level, 2).
        n: number of negatives; fewer are drawn if fewer titles lie outside its unit group.

    Returns:
        Positions among the sorted titles, those of another major group first.
    """
    chosen = []
    missing = 0
    for level, wanted in reversed(list(enumerate(share_counts(n)))):
        (outer_start, outer_end), (inner_start, inner_end) = bounds[level].tolist(), bounds[level + 1].tolist()
        inner = inner_end - inner_start
        candidates = outer_end - outer_start - inner
        taken = min(wanted + missing, candidates)
        missing += wanted - taken
        drawn = outer_start + random.choice(candidates, taken, replace=False, shuffle=False) if taken else _NONE
        chosen.append(np.where(drawn < inner_start, drawn, drawn + inner))
    return np.concatenate(chosen[::-1])


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Numbers of positive pairs of an occupation: of its own, with its parents, within its unit group."""

    own: int
    parent: int
    unit_group: int

    @classmethod
    def of(cls, names: int, parent_names: int, unit_group_names: int, max_pairs: int = 0) -> "PairCounts":
        """Count the pairs of an occupation.

        Args:
            parent_names: number of names of its broader occupations.
            unit_group_names: number of names of the other occupations of its unit group.
            max_pairs: maximum number of own pairs, 0 for no limit.
        """
        own = names * (names - 1) // 2
        own = min(own, max_pairs) if max_pairs else own
        return cls(
            own,
            min(round(PARENT_SHARE * own), names * parent_names),
            min(round(UNIT_GROUP_SHARE * own), names * unit_group_names),
        )

    @property
    def total(self) -> int:
        """The sum of all three."""
        return self.own + self.parent + self.unit_group


@dataclass(frozen=True, slots=True)
class LanguagePairs:
    """The pairs of one language, or of any language."""

    language: str  # language code, or `ANY_LANGUAGE`
    rows: NDArray[np.int32]  # (title,) rows of the names, sorted by ISCO-08 code and occupation
    bounds: NDArray[np.int32]  # (title, level, 2) result of `group_bounds`
    # (pair, 2) positions in *rows*; the second may be a name of the broader or the neighbouring occupation
    pairs: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class TitleTuple:
    """The input of equation 3: a title, one of the same meaning, and others of different meanings."""

    anchor: str
    positive: str
    negatives: tuple[str, ...]


class SimilarityPairs:
    """The D2 dataset, from which tuples are drawn."""

    def __init__(self, names: OccupationNames, parts: list[LanguagePairs], *, seed: int) -> None:
        self.parts = parts
        self._names = names
        self._seed = seed
        self._ends = np.cumsum([len(part.pairs) for part in parts])
        self._texts = pd.factorize(np.array(names.texts, dtype=object))[0]

    def __len__(self) -> int:
        return int(self._ends[-1])

    def draw(self, number: int, n_negatives: int, pool: int = POOL) -> TitleTuple:
        """Return the tuple of a number, which is the same each time.

        Args:
            number: any number; it seeds the random choice of the pair, and of the anchor among the two.
            n_negatives: number of the anchor's negatives; some are repeated where there are too few.
            pool: number of negatives of a title.
        """
        random = np.random.default_rng([self._seed, number])
        pair = int(random.integers(len(self)))
        which = int(np.searchsorted(self._ends, pair, side="right"))
        part = self.parts[which]
        anchor, positive = random.permutation(part.pairs[pair - self._ends[which]]).tolist()
        candidates = draw_negatives(part.bounds[anchor], pool, np.random.default_rng([self._seed, which, anchor]))
        others = self._without_positives(part.rows[[anchor, positive]], part.rows[candidates])
        drawn = random.choice(others, n_negatives, replace=len(others) < n_negatives)
        texts = self._names.texts
        return TitleTuple(
            texts[part.rows[anchor]], texts[part.rows[positive]], tuple(texts[row] for row in drawn.tolist())
        )

    def _without_positives(self, pair: NDArray[np.int32], candidates: NDArray[np.int32]) -> NDArray[np.int32]:
        same_concept = np.isin(self._names.concepts[candidates], self._names.concepts[pair])
        same_text = np.isin(self._texts[candidates], self._texts[pair])
        others = candidates[~(same_concept | same_text)]
        return others if len(others) else candidates


def similarity_pairs(
    names: OccupationNames, *, seed: int, across_languages: bool = True, max_pairs: int = 0
) -> SimilarityPairs:
    """Build D2.

    Args:
        names: names with ISCO-08 codes; those of occupations without one are left out.
        across_languages: also pair names of different languages.
        max_pairs: maximum number of own pairs of an occupation in each part, 0 for no limit.

    Raises:
        TaxonomyError: there is no positive pair, or only one unit group.
    """
    coded = np.array([bool(names.isco[concept]) for concept in names.concepts], dtype=np.bool_)
    languages = sorted(set(names.languages[coded].tolist()))
    masks = [(language, coded & (names.languages == language)) for language in languages]
    if across_languages and len(languages) > 1:
        masks.append((ANY_LANGUAGE, coded & _first_of_text(names)))
    random = np.random.default_rng(seed)
    parts = [_part(names, language, np.flatnonzero(mask), max_pairs, random) for language, mask in masks]
    parts = [part for part in parts if len(part.pairs) and len(np.unique(part.bounds[:, -1, 0])) > 1]
    if not parts:
        raise TaxonomyError(
            "These names give no similarity pairs: expected occupations with several names in one language, "
            "in at least two unit groups of ISCO-08. Use another taxonomy, or more languages."
        )
    return SimilarityPairs(names, parts, seed=seed)


def _first_of_text(names: OccupationNames) -> NDArray[np.bool_]:
    """Return true where an occupation has a text for the first time; the same text in two languages is one title."""
    return ~pd.DataFrame({"concept": names.concepts, "text": names.texts}).duplicated().to_numpy()


def _part(
    names: OccupationNames, language: str, rows: Positions, max_pairs: int, random: np.random.Generator
) -> LanguagePairs:
    codes = np.array([names.isco[concept] for concept in names.concepts[rows]], dtype=np.str_)
    order = np.lexsort((names.concepts[rows], codes))
    rows = rows[order]
    bounds = group_bounds(codes[order].tolist())
    groups = list(_groups(names.parents, names.concepts[rows], bounds))
    counts = [PairCounts.of(len(own), len(parents), len(others), max_pairs) for own, parents, others in groups]
    ends = np.cumsum([0, *(count.total for count in counts)])
    pairs = np.empty((ends[-1], 2), dtype=np.int32)
    for group, count, (start, end) in zip(groups, counts, pairwise(ends.tolist()), strict=True):
        pairs[start:end] = _pairs(*group, count, random)
    return LanguagePairs(language, rows.astype(np.int32), bounds, pairs)


def _groups(
    parents: NDArray[np.int32], concepts: NDArray[np.int32], bounds: NDArray[np.int32]
) -> Iterator[tuple[Positions, Positions, Positions]]:
    """Yield the positions of each occupation's names, of its parents' and of the rest of its unit group."""
    starts = np.flatnonzero(np.r_[True, concepts[1:] != concepts[:-1]]) if len(concepts) else np.empty(0, np.int64)
    ends = np.r_[starts[1:], len(concepts)]
    own = {int(concepts[start]): np.arange(start, end) for start, end in zip(starts, ends, strict=True)}
    broader: dict[int, list[Positions]] = {}
    for child, parent in parents.tolist():
        if parent in own:
            broader.setdefault(child, []).append(own[parent])
    for concept, positions in own.items():
        group_start, group_end = bounds[positions[0], -1]
        others = np.r_[group_start : positions[0], positions[-1] + 1 : group_end]
        yield positions, np.concatenate([*broader.get(concept, []), np.empty(0, np.int64)]), others


def _pairs(
    own: Positions, parents: Positions, others: Positions, count: PairCounts, random: np.random.Generator
) -> Positions:
    first, second = np.triu_indices(len(own), k=1)
    if count.own < len(first):
        drawn = random.choice(len(first), count.own, replace=False)
        first, second = first[drawn], second[drawn]
    return np.concatenate(
        [
            np.column_stack([own[first], own[second]]),
            _sample(own, parents, count.parent, random),
            _sample(own, others, count.unit_group, random),
        ]
    )


def _sample(own: Positions, others: Positions, n: int, random: np.random.Generator) -> Positions:
    """Draw *n* distinct pairs of one of *own* with one of *others*."""
    cells = random.choice(len(own) * len(others), n, replace=False) if n else np.empty(0, np.int64)
    first, second = np.divmod(cells, max(len(others), 1))
    return np.column_stack([own[first], others[second]])
