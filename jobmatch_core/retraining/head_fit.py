"""Fit of the concept head's moves to judged titles, with a strength chosen by cross-validation."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray
from jobmatch_core.linking.linker import Linker
from jobmatch_core.linking.linking_model import HeadMoves
from jobmatch_core.linking.refit import JudgedCandidates
from jobmatch_core.retraining.title_labels import JudgedTitle, judged_candidates
from jobmatch_core.titles.cleaning import clean_title

_STRENGTHS = (0.5, 1.0, 2.0)
_FOLDS = 5


@dataclass(frozen=True)
class HeadFit:
    """Result of the fit."""

    strength: float  # strength for `HeadMoves.of`; 0 if no move helps
    moves: HeadMoves | None  # moves by all titles, empty if no move helps; None without an encoder
    unseen: JudgedCandidates  # each title's candidates by a head moved by the other folds, fold by fold
    looked_at: NDArray[np.bool_]  # (title,) true for titles that somebody looked at, in the same order


def fit_head(
    linker: Linker, titles: Sequence[JudgedTitle], names: Callable[[Linker], JudgedCandidates], *, seed: int
) -> HeadFit:
    """Choose the strength by the mean reciprocal rank of the right occupation.

    It is measured on titles that somebody looked at and on unjudged names, so that a move must not cost more elsewhere
    than it gains.

    Args:
        linker: linker with the weights that rank candidates; its own moves are ignored.
        titles: judged titles, at least one; each is ranked by a head moved by the other folds.
        names: returns the candidates of unjudged names by a linker.
    """
    judged = _Judged.of(linker, titles)
    folds = np.random.default_rng(seed).permutation(len(titles)) % _FOLDS
    order = np.argsort(folds, kind="stable")
    looked_at = np.array([titles[number].looked_at for number in order.tolist()])
    measured = looked_at & np.array([bool(titles[number].right) for number in order.tolist()])
    strengths = (0.0, *_STRENGTHS) if linker.index.encoder else (0.0,)
    everything = np.ones(len(titles), dtype=np.bool_)
    moves = {strength: judged.moves(everything, strength) for strength in strengths}
    unseen = {strength: judged.unseen(folds, strength) for strength in strengths}

    def ranked(strength: float) -> float:
        others = names(judged.moved(moves[strength]))
        own = _reciprocal_ranks(linker, unseen[strength])[measured]
        return float(own.sum() + _reciprocal_ranks(linker, others).sum())

    best = max(strengths, key=ranked)
    return HeadFit(best, moves[best], unseen[best], looked_at)


@dataclass(frozen=True)
class _Judged:
    linker: Linker
    titles: Sequence[JudgedTitle]
    vectors: FloatArray | None  # None without an encoder

    @classmethod
    def of(cls, linker: Linker, titles: Sequence[JudgedTitle]) -> Self:
        index = linker.index
        cleaned = [clean_title(title.title, index.known_words, index.known_texts).forms for title in titles]
        texts = [forms[-1] if forms else "" for forms in cleaned]
        return cls(linker, titles, index.encoder.encode(texts) if index.encoder else None)

    def unseen(self, folds: NDArray[np.intp], strength: float) -> JudgedCandidates:
        parts = []
        for fold in np.unique(folds).tolist():
            own = [self.titles[row] for row in np.flatnonzero(folds == fold).tolist()]
            parts.append(judged_candidates(self.moved(self.moves(folds != fold, strength)), own))
        return JudgedCandidates.joined(parts)

    def moved(self, moves: HeadMoves | None) -> Linker:
        return Linker(self.linker.taxonomy, self.linker.index, self.linker.calibration, moves)

    def moves(self, chosen: NDArray[np.bool_], strength: float) -> HeadMoves | None:
        if self.vectors is None:
            return None
        toward, away = (defaultdict[str, list[FloatArray]](list) for _ in range(2))
        for row in np.flatnonzero(chosen).tolist() if strength else ():
            title, vector = self.titles[row], self.vectors[row]
            for concepts, by_uri in ((title.right, toward), (title.wrong, away)):
                for concept in concepts:
                    by_uri[self.linker.taxonomy.uris[concept]].append(vector)
        near, far = ({uri: np.stack(vectors) for uri, vectors in sorted(by_uri.items())} for by_uri in (toward, away))
        return HeadMoves.of(near, far, strength, self.vectors.shape[1])


def _reciprocal_ranks(linker: Linker, titles: JudgedCandidates) -> NDArray[np.float64]:
    # of the best candidate that may be right; 0 where there is none
    answers = titles.answers(linker.calibration.logit)
    best = np.full(titles.n_titles, np.inf)
    np.minimum.at(best, answers.titles[answers.possible], answers.ranks[answers.possible])
    return 1 / best
