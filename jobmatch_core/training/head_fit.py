"""How far judged titles should move the concept head: as far as helps titles that had no part in it."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray
from jobmatch_core.linking.cleaning import clean_title
from jobmatch_core.linking.head_moves import HeadMoves
from jobmatch_core.linking.linker import Linker
from jobmatch_core.linking.refit import JudgedCandidates
from jobmatch_core.training.title_examples import judged_candidates
from jobmatch_core.training.title_labels import JudgedTitle

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
    folds = np.random.default_rng(seed).permutation(len(titles)) % _FOLDS
    order = np.argsort(folds, kind="stable")
    known = np.array([bool(titles[number].right) for number in order.tolist()])
    strengths = (0.0, *_STRENGTHS) if linker.index.encoder else (0.0,)
    found = {strength: _unseen(linker, titles, folds, strength) for strength in strengths}
    moves = {strength: _moves(linker, titles if strength else (), strength) for strength in strengths}

    def ranked(strength: float) -> float:
        others = names(_moved(linker, moves[strength]))
        judged = _reciprocal_ranks(linker, found[strength])[known]
        return float(judged.sum() + _reciprocal_ranks(linker, others).sum())

    best = max(strengths, key=ranked)
    return HeadFit(best, moves[best], found[best])


def _unseen(
    linker: Linker, titles: Sequence[JudgedTitle], folds: NDArray[np.intp], strength: float
) -> JudgedCandidates:
    """Return the candidates of each fold's titles, fold by fold, by a head that the others have moved."""
    parts = []
    for fold in sorted(set(folds.tolist())):
        others = [title for title, of in zip(titles, folds.tolist(), strict=True) if of != fold]
        own = [title for title, of in zip(titles, folds.tolist(), strict=True) if of == fold]
        parts.append(judged_candidates(_moved(linker, _moves(linker, others, strength)), own))
    return JudgedCandidates.joined(parts)


def _moved(linker: Linker, moves: HeadMoves | None) -> Linker:
    return Linker(linker.taxonomy, linker.index, linker.calibration, moves)


def _reciprocal_ranks(linker: Linker, titles: JudgedCandidates) -> NDArray[np.float64]:
    """Return 1 / the rank of the best candidate that may be right, shape (title,); 0 where there is none."""
    utilities = linker.calibration.logit.utilities(titles.features)
    best = np.full(titles.n, -np.inf)
    np.maximum.at(best, titles.queries[titles.possible], utilities[titles.possible])
    ranks = np.bincount(titles.queries[utilities >= best[titles.queries]], minlength=titles.n)
    return np.where(np.isfinite(best), 1 / np.maximum(ranks, 1), 0.0)


def _moves(linker: Linker, titles: Sequence[JudgedTitle], strength: float) -> HeadMoves | None:
    encoder = linker.index.encoder
    if encoder is None:
        return None
    vectors = encoder.encode([_text(linker, title.title) for title in titles])
    toward, away = (defaultdict[str, list[FloatArray]](list) for _ in range(2))
    for title, vector in zip(titles, vectors, strict=True):
        for concepts, said in ((title.right, toward), (title.wrong, away)):
            for concept in concepts:
                said[linker.taxonomy.uris[concept]].append(vector)
    near, far = ({uri: np.stack(each) for uri, each in sorted(said.items())} for said in (toward, away))
    return HeadMoves.of(near, far, strength, vectors.shape[1])


def _text(linker: Linker, title: str) -> str:
    """Return what is left of a title when it is cleaned."""
    forms = clean_title(title, linker.index.known_words).forms
    return forms[-1] if forms else ""
