"""Judgments from what Label Studio, Argilla, Prodigy and doccano give back of the pairs that were exported to them.

An export keeps the judgments of each pair as records beside the texts (`exported_records`), since no tool keeps all of
them. Reading restores these, with their ids, and adds a judgment for each answer that differs from all of them. Its id
follows from the answer, so that a file that is read again adds nothing.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance, Verdict
from jobmatch_core.errors import DataFileError, SettingsError
from jobmatch_core.io.json_rows import json_lines, json_list
from jobmatch_core.io.text_files import read_json
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.labelling.annotation_tools import PAIR_FIELDS, VERDICT_FIELD, argilla_user
from jobmatch_core.labelling.exports import ANSWERS
from jobmatch_core.labelling.label_records import judgment_of

_OURS = UUID("0f6f0a86-5f44-5d0c-9b34-0c8f5a2b1d11")  # namespace of derived ids
_ENCODING = "utf-8-sig"
_NOBODY = ("all", "pairs")  # doccano's files have the names of their annotators, or this
_RECORDS, _USERS = "records.json", "users.json"  # of an Argilla dataset on disk
Row = Mapping[str, Any]
_ADVICE = "import what was made of a folder of `jobmatch labels export --format {tool}`, unchanged"
Answers = Any  # function of the kind of pair and its exported judgments -> the answers
Rows = Iterator[tuple[int, Row, Answers]]


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer of a tool."""

    verdict: Verdict
    annotator: str  # the annotator's name; '' if the file does not tell
    of: str = ""  # id of the exported judgment that it was, or ''
    at: datetime | None = None  # time of the answer; None if the file does not tell
    seconds: float | None = None
    origin: Origin = Origin.LOOKED_AT


class _UnusableError(ValueError):
    """A row that cannot be read; the message says why."""


def read_answers(path: Path, tool: str, *, annotator: str = "", now: datetime | None = None) -> list[Judgment]:
    """Return the exported judgments of a file, and one for each new answer, in the order of the file.

    Args:
        path: what the tool gave back: a JSON export of Label Studio, `records.json` or the folder of Argilla, the
            JSONL of Prodigy's `db-out` or of doccano.
        tool: one of `READERS`.
        annotator: name of the annotator of answers for which the file names nobody; for doccano, the name of the file
            by default.
        now: time of answers for which the file tells none; the current time by default.

    Raises:
        SettingsError: the tool is unknown.
        DataFileError: the file is missing or damaged, a pair is not one that was exported, or nobody is named.
    """
    if tool not in READERS:
        raise SettingsError(f"Answers of {tool!r} cannot be imported; choose one of {', '.join(READERS)}.")
    judgments: list[Judgment] = []
    moment = now or datetime.now(UTC)
    fallback = annotator.strip() or (path.stem if tool == "doccano" and path.stem not in _NOBODY else "")
    for line, row, answers in READERS[tool](path):
        try:
            pair, exported = _pair(row), _exported(row)
            if any(judgment.pair != pair for judgment in exported):
                raise _UnusableError("the exported judgments beside it are of another pair")
            judgments += exported
            named = (
                replace(answer, annotator=answer.annotator.strip() or fallback)
                for answer in answers(pair.kind, exported)
            )
            judgments += [_judgment(tool, pair, answer, moment) for answer in _new(named, exported)]
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
            why = str(error) if isinstance(error, ValueError) else f"it has another form than {tool}'s"
            raise DataFileError(path, f"{why}; {_ADVICE.format(tool=tool)}", line=line) from error
    return list({judgment.id: judgment for judgment in judgments}.values())


def _pair(row: Row) -> Pair:
    missing = [name for name in PAIR_FIELDS if not isinstance(row.get(name), str)]
    if missing:
        raise _UnusableError(f"it has no {missing[0]}, so that the pair is unknown")
    kind, source, left, right = (row[name] for name in PAIR_FIELDS)
    if kind not in [*PairKind]:
        raise _UnusableError(f"there is no kind of pair {kind!r}")
    return Pair(PairKind(kind), source, left, right)


def _exported(row: Row) -> list[Judgment]:
    records = row.get("judgments") or []
    if isinstance(records, str):
        records = json.loads(records)
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise _UnusableError("its exported judgments are not a list of records")
    return [judgment_of(record) for record in records]


def _new(answers: Iterable[_Answer], exported: Iterable[Judgment]) -> Iterator[_Answer]:
    # an answer that was exported is left out: by its id, else by annotator and verdict
    verdicts = {judgment.id: judgment.verdict for judgment in exported}
    said = Counter((judgment.annotator, judgment.verdict) for judgment in exported)
    for answer in answers:
        if answer.of and verdicts.get(answer.of) is answer.verdict:
            continue
        if said[answer.annotator, answer.verdict]:
            continue
        yield answer


def _judgment(tool: str, pair: Pair, answer: _Answer, now: datetime) -> Judgment:
    if not answer.annotator:
        raise _UnusableError("it does not say whose answer this is; give the name as --annotator")
    at = answer.at.isoformat() if answer.at else ""
    key = json.dumps([tool, pair.kind, pair.source, pair.left, pair.right, answer.annotator, answer.verdict, at])
    return Judgment(
        id=str(uuid5(_OURS, key)),
        pair=pair,
        verdict=answer.verdict,
        annotator=answer.annotator,
        at=answer.at or now,
        provenance=Provenance(f"import-{tool}", origin=answer.origin),
        seconds=answer.seconds,
    )


