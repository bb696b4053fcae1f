"""The folder for Argilla; the same was read by argilla 2.8.0 itself when this was written."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest

from jobmatch_core.entities import PairKind
from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.annotation_tools import argilla_record, argilla_settings, argilla_user, write_argilla
from jobmatch_core.labelling.exports import ExportItem, PairTexts
from jobmatch_core.labelling.label_records import label_record
from tests.core.labelling.made_judgments import judgment, pair

KIND = PairKind.PROJECT_FREELANCER
ITEM = ExportItem(
    pair("p1"),
    PairTexts("C++ & <script>alert(1)</script>", 'says "yes"'),
    (judgment("+", "ann"), judgment("?", "bob"), judgment("s", "Cleo")),
)


def test_a_record_by_hand() -> None:
    """A response a person, a skip is discarded, and markup in texts is text."""
    record = argilla_record(ITEM)
    assert UUID(str(record.pop("id"))).version == 5
    assert record == {
        "fields": {"left": "C++ &amp; &lt;script&gt;alert(1)&lt;/script&gt;", "right": 'says "yes"'},
        "metadata": {
            "kind": "project-freelancer",
            "source": "demo",
            "left_id": "p1",
            "right_id": "f1",
            "judgments": json.dumps([label_record(one) for one in ITEM.judgments]),
        },
        "suggestions": {},
        "responses": {
            "verdict": [
                {"value": "positive", "user_id": str(argilla_user("ann")), "status": "submitted"},
                {"value": "unsure", "user_id": str(argilla_user("bob")), "status": "submitted"},
                {"value": None, "user_id": str(argilla_user("Cleo")), "status": "discarded"},
            ]
        },
        "vectors": {},
    }


def test_records_of_different_pairs_have_different_ids() -> None:
    """The id follows from the pair."""
    assert argilla_record(replace(ITEM, pair=pair("p2")))["id"] != argilla_record(ITEM)["id"]


def test_users_are_known_by_their_names() -> None:
    """The same id in every export."""
    assert argilla_user("ann") == argilla_user("ann") != argilla_user("Ann")


@pytest.mark.parametrize("kind", PairKind)
def test_settings(kind: PairKind) -> None:
    """Two fields that are no Markdown, and a question with the verdicts for answers."""
    settings = argilla_settings(kind)
    assert [field["name"] for field in settings["fields"]] == ["left", "right"]
    [question] = settings["questions"]
    options = question["settings"]["options"]
    assert [option["value"] for option in options] == ["positive", "negative", "unsure"]
    assert settings["guidelines"] is None


def test_the_folder(tmp_path: Path) -> None:
    """As `rg.Dataset.from_disk` looks for it; an older one is replaced."""
    folder = tmp_path / "pairs"
    for _ in range(2):
        assert write_argilla(folder, KIND, iter([ITEM])) == 1
    written = {
        path.relative_to(folder).as_posix(): json.loads(path.read_text("ascii")) for path in folder.rglob("*.json")
    }
    assert set(written) == {".argilla/dataset.json", ".argilla/settings.json", "records.json", "users.json"}
    assert written[".argilla/dataset.json"] == {"name": "pairs"}
    assert written[".argilla/settings.json"] == argilla_settings(KIND)
    assert written["records.json"] == [argilla_record(ITEM)]
    assert written["users.json"] == {name: str(argilla_user(name)) for name in ("Cleo", "ann", "bob")}
    assert [each.name for each in tmp_path.iterdir()] == ["pairs"]


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """Is told."""
    (tmp_path / "file").write_text("")
    with pytest.raises(LabellingError, match="pairs could not be written"):
        write_argilla(tmp_path / "file" / "pairs", KIND, [])


def test_nothing_is_left_when_texts_are_gone(tmp_path: Path) -> None:
    """The error comes half way."""

    def broken() -> Iterator[ExportItem]:
        yield ITEM
        raise LabellingError("The texts are not there.")

    with pytest.raises(LabellingError, match="not there"):
        write_argilla(tmp_path / "pairs", KIND, broken())
    assert list(tmp_path.iterdir()) == []
