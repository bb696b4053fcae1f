"""How far judged titles should move the concept head: as far as helps titles that had no part in it."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray
from jobmatch_core.linking.linker import Linker
from jobmatch_core.linking.refit import JudgedCandidates
from jobmatch_core.linking.relevance_feedback import HeadMoves
from jobmatch_core.retraining.title_examples import judged_candidates
from jobmatch_core.retraining.title_labels import JudgedTitle
from jobmatch_core.titles.cleaning import clean_title

_STRENGTHS = (0.5, 1.0, 2.0)
_FOLDS = 5


@dataclass(frozen=True)
class HeadFit:
    """What was found.

    Attributes:
        strength: see `HeadMoves.of`; 0 where no move helps.
        moves: by all titles, of nobody where no move helps; None without an encoder.
        unseen: each title's candidates by a head that was moved by other titles, fold by fold.
    """

    strength: float
    moves: HeadMoves | None
    unseen: JudgedCandidates


def fit_head(
    linker: Linker, titles: Sequence[JudgedTitle], names: Callable[[Linker], JudgedCandidates], *, seed: int
) -> HeadFit:
    """Choose the strength by the mean reciprocal rank of the right occupation: of judged titles, and of other names.

    People judge what they come across; a move that helps such titles must not cost more elsewhere than it brings.

    Args:
        linker: by whose weights candidates are ranked; its own moves do not count.
        titles: at least one; each is ranked by a head that other folds have moved.
        names: gives the candidates of names that nobody judged, by a linker.
        seed: of the folds.
    """
    judged = _Judged.of(linker, titles)
    folds = np.random.default_rng(seed).permutation(len(titles)) % _FOLDS
    order = np.argsort(folds, kind="stable")
    known = np.array([bool(titles[number].right) for number in order.tolist()])
    strengths = (0.0, *_STRENGTHS) if linker.index.encoder else (0.0,)
    everything = np.ones(len(titles), dtype=np.bool_)
    moves = {strength: judged.moves(everything, strength) for strength in strengths}
    found = {strength: judged.unseen(folds, strength) for strength in strengths}

    def ranked(strength: float) -> float:
        others = names(judged.moved(moves[strength]))
        own = _reciprocal_ranks(linker, found[strength])[known]
        return float(own.sum() + _reciprocal_ranks(linker, others).sum())

    best = max(strengths, key=ranked)
    return HeadFit(best, moves[best], found[best])


@dataclass(frozen=True)
class _Judged:
    """Judged titles and their vectors, each encoded once; None without an encoder."""

    linker: Linker
    titles: Sequence[JudgedTitle]
    vectors: FloatArray | None

    @classmethod
    def of(cls, linker: Linker, titles: Sequence[JudgedTitle]) -> Self:
        encoder = linker.index.encoder
        texts = [_text(linker, title.title) for title in titles]
        return cls(linker, titles, encoder.encode(texts) if encoder else None)

    def unseen(self, folds: NDArray[np.intp], strength: float) -> JudgedCandidates:
        """Return the candidates of each fold's titles, fold by fold, by a head that the others have moved."""
        parts = []
        for fold in np.unique(folds).tolist():
            own = [self.titles[row] for row in np.flatnonzero(folds == fold).tolist()]
            parts.append(judged_candidates(self.moved(self.moves(folds != fold, strength)), own))
        return JudgedCandidates.joined(parts)

    def moved(self, moves: HeadMoves | None) -> Linker:
        """Return the linker with its head moved."""
        return Linker(self.linker.taxonomy, self.linker.index, self.linker.calibration, moves)

    def moves(self, chosen: NDArray[np.bool_], strength: float) -> HeadMoves | None:
        """Return the moves by some of the titles, of nobody where the strength is 0; None without an encoder."""
        if self.vectors is None:
            return None
        toward, away = (defaultdict[str, list[FloatArray]](list) for _ in range(2))
        for row in np.flatnonzero(chosen).tolist() if strength else ():
            title, vector = self.titles[row], self.vectors[row]
            for concepts, said in ((title.right, toward), (title.wrong, away)):
                for concept in concepts:
                    said[self.linker.taxonomy.uris[concept]].append(vector)
        near, far = ({uri: np.stack(each) for uri, each in sorted(said.items())} for said in (toward, away))
        return HeadMoves.of(near, far, strength, self.vectors.shape[1])


def _reciprocal_ranks(linker: Linker, titles: JudgedCandidates) -> NDArray[np.float64]:
    """Return 1 / the rank of the best candidate that may be right, shape (title,); 0 where there is none."""
    utilities = linker.calibration.logit.utilities(titles.features)
    best = np.full(titles.n, -np.inf)
    np.maximum.at(best, titles.queries[titles.possible], utilities[titles.possible])
    ranks = np.bincount(titles.queries[utilities >= best[titles.queries]], minlength=titles.n)
    return np.where(np.isfinite(best), 1 / np.maximum(ranks, 1), 0.0)


def _text(linker: Linker, title: str) -> str:
    """Return what is left of a title when it is cleaned."""
    forms = clean_title(title, linker.index.known_words).forms
    return forms[-1] if forms else ""
