"""New judgments: verdicts on pairs, withdrawals, and decisions on links."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

from jobmatch_core.entities import Candidate, GroupOffer, Judgment, LinkResult, Pair, PairKind, Provenance, Verdict
from jobmatch_core.judged_title import NO_OCCUPATION_URI, OwnName, Rejection
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.linking.decisions import offered_group
from jobmatch_core.text.folding import fold

Given = tuple[Judgment, ...]

REASONS = {
    "mandatory-skills": "Must-have skills",
    "experience": "Experience",
    "seniority": "Seniority",
    "field": "Field of work",
    "language": "Language",
    "place": "Place",
    "day-rate": "Day rate",
    "too-little-said": "Too little said",
}


def judged(pair: Pair, verdict: Verdict, annotator: str, provenance: Provenance) -> Judgment:
    """Return a new judgment with the current time."""
    return Judgment(str(uuid4()), pair, verdict, annotator, datetime.now(UTC), provenance)


def taking_back(judgment: Judgment) -> Judgment:
    """Return a new judgment that withdraws another; withdrawing a withdrawal restores the judgment."""
    at = datetime.now(UTC)
    return replace(
        judgment, id=str(uuid4()), verdict=None, at=at, reasons=(), note="", seconds=None, undoes=judgment.id
    )


def last_link(judgment: Judgment, history: Iterable[Judgment]) -> Judgment:
    """Return the last judgment of a chain of withdrawals, the only one that can be withdrawn.

    The history has all judgments of its annotator and pair.
    """
    taken_back_by = {withdrawal.undoes: withdrawal for withdrawal in history if withdrawal.undoes}
    while judgment.id in taken_back_by:
        judgment = taken_back_by[judgment.id]
    return judgment


def whole_chains(judgments: Iterable[Judgment], history: Sequence[Judgment]) -> list[Judgment]:
    """Return judgments with their chains of withdrawals, so that another store withdraws the same ones.

    The history has all judgments of their annotators and pairs; its order is preserved.
    """
    by_id = {judgment.id: judgment for judgment in history}
    chains = {_first_link(judgment, by_id) for judgment in judgments}
    return [judgment for judgment in history if _first_link(judgment, by_id) in chains]


def _first_link(judgment: Judgment, by_id: Mapping[str, Judgment]) -> str:
    while judgment.undoes in by_id:
        judgment = by_id[judgment.undoes]
    return judgment.id


class RowJudgments:
    """Judgments from decisions on the rows of a list; changing or undoing a decision withdraws its judgments."""

    def __init__(self) -> None:
        self._given: dict[int, Given] = {}  # by row
        # by row: the recorded judgments, and those that counted before
        self._steps: list[dict[int, tuple[list[Judgment], Given]]] = []
        self._firsts: dict[str, str] = {}  # the id of the first link of each judgment's chain
        self._lasts: dict[str, Judgment] = {}  # by the id of the first

    def decide(self, rows: Mapping[int, Sequence[Judgment]]) -> list[Judgment]:
        """Replace the decisions on some rows; return the judgments to record."""
        step: dict[int, tuple[list[Judgment], Given]] = {}
        for row, given in rows.items():
            before = self._given.get(row, ())
            step[row] = ([*map(self._back, before), *given], before)
            self._given[row] = tuple(given)
            for judgment in given:
                self._link(judgment, judgment.id)
        self._steps.append(step)
        return [judgment for recorded, _ in step.values() for judgment in recorded]

    def know(self, row: int, judgments: Iterable[Judgment]) -> None:
        """Take over the current judgments of a row that was decided elsewhere, unless it was decided here."""
        if row not in self._given:
            self._given[row] = tuple(judgments)
            for judgment in self._given[row]:
                self._link(judgment, judgment.id)

    def undo(self, rows: Container[int]) -> list[Judgment]:
        """Undo the last decision on these rows, not those decided elsewhere since; return the judgments to record."""
        step = self._steps.pop() if self._steps else {}
        undone = {row: change for row, change in step.items() if row in rows}
        self._given.update({row: before for row, (_, before) in undone.items()})
        return [self._back(judgment) for recorded, _ in undone.values() for judgment in recorded]

    def _back(self, judgment: Judgment) -> Judgment:
        first = self._firsts[judgment.id]
        back = taking_back(self._lasts[first])
        self._link(back, first)
        return back

    def _link(self, judgment: Judgment, first: str) -> None:
        self._firsts[judgment.id] = first
        self._lasts[first] = judgment


def link_pair(result: LinkResult, candidate: Candidate | GroupOffer | Rejection | None) -> Pair:
    """Return the pair of a title and a candidate or unit group; None for the pair that says that no occupation fits.

    A title that differs from an accepted or rejected one only in case is replaced by it, one that no occupation fits
    by the one that was decided. White space is normalised, and characters that the label store cannot hold are removed.
    """
    uri = candidate.uri if candidate else NO_OCCUPATION_URI
    own = _own(result, candidate)
    same = own is not None and (candidate is None or fold(own.title) == fold(result.title))
    title = own.title if own is not None and same else result.title
    storable = title.replace("\0", " ").encode("utf-8", "ignore").decode()
    return Pair(PairKind.TITLE_OCCUPATION, result.taxonomy, " ".join(storable.split()), uri)


def link_provenance(
    result: LinkResult,
    candidate: Candidate | GroupOffer | Rejection | None,
    *,
    policy: str,
    model: str,
    origin: Origin = Origin.LOOKED_AT,
) -> Provenance:
    """Return the provenance of a displayed candidate.

    Args:
        result: the linker's answer.
        candidate: one of its candidates; its unit group (score without rank); or an occupation searched by hand or
            rejected earlier, or None for no occupation (neither score nor rank).
        model: the linker's `version`; a note is added if own names contributed to the score.
        origin: whether somebody looked at the title, or decided on many at once.
    """
    if isinstance(candidate, GroupOffer):
        name = f"{model} + own names" if candidate.own else model
        return Provenance(policy, name, score=candidate.probability, origin=origin)
    if not isinstance(candidate, Candidate) or candidate not in result.candidates:
        return Provenance(policy, model, origin=origin)
    name = f"{model} + own names" if candidate.evidence.own else model
    return Provenance(policy, name, result.candidates.index(candidate) + 1, candidate.probability, origin)


def accepts_group(judgment: Judgment) -> bool:
    """Return whether a judgment is on a unit group: it has a score without a rank, see `link_provenance`."""
    provenance = judgment.provenance
    return provenance.rank is None and provenance.score is not None


def judged_by(
    result: LinkResult, candidate: Candidate | GroupOffer | None
) -> list[Candidate | GroupOffer | Rejection | None]:
    """Return what a decision on a link judges: *candidate*, which is right, or None with all that is wrong then.

    That is every candidate and the linked group, once, and what was rejected with an earlier decision of that kind.
    """
    if candidate is not None:
        return [candidate]
    linked = offered_group(result)
    uris = {other.uri for other in result.candidates}
    group = [linked] if linked is not None and linked.uri not in uris else []
    return [*result.candidates, *group, *(result.rejected if result.no_occupation else ()), None]


def decided(
    result: LinkResult,
    candidate: Candidate | GroupOffer | None,
    annotator: str,
    *,
    policy: str,
    model: str,
    origin: Origin = Origin.LOOKED_AT,
) -> list[Judgment]:
    """Return the judgments for a decision on a link; none for an empty title.

    Args:
        result: the displayed answer of the linker.
        candidate: the right candidate or unit group; None for none of these, see `judged_by`.
        origin: whether somebody looked at the title, or decided on many at once.
    """
    # a bulk decision must not replace the same decision of somebody who looked at the title
    if origin is Origin.BULK and _decided_before(result, candidate, annotator):
        return []
    return [
        judged(
            pair,
            Verdict.POSITIVE if option is candidate else Verdict.NEGATIVE,
            annotator,
            link_provenance(result, option, policy=policy, model=model, origin=origin),
        )
        for option in judged_by(result, candidate)
        if (pair := link_pair(result, option)).left
    ]


def _decided_before(result: LinkResult, candidate: Candidate | GroupOffer | None, annotator: str) -> bool:
    own = _own(result, candidate)
    return own is not None and annotator in own.by and fold(own.title) == fold(result.title)


# the earlier decision behind a candidate, or None behind 'no occupation'
def _own(result: LinkResult, candidate: Candidate | GroupOffer | Rejection | None) -> OwnName | None:
    if candidate is None:
        return result.no_occupation
    return candidate.evidence.own if isinstance(candidate, Candidate) else candidate.own
