"""A stored list: rows, links and an append-only log of decisions, which several tabs and processes may share."""

# ID/list.json          name, column, options and owner; its modification time is the list's last use
# ID/rows.jsonl         the rows as they were read
# ID/row_numbers.json   number of each row in its file; missing in lists of older releases
# ID/links/0000200.gz   links of consecutive rows as JSON lines, named by the first row; written once
# ID/decisions.jsonl    one line per act, `{"at": ..., "by": ANNOTATOR, "rows": {"17": CHOICE}}`
#
# CHOICE is the URI of one of the row's candidates, a whole candidate that was found by search, a unit group, "" for
# 'none of these', or null for a withdrawn decision.

import gzip
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from uuid import uuid4

from msgspec import convert, to_builtins

from jobmatch_core.entities import Candidate, GroupOffer, LinkResult
from jobmatch_core.errors import LinkingError
from jobmatch_core.io.folders import locked, make_folder, write_text_whole
from jobmatch_core.io.ownership import UNOWNED, Act, Allowed, Ownership, allow_all
from jobmatch_core.io.records import read_record
from jobmatch_core.io.tables import Record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.io.typed_text import from_json, json_cell
from jobmatch_core.link_reasons import current_reason
from jobmatch_core.linking.abstention import forms_of, reason_of
from jobmatch_core.linking.decisions import Choice, Decision
from jobmatch_core.linking.review import ListOptions, Review

CARD = "list.json"
_ROWS, _NUMBERS = "rows.jsonl", "row_numbers.json"
_LINKS, _DECISIONS = "links", "decisions.jsonl"
_LINK_FIELDS = (  # in the order of the file
    "title",
    "abstained",
    "group",
    "taxonomy",
    "set_aside",
    "seniority",
    "reason",
    "jobs",
    "candidates",
    "rejected",
    "no_occupation",
    "unknown",
    "coded",
    "context",
)
_EVIDENCE_FIELDS = {  # names in the file; they stand beside the candidate's own fields
    "name": "matched",
    "language": "language",
    "scores": "scores",
    "own": "own",
    "from_lexicon": "lexicon",
    "read_as": "read_as",
}
DAMAGE = (OSError, ValueError, KeyError, TypeError, EOFError, zlib.error)  # what reading a damaged list raises
_encode = json.JSONEncoder(default=str).encode  # json.dumps would make an encoder for each row
_encode_link = json.JSONEncoder(separators=(",", ":")).encode
_ZIP_LEVEL = 1  # a tenth of the size for a tenth of the linking time; higher levels are slower and hardly smaller


@dataclass(frozen=True, slots=True)
class ListCard:
    """Name, size, options and owner of a list."""

    name: str
    rows: int
    column: str
    options: ListOptions
    created: str  # UTC, ISO 8601
    ownership: Ownership = UNOWNED  # missing in lists of older releases

    def save(self, folder: Path) -> None:
        """Write the card, replacing an older one."""
        write_text_whole(folder / CARD, json_text(asdict(self)))

    @classmethod
    def load(cls, folder: Path) -> "ListCard":
        """Read the card; raises one of DAMAGE if it is missing or damaged."""
        return read_record(folder / CARD, cls)


class StoredList:
    """A list on disk; every change of its `review` is stored."""

    def __init__(self, folder: Path, allowed: Allowed = allow_all) -> None:
        """Read a list; raises one of DAMAGE. Each refresh checks with *allowed* that the list may still be open."""
        self.id, self._folder, self._allowed = folder.name, folder, allowed
        self.card = ListCard.load(folder)
        rows = [json.loads(line, object_hook=from_json) for line in (folder / _ROWS).read_bytes().splitlines()]
        if len(rows) != self.card.rows:
            raise ValueError(f"{len(rows)} of {self.card.rows} rows")
        numbers = _row_numbers(folder, len(rows))
        self.review = Review(rows, self.card.column, self.card.options, running=False, log=self, numbers=numbers)
        self.review.results.extend(_links(folder))
        self._read_to = 0
        self.review.replay(self._read_on())

    def refresh(self) -> set[int]:
        """Read the name, decisions and links of other tabs; return the rows with a changed decision.

        Raises LinkingError if the list can no longer be read, or is no longer shared.
        """
        try:
            card = ListCard.load(self._folder)
            if not self._allowed(Act.OPEN, card.ownership):
                raise LinkingError(  # by the last visible name: the owner may have renamed the list
                    f"The list '{self.card.name}' is no longer shared with you. Open another list, or start a new one."
                )
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

    def linked(self, results: Sequence[LinkResult]) -> list[LinkResult]:
        """Store the links of the next rows; return those of another tab if it stored them first."""
        first = len(self.review.results)
        part = _part(self._folder, first)
        written = part.with_name(f".{part.stem}.tmp-{uuid4().hex[:8]}")
        with _writing(self.card.name):
            written.write_bytes(gzip.compress(to_lines(results), _ZIP_LEVEL))
            try:
                os.link(written, part)  # unlike a rename, it never replaces
            except FileExistsError:
                return _read_part(part)
            finally:
                written.unlink(missing_ok=True)
        return list(results)

    def decided(self, decisions: Mapping[int, Decision | None]) -> None:
        """Append decisions to the log.

        Raises LinkingError if another tab has decided on one of the rows in the meantime; its decision is now visible.
        """
        changed = self.refresh()  # before the lock, which would create the folder of a deleted list
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
        """Return one line per annotator and time."""
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
            file.truncate(self._read_to)  # drops a line that a full disk or a crash cut off
            file.write(line)
        self._read_to += len(line)

    def _read_on(self) -> dict[int, Decision | None]:
        path = self._folder / _DECISIONS
        if path.stat().st_size <= self._read_to:
            return {}
        with path.open("rb") as file:
            file.seek(self._read_to)
            read = file.read()
        whole = read[: read.rfind(b"\n") + 1]  # another process may be in the middle of a line
        decisions = {
            (number := int(row)): (
                None if choice is None else Decision(self._chosen(number, choice), act.get("by", ""), act["at"])
            )
            for act in map(json.loads, whole.splitlines())
            for row, choice in act["rows"].items()
        }
        self._read_to += len(whole)
        return decisions

    def _choice(self, number: int, decision: Decision | None) -> object:
        if decision is None or decision.choice is None:
            return None if decision is None else ""
        if isinstance(decision.choice, GroupOffer):
            return to_builtins(decision.choice)
        uri = decision.choice.uri
        proposed = any(uri == candidate.uri for candidate in self.review.results[number].candidates)
        return uri if proposed else _flat(to_builtins(decision.choice))

    def _chosen(self, number: int, choice: object) -> Choice | None:
        if isinstance(choice, dict):
            return convert(choice, GroupOffer) if "code" in choice else convert(_nested(choice), Candidate)
        if not choice:
            return None
        for candidate in self.review.results[number].candidates:
            if candidate.uri == choice:
                return candidate
        raise ValueError(f"row {number + 1} has no candidate {choice}")


