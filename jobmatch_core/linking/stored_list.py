"""A stored list: its rows, the links so far, and a log of the decisions on them.

    ID/list.json          name, column, options and owner; its modification time is the list's last use
    ID/rows.jsonl         the rows as they were read
    ID/row_numbers.json   number of each row in its file; lists of older releases have none
    ID/links/0000200.gz   the links of some rows as JSON lines, named by the first of them; never written twice
    ID/decisions.jsonl    appended to: a line for each act, `{"at": ..., "by": ANNOTATOR, "rows": {"17": CHOICE}}`

A CHOICE is the URI of a candidate of the row, a whole candidate that was searched by hand, a unit group, "" for 'none
of these', or null if the decision was withdrawn. What an undo brings back keeps its own time and annotator. Several
tabs and processes may work on one list: each reads the lines that others appended before it appends its own, and no
unseen decision is overwritten.
"""

import gzip
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any
from uuid import uuid4

from jobmatch_core.entities import Candidate, Evidence, GroupOffer, LinkResult, Seniority
from jobmatch_core.errors import LinkingError
from jobmatch_core.io.folders import locked, make_folder, write_text_whole
from jobmatch_core.io.ownership import UNOWNED, Act, Allowed, Ownership, allow_all
from jobmatch_core.io.records import read_record
from jobmatch_core.io.tables import Record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.judged_title import OwnName, Rejection
from jobmatch_core.linking.abstention import forms_of, reason_of
from jobmatch_core.linking.decisions import Choice, Decision
from jobmatch_core.linking.review import ListOptions, Review

_CARD, _ROWS, _LINKS, _DECISIONS = "list.json", "rows.jsonl", "links", "decisions.jsonl"
_NUMBERS = "row_numbers.json"
DAMAGE = (OSError, ValueError, KeyError, TypeError, EOFError, zlib.error)  # what reading a damaged list raises
_encode = json.JSONEncoder(default=str).encode  # json.dumps would make an encoder for each row
_encode_link = json.JSONEncoder(separators=(",", ":")).encode
_ZIP_LEVEL = 1  # a tenth of the size at a tenth of linking's time; more is slower and hardly smaller


@dataclass(frozen=True, slots=True)
class ListCard:
    """Name, size, options and owner of a list.

    Attributes:
        name: name to display.
        rows: number of rows.
        column: name of the column with the titles.
        options: options of linking.
        created: UTC time of creation.
        ownership: owner of the list; lists of older releases have none.
    """

    name: str
    rows: int
    column: str
    options: ListOptions
    created: str
    ownership: Ownership = UNOWNED

    def save(self, folder: Path) -> None:
        """Write the card, in place of an older one."""
        write_text_whole(folder / _CARD, json_text(asdict(self)))

    @classmethod
    def load(cls, folder: Path) -> "ListCard":
        """Read the card; raises one of DAMAGE where it is missing or damaged."""
        return read_record(folder / _CARD, cls)