def _verdict(answer: object, kind: PairKind) -> Verdict:
    """Return the verdict of an answer's text in a tool, or of its value."""
    for verdict, text in ANSWERS[kind].items():
        if answer in (text, verdict.value):
            return verdict
    raise _UnusableError(f"the answer {str(answer)[:60]!r} is none of {', '.join(ANSWERS[kind].values())}")


def _label_studio(path: Path) -> Rows:
    for _, line, task in json_list(path, _ENCODING):
        yield line, task.get("data") or {}, _LabelStudioAnswers(task)


@dataclass(frozen=True, slots=True)
class _LabelStudioAnswers:
    task: Row

    def __call__(self, kind: PairKind, exported: list[Judgment]) -> Iterator[_Answer]:
        if "annotations" not in self.task:
            raise _UnusableError("it has no annotations: export it as JSON, not as JSON-MIN")
        # a skip has no result that names the exported judgment
        skips = [judgment.id for judgment in exported if judgment.verdict is Verdict.SKIP]
        for annotation in self.task["annotations"]:
            chosen = [result for result in annotation["result"] if result.get("from_name") == VERDICT_FIELD]
            if annotation.get("was_cancelled"):
                of, verdict = (skips.pop(0) if skips else ""), Verdict.SKIP
            elif chosen:
                [answer] = chosen[0]["value"]["choices"]
                of, verdict = str(chosen[0].get("id", "")), _verdict(answer, kind)
            else:
                continue
            time = annotation.get("updated_at") or annotation.get("created_at")
            seconds = annotation.get("lead_time")
            yield _Answer(
                verdict=verdict,
                annotator=_label_studio_name(annotation.get("completed_by")),
                of=of,
                at=_moment(time) if time else None,
                seconds=None if seconds is None else float(seconds),
                origin=Origin.BULK if annotation.get("bulk_created") else Origin.LOOKED_AT,
            )


def _label_studio_name(user: object) -> str:
    if isinstance(user, dict):
        return str(user.get("email") or user.get("username") or "")
    return "" if user is None else f"label-studio-{user}"


def _moment(time: object) -> datetime:
    if isinstance(time, bool) or not isinstance(time, str | int | float):
        raise _UnusableError(f"{time!r} is no time")
    try:
        moment = datetime.fromisoformat(time) if isinstance(time, str) else datetime.fromtimestamp(time, UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise _UnusableError(f"{time!r} is no time") from error
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def _argilla(path: Path) -> Rows:
    records = path / _RECORDS if path.is_dir() else path
    users = records.parent / _USERS
    names: dict[str, str] = {}
    if users.is_file():
        try:
            names = {str(key): str(name) for name, key in dict(read_json(users)).items()}
        except (OSError, ValueError, TypeError) as error:
            raise DataFileError(users, f"the names and ids of users cannot be read ({error})") from error
    for _, line, record in json_list(records, _ENCODING):
        yield line, record.get("metadata") or {}, _ArgillaAnswers(record, names)


@dataclass(frozen=True, slots=True)
class _ArgillaAnswers:
    record: Row
    names: Mapping[str, str]

    def __call__(self, kind: PairKind, exported: list[Judgment]) -> Iterator[_Answer]:
        own = {str(argilla_user(judgment.annotator)): judgment.annotator for judgment in exported}
        for response in self.record["responses"].get(VERDICT_FIELD, []):
            if response.get("status") == "draft":
                continue
            user, value = str(response["user_id"]), response["value"]
            verdict = Verdict.SKIP if value is None else _verdict(value, kind)
            yield _Answer(verdict, own.get(user) or self.names.get(user, ""))


def _prodigy(path: Path) -> Rows:
    for _, line, task in json_lines(path, _ENCODING):
        yield line, task, _ProdigyAnswers(task)


@dataclass(frozen=True, slots=True)
class _ProdigyAnswers:
    task: Row

    def __call__(self, kind: PairKind, exported: list[Judgment]) -> Iterator[_Answer]:
        answer, chosen = self.task.get("answer"), self.task.get("accept") or []
        if answer is None:
            return
        if answer == "accept":
            if len(chosen) != 1:
                raise _UnusableError(f"{len(chosen)} answers are accepted; expected one")
            verdict = _verdict(chosen[0], kind)
        elif answer in ("ignore", "reject"):  # rejected is the task, none of whose answers is right
            verdict = Verdict.SKIP
        else:
            raise _UnusableError(f"its answer is {str(answer)[:60]!r}; expected accept, reject or ignore")
        timestamp = self.task.get("_timestamp")
        name = self.task.get("_annotator_id") or self.task.get("_session_id") or ""
        yield _Answer(
            verdict,
            str(name),
            str(self.task.get("judgment_id") or ""),
            None if timestamp is None else _moment(timestamp),
        )


def _doccano(path: Path) -> Rows:
    for _, line, document in json_lines(path, _ENCODING):
        yield line, document, _DoccanoAnswers(document)


@dataclass(frozen=True, slots=True)
class _DoccanoAnswers:
    document: Row

    def __call__(self, kind: PairKind, exported: list[Judgment]) -> Iterator[_Answer]:
        labels = self.document.get("label") or []
        if len(labels) > 1:
            raise _UnusableError("it has several labels; export each annotator's by themselves")
        for label in labels:
            yield _Answer(_verdict(label, kind), "")


# name -> yields line, the pair's fields and a function of its answers
READERS = {"label-studio": _label_studio, "argilla": _argilla, "prodigy": _prodigy, "doccano": _doccano}
