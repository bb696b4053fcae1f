"""A list of titles being linked piece by piece, and what a person decided on each link."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from jobmatch_core.entities import Candidate, LinkResult
from jobmatch_core.errors import JobMatchError
from jobmatch_core.linking.linker import Linker
from jobmatch_core.linking.records import TO_CHECK, beside, confidence, link_columns, to_json
from jobmatch_core.tables import Record, cell_text

ACCEPTED, CHANGED, NONE_OF_THESE = "accepted", "changed", "none of these"
DECISIONS = (ACCEPTED, CHANGED, NONE_OF_THESE)


@dataclass(frozen=True, slots=True)
class LinkOptions:
    """What a list is linked with."""

    taxonomy: str
    languages: tuple[str, ...] = ()
    show: str = "en"
    top: int = 5


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person said of a link: the candidate that is right, or None for 'none of these'."""

    candidate: Candidate | None


@dataclass
class Review:
    """Rows with a title each, their links so far, and the decisions on them.

    Attributes:
        rows: as they were read.
        column: where in a row the title stands.
        options: what the titles are linked with.
        results: the links of the first rows; as many as are done.
        running: whether the rest is to be linked.
        seconds: time spent on linking.
    """

    rows: Sequence[Record]
    column: str
    options: LinkOptions
    results: list[LinkResult] = field(default_factory=list)
    running: bool = True
    seconds: float = 0.0
    _decisions: dict[int, Decision] = field(default_factory=dict)
    _undo: list[dict[int, Decision | None]] = field(default_factory=list)

    def step(self, linker: Linker, n_titles: int) -> None:
        """Link the next titles; after the last one, `running` is False.

        Raises:
            LinkingError: the taxonomy has no names in the languages asked for; the rest is then left.
        """
        started = time.monotonic()
        rows = self.rows[len(self.results) : len(self.results) + n_titles]
        titles = [cell_text(row.get(self.column)) for row in rows]
        options = self.options
        try:
            results = linker.link_all(titles, languages=options.languages, show=options.show, top=options.top)
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
        """Go on with the rest."""
        self.running = len(self.results) < len(self.rows)

    def choice(self, number: int) -> Candidate | None:
        """Return the occupation that a row counts for: the decided one, else the linker's, if any."""
        decision = self._decisions.get(number)
        return decision.candidate if decision else self.results[number].best

    def status(self, number: int) -> str:
        """Say where a row stands: its decision, or how sure its link is while there is none."""
        decision = self._decisions.get(number)
        if decision is None:
            return confidence(self.results[number])
        if decision.candidate is None:
            return NONE_OF_THESE
        return ACCEPTED if decision.candidate == self._first(number) else CHANGED

    def decide(self, number: int, candidate: Candidate | None) -> None:
        """Say which candidate is right; None for none of these."""
        self._keep({number: Decision(candidate)})

    def sure_from(self, probability: float) -> list[int]:
        """Return the undecided rows whose link has at least this probability."""
        return [
            number
            for number, result in enumerate(self.results)
            if number not in self._decisions and result.best and result.best.probability >= probability
        ]

    def accept_from(self, probability: float) -> int:
        """Accept the undecided links of at least this probability; return how many there were."""
        accepted = {number: Decision(self.results[number].best) for number in self.sure_from(probability)}
        if accepted:
            self._keep(accepted)
        return len(accepted)

    @property
    def can_undo(self) -> bool:
        """Whether a decision can be taken back."""
        return bool(self._undo)

    def undo(self) -> None:
        """Take the last decision back, or the last acceptance of many."""
        for number, before in (self._undo.pop() if self._undo else {}).items():
            if before is None:
                self._decisions.pop(number, None)
            else:
                self._decisions[number] = before

    def order(self) -> list[int]:
        """Return the rows as they should be looked at: undecided ones first, the least sure of them on top."""
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
            rejected = replace(result, abstained=True, group=None)
            return {**link_columns(rejected), "link_confidence": NONE_OF_THESE}
        return link_columns(result, decision.candidate)

    def _keep(self, decisions: dict[int, Decision]) -> None:
        self._undo.append({number: self._decisions.get(number) for number in decisions})
        self._decisions.update(decisions)

    def _first(self, number: int) -> Candidate | None:
        candidates = self.results[number].candidates
        return candidates[0] if candidates else None

    def _urgency(self, number: int) -> tuple[bool, bool, bool, float]:
        first = self._first(number)
        sure_enough = confidence(self.results[number]) != TO_CHECK
        return number in self._decisions, sure_enough, first is None, first.probability if first else 0.0
