"""Exports for Argilla 2 (read by `rg.Dataset.from_disk`) and Label Studio (configuration and tasks to import).

Each pair carries its judgments as records, which `tool_answers` restores.
"""

import html
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5
from xml.etree import ElementTree

from jobmatch_core.entities import Judgment, Pair, PairKind, Verdict
from jobmatch_core.io.text_files import json_text
from jobmatch_core.labelling.export_guides import write_guide
from jobmatch_core.labelling.exports import ANSWERS, SIDES, ExportItem, export_folder, write_json_array
from jobmatch_core.labelling.label_records import label_record

LEFT, RIGHT, VERDICT_FIELD = "left", "right", "verdict"  # names of the two texts and of the question, in all tools
PAIR_FIELDS = ("kind", "source", "left_id", "right_id")
_OURS = UUID("6d1c1c1e-6f0f-5f6a-9d0a-0a4c1f1a7b3e")  # namespace of derived ids


def write_argilla(folder: Path, kind: PairKind, items: Iterable[ExportItem]) -> int:
    """Write an Argilla dataset, named after its folder; return the number of records. Raises as `export_folder`."""
    annotators: set[str] = set()

    def records() -> Iterable[dict[str, Any]]:
        for item in items:
            annotators.update(judgment.annotator for judgment in item.judgments)
            yield argilla_record(item)

    with export_folder(folder) as temporary:
        (temporary / ".argilla").mkdir()
        count = write_json_array(temporary / "records.json", records())
        _write(temporary / ".argilla" / "settings.json", argilla_settings(kind))
        _write(temporary / ".argilla" / "dataset.json", {"name": folder.name})
        _write(temporary / "users.json", {name: str(argilla_user(name)) for name in sorted(annotators)})
        write_guide(temporary, "argilla")
    return count


def pair_fields(pair: Pair) -> dict[str, str]:
    """Return what tells the pair of an exported record, by `PAIR_FIELDS`."""
    return dict(zip(PAIR_FIELDS, (pair.kind.value, pair.source, pair.left, pair.right), strict=True))


def exported_records(item: ExportItem) -> list[dict[str, Any]]:
    """Return the judgments of a pair as records of label files."""
    return [label_record(judgment) for judgment in item.judgments]


def argilla_user(annotator: str) -> UUID:
    """Return an annotator's id in the responses, derived from the name."""
    return uuid5(_OURS, annotator)


def argilla_settings(kind: PairKind) -> dict[str, Any]:
    """Return the dataset's settings for `rg.Settings.from_json`."""
    answers = ANSWERS[kind]
    return {
        "guidelines": None,
        "fields": [
            {"name": name, "title": title, "required": True, "settings": {"type": "text", "use_markdown": False}}
            for name, title in zip((LEFT, RIGHT), SIDES[kind], strict=True)
        ],
        "questions": [
            {
                "name": VERDICT_FIELD,
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
    """Return a record for `dataset.records.from_json`; a skip is discarded, and the texts are escaped as HTML."""
    pair = item.pair
    return {
        "id": str(uuid5(_OURS, json.dumps([pair.kind, pair.source, pair.left, pair.right]))),
        "fields": {LEFT: html.escape(item.texts.left, quote=False), RIGHT: html.escape(item.texts.right, quote=False)},
        "metadata": pair_fields(pair) | {"judgments": json.dumps(exported_records(item))},  # metadata are plain values
        "suggestions": {},
        "responses": {VERDICT_FIELD: [_response(judgment) for judgment in item.judgments]},
        "vectors": {},
    }


def _response(judgment: Judgment) -> dict[str, Any]:
    user = str(argilla_user(judgment.annotator))
    if judgment.verdict is Verdict.SKIP:
        return {"value": None, "user_id": user, "status": "discarded"}
    return {"value": judgment.verdict, "user_id": user, "status": "submitted"}


def _write(path: Path, record: dict[str, Any]) -> None:
    path.write_text(json_text(record, indent=2), "ascii")


def write_label_studio(folder: Path, kind: PairKind, items: Iterable[ExportItem]) -> int:
    """Write Label Studio's configuration and tasks; return the number of tasks. Raises as `export_folder`."""
    with export_folder(folder) as temporary:
        count = write_json_array(temporary / "tasks.json", map(label_studio_task, items))
        (temporary / "config.xml").write_text(label_studio_config(kind), "utf-8")
        write_guide(temporary, "label-studio")
    return count


def label_studio_config(kind: PairKind) -> str:
    """Return the labelling configuration: both texts side by side, answers with the keys 1 to 3 below."""
    view = ElementTree.Element("View")
    columns = ElementTree.SubElement(view, "View", style="display: flex; gap: 2em")
    for name, title in zip((LEFT, RIGHT), SIDES[kind], strict=True):
        column = ElementTree.SubElement(columns, "View", style="flex: 50%")
        ElementTree.SubElement(column, "Header", value=title)
        # the type is explicit because a server in secure mode treats every text as a URL
        ElementTree.SubElement(column, "Text", name=name, value=f"${name}", valueType="text")
    choices = ElementTree.SubElement(
        view, "Choices", name=VERDICT_FIELD, toName=RIGHT, choice="single-radio", required="true", showInLine="true"
    )
    for key, answer in enumerate(ANSWERS[kind].values(), 1):
        ElementTree.SubElement(choices, "Choice", value=answer, hotkey=str(key))
    ElementTree.indent(view)
    return ElementTree.tostring(view, encoding="unicode") + "\n"


def label_studio_task(item: ExportItem) -> dict[str, Any]:
    """Return a task in Label Studio's JSON; a skip is cancelled, and an adjudication is the ground truth."""
    return {
        "data": {
            LEFT: item.texts.left,  # Label Studio escapes the content of a Text tag
            RIGHT: item.texts.right,
            **pair_fields(item.pair),
            "judgments": exported_records(item),
        },
        "meta": {"annotators": [judgment.annotator for judgment in item.judgments]},
        "predictions": [],
        "annotations": [_annotation(judgment, ANSWERS[item.pair.kind]) for judgment in item.judgments],
    }


def _annotation(judgment: Judgment, answers: Mapping[Verdict, str]) -> dict[str, Any]:
    return {
        "result": [
            {
                "id": judgment.id,
                "from_name": VERDICT_FIELD,
                "to_name": RIGHT,
                "type": "choices",
                "value": {"choices": [answer]},
            }
            for verdict, answer in answers.items()
            if verdict is judgment.verdict
        ],
        "was_cancelled": judgment.verdict is Verdict.SKIP,
        "ground_truth": judgment.adjudicates,
        "lead_time": judgment.seconds,
        "created_at": judgment.at.isoformat(),
    }
