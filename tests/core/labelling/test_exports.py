"""What other tools get: which pairs, whose judgments, which texts."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from jobmatch_core.entities import Judgment, Pair, PairKind, Verdict
from jobmatch_core.errors import LabellingError, SettingsError
from jobmatch_core.labelling.export_formats import TOOLS, export_format, export_formats, export_labels
from jobmatch_core.labelling.exports import ANSWERS, SIDES, ExportItem, PairTexts, export_items, write_json_array
from tests.core.labelling.made_judgments import judgment, pair, said


def texts(of: Pair) -> PairTexts:
    """Return texts that are the ids."""
    return PairTexts(f"text of {of.left}", f"text of {of.right}")


def items(history: list[Judgment]) -> list[ExportItem]:
    """Return the projects and freelancers of a history."""
    return list(export_items(PairKind.PROJECT_FREELANCER, history, texts))


def test_one_item_a_pair() -> None:
    """With the current judgments of all annotators; of other kinds none."""
    history = [*said(["++", ".-"]), judgment("+", of=pair("Koch", "cook", PairKind.TITLE_TITLE))]
    first, second = items(history)
    assert (first.pair.left, len(first.judgments)) == ("p0", 1)
    assert [each.verdict for each in second.judgments] == [Verdict.POSITIVE, Verdict.NEGATIVE]
    assert second.texts == PairTexts("text of p1", "text of f1")
    [titles] = export_items(PairKind.TITLE_TITLE, history, texts)
    assert titles.pair.left == "Koch"


def test_an_adjudication_takes_the_place_of_what_one_said_before() -> None:
    """Other tools know one answer of each person."""
    settles = judgment("-", "a", pair("p0"), minute=5, adjudicates=True)
    changed = judgment("+", "a", pair("p0"), minute=9)
    [item] = items([*said(["+", "+"]), settles, changed])
    assert sorted((each.annotator, each.verdict) for each in item.judgments) == [
        ("a", Verdict.NEGATIVE),
        ("b", Verdict.POSITIVE),
    ]


def test_texts_that_are_gone() -> None:
    """A missing text is an error that names the pair."""
    with pytest.raises(LabellingError, match="The texts of 'p0' and 'f1' of 'demo' are missing"):
        list(export_items(PairKind.PROJECT_FREELANCER, said(["+"]), {}.__getitem__))


def test_every_kind_has_words() -> None:
    """For both sides, and for every verdict but the skip."""
    for kind in PairKind:
        assert len(SIDES[kind]) == 2
        assert set(ANSWERS[kind]) == set(Verdict) - {Verdict.SKIP}
        assert len(set(ANSWERS[kind].values())) == 3


@pytest.mark.parametrize("records", [[], [{"a": "é\u2028"}], [{"a": 1}, {"b": [None, "\ud800"]}]])
def test_json_arrays(tmp_path: Path, records: list[dict[str, object]]) -> None:
    """Any JSON reader gets what was given."""
    assert write_json_array(tmp_path / "a.json", records) == len(records)
    assert json.loads((tmp_path / "a.json").read_bytes().decode("ascii")) == records


def test_a_tool_is_one_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It gets the pairs of one kind; it is listed, and a file's name does not suit it."""
    seen: list[object] = []

    def write(folder: Path, kind: PairKind, found: Iterable[ExportItem]) -> int:
        seen.extend((folder, kind, *(item.texts.left for item in found)))
        return 1

    monkeypatch.setitem(TOOLS, "prodigy", write)
    assert {"jsonl", "csv", "argilla", "label-studio", "prodigy"} <= set(export_formats())
    assert export_format(tmp_path / "out", "prodigy") == "prodigy"
    assert export_labels(tmp_path, "prodigy", PairKind.PROJECT_FREELANCER, said(["+"]), texts) == 1
    assert seen == [tmp_path, PairKind.PROJECT_FREELANCER, "text of p0"]
    with pytest.raises(SettingsError, match=r"The format prodigy needs a folder, but the name is out\.csv"):
        export_format(tmp_path / "out.csv", "prodigy")
