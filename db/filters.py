"""Filters of judgments."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, or_

from db.checks import check_text
from db.models import CURRENT, JudgmentRow, PairRow
from db.rows import pair_keys
from jobmatch_core.entities import Pair, PairKind, Verdict
from jobmatch_core.errors import LabelStoreError


@dataclass(frozen=True, slots=True)
class JudgmentFilter:
    """Conditions on judgments; an empty field is no condition.

    Attributes:
        kind, source: kind and source of the pair.
        annotator, verdict, policy: fields of the judgment.
        since, until: first time, and end of the time (exclusive); with a time zone.
        text: part of the pair's left or right text, or of the note; case does not matter.
        pairs: only these, at most some thousands.
        adjudicates: True for adjudications only, False for all others.
    """

    kind: PairKind | None = None
    source: str | None = None
    annotator: str | None = None
    verdict: Verdict | None = None
    policy: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    text: str = ""
    pairs: tuple[Pair, ...] | None = None
    adjudicates: bool | None = None


EVERYTHING = JudgmentFilter()
LONGEST_TEXT = 1000  # to look for; SQLite has a limit, too, a much higher one


def conditions(which: JudgmentFilter) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions on a judgment's row, joined with its pair's.

    Raises:
        LabelStoreError: a text cannot be stored, and so cannot be found, or is too long.
    """
    for column, wanted in (
        (PairRow.kind, which.kind),
        (PairRow.source, which.source),
        (JudgmentRow.annotator, which.annotator),
        (JudgmentRow.verdict, which.verdict),
        (JudgmentRow.policy, which.policy),
    ):
        if wanted is not None:
            yield column == check_text("filter", wanted)
    if which.adjudicates is not None:
        yield JudgmentRow.adjudicates == which.adjudicates
    if which.since is not None:
        yield JudgmentRow.at >= which.since
    if which.until is not None:
        yield JudgmentRow.at < which.until
    if which.pairs is not None:
        yield JudgmentRow.pair_key.in_(pair_keys(which.pairs))
    if which.text:
        text = check_text("filter", which.text)
        if len(text) > LONGEST_TEXT:
            raise LabelStoreError(f"The text to look for is longer than {LONGEST_TEXT} characters; shorten it.")
        columns = (PairRow.left_side, PairRow.right_side, JudgmentRow.note)
        yield or_(*(column.icontains(text, autoescape=True) for column in columns))


def conditions_on_view(which: JudgmentFilter) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions on the view of current verdicts itself, which spares computing it as a whole."""
    if which.annotator is not None:
        yield CURRENT.c.annotator == which.annotator
    if which.pairs is not None:
        yield CURRENT.c.pair_key.in_(pair_keys(which.pairs))
