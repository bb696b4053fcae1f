"""Review of a list of titles: linked piece by piece, with a person's decision on each link.

A filter shows a part of the list by status, level, reason to check, seniority, language, ISCO-08 group and letters.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from jobmatch_core.linking.decisions import (
    Choice,
    Decision,
    decision_columns,
    identity,
    isco_of,
    kind_of,
    offered,
    renamed_decision,
    renamed_result,
    uses_earlier_decisions,
)
from jobmatch_core.linking.link_answer import language_of
from jobmatch_core.linking.link_rows import beside, group_evidence, link_columns
from jobmatch_core.linking.link_words import TO_CHECK, confidence
from jobmatch_core.linking.linker import Linker
from jobmatch_core.taxonomy import Taxonomy


@dataclass(frozen=True, slots=True)
class ListOptions:
    """Options of a list's linking."""

    taxonomy: str
    languages: tuple[str, ...] = ()
    show: str = "en"
    top: int = 5
    groups: bool = False
    precision: float = PRECISION


class ReviewLog(Protocol):
    """A log of a list's changes; each call comes before the list itself changes."""

    def linked(self, results: Sequence[LinkResult]) -> list[LinkResult]:
        """Store the links of the next rows; return them, or others that are stored already."""

    def decided(self, decisions: Mapping[int, Decision | None]) -> None:
        """Store decisions by row, None for a withdrawn one; raises LinkingError if they are refused."""


