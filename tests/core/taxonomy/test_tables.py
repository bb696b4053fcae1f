"""Skills of a taxonomy, and the search among their names; and where concepts stand.

The manifest: round trip, and damage told as damage.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.errors import TaxonomyError
from jobmatch_core.taxonomy import Manifest, Taxonomy
from jobmatch_core.taxonomy.tables import GROUP, RowGroups
from jobmatch_core.taxonomy.taxonomy import search_names, search_skills
from tests.core.taxonomy.conftest import ISCO, OCCUPATION, SKILL


@pytest.fixture
def esco(load_esco: Callable[[dict[str, str]], Taxonomy], esco_files: dict[str, str]) -> Taxonomy:
    """The tiny ESCO."""
    return load_esco(esco_files)


def test_skills(esco: Taxonomy) -> None:
    """Names by language, kind, and who asks for a skill."""
    skills = esco.skill_catalogue
    drugs, zeal = skills.number(f"{SKILL}drugs"), skills.number(f"{SKILL}zeal")
    assert [(name.language, name.text, name.preferred) for name in skills.names(drugs)] == [
        ("de", "Arznei geben", True),
        ("en", "administer medicine", True),
    ]
    assert (skills.name(drugs, "de"), skills.name(drugs, "fr")) == ("Arznei geben", "administer medicine")
    assert skills.kinds[drugs] == "knowledge"
    nurse = esco.number(f"{OCCUPATION}nurse")
    assert skills.occupations(drugs) == [(nurse, True)]
    assert skills.occupations(zeal) == [(nurse, False)]
    assert not skills.has_skill(f"{SKILL}unknown")
    with pytest.raises(TaxonomyError, match="no skill 'x'"):
        skills.number("x")


def test_search_of_skills(esco: Taxonomy) -> None:
    """The closest name of each skill, in any language."""
    [hit] = search_skills(esco, "arznei", show="en")
    assert (hit.uri, hit.name, hit.matched, hit.language) == (
        f"{SKILL}drugs",
        "administer medicine",
        "Arznei geben",
        "de",
    )
    assert len(search_skills(esco, "e", show="en")) == 3
    assert len(search_skills(esco, "e", show="en", limit=2)) == 2
    assert search_skills(esco, " ", show="en") == []


def test_search_of_groups(esco: Taxonomy) -> None:
    """No occupations among them."""
    assert [hit.uri for hit in search_names(esco, "own nursing", show="en", kind=GROUP)] == [f"{ISCO}2221"]
    assert search_names(esco, "own nursing", show="en") == []


def test_where_concepts_stand(esco: Taxonomy) -> None:
    """By code, above, and as a group."""
    assert esco.with_code("2221.1") == [f"{OCCUPATION}nurse"]
    assert esco.with_code("") == []
    assert esco.broader(f"{OCCUPATION}icu") == [f"{OCCUPATION}nurse"]
    assert esco.group_uri("2221") == f"{ISCO}2221"
    assert esco.is_occupation(f"{OCCUPATION}icu")
    assert not esco.is_occupation(f"{ISCO}2221")
    assert esco.descriptions(f"{OCCUPATION}nurse") == {"en": "Cares for patients.", "de": "Pflegt Kranke."}
    with pytest.raises(TaxonomyError, match="no ISCO-08 group '9999'"):
        esco.group_uri("9999")


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
    (tmp_path / "manifest.json").write_text(json.dumps({**fields, "format": 3, "licence": "CC BY"}))
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


@given(st.lists(st.integers(0, 5)))
def test_rows_of_a_number(numbers: list[int]) -> None:
    """They are in the order of the table; a number may have none."""
    groups = RowGroups.of(pd.Series(numbers, dtype="int32"), 7)
    for number in range(7):
        assert groups[number] == [row for row, other in enumerate(numbers) if other == number]
