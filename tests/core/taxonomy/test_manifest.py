"""The manifest: round trip, and damage told as damage."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from jobmatch_core.errors import TaxonomyError
from jobmatch_core.taxonomy import Manifest

MANIFEST = Manifest(
    id="esco-1.1.1",
    name="ESCO – Größe",
    version="1.1.1",
    languages=("bg", "en"),
    counts={"occupations": 3, "groups": 1, "names": 9, "skills": 2, "relations": 4},
    source_hash="ab" * 32,
    attribution="© European Commission",
    created="2026-01-02T03:04:05+00:00",
)


def test_round_trip(tmp_path: Path) -> None:
    """What is saved is what is loaded, letter by letter."""
    MANIFEST.save(tmp_path)
    assert Manifest.load(tmp_path) == MANIFEST
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]


def test_notes_are_kept(tmp_path: Path) -> None:
    """A manifest of before there were notes has none."""
    noted = replace(MANIFEST, notes=("1 concept was counted once.",))
    noted.save(tmp_path)
    assert Manifest.load(tmp_path) == noted
    (tmp_path / "manifest.json").write_text(_without("notes"), "utf-8")
    assert Manifest.load(tmp_path) == MANIFEST


def test_file_is_readable_by_people(tmp_path: Path) -> None:
    """It is indented JSON without escapes."""
    MANIFEST.save(tmp_path)
    text = (tmp_path / "manifest.json").read_text("utf-8")
    assert '\n  "name": "ESCO – Größe",\n' in text
    assert json.loads(text)["languages"] == ["bg", "en"]


def test_other_format_must_be_imported_again(tmp_path: Path) -> None:
    """A taxonomy of another release is not read by chance."""
    folder = tmp_path / "esco-1.1.1"
    folder.mkdir()
    replace(MANIFEST, format=MANIFEST.format + 1).save(folder)
    with pytest.raises(TaxonomyError, match=r"^The taxonomy esco-1\.1\.1 was stored by another release"):
        Manifest.load(folder)


def test_other_format_with_other_fields_must_be_imported_again(tmp_path: Path) -> None:
    """A release that has other fields is told from damage by its format."""
    MANIFEST.save(tmp_path)
    fields = json.loads((tmp_path / "manifest.json").read_text("utf-8"))
    (tmp_path / "manifest.json").write_text(json.dumps({**fields, "format": 2, "licence": "CC BY"}))
    with pytest.raises(TaxonomyError, match="another release"):
        Manifest.load(tmp_path)


def _without(field: str) -> str:
    fields = {name: getattr(MANIFEST, name) for name in Manifest.__slots__ if name != field}
    return json.dumps(fields)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b'{"id": "esco', id="cut short"),
        pytest.param(b"\x00" * 50, id="NULs"),
        pytest.param(b"\xff\xfe{\x00}\x00", id="not UTF-8"),
        pytest.param(b"[]", id="a list"),
        pytest.param(b"null", id="null"),
        pytest.param(b"{}", id="no fields"),
        pytest.param(_without("id").encode(), id="no id"),
        pytest.param(_without("languages").encode(), id="no languages"),
        pytest.param(_without("x")[:-1].encode() + b', "more": 1}', id="unknown field"),
        pytest.param(json.dumps({**json.loads(_without("x")), "languages": None}).encode(), id="languages are null"),
        pytest.param(json.dumps({**json.loads(_without("x")), "languages": "en"}).encode(), id="languages are a text"),
    ],
)
def test_damaged(tmp_path: Path, content: bytes) -> None:
    """The error names the folder and says what to do."""
    folder = tmp_path / "esco-1.1.1"
    folder.mkdir()
    (folder / "manifest.json").write_bytes(content)
    with pytest.raises(TaxonomyError, match=r"^The taxonomy in esco-1\.1\.1 is damaged .*; remove it and import it"):
        Manifest.load(folder)


def test_missing(tmp_path: Path) -> None:
    """A folder without a manifest is damaged, too."""
    with pytest.raises(TaxonomyError, match="is damaged"):
        Manifest.load(tmp_path)
