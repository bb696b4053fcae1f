"""Review of a list of titles: linked piece by piece, with a person's decision on each link.

A filter shows a part of the list by status, level, reason to check, seniority, language, ISCO-08 group and letters.
"""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from jobmatch_core.entities import OCCUPATION_LEVEL, UNIT_GROUP_LEVEL, Candidate, GroupOffer, LinkLevel, LinkResult
from jobmatch_core.errors import JobMatchError
from jobmatch_core.io.tables import Record, cell_text
from jobmatch_core.linking.calibration import PRECISION
from jobmatch_core.linking.linker import Linker
from jobmatch_core.linking.records import TO_CHECK, beside, confidence, language_of, link_columns, to_json
from jobmatch_core.taxonomy import Taxonomy

ACCEPTED, CHANGED, NONE_OF_THESE = "accepted", "changed", "none of these"
DECISIONS = (ACCEPTED, CHANGED, NONE_OF_THESE)


@dataclass(frozen=True, slots=True)
class ListOptions:
    """Options of a list's linking."""

    taxonomy: str
    languages: tuple[str, ...] = ()
    show: str = "en"
    top: int = 5
    groups: bool = False
    precision: float = PRECISION


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's decision on a link: the right candidate, or None for 'none of these'."""

    candidate: Candidate | None


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
    """

    rows: Sequence[Record]
    column: str
    options: ListOptions
    results: list[LinkResult] = field(default_factory=list)
    running: bool = True
    seconds: float = 0.0
    log: ReviewLog | None = None
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
            results = linker.link_all(titles, languages=options.languages, show=options.show, top=options.top)
            if self.log:
                results = self.log.linked(results)
        except JobMatchError:
            self.stop()
            raise
        self.results.extend(results)
        self.seconds += time.monotonic() - started
        self.running = self.running and len(self.results) < len(self.rows)

    def stop(self) -> None:
        """Leave the rest; what is done stays."""
        self.running = False

    def resume(self) -> None:
        """Continue with the rest."""
        self.running = len(self.results) < len(self.rows)

    def alike(self) -> dict[int, list[int]]:
        """Return the linked rows that have the same title and decision, by the first of them."""
        firsts: dict[tuple[str, str | None], int] = {}
        rows: dict[int, list[int]] = {}
        for number, result in enumerate(self.results):
            first = firsts.setdefault((" ".join(result.title.split()), self._decided_uri(number)), number)
            rows.setdefault(first, []).append(number)
        return rows

    def _decided_uri(self, number: int) -> str | None:
        """Return the URI of a row's decision, '' for none of these, None while there is no decision."""
        decision = self._decisions.get(number)
        if decision is None:
            return None
        return decision.candidate.uri if decision.candidate else ""

    def show_in(self, language: str, taxonomy: Taxonomy) -> None:
        """Name the occupations and groups of all links and decisions in another language."""
        self.options = replace(self.options, show=language)
        self.results = [_renamed_result(result, taxonomy, language) for result in self.results]
        for number, decision in self._decisions.items():
            self._decisions[number] = _renamed_decision(decision, taxonomy, language)
        for step in self._undo:
            for number, before in step.items():
                step[number] = before and _renamed_decision(before, taxonomy, language)

    def choice(self, number: int) -> Candidate | None:
        """Return the occupation that a row counts for: the decided one, else the linker's, if any."""
        decision = self._decisions.get(number)
        return decision.candidate if decision else self.results[number].best

    def group(self, number: int) -> GroupOffer | None:
        """Return the unit group that a row is linked to where it has neither an occupation nor a decision."""
        result = self.results[number]
        return result.group if number not in self._decisions and result.level == UNIT_GROUP_LEVEL else None

    def level(self, number: int) -> LinkLevel:
        """Return the level of what a row counts for: an occupation, a unit group, or nothing."""
        if self.choice(number):
            return OCCUPATION_LEVEL
        return UNIT_GROUP_LEVEL if self.group(number) else ""

    def isco(self, number: int) -> str:
        """Return the ISCO-08 code that a row counts for, '' without one."""
        counted = self.choice(number) or self.group(number)
        if counted is None:
            return ""
        return counted.isco if isinstance(counted, Candidate) else counted.code

    def reason(self, number: int) -> str:
        """Return why a row is to be checked, '' for one that is linked or decided."""
        return self.results[number].reason if self.status(number) == TO_CHECK else ""

    def status(self, number: int) -> str:
        """Return a row's status: its decision, or the confidence of its link while there is none."""
        decision = self._decisions.get(number)
        if decision is None:
            return confidence(self.results[number])
        if decision.candidate is None:
            return NONE_OF_THESE
        first = self._first(number)
        return ACCEPTED if first and decision.candidate.uri == first.uri else CHANGED

    def decide(self, choices: Mapping[int, Candidate | None]) -> None:
        """Decide which candidate is right for some rows, None for none of these, as one step that can be undone.

        Raises:
            LinkingError: the log refuses, because another tab decided on one of the rows or the disk refuses.
        """
        if choices:
            self._keep({number: Decision(candidate) for number, candidate in choices.items()})

    def sure_from(self, probability: float) -> list[int]:
        """Return the undecided rows whose link has at least this probability."""
        return [
            number
            for number, result in enumerate(self.results)
            if number not in self._decisions and result.best and result.best.probability >= probability
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
        """Return the rows in order of review: undecided ones first, the least sure of them on top."""
        return sorted(range(len(self.results)), key=self._urgency)

    def to_rows(self) -> Iterator[Record]:
        """Yield the rows that are done, with the columns that the link adds and its status."""
        for number, result in enumerate(self.results):
            columns = self._columns(number, result) | {"link_status": self.status(number)}
            yield beside(self.rows[number], columns)

    def to_records(self) -> Iterator[Record]:
        """Yield the rows that are done as JSON: the link, its status, the choice and the row itself."""
        for number, result in enumerate(self.results):
            choice = self.choice(number)
            yield {
                **to_json(result),
                "status": self.status(number),
                "chosen": choice.uri if choice else None,
                "row": self.rows[number],
            }

    def _columns(self, number: int, result: LinkResult) -> Record:
        decision = self._decisions.get(number)
        if decision is None:
            return link_columns(result)
        if decision.candidate is None:
            rejected = replace(result, abstained=True, group=None, reason="")
            return {**link_columns(rejected), "link_confidence": NONE_OF_THESE}
        return link_columns(result, decision.candidate)

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

    def _first(self, number: int) -> Candidate | None:
        candidates = self.results[number].candidates
        return candidates[0] if candidates else None

    def _urgency(self, number: int) -> tuple[bool, bool, bool, float]:
        first = self._first(number)
        result = self.results[number]
        return number in self._decisions, bool(result.level), first is None, result.probability


def _renamed_result(result: LinkResult, taxonomy: Taxonomy, language: str) -> LinkResult:
    """Return a link with all names in a language.

    Raises:
        TaxonomyError: the taxonomy has no such occupation.
    """
    group = result.group
    return replace(
        result,
        candidates=tuple(_renamed_candidate(candidate, taxonomy, language) for candidate in result.candidates),
        group=replace(group, name=taxonomy.group_name(group.code, language)) if group else None,
    )


def _renamed_candidate(candidate: Candidate, taxonomy: Taxonomy, language: str) -> Candidate:
    """Return a candidate with its name in a language; raises as `_renamed_result`."""
    return replace(candidate, name=taxonomy.name(taxonomy.number(candidate.uri), language))


def _renamed_decision(decision: Decision, taxonomy: Taxonomy, language: str) -> Decision:
    candidate = decision.candidate
    return Decision(_renamed_candidate(candidate, taxonomy, language) if candidate else None)


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
    """

    statuses: Sequence[str] = ()
    languages: Sequence[str] = ()
    majors: Sequence[str] = ()
    levels: Sequence[str] = ()
    reasons: Sequence[str] = ()
    seniorities: Sequence[str] = ()
    letters: str = ""

    def passes(self, review: Review, number: int) -> bool:
        """Return whether a row passes all conditions."""
        shown = shown_candidate(review, number)
        return (
            (not self.statuses or review.status(number) in self.statuses)
            and (not self.languages or matched_language(shown) in self.languages)
            and (not self.majors or major_group(shown) in self.majors)
            and (not self.levels or review.level(number) in self.levels)
            and (not self.reasons or review.reason(number) in self.reasons)
            and (not self.seniorities or review.results[number].seniority in self.seniorities)
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


def matched_language(candidate: Candidate | None) -> str:
    """Return the language of the name that matched; '' where none did."""
    return language_of(candidate.evidence) if candidate else ""


def major_group(candidate: Candidate | None) -> str:
    """Return the first digit of an occupation's ISCO-08 code; '' where it has none."""
    return candidate.isco[:1] if candidate else ""


def count_values(values: Iterable[str]) -> list[tuple[str, int]]:
    """Return the values to filter by, the most frequent first, with the number of rows; '' is left out."""
    return [(value, count) for value, count in Counter(values).most_common() if value]
