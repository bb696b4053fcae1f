"""Review of a list of titles: links that arrive step by step, and people's decisions on them."""

import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Protocol

from jobmatch_core.entities import (
    OCCUPATION_LEVEL,
    UNIT_GROUP_LEVEL,
    Candidate,
    Evidence,
    GroupOffer,
    LinkLevel,
    LinkResult,
)
from jobmatch_core.errors import JobMatchError
from jobmatch_core.io.tables import Record, cell_text
from jobmatch_core.linking.calibration import PRECISION
from jobmatch_core.linking.context import NO_COLUMNS, ContextColumns
from jobmatch_core.linking.decisions import (
    DECISIONS,
    EMPTY,
    Choice,
    Decision,
    answer_columns,
    decision_columns,
    decision_kind,
    identity,
    isco_code,
    offered,
    renamed_decision,
    renamed_result,
    uses_earlier_decisions,
)
from jobmatch_core.linking.link_rows import beside, group_evidence, link_columns
from jobmatch_core.linking.link_words import TO_CHECK, UNSURE, confidence_word
from jobmatch_core.linking.linker import Linker
from jobmatch_core.linking.other_codes import OtherCodes, codes_by_uri, other_code_columns, with_other_codes
from jobmatch_core.taxonomy import Taxonomy

LEFT_TO_CHECK = (TO_CHECK, UNSURE)  # statuses of rows that a person should look at


@dataclass(frozen=True, slots=True)
class ListOptions:
    """Options of a list's linking."""

    taxonomy: str
    languages: tuple[str, ...] = ()
    show: str = "en"
    top: int = 5
    groups: bool = False
    precision: float = PRECISION
    context: ContextColumns = NO_COLUMNS  # columns with what is known beside the titles
    also: str = ""  # id of the crosswalk whose codes stand beside the answers in downloads; '' for none


class ReviewLog(Protocol):
    """A log of a list's changes; it is called before the list itself changes."""

    def linked(self, results: Sequence[LinkResult]) -> list[LinkResult]:
        """Store the links of the next rows; return them, or the links that are already stored."""

    def decided(self, decisions: Mapping[int, Decision | None]) -> None:
        """Store decisions by row, None for a withdrawn one; raises LinkingError if they are refused."""


@dataclass(frozen=True, slots=True)
class _RowState:
    """What a row's link and decision come to; a list may have 100,000 rows, of which a decision changes a few."""

    status: str
    urgency: float  # place in the order of review: the kind of row, plus the probability
    likeness: int  # the same for rows that are alike
    linked: float  # the probability of an undecided row's link; -1 for other rows
    earlier: bool  # whether earlier decisions shaped its link


