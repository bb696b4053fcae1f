"""Conversion of judgments and pairs to rows, and back."""

import hashlib
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Row, select

from db.checks import check_pair
from db.models import KEY_LENGTH, JudgmentRow, PairRow
from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance, Verdict

JUDGMENTS = select(PairRow, JudgmentRow).join(JudgmentRow, JudgmentRow.pair_key == PairRow.key)


def pair_key(pair: Pair) -> str:
    """Return the key of a pair: 128 bits of a hash, because databases index no long texts.

    Raises:
        LabelStoreError: a text cannot be stored.
    """
    check_pair(pair)
    parts = (pair.kind, pair.source, pair.left, pair.right)  # none holds a NUL
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=KEY_LENGTH // 2).hexdigest()


def pair_keys(pairs: Iterable[Pair]) -> list[str]:
    """Return the keys of pairs."""
    return [pair_key(pair) for pair in pairs]


def pair_columns(key: str, pair: Pair) -> dict[str, Any]:
    """Return the columns of a pair."""
    return {
        "key": key, "kind": pair.kind, "source": pair.source, "left_side": pair.left, "right_side": pair.right,
    }  # fmt: skip


def pair_of(row: Row[*tuple[Any, ...]]) -> Pair:
    """Return the pair of a row with the columns of `PairRow`."""
    return Pair(PairKind(row.kind), row.source, row.left_side, row.right_side)


def judgment_columns(judgment: Judgment, *, chain: str, depth: int) -> dict[str, Any]:
    """Return the columns of a judgment; the database numbers it when it is added."""
    return {
        "id": judgment.id,
        "pair_key": pair_key(judgment.pair),
        "verdict": judgment.verdict,
        "annotator": judgment.annotator,
        "at": judgment.at,
        "policy": judgment.provenance.policy,
        "model": judgment.provenance.model,
        "rank": None if judgment.provenance.rank is None else int(judgment.provenance.rank),
        "score": _float(judgment.provenance.score),
        "reasons": list(judgment.reasons),
        "note": judgment.note,
        "seconds": _float(judgment.seconds),
        "undoes": judgment.undoes or None,
        "adjudicates": judgment.adjudicates,
        "chain": chain,
        "depth": depth,
    }


def _float(number: float | None) -> float | None:
    """Return a number as Python's own: models give NumPy's, which SQLite does not take."""
    return None if number is None else float(number)


def judgment_of(row: Row[*tuple[Any, ...]]) -> Judgment:
    """Return the judgment of a row of `JUDGMENTS`, equal to what was recorded."""
    return Judgment(
        id=row.id,
        pair=pair_of(row),
        verdict=None if row.verdict is None else Verdict(row.verdict),
        annotator=row.annotator,
        at=row.at,
        provenance=Provenance(row.policy, row.model, row.rank, row.score),
        reasons=tuple(row.reasons),
        note=row.note,
        seconds=row.seconds,
        undoes=row.undoes or "",
        adjudicates=row.adjudicates,
    )