class StoredList:
    """A list on disk; links and decisions are stored as they are made.

    Attributes:
        id: id of the list.
        card: name, size, options and owner.
        review: rows, links and decisions; every change of it is stored.
    """

    def __init__(self, folder: Path, allowed: Allowed = allow_all) -> None:
        """Read a list; *allowed* is asked again at each refresh whether it may be open.

        Raises:
            One of DAMAGE: a file is missing or damaged.
        """
        self.id, self._folder, self._allowed = folder.name, folder, allowed
        self.card = ListCard.load(folder)
        rows = [json.loads(line) for line in (folder / _ROWS).read_bytes().splitlines()]
        if len(rows) != self.card.rows:
            raise ValueError(f"{len(rows)} of {self.card.rows} rows")
        numbers = _row_numbers(folder, len(rows))
        self.review = Review(rows, self.card.column, self.card.options, running=False, log=self, numbers=numbers)
        self.review.results.extend(_links(folder))
        self._read_to = 0
        self.review.replay(self._read_on())

    def refresh(self) -> set[int]:
        """Read the name, decisions and links of other tabs; return the rows with a changed decision.

        Raises:
            LinkingError: the list can no longer be read, or is no longer shared.
        """
        try:
            card = ListCard.load(self._folder)
            self._check_open(card.ownership)
            self.card = card
            self.review.results.extend(_links(self._folder, len(self.review.results)))
            decisions = self._read_on()
        except DAMAGE as error:
            raise LinkingError(
                f"The list '{self.card.name}' cannot be read any more ({error}); it may have been deleted in another "
                "tab. Open another list, or start a new one."
            ) from error
        review = self.review
        review.running = review.running and len(review.results) < len(review.rows)
        review.replay(decisions)
        return set(decisions)

    def _check_open(self, ownership: Ownership) -> None:
        if not self._allowed(Act.OPEN, ownership):
            raise LinkingError(  # by the name that was last seen: the list may have another by now
                f"The list '{self.card.name}' is no longer shared with you. Open another list, or start a new one."
            )

    def linked(self, results: Sequence[LinkResult]) -> list[LinkResult]:
        """Store the links of the next rows; return those of another tab if it was faster."""
        first = len(self.review.results)
        part = _part(self._folder, first)
        written = part.with_name(f".{part.stem}.tmp-{uuid4().hex[:8]}")
        with _writing(self.card.name):
            written.write_bytes(gzip.compress(to_lines(results), _ZIP_LEVEL))
            try:
                os.link(written, part)  # unlike a renaming, it never replaces
            except FileExistsError:
                return _read_part(part)
            finally:
                written.unlink(missing_ok=True)
        return list(results)

    def decided(self, decisions: Mapping[int, Decision | None]) -> None:
        """Append decisions to the log.

        Raises:
            LinkingError: another tab has since decided on one of the rows; its decision is now visible.
        """
        changed = self.refresh()  # before the lock, which would make the folder of a list that was deleted
        with _writing(self.card.name), locked(self._folder):
            clash = sorted((changed | self.refresh()) & set(decisions))
            if clash:
                numbers = ", ".join(f"{self.review.row_number(number):,}" for number in clash[:5])
                raise LinkingError(
                    f"Row {numbers} was decided in another tab meanwhile, so your decision was not taken. Check its "
                    "current decision, and decide again."
                )
            self._append(self._lines(decisions))

    def _lines(self, decisions: Mapping[int, Decision | None]) -> bytes:
        """Return the lines of decisions, one for each annotator and time."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        acts: dict[tuple[str, str], dict[str, object]] = {}
        for number, decision in decisions.items():
            act = (decision.at or now, decision.by) if decision else (now, "")
            acts.setdefault(act, {})[str(number)] = self._choice(number, decision)
        return b"".join(
            json_text({"at": at, "by": by, "rows": rows}).encode() + b"\n" for (at, by), rows in acts.items()
        )

    def _append(self, line: bytes) -> None:
        with (self._folder / _DECISIONS).open("ab") as file:
            file.truncate(self._read_to)  # a line that a full disk or a crash cut off
            file.write(line)
        self._read_to += len(line)

    def _read_on(self) -> dict[int, Decision | None]:
        """Return the decisions appended since the last read."""
        path = self._folder / _DECISIONS
        if path.stat().st_size <= self._read_to:
            return {}
        with path.open("rb") as file:
            file.seek(self._read_to)
            read = file.read()
        whole = read[: read.rfind(b"\n") + 1]  # another process may be in the middle of a line
        decisions = {
            number: None if choice is None else Decision(self._chosen(number, choice), act.get("by", ""), act["at"])
            for act in map(json.loads, whole.splitlines())
            for number, choice in _decided_rows(act)
        }
        self._read_to += len(whole)
        return decisions

    def _choice(self, number: int, decision: Decision | None) -> object:
        if decision is None or decision.choice is None:
            return None if decision is None else ""
        if isinstance(decision.choice, GroupOffer):
            return _group_record(decision.choice)
        uri = decision.choice.uri
        proposed = any(uri == candidate.uri for candidate in self.review.results[number].candidates)
        return uri if proposed else candidate_record(decision.choice)

    def _chosen(self, number: int, choice: object) -> Choice | None:
        if not isinstance(choice, dict):
            return self._proposed(number, choice) if choice else None
        return _read_group(choice) if "code" in choice else read_candidate(choice)

    def _proposed(self, number: int, uri: object) -> Candidate:
        for candidate in self.review.results[number].candidates:
            if candidate.uri == uri:
                return candidate
        raise ValueError(f"row {number + 1} has no candidate {uri}")


def write_list(folder: Path, card: ListCard, rows: Sequence[Record], numbers: Sequence[int] = ()) -> None:
    """Write a new list into an empty folder; *numbers* are those of the rows in their file, if they are known."""
    card.save(folder)
    with (folder / _ROWS).open("w", encoding="utf-8") as file:
        file.writelines(_encode(row) + "\n" for row in rows)
    if numbers:
        write_text_whole(folder / _NUMBERS, json_text(list(numbers)))
    make_folder(folder / _LINKS)
    (folder / _DECISIONS).touch()


def _row_numbers(folder: Path, n_rows: int) -> list[int]:
    """Return the numbers of a list's rows in their file, nothing where they are not known."""
    path = folder / _NUMBERS
    numbers = [int(number) for number in json.loads(path.read_bytes())] if path.exists() else []
    if len(numbers) not in (0, n_rows):
        raise ValueError(f"{len(numbers)} numbers of {n_rows} rows")
    return numbers