@dataclass
class Review:
    """Rows with one title each, their links so far, and the decisions on them."""

    rows: Sequence[Record]
    column: str  # column with the titles
    options: ListOptions
    results: list[LinkResult] = field(default_factory=list)  # links of the first rows
    running: bool = True  # true while the rest is to be linked
    seconds: float = 0.0  # time spent on linking
    log: ReviewLog | None = None  # stores all changes; None keeps them in memory only
    numbers: Sequence[int] = ()  # number of each row in its file; empty if not known
    # those of this list; None where an earlier one was cleared
    _decisions: dict[int, Decision | None] = field(default_factory=dict)
    _undo: list[dict[int, Decision | None]] = field(default_factory=list)
    _found: list[_RowState] = field(default_factory=list)  # of the first rows
    _likenesses: dict[Hashable, int] = field(default_factory=dict)
    _alike: dict[int, list[int]] = field(default_factory=dict)  # of `_found`; empty if not known

    def step(self, linker: Linker, n_titles: int) -> None:
        """Link the next titles; after the last one, `running` is False.

        Raises LinkingError if the taxonomy has no names in one of the languages, or the links cannot be stored; linking
        then stops.
        """
        started = time.monotonic()
        rows = self.rows[len(self.results) : len(self.results) + n_titles]
        options = self.options
        titles = [options.context.titled(cell_text(row.get(self.column)), row) for row in rows]
        try:
            linker = linker.with_precision_if_fitted(options.precision)
            results: list[LinkResult] = linker.link_all(
                titles, languages=options.languages, show=options.show, top=options.top
            )
            if self.log:
                results = self.log.linked(results)
        except JobMatchError:
            self.stop()
            raise
        self.results.extend(results)
        self.seconds += time.monotonic() - started
        self.running = self.running and len(self.results) < len(self.rows)

    def row_number(self, number: int) -> int:
        """Return a row's number in its file; if unknown, its position in the list, from 1."""
        return self.numbers[number] if self.numbers else number + 1

    def stop(self) -> None:
        """Stop linking; existing links stay."""
        self.running = False

    def resume(self) -> None:
        """Continue linking."""
        self.running = len(self.results) < len(self.rows)

    def alike(self) -> Mapping[int, Sequence[int]]:
        """Group linked rows with the same title, status and occupation or unit group, by the first row of each group.

        Titles that differ only in case or blanks are the same; those with other texts beside them are not. Rows of one
        title can differ if they were linked before and after a decision on it.
        """
        states = self._states()
        if not self._alike:
            firsts: dict[int, int] = {}
            for number, state in enumerate(states):
                self._alike.setdefault(firsts.setdefault(state.likeness, number), []).append(number)
        return self._alike

    def spellings(self, numbers: Sequence[int]) -> list[str]:
        """Return the different spellings of the titles of some rows, in their order; blanks do not count."""
        return list(dict.fromkeys(_spelling(self.results[number]) for number in numbers))

    def show_in(self, language: str, taxonomy: Taxonomy) -> None:
        """Name the occupations and groups of all links and decisions in another language."""
        self.options = replace(self.options, show=language)
        self.results = [renamed_result(result, taxonomy, language) for result in self.results]
        self._found.clear()
        self._alike = {}
        for number, decision in self._decisions.items():
            self._decisions[number] = decision and renamed_decision(decision, taxonomy, language)
        for step in self._undo:
            for number, before in step.items():
                step[number] = before and renamed_decision(before, taxonomy, language)

    def decision(self, number: int) -> Decision | None:
        """Return the decision on a row: that of this list, else the earlier one that no occupation fits its title."""
        return self._decisions[number] if number in self._decisions else self._earlier(number)

    def counted(self, number: int) -> Choice | None:
        """Return a row's occupation or unit group: the decided one, else the linked one; None without either."""
        decision, result = self.decision(number), self.results[number]
        if decision:
            return decision.choice
        return offered(result) if result.level else None

    def choice(self, number: int) -> Candidate | None:
        """Return a row's occupation; None if it has a unit group or nothing."""
        counted = self.counted(number)
        return counted if isinstance(counted, Candidate) else None

    def group(self, number: int) -> GroupOffer | None:
        """Return a row's unit group; None if it has an occupation or nothing."""
        counted = self.counted(number)
        return counted if isinstance(counted, GroupOffer) else None

    def level(self, number: int) -> LinkLevel:
        """Return a row's level: occupation, unit group, or '' for nothing."""
        if self.choice(number):
            return OCCUPATION_LEVEL
        return UNIT_GROUP_LEVEL if self.group(number) else ""

    def isco(self, number: int) -> str:
        """Return a row's ISCO-08 code, '' without one."""
        counted = self.counted(number)
        return isco_code(counted) if counted else ""

    def reason(self, number: int) -> str:
        """Return why a row is to be checked; '' if it is linked or decided."""
        return self.results[number].reason if self.status(number) == TO_CHECK else ""

    def status(self, number: int) -> str:
        """Return a row's status: its decision, 'empty' without a title, or else the confidence of its link."""
        return self._states()[number].status

    def statuses(self) -> list[str]:
        """Return the status of each linked row."""
        return [state.status for state in self._states()]

    def decide(self, choices: Mapping[int, Choice | None], by: str = "") -> None:
        """Decide on rows in one step, which can be undone; the choice None is 'none of these'.

        Raises LinkingError if the log refuses, because another tab decided on one of the rows, or because of the disk.
        """
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._take({number: Decision(choice, by, now) for number, choice in choices.items()})

    def clear(self, numbers: Iterable[int]) -> None:
        """Clear the decisions on rows in one step, which can be undone; raises as `decide`."""
        self._take({number: None for number in numbers if self.is_decided(number)})

    def _take(self, decisions: Mapping[int, Decision | None]) -> None:
        if not decisions:
            return
        if self.log:
            self.log.decided(decisions)
        self._undo.append({number: self.decision(number) for number in decisions})
        self._apply(decisions)

    def is_decided(self, number: int) -> bool:
        """Return whether somebody decided on a row."""
        return self.decision(number) is not None

    def sure_from(self, probability: float) -> list[int]:
        """Return the undecided rows that are linked with at least this probability."""
        return [number for number, state in enumerate(self._states()) if state.linked >= probability]

    @property
    def n_left(self) -> int:
        """Number of rows with a title that nobody decided on and whose link is missing or unsure."""
        return sum(map(self.statuses().count, LEFT_TO_CHECK))

    @property
    def n_earlier(self) -> int:
        """Number of rows whose links earlier decisions shaped."""
        return sum(state.earlier for state in self._states())

    @property
    def n_decided(self) -> int:
        """Number of rows decided on in this list, and of those that are 'none of these' from earlier."""
        return sum(map(self.statuses().count, DECISIONS))

    @property
    def can_undo(self) -> bool:
        """Whether there is a decision to undo."""
        return bool(self._undo)

    def undo(self) -> list[int]:
        """Undo the last step of decisions; return its rows, except those decided in another tab since.

        Raises LinkingError if the log refuses; see `decide`.
        """
        if not self._undo:
            return []
        if self.log:
            self.log.decided(self._undo[-1])
        step = self._undo.pop()
        self._apply(step)
        return list(step)

    def replay(self, decisions: Mapping[int, Decision | None]) -> None:
        """Apply stored decisions, None for a withdrawn one; they cannot be undone here."""
        for step in self._undo:
            for number in decisions:
                step.pop(number, None)
        self._apply(decisions)

    def order(self) -> list[int]:
        """Return the rows in order of review: undecided rows first, the least sure on top, empty titles last."""
        urgencies = [state.urgency for state in self._states()]
        return sorted(range(len(urgencies)), key=urgencies.__getitem__)

    def to_rows(
        self,
        named: Callable[[str], str] = str,
        group_name: Callable[[str], str] = lambda code: "",
        other_codes: OtherCodes = (),
    ) -> Iterator[Record]:
        """Yield the linked rows with their answer, link, status and decision.

        Args:
            named: returns an annotator's name.
            group_name: returns the name of an ISCO-08 group; without it, only answers that are groups name theirs.
            other_codes: codes of another classification, for links and answers; without any, answers lack the columns.
        """
        by_uri = codes_by_uri(other_codes)
        for number, result in enumerate(with_other_codes(self.results, other_codes)):
            decision = self.decision(number)
            answer = answer_columns(result, decision, group_name)
            if other_codes:
                counted = self.counted(number)
                answer |= other_code_columns(by_uri.get(counted.uri, ()) if counted else (), "")
            link = link_columns(result) | {"link_status": self.status(number)}
            yield beside(self.rows[number], answer | link | decision_columns(result, decision, named))

    def _apply(self, decisions: Mapping[int, Decision | None]) -> None:
        for number, decision in decisions.items():
            if decision == self._earlier(number):
                self._decisions.pop(number, None)
            else:
                self._decisions[number] = decision
            if number < len(self._found):
                self._found[number] = self._state(number)
        self._alike = {}

    def _earlier(self, number: int) -> Decision | None:
        own = self.results[number].no_occupation
        return Decision(None, own.by[-1], own.on.isoformat()) if own else None

    def _states(self) -> list[_RowState]:
        if len(self._found) < len(self.results):
            self._found += map(self._state, range(len(self._found), len(self.results)))
            self._alike = {}
        return self._found

    def _state(self, number: int) -> _RowState:
        decision, result = self.decision(number), self.results[number]
        level, probability, empty = result.level, result.probability, not result.title.strip()
        status = confidence_word(probability) if level else EMPTY if empty else TO_CHECK
        if decision:
            status = decision_kind(result, decision)
        kind = 8 * bool(decision) + 4 * empty + 2 * bool(level) + (not result.candidates)
        counted = self.counted(number) or offered(result)
        alike = _spelling(result).casefold(), status, counted and identity(counted), result.context
        likeness = self._likenesses.setdefault(alike, len(self._likenesses))
        linked = probability if level and not decision else -1.0
        return _RowState(status, 2 * kind + probability, likeness, linked, uses_earlier_decisions(result))


def _spelling(result: LinkResult) -> str:
    return " ".join(result.title.split())


def shown_candidate(review: Review, number: int) -> Candidate | None:
    """Return a row's occupation, or else the linker's best guess; None if none fits, as somebody decided."""
    candidates = review.results[number].candidates
    if review.is_decided(number) and review.counted(number) is None:
        return None
    return review.choice(number) or (candidates[0] if candidates else None)


def shown_name(review: Review, number: int) -> str:
    """Return the name of a row's unit group, occupation or best guess; '' without any."""
    if group := review.group(number):
        return f"{group.code} {group.name}"
    shown = shown_candidate(review, number)
    return shown.name if shown else ""


def shown_evidence(review: Review, number: int) -> Evidence | None:
    """Return the evidence of what a row shows; None without any."""
    group, shown = review.group(number), shown_candidate(review, number)
    return group_evidence(group) or (shown.evidence if shown else None)
