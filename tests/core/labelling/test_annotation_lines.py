"""The folders for Prodigy and doccano, by hand."""

import json
from pathlib import Path

import pytest

from jobmatch_core.entities import PairKind
from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.annotation_lines import write_doccano, write_prodigy
from jobmatch_core.labelling.exports import ExportItem, PairTexts
from jobmatch_core.labelling.label_records import label_record
from tests.core.labelling.made_judgments import judgment, pair

KIND = PairKind.PROJECT_FREELANCER
JUDGMENTS = (judgment("-", "ann", minute=1), judgment("s", "bob"))
ITEM = ExportItem(pair("p1"), PairTexts("Köche & <b>", "C++"), JUDGMENTS)
TEXT = "Project:\nKöche & <b>\n\nFreelancer:\nC++"
FIELDS = {"kind": "project-freelancer", "source": "demo", "left_id": "p1", "right_id": "f1"}
RECORDS = [label_record(one) for one in JUDGMENTS]


def lines(path: Path) -> list[object]:
    """Return the objects of JSON lines."""
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]


def test_prodigys_folder(tmp_path: Path) -> None:
    """A task a pair, and an annotation a judgment; a skip is ignored. An older folder is replaced."""
    for _ in range(2):
        assert write_prodigy(tmp_path / "pairs", KIND, iter([ITEM])) == 1
    assert {path.name for path in (tmp_path / "pairs").iterdir()} == {"README.md", "tasks.jsonl", "annotations.jsonl"}
    task = {
        "text": TEXT,
        "left": "Köche & <b>",
        "right": "C++",
        "options": [
            {"id": "positive", "text": "fits"},
            {"id": "negative", "text": "lacks skills"},
            {"id": "unsure", "text": "not sure"},
        ],
        "meta": {"pair": "project-freelancer", "source": "demo"},
        **FIELDS,
        "judgments": RECORDS,
    }
    assert lines(tmp_path / "pairs" / "tasks.jsonl") == [task]
    by = {"_view_id": "choice"}
    assert lines(tmp_path / "pairs" / "annotations.jsonl") == [
        task
        | by
        | {"accept": ["negative"], "answer": "accept", "judgment_id": JUDGMENTS[0].id, "_timestamp": 1772442060}
        | {"_annotator_id": "ann", "_session_id": "ann"},
        task
        | by
        | {"accept": [], "answer": "ignore", "judgment_id": JUDGMENTS[1].id, "_timestamp": 1772442000}
        | {"_annotator_id": "bob", "_session_id": "bob"},
    ]


def test_doccanos_folder(tmp_path: Path) -> None:
    """Documents without labels, whose other fields become metadata, and the labels with their keys."""
    assert write_doccano(tmp_path / "pairs", KIND, [ITEM]) == 1
    assert lines(tmp_path / "pairs" / "pairs.jsonl") == [
        {"text": TEXT, "label": [], **FIELDS, "judgments": json.dumps(RECORDS)}
    ]
    assert json.loads((tmp_path / "pairs" / "labels.json").read_text("ascii")) == [
        {"text": "fits", "suffix_key": "1"},
        {"text": "lacks skills", "suffix_key": "2"},
        {"text": "not sure", "suffix_key": "3"},
    ]


@pytest.mark.parametrize("write", [write_prodigy, write_doccano])
def test_a_folder_that_cannot_be_made(write: object, tmp_path: Path) -> None:
    """The error names it, and nothing is left."""
    (tmp_path / "file").write_text("")
    with pytest.raises(LabellingError, match="pairs could not be written"):
        write(tmp_path / "file" / "pairs", KIND, [ITEM])  # type: ignore[operator]
    assert write_prodigy(tmp_path / "empty", KIND, []) == 0
