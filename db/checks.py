"""Checks of records: texts that both databases can hold, finite numbers, times with a time zone."""

import math
from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import UUID

from db.models import NAME_LENGTH
from jobmatch_core.entities import Judgment, Pair, PairKind, Verdict
from jobmatch_core.errors import LabelStoreError

LARGEST_RANK = 2**31 - 1  # of PostgreSQL's INTEGER


def check_text(what: str, text: str) -> str:
    """Return a text that can be stored and read back unchanged.

    Raises:
        LabelStoreError: it holds a NUL character, which PostgreSQL cannot store, or half a surrogate pair, which no
            UTF-8 can.
    """
    if "\0" in text:
        raise LabelStoreError(f"The {what} holds a NUL character, which cannot be stored; remove it.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise LabelStoreError(
            f"The {what} is not valid Unicode (half a surrogate pair), which cannot be stored; correct it."
        ) from None
    return text


def check_name(what: str, name: str) -> str:
    """Return a person's name.

    Raises:
        LabelStoreError: the name is empty, or too long.
    """
    if not name.strip() or len(name) > NAME_LENGTH:
        raise LabelStoreError(f"The {what} needs a name of 1 to {NAME_LENGTH} characters.")
    return check_text(what, name)


def check_pair(pair: Pair) -> None:
    """Check that a pair's texts can be stored.

    Raises:
        LabelStoreError: a text cannot be stored.
    """
    for what, text in (("pair's source", pair.source), ("pair's left", pair.left), ("pair's right", pair.right)):
        check_text(what, text)


def check_judgment(judgment: Judgment) -> Judgment:
    """Return a judgment that can be stored; its pair is checked when it gets its key.

    Raises:
        LabelStoreError: it cannot be stored; the message gives the reason.
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
    yield "id of what is undone", judgment.undoes
    yield "note", judgment.note
    yield "policy", judgment.provenance.policy
    yield "model's name", judgment.provenance.model
    for reason in judgment.reasons:
        yield "reason", reason


def _problems(judgment: Judgment) -> Iterator[str]:
    rank, score = judgment.provenance.rank, judgment.provenance.score
    if not _is_uuid(judgment.id):
        yield "its id is no UUID with hyphens"
    if not _is_moment(judgment.at):
        yield "its time has no time zone, or is none that UTC has in the years 1 to 9999"
    if not isinstance(judgment.verdict, Verdict | None) or not isinstance(judgment.pair.kind, PairKind):
        yield "its verdict, or the kind of its pair, is none that we know"
    if judgment.verdict is None and not judgment.undoes:
        yield "it has no verdict and takes nothing back"
    if rank is not None and not 1 <= rank <= LARGEST_RANK:
        yield "its rank does not lie between 1 and two thousand millions"
    if any(number is not None and not math.isfinite(number) for number in (score, judgment.seconds)):
        yield "its score or its seconds are no finite number"


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
