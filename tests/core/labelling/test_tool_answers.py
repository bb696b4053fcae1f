"""What tools give back of exported pairs: round trips without loss, new answers by hand, and files that are refused.

Label Studio's and Argilla's files are taken by label-studio-sdk 2.1.2 and argilla 2.8.0; Prodigy's are made by its
documentation, and doccano's by the exporter of version 1.8.4.
"""

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from jobmatch_core.entities import Judgment, PairKind, Verdict
from jobmatch_core.errors import DataFileError, SettingsError
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.labelling.annotation_tools import argilla_user
from jobmatch_core.labelling.export_formats import TOOLS
from jobmatch_core.labelling.export_guides import GUIDES
from jobmatch_core.labelling.exports import ExportItem, PairTexts
from jobmatch_core.labelling.tool_answers import READERS, read_answers
from tests.core.labelling.made_judgments import judgment, pair

KIND = PairKind.TITLE_TITLE
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
DATA = Path(__file__).parents[2] / "data" / "annotation_tools"
BACK = {
    "label-studio": "tasks.json",
    "argilla": "records.json",
    "prodigy": "annotations.jsonl",
    "doccano": "pairs.jsonl",
}  # what comes back unchanged of an exported folder
FIRST, SECOND = pair("Köchin", "cook", KIND), pair("nurse", "Pflegerin", KIND)
ITEMS = [
    ExportItem(
        FIRST,
        PairTexts("Köchin", "cook & <b>"),
        (
            judgment("+", "ann", FIRST, seconds=8.5, reasons=("experience",), note="ä\n'"),
            judgment("s", "bob", FIRST, minute=1),
            judgment("-", "judge", FIRST, minute=2, adjudicates=True),
        ),
    ),
    ExportItem(SECOND, PairTexts("nurse", "Pflegerin"), (judgment("?", "ann", SECOND, minute=3),)),
]
ALL = [judgment for item in ITEMS for judgment in item.judgments]


def exported(folder: Path, tool: str, items: Iterable[ExportItem] = ITEMS) -> Path:
    """Export the items; return the file of which a tool makes its own."""
    TOOLS[tool](folder / tool, KIND, items)
    return folder / tool / BACK[tool]


