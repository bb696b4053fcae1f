"""Tiny taxonomies, made by hand, as files under tmp_path."""

import csv
import io
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from tests.core.taxonomy.made_stores import OLD

OCCUPATION = "http://data.europa.eu/esco/occupation/"
SKILL = "http://data.europa.eu/esco/skill/"
ISCO = "http://data.europa.eu/esco/isco/C"

_OCCUPATION_COLUMNS = [
    "conceptType",
    "conceptUri",
    "iscoGroup",
    "preferredLabel",
    "altLabels",
    "hiddenLabels",
    "status",
    "modifiedDate",
    "regulatedProfessionNote",
    "scopeNote",
    "definition",
    "inScheme",
    "description",
    "code",
]
_GROUP_COLUMNS = [
    "conceptType",
    "conceptUri",
    "code",
    "preferredLabel",
    "status",
    "altLabels",
    "inScheme",
    "description",
]
_SKILL_COLUMNS = [
    "conceptType",
    "conceptUri",
    "skillType",
    "reuseLevel",
    "preferredLabel",
    "altLabels",
    "hiddenLabels",
    "status",
    "modifiedDate",
    "scopeNote",
    "definition",
    "inScheme",
    "description",
]


def _table(columns: list[str], rows: list[dict[str, str]]) -> str:
    stream = io.StringIO()
    writer = csv.DictWriter(stream, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def _occupation(name: str, isco: str, code: str, label: str, alternatives: str = "", **more: str) -> dict[str, str]:
    return {
        "conceptType": "Occupation",
        "conceptUri": OCCUPATION + name,
        "iscoGroup": isco,
        "code": code,
        "preferredLabel": label,
        "altLabels": alternatives,
        **more,
    }


@pytest.fixture(scope="session")
def esco_files() -> dict[str, str]:
    """ESCO 1.1.1 in miniature: three nurses and a midwife, in English, German and Bulgarian."""
    english = [
        _occupation(
            "nurse",
            "2221",
            "2221.1",
            "specialist nurse",
            "clinical nurse\nnurse specialist",
            hiddenLabels="nrse",
            description="Cares for patients.",
        ),
        _occupation("icu", "2221", "2221.1.1", "intensive care nurse", "ICU nurse"),
        _occupation("midwife", "2222", "2222.1", "midwife", description="Helps at birth."),
    ]
    german = [
        _occupation(
            "nurse",
            "2221",
            "2221.1",
            "Fachkrankenpfleger/Fachkrankenschwester",
            "Fachkrankenpfleger\nFachkrankenschwester",
            description="Pflegt Kranke.",
        ),
        _occupation("midwife", "2222", "2222.1", "Hebamme"),
    ]
    bulgarian = [_occupation("school", "2221", "2221.2", "училищна медицинска сестра", description="Училище.")]
    groups = [("2", "Own professionals"), ("2221", "Own nursing professionals")]
    skills = [("zeal", "zeal"), ("care", "care ethics"), ("drugs", "administer medicine")]
    relations = [("optional", "zeal"), ("essential", "drugs"), ("essential", "care"), ("essential", "unknown")]
    broader = [(OCCUPATION + "icu", OCCUPATION + "nurse"), (OCCUPATION + "nurse", ISCO + "2221")]
    return {
        "occupations_en.csv": _table(_OCCUPATION_COLUMNS, english),
        "occupations_de.csv": _table(_OCCUPATION_COLUMNS, german),
        "occupations_bg.csv": _table(_OCCUPATION_COLUMNS, bulgarian),
        "ISCOGroups_en.csv": _table(
            _GROUP_COLUMNS, [{"conceptUri": ISCO + code, "code": code, "preferredLabel": name} for code, name in groups]
        ),
        "skills_en.csv": _table(
            _SKILL_COLUMNS,
            [{"conceptUri": SKILL + uri, "skillType": "knowledge", "preferredLabel": name} for uri, name in skills],
        ),
        "skills_de.csv": _table(
            _SKILL_COLUMNS,
            [{"conceptUri": SKILL + "drugs", "skillType": "knowledge", "preferredLabel": "Arznei geben"}],
        ),
        "occupationSkillRelations_en.csv": _table(
            ["occupationUri", "relationType", "skillType", "skillUri"],
            [
                {"occupationUri": OCCUPATION + "nurse", "relationType": kind, "skillUri": SKILL + uri}
                for kind, uri in relations
            ],
        ),
        "broaderRelationsOccPillar_en.csv": _table(
            ["conceptType", "conceptUri", "broaderType", "broaderUri"],
            [{"conceptUri": child, "broaderUri": parent} for child, parent in broader],
        ),
    }


@pytest.fixture
def folder_of(tmp_path: Path) -> Callable[..., Path]:
    """Write files into a folder called like ESCO's download, and return it."""

    def write(files: dict[str, str] | dict[str, bytes], name: str = "ESCO dataset - v1.1.1 - csv") -> Path:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        for file, content in files.items():
            (folder / file).write_bytes(content if isinstance(content, bytes) else content.encode())
        return folder

    return write


@pytest.fixture
def file_of(tmp_path: Path) -> Callable[..., Path]:
    """Write one file, and return it."""

    def write(content: str | bytes, name: str = "jobs.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture
def store(tmp_path: Path) -> TaxonomyStore:
    """A store of its own for each test; nothing is in it yet."""
    return TaxonomyStore(tmp_path / "home" / "taxonomies")


@pytest.fixture
def load_esco(store: TaxonomyStore, folder_of: Callable[..., Path]) -> Callable[[dict[str, str]], Taxonomy]:
    """Import ESCO's files and load what came of them."""

    def load(files: dict[str, str]) -> Taxonomy:
        return store.load(store.import_from(folder_of(files)).id)

    return load


@pytest.fixture
def load_custom(store: TaxonomyStore, file_of: Callable[..., Path]) -> Callable[[str], Taxonomy]:
    """Import one CSV and load what came of it."""

    def load(content: str) -> Taxonomy:
        return store.load(store.import_from(file_of(content)).id)

    return load


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The store's folder."""
    return tmp_path / "home" / "taxonomies"


@pytest.fixture(scope="module")
def ready_made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store's folder with the bundled taxonomy and ESCO with an old nurse; made once, to be copied."""
    home = tmp_path_factory.mktemp("ready")
    source = tmp_path_factory.mktemp("source") / "ESCO v1.1.1"
    source.mkdir()
    (source / "occupations_en.csv").write_text(OLD["occupations_en.csv"], "utf-8")
    store = TaxonomyStore(home)
    store.import_from(source)
    store.load()
    return home


@pytest.fixture
def with_old(store: TaxonomyStore, home: Path, ready_made: Path) -> TaxonomyStore:
    """A store that has ESCO installed, with an old nurse."""
    shutil.copytree(ready_made, home)
    return store