def rename_list(folder: Path, name: str) -> None:
    """Give a list another name."""
    _change_card(folder, lambda card: replace(card, name=name))


def share_list(folder: Path, *, shared: bool) -> None:
    """Share a list with everybody, or stop sharing it."""
    _change_card(folder, lambda card: replace(card, ownership=replace(card.ownership, shared=shared)))


def _change_card(folder: Path, changed: Callable[[ListCard], ListCard]) -> None:
    """Write a card anew, locked, so that of two changes at once none is lost."""
    ListCard.load(folder)  # before the lock, which would make the folder of a list that was deleted
    with locked(folder):
        changed(ListCard.load(folder)).save(folder)


def count_decided(folder: Path) -> int:
    """Return the number of rows with a decision; raises one of DAMAGE if the log is damaged."""
    path = folder / _DECISIONS
    return _count_decided(path, path.stat().st_size)


@lru_cache(maxsize=1024)  # lists are counted whenever they are shown; a log only grows
def _count_decided(path: Path, size: int) -> int:
    latest = {
        number: choice
        for line in path.read_bytes()[:size].splitlines(keepends=True)
        if line.endswith(b"\n")
        for number, choice in _decided_rows(json.loads(line))
    }
    return sum(choice is not None for choice in latest.values())


def last_used(folder: Path) -> float:
    """Return the time a list was last opened, renamed or decided on, in seconds since 1970."""
    return max((folder / name).stat().st_mtime for name in (_CARD, _DECISIONS))


def mark_used(folder: Path) -> None:
    """Record that a list was opened."""
    os.utime(folder / _CARD)


def _decided_rows(act: dict[str, Any]) -> Iterator[tuple[int, Any]]:
    return ((int(number), choice) for number, choice in act["rows"].items())


def _part(folder: Path, first: int) -> Path:
    return folder / _LINKS / f"{first:07}.gz"


def _links(folder: Path, first: int = 0) -> Iterator[LinkResult]:
    """Yield the links from a row on, as far as they are there."""
    while (part := _part(folder, first)).exists():
        results = _read_part(part)
        yield from results
        first += len(results)


def _read_part(part: Path) -> list[LinkResult]:
    results = from_lines(gzip.decompress(part.read_bytes()))
    if not results:
        raise ValueError(f"{part.name} is empty")
    return results


