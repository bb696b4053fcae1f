"""The folder for Label Studio; the same was taken by label-studio-sdk 2.1.2 when this was written."""

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from jobmatch_core.entities import PairKind
from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.annotation_tools import label_studio_config, label_studio_task, write_label_studio
from jobmatch_core.labelling.exports import ANSWERS, ExportItem, PairTexts
from jobmatch_core.labelling.label_records import label_record
from tests.core.labelling.made_judgments import judgment, pair

KIND = PairKind.PROJECT_FREELANCER
JUDGMENTS = (
    judgment("+", "ann", seconds=8.5),
    judgment("s", "bob", minute=1),
    judgment("-", "judge", minute=2, adjudicates=True),
)
ITEM = ExportItem(pair("p1"), PairTexts("C++ & <b>", "yes"), JUDGMENTS)


def choice(name: str, answer: str) -> dict[str, object]:
    """Return a result."""
    value = {"choices": [answer]}
    return {"id": name, "from_name": "verdict", "to_name": "right", "type": "choices", "value": value}


def test_a_task_by_hand() -> None:
    """A skip is cancelled, and an adjudication is the ground truth."""
    assert label_studio_task(ITEM) == {
        "data": {
            "left": "C++ & <b>",
            "right": "yes",
            "kind": "project-freelancer",
            "source": "demo",
            "left_id": "p1",
            "right_id": "f1",
            "judgments": [label_record(one) for one in JUDGMENTS],
        },
        "meta": {"annotators": ["ann", "bob", "judge"]},
        "predictions": [],
        "annotations": [
            {
                "result": [choice(JUDGMENTS[0].id, "fits")],
                "was_cancelled": False,
                "ground_truth": False,
                "lead_time": 8.5,
                "created_at": "2026-03-02T09:00:00+00:00",
            },
            {
                "result": [],
                "was_cancelled": True,
                "ground_truth": False,
                "lead_time": None,
                "created_at": "2026-03-02T09:01:00+00:00",
            },
            {
                "result": [choice(JUDGMENTS[2].id, "lacks skills")],
                "was_cancelled": False,
                "ground_truth": True,
                "lead_time": None,
                "created_at": "2026-03-02T09:02:00+00:00",
            },
        ],
    }


@pytest.mark.parametrize("kind", PairKind)
def test_the_set_up_fits_the_tasks(kind: PairKind) -> None:
    """It is XML; what results name is there, texts are plain and come from the data, all answers can be chosen."""
    view = ElementTree.fromstring(label_studio_config(kind))
    task = label_studio_task(replace(ITEM, pair=pair(kind=kind)))
    shown = {text.get("name"): text for text in view.iter("Text")}
    assert set(shown) == {"left", "right"}
    for name, text in shown.items():
        assert text.get("value") == f"${name}"
        assert name in task["data"]
        assert text.get("valueType") == "text"
    [choices] = view.iter("Choices")
    assert choices.get("toName") in shown
    assert [each.get("value") for each in choices] == list(ANSWERS[kind].values())
    assert [each.get("hotkey") for each in choices] == ["1", "2", "3"]
    results = [result for each in task["annotations"] for result in each["result"]]
    assert {result["from_name"] for result in results} == {choices.get("name")}
    assert {result["to_name"] for result in results} == {choices.get("toName")}


def test_the_folder(tmp_path: Path) -> None:
    """An older one is replaced."""
    folder = tmp_path / "pairs"
    for _ in range(2):
        assert write_label_studio(folder, KIND, [ITEM, ITEM]) == 2
    assert {path.name for path in folder.iterdir()} == {"README.md", "config.xml", "tasks.json"}
    assert json.loads((folder / "tasks.json").read_text("ascii")) == [label_studio_task(ITEM)] * 2
    assert (folder / "config.xml").read_text("utf-8") == label_studio_config(KIND)
    assert [each.name for each in tmp_path.iterdir()] == ["pairs"]


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """Is told."""
    (tmp_path / "file").write_text("")
    with pytest.raises(LabellingError, match="pairs could not be written"):
        write_label_studio(tmp_path / "file" / "pairs", KIND, [])