def write_list(folder: Path, card: ListCard, rows: Sequence[Record], numbers: Sequence[int] = ()) -> None:
    """Write a new list into an empty folder; *numbers* are the row numbers in the source file, if known."""
    card.save(folder)
    with (folder / _ROWS).open("w", encoding="utf-8") as file:
        file.writelines(_encode({name: json_cell(cell) for name, cell in row.items()}) + "\n" for row in rows)
    if numbers:
        write_text_whole(folder / _NUMBERS, json_text(list(numbers)))
    make_folder(folder / _LINKS)
    (folder / _DECISIONS).touch()


def _row_numbers(folder: Path, n_rows: int) -> list[int]:
    path = folder / _NUMBERS
    numbers = [int(number) for number in json.loads(path.read_bytes())] if path.exists() else []
    if len(numbers) not in (0, n_rows):
        raise ValueError(f"{len(numbers)} numbers of {n_rows} rows")
    return numbers


def change_card(folder: Path, change: Callable[[ListCard], ListCard]) -> None:
    """Rewrite a list's card under a lock, so that no concurrent change is lost."""
    ListCard.load(folder)  # before the lock, which would create the folder of a deleted list
    with locked(folder):
        change(ListCard.load(folder)).save(folder)


def count_decided(folder: Path) -> int:
    """Return the number of rows with a decision; raises one of DAMAGE if the log is damaged."""
    path = folder / _DECISIONS
    return _count_decided(path, path.stat().st_size)


@lru_cache(maxsize=1024)  # lists are counted whenever they are shown; the size says whether the log has grown
def _count_decided(path: Path, size: int) -> int:
    latest = {
        int(row): choice
        for line in path.read_bytes()[:size].splitlines(keepends=True)
        if line.endswith(b"\n")
        for row, choice in json.loads(line)["rows"].items()
    }
    return sum(choice is not None for choice in latest.values())


def last_used(folder: Path) -> float:
    """Return when a list was last opened, renamed or decided on, in seconds since 1970."""
    return max((folder / name).stat().st_mtime for name in (CARD, _DECISIONS))


def _part(folder: Path, first: int) -> Path:
    return folder / _LINKS / f"{first:07}.gz"


def _links(folder: Path, first: int = 0) -> Iterator[LinkResult]:
    """Yield the links that are stored, from row *first* on."""
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
    try:
        yield
    except OSError as error:
        raise LinkingError(
            f"The list '{name}' could not be written ({error.strerror or error}), so nothing was changed. Free some "
            "disk space, or correct the folder's permissions, and try again."
        ) from error


def to_lines(results: Iterable[LinkResult]) -> bytes:
    """Return results as JSON lines without loss: probabilities are not rounded."""
    return "".join(_encode_link(_record(to_builtins(result))) + "\n" for result in results).encode()


def from_lines(lines: bytes) -> list[LinkResult]:
    """Return the results of JSON lines; raises ValueError, KeyError or TypeError for other lines."""
    return [_result(json.loads(line)) for line in lines.splitlines()]


def _record(link: Record) -> Record:
    """Return the fields of a LinkResult as in the file."""
    fields = link | {
        "jobs": [_record(job) for job in link["jobs"]],
        "candidates": [_flat(candidate) for candidate in link["candidates"]],
    }
    return {name: fields[name] for name in _LINK_FIELDS}


def _result(record: Record) -> LinkResult:
    """Return the result of its fields in the file; older lists lack some of them."""
    fields = record | {
        "reason": current_reason(record.get("reason") or ""),
        "jobs": (),
        "candidates": [_nested(candidate) for candidate in record["candidates"]],
    }
    result = replace(convert(fields, LinkResult), jobs=tuple(map(_result, record.get("jobs", ()))))
    if result.abstained and record.get("reason") is None:
        return replace(result, reason=reason_of(forms_of(result.title), result.candidates))
    return result


def _flat(candidate: Record) -> Record:
    """Return the fields of a Candidate as in the file."""
    evidence = candidate["evidence"]
    own = {name: value for name, value in candidate.items() if name != "evidence"}
    return own | {stored: evidence[name] for name, stored in _EVIDENCE_FIELDS.items()}


def _nested(record: Record) -> Record:
    """Return the fields of a Candidate from those in the file; older lists lack some of them."""
    evidence = {name: record[stored] for name, stored in _EVIDENCE_FIELDS.items() if stored in record}
    return record | {"evidence": evidence}