@dataclass
class Review:
    """Rows with a title each, their links so far, and the decisions on them.

    Attributes:
        rows: rows as read from the file.
        column: column with the titles.
        options: options of linking.
        results: links of the first rows, as many as are done.
        running: true if the rest is to be linked.
        seconds: time spent on linking.
        log: stores all changes, if they must outlive the program.
        numbers: number of each row in its file; empty if not known.
    """

    rows: Sequence[Record]
    column: str
    options: ListOptions
    results: list[LinkResult] = field(default_factory=list)
    running: bool = True
    seconds: float = 0.0
    log: ReviewLog | None = None
    numbers: Sequence[int] = ()
    _decisions: dict[int, Decision] = field(default_factory=dict)
    _undo: list[dict[int, Decision | None]] = field(default_factory=list)

    def step(self, linker: Linker, n_titles: int) -> None:
        """Link the next titles; after the last one, `running` is False.

        Raises:
            LinkingError: the taxonomy has no names in one of the languages, or the links cannot be stored; the rest
                is then left.
        """
        started = time.monotonic()
        rows = self.rows[len(self.results) : len(self.results) + n_titles]
        titles = [cell_text(row.get(self.column)) for row in rows]
        options = self.options
        try:
            linker = linker.with_wish(options.precision)
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
        """Return the number that a row has in its file; where that is not known, the list's rows are counted from 1."""
        return self.numbers[number] if self.numbers else number + 1

    def stop(self) -> None:
        """Leave the rest; what is done stays."""
        self.running = False

    def resume(self) -> None:
        """Continue with the rest."""
        self.running = len(self.results) < len(self.rows)

    def alike(self) -> dict[int, list[int]]:
        """Return the linked rows that have the same title, status and occupation or group, by the first of them.

        Rows of one title differ where they were linked before and after a decision on it.
        """
        firsts: dict[tuple[object, ...], int] = {}
        rows: dict[int, list[int]] = {}
        for number, result in enumerate(self.results):
            counted = self.counted(number) or offered(result)
            key = " ".join(result.title.split()), self.status(number), counted and identity(counted)
            rows.setdefault(firsts.setdefault(key, number), []).append(number)
        return rows

    def show_in(self, language: str, taxonomy: Taxonomy) -> None:
        """Name the occupations and groups of all links and decisions in another language."""
        self.options = replace(self.options, show=language)
        self.results = [renamed_result(result, taxonomy, language) for result in self.results]
        for number, decision in self._decisions.items():
            self._decisions[number] = renamed_decision(decision, taxonomy, language)
        for step in self._undo:
            for number, before in step.items():
                step[number] = before and renamed_decision(before, taxonomy, language)

    def counted(self, number: int) -> Choice | None:
        """Return the occupation or unit group that a row counts for: the decided one, else the linker's, if any."""
        decision, result = self._decisions.get(number), self.results[number]
        if decision:
            return decision.choice
        return offered(result) if result.level else None

    def choice(self, number: int) -> Candidate | None:
        """Return the occupation that a row counts for; None where that is a unit group, or nothing."""
        counted = self.counted(number)
        return counted if isinstance(counted, Candidate) else None

    def group(self, number: int) -> GroupOffer | None:
        """Return the unit group that a row counts for; None where that is an occupation, or nothing."""
        counted = self.counted(number)
        return counted if isinstance(counted, GroupOffer) else None

    def level(self, number: int) -> LinkLevel:
        """Return the level of what a row counts for: an occupation, a unit group, or nothing."""
        if self.choice(number):
            return OCCUPATION_LEVEL
        return UNIT_GROUP_LEVEL if self.group(number) else ""

    def isco(self, number: int) -> str:
        """Return the ISCO-08 code that a row counts for, '' without one."""
        counted = self.counted(number)
        return isco_of(counted) if counted else ""

    def reason(self, number: int) -> str:
        """Return why a row is to be checked, '' for one that is linked or decided."""
        return self.results[number].reason if self.status(number) == TO_CHECK else ""

    def status(self, number: int) -> str:
        """Return a row's status: its decision, or the confidence of its link while there is none."""
        decision, result = self._decisions.get(number), self.results[number]
        return kind_of(result, decision) if decision else confidence(result)

    def statuses(self) -> Iterator[str]:
        """Yield the status of each linked row, which the page's counts and the downloads are made of."""
        return map(self.status, range(len(self.results)))

    def uses_earlier(self, number: int) -> bool:
        """Return whether decisions on earlier titles have a part in a row's link."""
        return uses_earlier_decisions(self.results[number])

    def decide(self, choices: Mapping[int, Choice | None], by: str = "") -> None:
        """Decide what is right for some rows, None for none of these, as one step that can be undone.

        Args:
            choices: occupation or unit group by row.
            by: the annotator.

        Raises:
            LinkingError: the log refuses, because another tab decided on one of the rows or the disk refuses.
        """
        if choices:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            self._keep({number: Decision(choice, by, now) for number, choice in choices.items()})

    def sure_from(self, probability: float) -> list[int]:
        """Return the undecided rows whose link, to an occupation or a unit group, has at least this probability."""
        return [
            number
            for number, result in enumerate(self.results)
            if number not in self._decisions and result.level and result.probability >= probability
        ]

    @property
    def n_decided(self) -> int:
        """Number of rows with a decision."""
        return len(self._decisions)

    @property
    def can_undo(self) -> bool:
        """True if a decision can be undone."""
        return bool(self._undo)

    def undo(self) -> list[int]:
        """Undo the last step of decisions; return its rows, except those decided elsewhere since.

        Raises:
            LinkingError: the log refuses; see `decide`.
        """
        if not self._undo:
            return []
        if self.log:
            self.log.decided(self._undo[-1])
        step = self._undo.pop()
        self._apply(step)
        return list(step)

    def replay(self, decisions: Mapping[int, Decision | None]) -> None:
        """Take over stored decisions; None for a withdrawn one. They cannot be undone here."""
        for step in self._undo:
            for number in decisions:
                step.pop(number, None)
        self._apply(decisions)

    def order(self) -> list[int]:
        """Return the rows in order of review.

        Undecided ones come first: the least sure of them on top, those without a title at their end.
        """
        return sorted(range(len(self.results)), key=self._urgency)

    def to_rows(self, named: Callable[[str], str] = str) -> Iterator[Record]:
        """Yield the rows that are done, with the columns of the linker's own answer, its status and the decision.

        Args:
            named: returns an annotator's name.
        """
        for number, result in enumerate(self.results):
            columns = link_columns(result) | {"link_status": self.status(number)}
            yield beside(self.rows[number], columns | decision_columns(result, self._decisions.get(number), named))

    def _keep(self, decisions: Mapping[int, Decision]) -> None:
        if self.log:
            self.log.decided(decisions)
        self._undo.append({number: self._decisions.get(number) for number in decisions})
        self._apply(decisions)

    def _apply(self, decisions: Mapping[int, Decision | None]) -> None:
        for number, decision in decisions.items():
            if decision is None:
                self._decisions.pop(number, None)
            else:
                self._decisions[number] = decision

    def _urgency(self, number: int) -> tuple[bool, bool, bool, bool, float]:
        result = self.results[number]
        empty = not result.title.strip()
        return number in self._decisions, empty, bool(result.level), not result.candidates, result.probability


