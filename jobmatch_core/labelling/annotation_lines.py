"""Exports as JSON lines, for Prodigy and for doccano; each pair carries its judgments as in `annotation_tools`."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from jobmatch_core.entities import Judgment, PairKind, Verdict
from jobmatch_core.labelling.annotation_tools import LEFT, RIGHT, exported_records, pair_fields
from jobmatch_core.labelling.export_guides import write_guide
from jobmatch_core.labelling.exports import ANSWERS, SIDES, ExportItem, export_folder, write_json_array

_KEYS_OF_LABELS = "123"


def write_prodigy(folder: Path, kind: PairKind, items: Iterable[ExportItem]) -> int:
    """Write tasks and annotations for Prodigy's `choice`; return the number of tasks. Raises as `export_folder`."""
    count = 0
    with export_folder(folder) as temporary:
        with _lines(temporary / "tasks.jsonl") as tasks, _lines(temporary / "annotations.jsonl") as annotations:
            for item in items:
                count += 1
                task = prodigy_task(item)
                _write(tasks, task)
                for judgment in item.judgments:
                    _write(annotations, task | _prodigy_answer(judgment))
        write_guide(temporary, "prodigy")
    return count


def prodigy_task(item: ExportItem) -> dict[str, Any]:
    """Return a pair as a task with both texts, the answers as options, and the pair's fields."""
    kind = item.pair.kind
    return {
        "text": both_texts(item),
        LEFT: item.texts.left,
        RIGHT: item.texts.right,
        "options": [{"id": verdict.value, "text": text} for verdict, text in ANSWERS[kind].items()],
        "meta": {"pair": kind.value, "source": item.pair.source},  # shown below the task
        **pair_fields(item.pair),
        "judgments": exported_records(item),
    }


def _prodigy_answer(judgment: Judgment) -> dict[str, Any]:
    skipped = judgment.verdict is Verdict.SKIP
    return {
        "accept": [] if skipped else [judgment.verdict],
        "answer": "ignore" if skipped else "accept",
        "judgment_id": judgment.id,
        "_annotator_id": judgment.annotator,
        "_session_id": judgment.annotator,
        "_timestamp": int(judgment.at.timestamp()),
        "_view_id": "choice",
    }


def write_doccano(folder: Path, kind: PairKind, items: Iterable[ExportItem]) -> int:
    """Write documents and labels for doccano's text classification; return the number of documents.

    The documents have no labels, since doccano would take all for those of the person who imports them. Raises as
    `export_folder`.
    """
    count = 0
    with export_folder(folder) as temporary:
        with _lines(temporary / "pairs.jsonl") as documents:
            for item in items:
                count += 1
                _write(documents, doccano_document(item))
        labels = zip(ANSWERS[kind].values(), _KEYS_OF_LABELS, strict=True)
        write_json_array(temporary / "labels.json", ({"text": text, "suffix_key": key} for text, key in labels))
        write_guide(temporary, "doccano")
    return count


def doccano_document(item: ExportItem) -> dict[str, Any]:
    """Return a pair as a document; all but text and label become doccano's metadata, which its export has again."""
    judgments = json.dumps(exported_records(item))
    return {"text": both_texts(item), "label": [], **pair_fields(item.pair), "judgments": judgments}


def both_texts(item: ExportItem) -> str:
    """Return both texts of a pair under their headings, for tools that show one text."""
    left, right = SIDES[item.pair.kind]
    return f"{left}:\n{item.texts.left}\n\n{right}:\n{item.texts.right}"


@contextmanager
def _lines(path: Path) -> Iterator[TextIO]:
    with path.open("w", encoding="ascii", newline="\n") as file:
        yield file


def _write(file: TextIO, record: dict[str, Any]) -> None:
    file.write(json.dumps(record, allow_nan=False) + "\n")
