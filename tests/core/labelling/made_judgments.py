"""Judgments made by hand, and strategies for any."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import md5
from itertools import count
from typing import Any
from uuid import UUID

import numpy as np
from hypothesis import strategies as st

from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance, Verdict
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.judgment_tallies import VERDICTS, PairJudgments, VerdictColumns
from jobmatch_core.labelling.agreement import ReadPairs
from jobmatch_core.labelling.labels import current_judgments

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)  # a Monday
LETTERS = {"+": Verdict.POSITIVE, "-": Verdict.NEGATIVE, "?": Verdict.UNSURE, "s": Verdict.SKIP}

_numbers = count(1)

HARD_TEXTS = [
    "",
    "=1+1",
    "'",
    "'=x",
    "'\"x",
    '"',
    '""',
    "+",
    "-5",
    "@a",
    "\t",
    "\r",
    "\n=",
    "a\r\nb",
    "＝1",
    "a,b;c",
    "\0",
]
HARD_TEXTS += [
    "\ud800",
    "ß, \udfff",
]  # a lone half of a character; two may make up a whole, which then comes back as one
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(HARD_TEXTS)
UUIDS = st.uuids().map(str)


def pair(left: str = "p1", right: str = "f1", kind: PairKind = PairKind.PROJECT_FREELANCER) -> Pair:
    """Return a pair of a project and a freelancer, if not told otherwise."""
    return Pair(kind, "demo", left, right)


def judgment(
    verdict: Verdict | str | None = Verdict.POSITIVE,
    annotator: str = "ann",
    of: Pair | None = None,
    *,
    minute: float = 0,
    **more: Any,
) -> Judgment:
    """Return a judgment so many minutes after `START`, with an id of its own."""
    fields: dict[str, Any] = {
        "id": str(UUID(int=next(_numbers))),
        "pair": of or pair(),
        "verdict": LETTERS[verdict] if isinstance(verdict, str) and verdict in LETTERS else verdict,
        "annotator": annotator,
        "at": START + timedelta(minutes=minute),
        "provenance": Provenance("random"),
    }
    return Judgment(**fields | more)


def said(rows: Sequence[str]) -> list[Judgment]:
    """Return the judgments of a matrix: a row an annotator (a, b, c ...), a column a pair; a dot is nothing said."""
    return [
        judgment(letter, "abcdefgh"[row], pair(f"p{column}"), minute=column)
        for row, letters in enumerate(rows)
        for column, letter in enumerate(letters)
        if letter != "."
    ]


def arrays(history: Iterable[Judgment]) -> VerdictColumns:
    """Return the current judgments of a history as the label store returns them."""
    current = current_judgments(history)
    pairs = sorted({each.pair for each in current}, key=key_of)
    names = list(dict.fromkeys(each.annotator for each in current))
    return VerdictColumns(
        np.array([key_of(each) for each in pairs], dtype="S32"),
        tuple(names),
        np.array([pairs.index(each.pair) for each in current], dtype=np.intp),
        np.array([names.index(each.annotator) for each in current], dtype=np.intp),
        np.array([VERDICTS.index(Verdict(each.verdict)) for each in current], dtype=np.int8),
        np.array([each.adjudicates for each in current], dtype=np.bool_),
        np.array([each.at.astimezone(UTC).replace(tzinfo=None) for each in current], dtype="datetime64[us]"),
        np.array([each.seconds for each in current], dtype=np.float64),
        np.array([each.provenance.origin is Origin.BULK for each in current], dtype=np.bool_),
    )


def key_of(of: Pair) -> str:
    """Return a key for a pair; the label store has others."""
    return md5(repr(of).encode("utf-8", "backslashreplace"), usedforsecurity=False).hexdigest()


def reader(history: Iterable[Judgment]) -> ReadPairs:
    """Return what reads the current judgments of pairs by their keys."""
    by_key: dict[str, PairJudgments] = {}
    for each in current_judgments(history):
        key = key_of(each.pair)
        earlier = by_key[key].judgments if key in by_key else ()
        by_key[key] = PairJudgments(each.pair, (*earlier, each))
    return lambda keys: [by_key[key] for key in keys]


def judgments() -> st.SearchStrategy[Judgment]:
    """Any judgment that the label store may hold."""
    return st.builds(
        Judgment,
        id=UUIDS,
        pair=st.builds(Pair, st.sampled_from(PairKind), TEXTS, TEXTS, TEXTS),
        verdict=st.none() | st.sampled_from(Verdict),
        annotator=TEXTS.filter(str.strip),
        at=st.datetimes(datetime(1970, 1, 2), datetime(2200, 1, 1), timezones=st.just(UTC)),
        provenance=st.builds(
            Provenance,
            policy=TEXTS,
            model=TEXTS,
            rank=st.none() | st.integers(1),
            score=st.none() | st.floats(allow_nan=False, allow_infinity=False),
            origin=st.sampled_from(Origin),
        ),
        reasons=st.lists(TEXTS, max_size=3).map(tuple),
        note=TEXTS,
        seconds=st.none() | st.floats(0, 1e6),
        undoes=st.just("") | UUIDS,
        adjudicates=st.booleans(),
    )


def histories(annotators: str = "abc", n_pairs: int = 4, max_size: int = 14) -> st.SearchStrategy[list[Judgment]]:
    """Any sequence of judgments and undos of a few annotators and pairs, as the label store may hold it."""
    step = st.tuples(
        st.sampled_from(annotators),
        st.integers(0, n_pairs - 1),
        st.sampled_from(["+", "-", "?", "s", "undo"]),
        st.booleans(),
    )
    return st.lists(step, max_size=max_size).map(_history)


def _history(steps: Sequence[tuple[str, int, str, bool]]) -> list[Judgment]:
    """Turn steps into judgments; an undo takes back the annotator's last row that nobody took back yet."""
    rows: list[Judgment] = []
    for minute, (annotator, column, word, adjudicates) in enumerate(steps):
        of = pair(f"p{column}")
        if word != "undo":
            rows.append(judgment(word, annotator, of, minute=minute, adjudicates=adjudicates))
            continue
        undone = {row.undoes for row in rows}
        open_rows = [row for row in rows if row.annotator == annotator and row.id not in undone]
        if open_rows:
            rows.append(judgment(None, annotator, open_rows[-1].pair, minute=minute, undoes=open_rows[-1].id))
    return rows
