"""Matches as rows, and whole files of them."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from jobmatch_core.errors import DataFileError, MatchingError
from jobmatch_core.io.tables import write_table
from jobmatch_core.marketplace.marketplace import RecordBlock
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.retrieval.finder import Finder
from jobmatch_core.retrieval.freelancer_index import open_finder
from jobmatch_core.retrieval.match_file import MATCH_SCHEMA, match_columns, match_file
from jobmatch_core.retrieval.project_reader import ProjectReader
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.vector_stores.vector_store import Filters
from tests.core.retrieval.made_matches import ANNA, BEA, MATCH, NOBODY, PROJECT
from tests.hashing_model import HashingModel


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> ProjectReader:
    """Read with the bundled taxonomy's skills."""
    return ProjectReader(TaxonomyStore.open(Settings(tmp_path_factory.mktemp("home"))).load())


@pytest.fixture
def finder(tmp_path: Path) -> Finder:
    """Find two freelancers."""
    settings = Settings(tmp_path / "home")
    MarketplaceStore.open(settings).save("market", [RecordBlock(freelancers=[ANNA, BEA])], origin={})
    return open_finder("market", HashingModel(), settings=settings)


def test_a_row_has_the_documented_columns() -> None:
    """Skills with both words for them; names of groups, or else their keys."""
    assert match_columns(PROJECT, MATCH) == {
        "project": "p1",
        "rank": 1,
        "freelancer": "anna",
        "score": 0.1235,
        "fit": 4.25,
        "title": "=HYPERLINK(1)",
        "category": "2512",
        "family": "IT",
        "language": "de",
        "country": "DE",
        "latitude": 52.5,
        "longitude": 13.4,
        "available_from": "2026-01-01",
        "day_rate": 400.0,
        "shared_skills": "python = Python",
        "missing_mandatory_skills": "ML",
        "missing_bonus_skills": "SQL",
        "generated": True,
    }
    nowhere = match_columns(PROJECT, replace(MATCH, freelancer=NOBODY))
    assert (nowhere["latitude"], nowhere["day_rate"], nowhere["country"]) == (None, None, None)
    assert "" not in nowhere.values()


def test_types_of_parquet_do_not_depend_on_the_values(tmp_path: Path) -> None:
    """Also where no freelancer says where they are, when they can start or what they cost."""
    write_table(tmp_path / "t.parquet", [match_columns(PROJECT, replace(MATCH, freelancer=NOBODY))], MATCH_SCHEMA)
    assert pq.read_schema(tmp_path / "t.parquet") == MATCH_SCHEMA


def test_a_file_of_projects(finder: Finder, reader: ProjectReader, tmp_path: Path) -> None:
    """A row a match, in order; no cell that a spreadsheet takes for a formula."""
    source, out = tmp_path / "projects.jsonl", tmp_path / "matches.csv"
    source.write_text('{"id": "p1", "title": "python hyperlink"}\n{"id": "p2", "title": "bridges"}\n', "utf-8")
    told: list[tuple[int, int]] = []
    assert match_file(finder, reader, source, out, progress=lambda *step: told.append(step)) == 4
    rows = list(csv.DictReader(out.read_text("utf-8-sig").splitlines()))
    assert [(row["project"], row["rank"]) for row in rows] == [("p1", "1"), ("p1", "2"), ("p2", "1"), ("p2", "2")]
    assert {row["title"] for row in rows} == {"'=HYPERLINK(1)", "bridges"}
    assert rows[2]["freelancer"] == "bea"
    assert told[-1] == (2, 2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "matches.csv", "projects.jsonl"]


def test_filters_and_limit_hold_for_all(finder: Finder, reader: ProjectReader, tmp_path: Path) -> None:
    """Those who do not pass are in no row; JSON lines keep their types."""
    source, out = tmp_path / "projects.csv", tmp_path / "matches.jsonl"
    source.write_text("title\npython\nbridges\n", "utf-8")
    assert match_file(finder, reader, source, out, filters=Filters(max_day_rate=500), limit=1) == 2
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [(row["project"], row["freelancer"], row["day_rate"]) for row in rows] == [
        ("1", "anna", 400.0),
        ("2", "anna", 400.0),
    ]


def test_what_cannot_be_matched(finder: Finder, reader: ProjectReader, tmp_path: Path) -> None:
    """The output is the source, or in a folder that is not there, or of an unknown format; a row is no project."""
    source = tmp_path / "projects.csv"
    source.write_text("title,language\npython,\nbridges,klingon\n", "utf-8")
    with pytest.raises(MatchingError, match=r"projects\.csv is the file of projects"):
        match_file(finder, reader, source, source)
    with pytest.raises(MatchingError, match=r"matches\.csv could not be written \(No such file or directory\)"):
        match_file(finder, reader, source, tmp_path / "nowhere" / "matches.csv")
    with pytest.raises(DataFileError, match="expected a file that ends in"):
        match_file(finder, reader, source, tmp_path / "matches.doc")
    with pytest.raises(DataFileError, match="row 3: 'klingon'"):
        match_file(finder, reader, source, tmp_path / "matches.csv")
    assert not (tmp_path / "matches.csv").exists()
