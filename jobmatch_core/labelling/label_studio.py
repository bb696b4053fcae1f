"""Export to Label Studio: a folder with the labelling configuration and the tasks to import.

    NAME/
      config.xml    paste it under Settings, Labeling Interface, Code, before the tasks are imported
      tasks.json    texts, predictions, annotations; import it as a file

The format is that of Label Studio 1.23 (label-studio-sdk 2.1). It knows annotators by e-mail address and refuses
addresses that it does not have; annotations of others are imported as those of the importing user, and the task's
`meta` names their annotators.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any
from xml.etree import ElementTree

from jobmatch_core.entities import Judgment, PairKind, Verdict
from jobmatch_core.errors import LabellingError
from jobmatch_core.io.folders import written_whole
from jobmatch_core.labelling.exports import ANSWERS, SIDES, ExportItem, write_json_array

_LEFT, _RIGHT, _CONTROL = "left", "right", "verdict"
_NOBODY: Mapping[str, str] = MappingProxyType({})


def write_label_studio(
    folder: Path, kind: PairKind, items: Iterable[ExportItem], *, emails: Mapping[str, str] = _NOBODY
) -> int:
    """Write configuration and tasks; the folder appears only when complete, and replaces an existing one.

    Args:
        folder: folder to write.
        kind: kind of the pairs.
        items: result of `export_items` for this kind.
        emails: annotator -> e-mail address of their Label Studio account.

    Returns:
        Number of tasks written.

    Raises:
        LabellingError: the folder cannot be written.
    """
    try:
        with written_whole(folder) as temporary:
            count = write_json_array(temporary / "tasks.json", (label_studio_task(item, emails) for item in items))
            (temporary / "config.xml").write_text(label_studio_config(kind), "utf-8")
    except OSError as error:
        raise LabellingError(f"{folder.name} could not be written ({error.strerror or error}).") from error
    return count


def label_studio_config(kind: PairKind) -> str:
    """Return the labelling configuration: both texts side by side, the answers below with the keys 1 to 3."""
    view = ElementTree.Element("View")
    columns = ElementTree.SubElement(view, "View", style="display: flex; gap: 2em")
    for name, title in zip((_LEFT, _RIGHT), SIDES[kind], strict=True):
        column = ElementTree.SubElement(columns, "View", style="flex: 50%")
        ElementTree.SubElement(column, "Header", value=title)
        # the type is explicit because a server in secure mode takes every text for an address
        ElementTree.SubElement(column, "Text", name=name, value=f"${name}", valueType="text")
    choices = ElementTree.SubElement(
        view, "Choices", name=_CONTROL, toName=_RIGHT, choice="single-radio", required="true", showInLine="true"
    )
    for key, answer in enumerate(ANSWERS[kind].values(), 1):
        ElementTree.SubElement(choices, "Choice", value=answer, hotkey=str(key))
    ElementTree.indent(view)
    return ElementTree.tostring(view, encoding="unicode") + "\n"


def label_studio_task(item: ExportItem, emails: Mapping[str, str] = _NOBODY) -> dict[str, Any]:
    """Return a task in Label Studio's JSON; a skipped one is cancelled, and an adjudication is the ground truth."""
    pair, suggestion = item.pair, item.suggestion
    answers = ANSWERS[pair.kind]
    return {
        "data": {
            _LEFT: item.texts.left,  # shown as plain text: Label Studio escapes what is in a Text tag
            _RIGHT: item.texts.right,
            "kind": pair.kind.value,
            "source": pair.source,
            "left_id": pair.left,
            "right_id": pair.right,
        },
        "meta": {"annotators": [judgment.annotator for judgment in item.judgments]},
        "predictions": [
            {
                "model_version": suggestion.agent,
                "score": suggestion.score,
                "result": [_choice("prediction", answers[suggestion.verdict])],
            }
        ]
        if suggestion
        else [],
        "annotations": [_annotation(judgment, answers, emails) for judgment in item.judgments],
    }


def _annotation(judgment: Judgment, answers: Mapping[Verdict, str], emails: Mapping[str, str]) -> dict[str, Any]:
    skipped = judgment.verdict is Verdict.SKIP
    email = emails.get(judgment.annotator)
    return {
        "result": [_choice(judgment.id, answer) for verdict, answer in answers.items() if verdict is judgment.verdict],
        "was_cancelled": skipped,
        "ground_truth": judgment.adjudicates,
        "lead_time": judgment.seconds,
        "created_at": judgment.at.isoformat(),
        **({"completed_by": {"email": email}} if email else {}),
    }


def _choice(name: str, answer: str) -> dict[str, Any]:
    return {
        "id": name,
        "from_name": _CONTROL,
        "to_name": _RIGHT,
        "type": "choices",
        "value": {"choices": [answer]},
    }
