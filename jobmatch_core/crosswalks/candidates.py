"""Candidates of source codes: concepts that the linker finds for a code's name, weighed by the code's digits."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.crosswalks.code_digits import CodeDigits, leading_digits
from jobmatch_core.crosswalks.relation_features import Indices, SourceCode
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.linking.linker import BATCH, Linker
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import UNIT_DIGITS

_LOOKED_AT = 40  # concepts that the linker finds
_NOT_FOUND = 1e-4  # probability of an occupation of the code's unit group that the linker does not find
SURE = 0.5  # probability from which a concept says how far the codes follow ISCO-08
_FIRST, _WORTH_READING = 3, 0.1  # a mapper reads the first candidates, and those that are this probable


@dataclass(frozen=True, slots=True)
class CodeCandidates:
    """Concepts that a source code may be mapped to, the most probable first."""

    concepts: Indices  # (candidate,) numbers
    probabilities: NDArray[np.float64]  # (candidate,) together 1 at most

    @property
    def worth_reading(self) -> Indices:
        """Numbers of the concepts that a mapper should read: three, and further ones that are probable."""
        n_probable = int((self.probabilities >= _WORTH_READING).sum())
        return self.concepts[: max(_FIRST, n_probable)]

    def ordered(self, concepts: Sequence[int]) -> list[int]:
        """Return numbers of concepts with the candidates among them first, the most probable one before the others."""
        places = {concept: place for place, concept in enumerate(self.concepts.tolist())}
        return sorted(concepts, key=lambda concept: places.get(concept, len(places)))


def list_candidates(
    sources: Sequence[SourceCode], linker: Linker, *, progress: Progress = no_progress
) -> list[CodeCandidates]:
    """Return the candidates of each code of a list, whose digits count as far as the list follows ISCO-08."""
    found: list[CodeCandidates] = []
    for start in range(0, len(sources), BATCH):
        found += _found([source.name for source in sources[start : start + BATCH]], linker)
        progress(len(found), len(sources))
    sure = [
        (source.code, int(candidates.concepts[0]))
        for source, candidates in zip(sources, found, strict=True)
        if len(candidates.concepts) and candidates.probabilities[0] >= SURE
    ]
    digits = CodeDigits(linker.taxonomy, sure)
    return [
        _weighed(source.code, candidates, linker.taxonomy, digits)
        for source, candidates in zip(sources, found, strict=True)
    ]


def code_candidates(source: SourceCode, linker: Linker, digits: CodeDigits) -> CodeCandidates:
    """Return the candidates of one code of a list."""
    return _weighed(source.code, _found([source.name], linker)[0], linker.taxonomy, digits)


def _found(names: Sequence[str], linker: Linker) -> list[CodeCandidates]:
    # copies, so that the rest of a ranking is not kept for each of thousands of codes
    return [
        CodeCandidates(ranking.concepts[:_LOOKED_AT].astype(np.intp), ranking.probabilities[:_LOOKED_AT].copy())
        for ranking in linker.rank(names)
    ]


def _weighed(code: str, found: CodeCandidates, taxonomy: Taxonomy, digits: CodeDigits) -> CodeCandidates:
    leading = leading_digits(code)
    group = taxonomy.occupations_in(leading) if len(leading) == UNIT_DIGITS else []
    others = np.setdiff1d([taxonomy.number(uri) for uri in group], found.concepts).astype(np.intp)
    concepts = np.concatenate([found.concepts, others])
    probabilities = np.concatenate([found.probabilities, np.full(len(others), _NOT_FOUND)])
    weighed = probabilities * digits.odds(code, [taxonomy.isco_codes[concept] for concept in concepts])
    # a name that the linker is not sure of does not become sure by its code
    weighed *= min(probabilities.sum(), 1) / max(weighed.sum(), _NOT_FOUND)
    order = np.argsort(-weighed, kind="stable")
    return CodeCandidates(concepts[order], weighed[order])