def rewritten(path: Path, change: Callable[[list[Any]], object]) -> Path:
    """Change the records of a JSON list or of JSON lines."""
    text = path.read_text("utf-8")
    records = [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else json.loads(text)
    change(records)
    lines = "\n".join(map(json.dumps, records))
    path.write_text(lines if path.suffix == ".jsonl" else json.dumps(records), "utf-8")
    return path


def new(found: Iterable[Judgment]) -> list[Judgment]:
    """Return the judgments that were not exported."""
    return [one for one in found if one not in ALL]


@pytest.mark.parametrize("tool", TOOLS)
def test_every_tool_gives_back_what_it_was_given(tool: str, tmp_path: Path) -> None:
    """All judgments, with ids, times, notes and adjudications, and no others."""
    found = read_answers(exported(tmp_path, tool), tool)
    assert sorted(found, key=lambda one: one.id) == sorted(ALL, key=lambda one: one.id)


def test_every_export_can_be_read_and_has_a_guide(tmp_path: Path) -> None:
    """Its README says how the answers come back."""
    assert set(TOOLS) == set(READERS) == set(GUIDES)
    for tool in TOOLS:
        exported(tmp_path, tool)
        guide = (tmp_path / tool / "README.md").read_text("utf-8")
        assert f"--format {tool}" in guide
        assert "Do not change or remove the fields `kind`" in guide


def test_the_python_of_the_guides_is_python() -> None:
    """It compiles."""
    blocks = [block.partition("```")[0] for guide in GUIDES.values() for block in guide.split("```python\n")[1:]]
    assert len(blocks) == 4
    for block in blocks:
        compile(block, "guide", "exec")


def test_label_studios_file_by_hand() -> None:
    """Eva, who has an address, changed Ann's answer; user 3 skipped; a draft without an answer is left out."""
    found = read_answers(DATA / "label_studio.json", "label-studio", now=NOW)
    assert [(one.annotator, one.verdict, one.provenance.policy) for one in found] == [
        ("ann", Verdict.POSITIVE, "label-pairs"),
        ("eva@example.org", Verdict.NEGATIVE, "import-label-studio"),
        ("label-studio-3", Verdict.SKIP, "import-label-studio"),
    ]
    assert {one.pair for one in found} == {FIRST}
    assert (found[1].seconds, found[1].at) == (12.25, datetime(2026, 4, 1, 8, 30, tzinfo=UTC))
    assert found[2].provenance.origin is Origin.BULK
    assert read_answers(DATA / "label_studio.json", "label-studio") == found


def test_argillas_folder_by_hand() -> None:
    """Bob is known by users.json, Ann by the id that she was exported with; a null is a discarded record."""
    found = read_answers(DATA / "argilla", "argilla", now=NOW)
    assert [(one.annotator, one.verdict, one.at) for one in new(found)] == [
        ("ann", Verdict.POSITIVE, datetime(2026, 3, 2, 9, tzinfo=UTC)),  # exported
        ("ann", Verdict.UNSURE, NOW),
        ("bob", Verdict.SKIP, NOW),
    ]
    again = read_answers(DATA / "argilla" / "records.json", "argilla")
    assert [one.id for one in again] == [one.id for one in found]


def test_prodigys_lines_by_hand() -> None:
    """An accepted option, an ignored and a rejected task; a task without an answer says nothing."""
    found = read_answers(DATA / "prodigy.jsonl", "prodigy")
    assert [(one.annotator, one.verdict) for one in found] == [
        ("pairs-eva", Verdict.NEGATIVE),
        ("pairs-bob", Verdict.SKIP),
        ("pairs-cleo", Verdict.SKIP),
    ]
    assert found[0].at == datetime.fromtimestamp(1775032200, UTC)


def test_doccanos_lines_by_hand(tmp_path: Path) -> None:
    """The file's name is the annotator's; all.jsonl needs one."""
    content = (DATA / "eva.jsonl").read_text("utf-8")
    found = read_answers(DATA / "eva.jsonl", "doccano")
    assert [(one.annotator, one.verdict, one.pair) for one in found] == [("eva", Verdict.POSITIVE, FIRST)]
    assert [one.annotator for one in read_answers(DATA / "eva.jsonl", "doccano", annotator="Eva")] == ["Eva"]
    (tmp_path / "all.jsonl").write_text(content, "utf-8")
    with pytest.raises(DataFileError, match=r"all.jsonl, line 1: .* give the name as --annotator"):
        read_answers(tmp_path / "all.jsonl", "doccano")


def test_a_verdict_that_somebody_repeats_is_not_new(tmp_path: Path) -> None:
    """Ann gives the answer again that was exported; Bob gives another in place of his skip."""

    def answer(records: list[Any]) -> None:
        responses = records[0]["responses"]["verdict"]
        responses[1] = {"value": "positive", "user_id": str(argilla_user("bob"))}

    found = new(read_answers(rewritten(exported(tmp_path, "argilla"), answer), "argilla"))
    assert [(one.annotator, one.verdict) for one in found] == [("bob", Verdict.POSITIVE)]


@pytest.mark.parametrize(
    ("tool", "change", "problem"),
    [
        ("label-studio", lambda tasks: tasks[0].pop("annotations"), "export it as JSON, not as JSON-MIN"),
        ("label-studio", lambda tasks: tasks[0].pop("data"), "it has no kind"),
        (
            "label-studio",
            lambda tasks: tasks[0]["annotations"][0]["result"][0]["value"].update(choices=["yes"]),
            "the answer 'yes' is none of the same work, other work, not sure",
        ),
        ("label-studio", lambda tasks: tasks[0].update(annotations=3), "it has another form than label-studio's"),
        ("argilla", lambda records: records[0]["metadata"].pop("source"), "it has no source"),
        ("argilla", lambda records: records[0]["metadata"].update(kind="people"), "no kind of pair 'people'"),
        ("argilla", lambda records: records[0]["metadata"].update(judgments="[1]"), "not a list of records"),
        (
            "argilla",
            lambda records: records[0]["responses"]["verdict"].append({"value": "positive", "user_id": "x"}),
            "it does not say whose answer this is; give the name as --annotator",
        ),
        ("prodigy", lambda tasks: tasks[0].update(left_id="other"), "are of another pair"),
        ("prodigy", lambda tasks: tasks[0].update(answer="maybe"), "expected accept, reject or ignore"),
        ("prodigy", lambda tasks: tasks[0].update(accept=[]), "0 answers are accepted; expected one"),
        ("prodigy", lambda tasks: tasks[0].update(_timestamp=1e300), "is no time"),
        ("doccano", lambda rows: rows[0].update(label=["not sure", "other work"]), "it has several labels"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(
    tool: str, change: Callable[[list[Any]], object], problem: str, tmp_path: Path
) -> None:
    """The error names the line, and how to get a file that can."""
    path = rewritten(exported(tmp_path, tool), change)
    with pytest.raises(DataFileError, match=problem) as raised:
        read_answers(path, tool)
    assert raised.value.line is not None
    assert f"jobmatch labels export --format {tool}" in str(raised.value)


def test_a_tool_that_is_unknown(tmp_path: Path) -> None:
    """The error names those that are known."""
    with pytest.raises(SettingsError, match="choose one of label-studio, argilla, prodigy, doccano"):
        read_answers(tmp_path, "excel")


def test_users_that_cannot_be_read(tmp_path: Path) -> None:
    """The error names their file."""
    path = exported(tmp_path, "argilla")
    (path.parent / "users.json").write_text("[1]")
    with pytest.raises(DataFileError, match=r"users.json: the names and ids of users cannot be read"):
        read_answers(path, "argilla")
