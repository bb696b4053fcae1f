"""Current verdicts by annotator and pair, and by pair, as defined by views of the database."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Select, select

from db.database import in_parts
from db.history import EVERYTHING, JudgmentFilter, conditions, conditions_on_view, current_only
from db.models import CURRENT, KEY_LENGTH, JudgmentRow, PairRow
from db.rows import (
    COLUMNS,
    JUDGMENTS,
    JUDGMENTS_WITH_PAIRS,
    MOMENTS,
    ORIGIN,
    judgment_columns_of,
    judgment_of,
    pair_of,
    plain_columns,
)
from db.tallies import kinds
from jobmatch_core.entities import Judgment, Pair, PairKind
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.judgment_tallies import VERDICTS, JudgmentColumns, PairJudgments, VerdictColumns

_ROWS_READ, _ROWS_IN_BLOCK = 500, 10_000
_VERDICT_CODES = {verdict.value: code for code, verdict in enumerate(VERDICTS)}


def current(connection: Connection, which: JudgmentFilter = EVERYTHING, *, limit: int | None = None) -> list[Judgment]:
    """Return each annotator's current verdict and current adjudication on each pair, the last recorded first."""
    wanted = JUDGMENTS.where(*conditions(which)).order_by(JudgmentRow.number.desc())
    if on_view := list(conditions_on_view(which)):
        wanted = wanted.join(CURRENT, CURRENT.c.number == JudgmentRow.number).where(*on_view)
    else:
        wanted = current_only(wanted)
    return [judgment_of(row) for row in connection.execute(wanted.limit(limit))]


def current_blocks(connection: Connection) -> Iterator[JudgmentColumns]:
    """Yield all current judgments in the order of recording, one block in memory at a time."""
    wanted = current_only(select(*COLUMNS, *plain_columns(connection)).select_from(JUDGMENTS_WITH_PAIRS))
    return map(judgment_columns_of, _blocks(connection, wanted.order_by(JudgmentRow.number)))


def verdict_columns(connection: Connection, kind: PairKind) -> VerdictColumns:
    """Return the current judgments of all pairs of a kind as arrays, in the order of recording."""
    columns = (JudgmentRow.pair_key, JudgmentRow.annotator, JudgmentRow.verdict, JudgmentRow.seconds, ORIGIN)
    wanted = select(*columns, *plain_columns(connection))
    if kinds(connection) != {kind}:  # joining the pairs takes as long as everything else
        wanted = wanted.join(PairRow).where(PairRow.kind == kind)
    wanted = current_only(wanted).order_by(JudgmentRow.number)
    names: dict[str, int] = defaultdict(count().__next__)
    empty = _verdict_arrays([()] * len(wanted.selected_columns), names)
    blocks = [empty, *(_verdict_arrays(block, names) for block in _blocks(connection, wanted))]
    arrays = [np.concatenate(parts) for parts in zip(*blocks, strict=True)]
    keys, pair = _distinct_keys(arrays[0])
    return VerdictColumns(keys, tuple(names), pair, *arrays[1:])


def judgments_of(connection: Connection, keys: Sequence[str]) -> list[PairJudgments]:
    """Return the current judgments of some pairs by their keys, each pair's in the order of recording."""
    pairs: dict[str, Pair] = {}
    by_key: dict[str, list[Judgment]] = defaultdict(list)
    for some in in_parts(keys):
        rows = connection.execute(select(*PairRow.__table__.columns).where(PairRow.key.in_(some)))
        pairs.update((row.key, pair_of(row)) for row in rows)
        wanted = JUDGMENTS.join(CURRENT, CURRENT.c.number == JudgmentRow.number).where(CURRENT.c.pair_key.in_(some))
        for row in connection.execute(wanted.order_by(JudgmentRow.number)):
            by_key[row.pair_key].append(judgment_of(row))
    return [PairJudgments(pairs[key], tuple(by_key[key])) for key in keys]


def _blocks(connection: Connection, wanted: Select[*tuple[Any, ...]]) -> Iterator[list[list[Any]]]:
    columns: list[list[Any]] = [[] for _ in wanted.selected_columns]
    # only few rows exist at a time, else half of the time goes into garbage collection
    for rows in connection.execute(wanted.execution_options(yield_per=_ROWS_READ)).partitions():
        for column, values in zip(columns, zip(*rows, strict=True), strict=True):
            column += values
        if len(columns[0]) >= _ROWS_IN_BLOCK:
            yield columns
            columns = [[] for _ in columns]
    if columns[0]:
        yield columns


def _verdict_arrays(columns: Sequence[Sequence[Any]], names: dict[str, int]) -> list[NDArray[Any]]:
    keys, annotators, verdicts, seconds, origins, adjudicates, at = columns
    return [
        np.frombuffer(bytes.fromhex("".join(keys)), dtype=">u8").reshape(-1, 2),  # half the memory of texts
        np.array([names[annotator] for annotator in annotators], dtype=np.intp),
        np.array([_VERDICT_CODES[verdict] for verdict in verdicts], dtype=np.int8),
        np.array(adjudicates, dtype=np.bool_),
        np.array(at, dtype=MOMENTS),
        np.array(seconds, dtype=np.float64),  # None becomes NaN
        np.array([origin == Origin.BULK for origin in origins], dtype=np.bool_),
    ]


def _distinct_keys(keys: NDArray[np.uint64]) -> tuple[NDArray[np.bytes_], NDArray[np.intp]]:
    """Return the distinct keys, (n_judgments, 2) halves of 128 bits, as texts, and the index of each key among them."""
    order = np.lexsort((keys[:, 1], keys[:, 0]))
    keys = keys[order]
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = (keys[1:] != keys[:-1]).any(axis=1)
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.cumsum(first) - 1
    return np.frombuffer(keys[first].astype(">u8").tobytes().hex().encode(), dtype=f"S{KEY_LENGTH}"), place