@contextmanager
def _writing(name: str) -> Iterator[None]:
    """Report a failure to write a list as a LinkingError."""
    try:
        yield
    except OSError as error:
        raise LinkingError(
            f"The list '{name}' could not be written ({error.strerror or error}), so nothing was changed. Free some "
            "disk space, or correct the folder's permissions, and try again."
        ) from error


def to_lines(results: Iterable[LinkResult]) -> bytes:
    """Return results as JSON lines, lossless, unlike the rounded ones of `records`."""
    return "".join(_encode_link(_record(each)) + "\n" for each in results).encode()


def from_lines(lines: bytes) -> list[LinkResult]:
    """Return the results of JSON lines; raises ValueError, KeyError or TypeError for other lines."""
    return [_result(json.loads(line)) for line in lines.splitlines()]


def candidate_record(candidate: Candidate) -> Record:
    """Return a candidate as JSON."""
    evidence = candidate.evidence
    return {
        "uri": candidate.uri,
        "name": candidate.name,
        "isco": candidate.isco,
        "probability": candidate.probability,
        "matched": evidence.name,
        "language": evidence.language,
        "scores": evidence.scores,
        "own": evidence.own and _own_record(evidence.own),
        "lexicon": evidence.from_lexicon,
        "read_as": evidence.read_as,
    }


def read_candidate(record: Record) -> Candidate:
    """Return the candidate of its JSON; raises KeyError, TypeError or ValueError for other JSON."""
    evidence = Evidence(
        record["matched"],
        record["language"],
        record["scores"],
        record["own"] and _read_own(record["own"]),
        from_lexicon=record.get("lexicon", False),
        read_as=record.get("read_as", ""),  # older lists have neither
    )
    return Candidate(record["uri"], record["name"], record["isco"], record["probability"], evidence)


def _own_record(own: OwnName) -> Record:
    return asdict(own) | {"on": own.on.isoformat()}


def _read_own(record: Record) -> OwnName:
    return OwnName(
        record["title"],
        record["uri"],
        tuple(record["by"]),
        date.fromisoformat(record["on"]),
        record.get("rejected", False),
        record.get("as_group", False),  # older lists have neither
    )


def _group_record(group: GroupOffer) -> Record:
    return {
        "code": group.code,
        "name": group.name,
        "probability": group.probability,
        "own": group.own and _own_record(group.own),
    }


def _read_group(record: Record) -> GroupOffer:
    own = record.get("own")  # older lists have none
    return GroupOffer(record["code"], record["name"], record["probability"], own and _read_own(own))


def _rejection_record(rejection: Rejection) -> Record:
    return {
        "uri": rejection.uri,
        "name": rejection.name,
        "isco": rejection.isco,
        "own": _own_record(rejection.own),
    }


def _read_rejection(record: Record) -> Rejection:
    return Rejection(record["uri"], record["name"], record["isco"], _read_own(record["own"]))


def _record(result: LinkResult) -> Record:
    return {
        "title": result.title,
        "abstained": result.abstained,
        "group": result.group and _group_record(result.group),
        "taxonomy": result.taxonomy,
        "set_aside": result.set_aside,
        "seniority": result.seniority,
        "reason": result.reason,
        "jobs": [_record(job) for job in result.jobs],
        "candidates": [candidate_record(each) for each in result.candidates],
        "rejected": [_rejection_record(each) for each in result.rejected],
    }


def _result(record: dict[str, Any]) -> LinkResult:
    title, candidates = record["title"], tuple(map(read_candidate, record["candidates"]))
    reason = record.get("reason")
    if reason is None:  # older lists have none
        reason = reason_of(forms_of(title), candidates) if record["abstained"] else ""
    return LinkResult(
        title,
        candidates,
        record["abstained"],
        record["group"] and _read_group(record["group"]),
        record["taxonomy"],
        tuple(record["set_aside"]),
        Seniority(record.get("seniority", "")),
        reason,
        tuple(map(_result, record.get("jobs", ()))),
        tuple(_read_rejection(each) for each in record.get("rejected", ())),
    )