@dataclass(frozen=True, slots=True)
class ReviewFilter:
    """Conditions on a row; an empty condition lets every row pass.

    Attributes:
        statuses: allowed statuses of the row.
        languages: allowed languages of the matched name; see `language_of`.
        majors: first digits of ISCO-08 codes.
        levels: allowed levels of what the row is linked to.
        reasons: allowed reasons why the row is to be checked.
        seniorities: allowed seniorities that titles speak of.
        letters: letters in the title or the name of its occupation or unit group, in any case.
        earlier: true for the rows alone that use earlier decisions.
    """

    statuses: Sequence[str] = ()
    languages: Sequence[str] = ()
    majors: Sequence[str] = ()
    levels: Sequence[str] = ()
    reasons: Sequence[str] = ()
    seniorities: Sequence[str] = ()
    letters: str = ""
    earlier: bool = False

    def passes(self, review: Review, number: int) -> bool:
        """Return whether a row passes all conditions."""
        return (
            (not self.statuses or review.status(number) in self.statuses)
            and (not self.languages or matched_language(review, number) in self.languages)
            and (not self.majors or major_group(review, number) in self.majors)
            and (not self.levels or review.level(number) in self.levels)
            and (not self.reasons or review.reason(number) in self.reasons)
            and (not self.seniorities or review.results[number].seniority in self.seniorities)
            and (not self.earlier or review.uses_earlier(number))
            and self.letters.casefold() in f"{review.results[number].title} {shown_name(review, number)}".casefold()
        )


def shown_candidate(review: Review, number: int) -> Candidate | None:
    """Return a row's occupation, or the linker's best guess where it has none."""
    candidates = review.results[number].candidates
    return review.choice(number) or (candidates[0] if candidates else None)


def shown_name(review: Review, number: int) -> str:
    """Return the name of a row's unit group, occupation or best guess; '' where it has none."""
    if group := review.group(number):
        return f"{group.code} {group.name} ({UNIT_GROUP_LEVEL})"
    shown = shown_candidate(review, number)
    return shown.name if shown else ""


def shown_evidence(review: Review, number: int) -> Evidence | None:
    """Return what matched of what a row shows; None where nothing did."""
    group, shown = review.group(number), shown_candidate(review, number)
    return group_evidence(group) or (shown.evidence if shown else None)


def matched_language(review: Review, number: int) -> str:
    """Return the language of the name that matched; '' where none did."""
    evidence = shown_evidence(review, number)
    return language_of(evidence) if evidence else ""


def major_group(review: Review, number: int) -> str:
    """Return the first digit of the ISCO-08 code of what a row shows; '' where it has none."""
    shown = shown_candidate(review, number)
    return (review.isco(number) or (shown.isco if shown else ""))[:1]


def count_values(values: Iterable[str]) -> list[tuple[str, int]]:
    """Return the values to filter by, the most frequent first, with the number of rows; '' is left out."""
    return [(value, count) for value, count in Counter(values).most_common() if value]
