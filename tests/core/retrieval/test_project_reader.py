"""Projects as users bring them: texts, records, tables."""

import json
from pathlib import Path

import pytest

from jobmatch_core.entities import NamedSkill, Place, Project
from jobmatch_core.errors import DataFileError, MatchingError
from jobmatch_core.retrieval.project_reader import ProjectReader
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore

PYTHON = "urn:jobmatch:skill:python"


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> ProjectReader:
    """Read with the bundled taxonomy's skills."""
    return ProjectReader(TaxonomyStore.open(Settings(tmp_path_factory.mktemp("home"))).load())


def written(path: Path, content: object) -> Path:
    """Write a text, or an object as JSON."""
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def keys(skills: tuple[NamedSkill, ...]) -> list[str]:
    """Return the skills' keys, without what all have."""
    return [skill.key.removeprefix("urn:jobmatch:skill:") for skill in skills]


def test_a_text(reader: ProjectReader, tmp_path: Path) -> None:
    """The same from a file, whatever its ending, and with a byte order mark."""
    text = "Datenprojekt\nWir suchen jemanden, der Python und maschinelles Lernen kann."
    project = reader.text(text)
    assert (project.language, keys(project.mandatory)) == ("de", ["python", "machine-learning"])
    assert reader.file(written(tmp_path / "brief.txt", "\ufeff" + text)) == project
    assert reader.text("Python", language="fr").language == "fr"


def test_a_record_with_all_fields(reader: ProjectReader, tmp_path: Path) -> None:
    """Skills by name in any language; groups are named in the project's."""
    record = {
        "id": "p7",
        "language": "de",
        "title": "Datenprojekt",
        "job_title": "Entwickler",
        "description": "Java ist da.",
        "family": "25",
        "category": "2512",
        "mandatory": ["Python", "Klöppeln"],
        "bonus": "machine learning; SQL",
        "created": "2026-01-31",
        "country": "de",
        "latitude": 52.5,
        "longitude": 13.4,
    }
    project = reader.file(written(tmp_path / "p.json", record))
    assert project == Project(
        id="p7",
        language="de",
        title="Datenprojekt",
        job_title="Entwickler",
        description="Java ist da.",
        family="25",
        family_name=project.family_name,
        category="2512",
        category_name="Fachleute für Softwareentwicklung",
        mandatory=(NamedSkill(PYTHON, "Python"), NamedSkill("text:kloppeln", "Klöppeln")),
        bonus=(NamedSkill("urn:jobmatch:skill:machine-learning", "machine learning"), project.bonus[1]),
        created="2026-01-31",
        country="DE",
        place=Place(52.5, 13.4),
    )
    assert project.family_name
    assert keys(project.bonus)[1] == "sql"


def test_what_is_missing_is_guessed(reader: ProjectReader, tmp_path: Path) -> None:
    """The language, the skills, the id; and a category stays open."""
    project = reader.file(written(tmp_path / "p.json", {"description": "We need help with our Python and the tests."}))
    assert (project.id, project.language, project.category, project.category_name) == ("pasted", "en", "", "")
    assert "python" in keys(project.mandatory)


def test_a_table(reader: ProjectReader, tmp_path: Path) -> None:
    """A project a row; without an id, it is called by its row."""
    path = written(tmp_path / "p.csv", "title,id\nPython,\nSQL,p2\n")
    [projects] = reader.table(path)
    assert [(project.id, keys(project.mandatory)) for project in projects] == [("1", ["python"]), ("p2", ["sql"])]


def test_many_rows_keep_their_numbers(reader: ProjectReader, tmp_path: Path) -> None:
    """Across batches."""
    path = written(tmp_path / "p.jsonl", "\n".join(json.dumps({"title": f"Shop {row}"}) for row in range(450)))
    ids = [project.id for batch in reader.table(path) for project in batch]
    assert ids == [str(row) for row in range(1, 451)]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        pytest.param("p.json", "{", "this is not JSON", id="broken"),
        pytest.param("p.json", [1], "expected one JSON object", id="a list"),
        pytest.param("p.json", {}, "neither a title nor a description", id="empty"),
        pytest.param("p.json", "null", "expected one JSON object", id="null"),
        pytest.param("p.json", {"title": ["a", "b"]}, "title is a list, an object or bytes; expected", id="list"),
        pytest.param("p.json", {"title": "x", "bonus": {"a": 1}}, "bonus is a list, an object or bytes", id="object"),
        pytest.param(
            "p.json", {"title": "x", "language": "klingon"}, "row 1: 'klingon' is not a language", id="language"
        ),
        pytest.param("p.json", {"title": "x", "latitude": 99, "longitude": 0}, "row 1: latitude is", id="place"),
        pytest.param("p.json", {"title": "x", "mandatory": [1]}, "an item that is not text", id="skill"),
    ],
)
def test_records_that_cannot_be_read(
    reader: ProjectReader, tmp_path: Path, name: str, content: object, message: str
) -> None:
    """The file, and what is wrong."""
    with pytest.raises(DataFileError, match=message):
        reader.file(written(tmp_path / name, content))


def test_files_that_cannot_be_read(reader: ProjectReader, tmp_path: Path) -> None:
    """Missing, of another encoding, without a text, without rows."""
    with pytest.raises(DataFileError, match=r"p\.txt: the file cannot be read"):
        reader.file(tmp_path / "p.txt")
    (tmp_path / "latin.txt").write_bytes("Köln".encode("latin-1"))
    with pytest.raises(DataFileError, match="this is not UTF-8 text"):
        reader.file(tmp_path / "latin.txt")
    with pytest.raises(MatchingError, match="The project has no text"):
        reader.file(written(tmp_path / "empty.txt", "\n"))
    with pytest.raises(DataFileError, match="the file has no rows"):
        list(reader.table(written(tmp_path / "p.csv", "title\n")))
