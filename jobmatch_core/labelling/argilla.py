"""Export to Argilla 2: a folder that `rg.Dataset.from_disk` reads.

    NAME/
      .argilla/dataset.json    the dataset's name
      .argilla/settings.json   two text fields, one label question; `rg.Settings.from_json` reads it alone
      records.json             texts, suggestions, responses; `dataset.records.from_json` reads it alone
      users.json               the ids of annotators in the responses

The server refuses responses of users that it does not have, so create them first, with their ids:
`rg.User(username=NAME, id=UUID, password=...).create()`. The format is that of argilla 2.8.0.
"""

import html
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from jobmatch_core.entities import Judgment, PairKind, Verdict
from jobmatch_core.errors import LabellingError
from jobmatch_core.io.folders import written_whole
from jobmatch_core.io.text_files import json_text
from jobmatch_core.labelling.exports import ANSWERS, SIDES, ExportItem, write_json_array

_LEFT, _RIGHT, _QUESTION = "left", "right", "verdict"
_OURS = UUID("6d1c1c1e-6f0f-5f6a-9d0a-0a4c1f1a7b3e")  # the name space of the ids that we derive


def write_argilla(folder: Path, kind: PairKind, items: Iterable[ExportItem], *, guidelines: str = "") -> int:
    """Write a dataset; the folder appears only when complete, and replaces an existing one.

    Args:
        folder: its name becomes the dataset's.
        kind: kind of the pairs.
        items: result of `export_items` for this kind.
        guidelines: Markdown, shown beside the task.

    Returns:
        Number of records written.

    Raises:
        LabellingError: the folder cannot be written.
    """
    annotators: set[str] = set()

    def records() -> Iterable[dict[str, Any]]:
        for item in items:
            annotators.update(judgment.annotator for judgment in item.judgments)
            yield argilla_record(item)

    try:
        with written_whole(folder) as temporary:
            (temporary / ".argilla").mkdir()
            count = write_json_array(temporary / "records.json", records())
            _write(temporary / ".argilla" / "settings.json", argilla_settings(kind, guidelines))
            _write(temporary / ".argilla" / "dataset.json", {"name": folder.name})
            _write(temporary / "users.json", {name: str(argilla_user(name)) for name in sorted(annotators)})
    except OSError as error:
        raise LabellingError(f"{folder.name} could not be written ({error.strerror or error}).") from error
    return count


def argilla_user(annotator: str) -> UUID:
    """Return an annotator's id in the responses, which is always the same for the same name."""
    return uuid5(_OURS, annotator)


def argilla_settings(kind: PairKind, guidelines: str = "") -> dict[str, Any]:
    """Return the dataset's settings for `rg.Settings.from_json`."""
    answers = ANSWERS[kind]
    return {
        "guidelines": guidelines or None,
        "fields": [
            {"name": name, "title": title, "required": True, "settings": {"type": "text", "use_markdown": False}}
            for name, title in zip((_LEFT, _RIGHT), SIDES[kind], strict=True)
        ],
        "questions": [
            {
                "name": _QUESTION,
                "title": "Do they belong together?",
                "required": True,
                "settings": {
                    "type": "label_selection",
                    "options": [{"value": verdict.value, "text": text} for verdict, text in answers.items()],
                    "visible_options": len(answers),
                },
            }
        ],
        "vectors": [],
        "metadata": [],
        "allow_extra_metadata": True,
        "distribution": {"strategy": "overlap", "min_submitted": 1},
        "mapping": None,
    }


def argilla_record(item: ExportItem) -> dict[str, Any]:
    """Return a record for `dataset.records.from_json`; a skipped one is discarded.

    The texts' markup is escaped, because Argilla shows text fields as HTML.
    """
    pair, suggestion = item.pair, item.suggestion
    return {
        "id": str(uuid5(_OURS, json.dumps([pair.kind, pair.source, pair.left, pair.right]))),
        "fields": {
            _LEFT: html.escape(item.texts.left, quote=False),
            _RIGHT: html.escape(item.texts.right, quote=False),
        },
        "metadata": {"kind": pair.kind.value, "source": pair.source, "left_id": pair.left, "right_id": pair.right},
        "suggestions": {
            _QUESTION: {"value": suggestion.verdict.value, "score": suggestion.score, "agent": suggestion.agent}
        }
        if suggestion
        else {},
        "responses": {_QUESTION: [_response(judgment) for judgment in item.judgments]} if item.judgments else {},
        "vectors": {},
    }


def _response(judgment: Judgment) -> dict[str, Any]:
    user = str(argilla_user(judgment.annotator))
    if judgment.verdict is Verdict.SKIP:
        return {"value": None, "user_id": user, "status": "discarded"}
    return {"value": judgment.verdict, "user_id": user, "status": "submitted"}


def _write(path: Path, record: dict[str, Any]) -> None:
    path.write_text(json_text(record, indent=2), "ascii")
