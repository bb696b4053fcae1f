"""Conversion of judgments and pairs to rows and back, with checks that both databases can store their values."""

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

import numpy as np
from sqlalchemy import ColumnElement, Connection, Integer, Row, Text, case, cast, func, join, select, type_coerce

from db.models import KEY_LENGTH, NAME_LENGTH, JudgmentRow, PairRow
from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance, Verdict
from jobmatch_core.errors import LabelStoreError
from jobmatch_core.judgment_origin import BULK_POLICIES, Origin
from jobmatch_core.judgment_tallies import JudgmentColumns

_MAX_RANK = 2**31 - 1  # of PostgreSQL's INTEGER


# where no origin was recorded, as `unrecorded_origin`
ORIGIN = func.coalesce(
    JudgmentRow.origin, case((JudgmentRow.policy.in_(BULK_POLICIES), Origin.BULK.value), else_=Origin.LOOKED_AT.value)
).label("origin")
COLUMNS = (
    PairRow.kind,
    PairRow.source,
    PairRow.left_side,
    PairRow.right_side,
    JudgmentRow.id,
    JudgmentRow.verdict,
    JudgmentRow.annotator,
    JudgmentRow.policy,
    JudgmentRow.model,
    JudgmentRow.rank,
    JudgmentRow.score,
    cast(JudgmentRow.reasons, Text),
    JudgmentRow.note,
    JudgmentRow.seconds,
    JudgmentRow.undoes,
    ORIGIN,
)
JUDGMENTS_WITH_PAIRS = join(JudgmentRow, PairRow, PairRow.key == JudgmentRow.pair_key)
JUDGMENTS = select(
    *COLUMNS,
    JudgmentRow.adjudicates,
    JudgmentRow.at,
    JudgmentRow.number,
    JudgmentRow.pair_key,
    JudgmentRow.chain,
    JudgmentRow.depth,
).select_from(JUDGMENTS_WITH_PAIRS)
MOMENTS = np.dtype("datetime64[us]")
# a dict lookup is four times as fast as calling the enumeration, which matters for a million rows
_KINDS: dict[str, PairKind] = {kind.value: kind for kind in PairKind}
_VERDICTS: dict[str | None, Verdict | None] = {None: None} | {verdict.value: verdict for verdict in Verdict}
_ORIGINS = {origin.value: origin for origin in Origin}


def check_text(what: str, text: str) -> str:
    """Return *text* if it can be stored and read back unchanged.

    Raises LabelStoreError if it contains a NUL character, which PostgreSQL cannot store, or half a surrogate pair,
    which UTF-8 cannot encode.
    """
    if "\0" in text:
        raise LabelStoreError(f"The {what} contains a NUL character, which cannot be stored; remove it.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise LabelStoreError(
            f"The {what} is not valid Unicode (half a surrogate pair) and cannot be stored; correct it."
        ) from None
    return text


def check_name(what: str, name: str) -> str:
    """Return a person's name; raises LabelStoreError if the name is empty, too long, or cannot be stored."""
    if not name.strip() or len(name) > NAME_LENGTH:
        raise LabelStoreError(f"The {what} needs a name of 1 to {NAME_LENGTH} characters.")
    return check_text(what, name)


def check_judgment(judgment: Judgment) -> Judgment:
    """Return *judgment* if it can be stored; `pair_key` checks its pair.

    Raises LabelStoreError if it cannot be stored.
    """
    check_name("annotator", judgment.annotator)
    for what, text in _texts(judgment):
        check_text(what, text)
    problem = next(_problems(judgment), None)
    if problem:
        raise LabelStoreError(f"The judgment {judgment.id!r} cannot be stored: {problem}.")
    return judgment


def _texts(judgment: Judgment) -> Iterator[tuple[str, str]]:
    yield "id", judgment.id
    yield "id of the withdrawn judgment", judgment.undoes
    yield "note", judgment.note
    yield "policy", judgment.provenance.policy
    yield "model's name", judgment.provenance.model
    for reason in judgment.reasons:
        yield "reason", reason


def _problems(judgment: Judgment) -> Iterator[str]:
    rank, score = judgment.provenance.rank, judgment.provenance.score
    if not _is_uuid(judgment.id):
        yield "its id is not a UUID with hyphens"
    if not _is_moment(judgment.at):
        yield "its time has no time zone, or is not between the years 1 and 9999 in UTC"
    if not isinstance(judgment.verdict, Verdict | None) or not isinstance(judgment.pair.kind, PairKind):
        yield "its verdict or the kind of its pair is unknown"
    if judgment.verdict is None and not judgment.undoes:
        yield "it has no verdict and withdraws no judgment"
    if rank is not None and not 1 <= rank <= _MAX_RANK:
        yield f"its rank must be between 1 and {_MAX_RANK:,}"
    if any(number is not None and not math.isfinite(number) for number in (score, judgment.seconds)):
        yield "its score and its seconds must be finite numbers"


def _is_moment(at: datetime) -> bool:
    try:
        return at.utcoffset() is not None and at.astimezone(UTC).tzinfo is UTC
    except OverflowError:
        return False


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False


def pair_key(pair: Pair) -> str:
    """Return the key of a pair: a 128-bit hash, because databases cannot index long texts.

    Raises LabelStoreError if a text cannot be stored.
    """
    for what, text in (("pair's source", pair.source), ("pair's left", pair.left), ("pair's right", pair.right)):
        check_text(what, text)
    parts = (pair.kind, pair.source, pair.left, pair.right)  # none contains a NUL
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=KEY_LENGTH // 2).hexdigest()


def pair_keys(pairs: Iterable[Pair]) -> list[str]:
    """Return the keys of pairs."""
    return [pair_key(pair) for pair in pairs]


def pair_columns(key: str, pair: Pair) -> dict[str, Any]:
    """Return the columns of a pair."""
    return {"key": key, "kind": pair.kind, "source": pair.source, "left_side": pair.left, "right_side": pair.right}


def pair_of(row: Row[*tuple[Any, ...]]) -> Pair:
    """Return the pair of a row with the columns of `PairRow`."""
    return Pair(_KINDS[row.kind], row.source, row.left_side, row.right_side)


def judgment_columns(judgment: Judgment, *, chain: str, depth: int) -> dict[str, Any]:
    """Return the columns of a judgment; the database assigns its number."""
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
        "origin": judgment.provenance.origin,
    }


def _float(number: float | None) -> float | None:
    # models return NumPy's numbers, which SQLite does not accept
    return None if number is None else float(number)


def judgment_of(row: Row[*tuple[Any, ...]]) -> Judgment:
    """Return the judgment of a row of `JUDGMENTS`, equal to the recorded one."""
    kind, source, left, right, id_, verdict, annotator, policy, model, rank, score, *rest = row[: len(COLUMNS) + 2]
    reasons, note, seconds, undoes, origin, adjudicates, at = rest
    pair, provenance = Pair(_KINDS[kind], source, left, right), Provenance(policy, model, rank, score, _ORIGINS[origin])
    return Judgment(
        id=id_,
        pair=pair,
        verdict=_VERDICTS[verdict],
        annotator=annotator,
        at=at,
        provenance=provenance,
        reasons=_reasons(reasons),
        note=note,
        seconds=seconds,
        undoes=undoes or "",
        adjudicates=adjudicates,
    )


def judgment_columns_of(columns: Sequence[Sequence[Any]]) -> JudgmentColumns:
    """Return the judgments of `COLUMNS` and `plain_columns`."""
    kind, source, left, right, id_, verdict, annotator, policy, model, rank, score, *rest = columns
    reasons, note, seconds, undoes, origin, adjudicates, at = rest
    moments = "\n".join(at).replace(" ", "T").split("\n")  # SQLite's have a space
    return JudgmentColumns(
        id=id_,
        kind=kind,
        source=source,
        left=left,
        right=right,
        verdict=verdict,
        annotator=annotator,
        at=moments,
        policy=policy,
        model=model,
        rank=rank,
        score=score,
        reasons=[*map(_reasons, reasons)],
        note=note,
        seconds=seconds,
        undoes=[judgment_id or "" for judgment_id in undoes],
        adjudicates=[*map(bool, adjudicates)],
        origin=origin,
    )


def plain_columns(connection: Connection) -> tuple[ColumnElement[int], ColumnElement[str]]:
    """Return `adjudicates` as 0 or 1 and `at` as an ISO 8601 text in UTC."""
    at: ColumnElement[str] = (
        type_coerce(JudgmentRow.at, Text)
        if connection.dialect.name == "sqlite"
        else func.to_char(JudgmentRow.at, 'YYYY-MM-DD"T"HH24:MI:SS.US')
    )
    return type_coerce(JudgmentRow.adjudicates, Integer), at


@lru_cache(maxsize=1000)  # there are few different reasons
def _reasons(texts: str) -> tuple[str, ...]:
    return tuple(json.loads(texts))
