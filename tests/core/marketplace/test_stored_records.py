"""Records in Parquet files are read unchanged in any script; damage is an error."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobmatch_core.entities import Freelancer, Interaction, NamedSkill, Place, Project
from jobmatch_core.errors import MarketplaceError
from jobmatch_core.marketplace.stored_records import FREELANCERS, INTERACTIONS, PROJECTS, RecordTable, StoredRecords

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
SKILLS = st.lists(st.builds(NamedSkill, TEXT, TEXT), max_size=3).map(tuple)
PLACES = st.none() | st.builds(Place, st.floats(-90, 90), st.floats(-180, 180))
FREELANCER = st.builds(
    Freelancer,
    *[TEXT] * 9,
    skills=SKILLS,
    country=TEXT,
    place=PLACES,
    available_from=TEXT,
    day_rate=st.none() | st.floats(0, 1e5),
    generated=st.booleans(),
)
PROJECT = st.builds(
    Project,
    *[TEXT] * 9,
    mandatory=SKILLS,
    bonus=SKILLS,
    created=TEXT,
    country=TEXT,
    place=PLACES,
    generated=st.booleans(),
)
INTERACTION = st.builds(Interaction, TEXT, TEXT, st.booleans(), TEXT)


def store(path: Path, table: RecordTable[Any], groups: Sequence[Sequence[Any]]) -> StoredRecords[Any]:
    """Write groups of records as row groups, and open the file."""
    with pq.ParquetWriter(path, table.schema) as writer:
        for group in groups:
            writer.write_table(table.to_table(group))
    return StoredRecords(path, table)


def interaction(number: int) -> Interaction:
    """Return one of several interactions."""
    return Interaction(f"p{number}", f"f{number}", number % 2 == 0, "2026-01-01")


@settings(max_examples=25, deadline=None)
@given(st.lists(FREELANCER, max_size=3), st.lists(PROJECT, max_size=3), st.lists(INTERACTION, max_size=3))
def test_records_come_back(
    tmp_path_factory: pytest.TempPathFactory,
    freelancers: list[Freelancer],
    projects: list[Project],
    interactions: list[Interaction],
) -> None:
    """Of all three kinds, with empty fields."""
    folder = tmp_path_factory.mktemp("records")
    assert list(store(folder / "f.parquet", FREELANCERS, [freelancers])) == freelancers
    assert list(store(folder / "p.parquet", PROJECTS, [projects])) == projects
    assert list(store(folder / "i.parquet", INTERACTIONS, [interactions])) == interactions


def test_right_to_left_and_chinese(tmp_path: Path) -> None:
    """Texts are unchanged, including invisible marks and emojis."""
    skill = NamedSkill("text:תכנות", "تصميم الشعار ‏(2)")
    written = Freelancer("é-1", "he", "מתכנת", "数据分析师 👩🏽‍💻", "コンサル", "", "", "", "", (skill,))
    assert list(store(tmp_path / "f.parquet", FREELANCERS, [[written]])) == [written]


def test_it_is_a_sequence(tmp_path: Path) -> None:
    """Over all row groups: indices from both ends, slices, iteration, length."""
    groups = [[interaction(number) for number in range(start, start + 3)] for start in (0, 3, 6)]
    everything = [record for group in groups for record in group]
    records = store(tmp_path / "i.parquet", INTERACTIONS, groups)
    assert len(records) == 9
    assert list(records) == everything
    assert [records[place] for place in (0, 2, 3, 8, -1, -9)] == [everything[place] for place in (0, 2, 3, 8, -1, -9)]
    assert records[2:7] == tuple(everything[2:7])
    assert records[::-4] == tuple(everything[::-4])
    for place in (9, -10):
        with pytest.raises(IndexError, match=f"no record {place}; there are 9 records"):
            records[place]


def test_texts_that_recur(tmp_path: Path) -> None:
    """Columns of all row groups are equal, with each value stored once."""
    groups = [[interaction(number % 2) for number in range(start, start + 3)] for start in (0, 3)]
    table = store(tmp_path / "i.parquet", INTERACTIONS, groups).texts(["freelancer"])
    assert table.column("freelancer").to_pylist() == ["f0", "f1", "f0", "f1", "f0", "f1"]
    assert {tuple(chunk.dictionary.to_pylist()) for chunk in table.column("freelancer").chunks} == {("f0", "f1")}


def test_an_empty_file(tmp_path: Path) -> None:
    """There are no records and no row groups."""
    records = store(tmp_path / "f.parquet", FREELANCERS, [])
    assert (len(records), list(records), records.ids()) == (0, [], [])


def test_records_are_read_when_they_are_asked_for(tmp_path: Path) -> None:
    """Damage behind the footer is an error on access."""
    path = tmp_path / "home" / "f.parquet"
    path.parent.mkdir()
    person = Freelancer("f1", "en", "title " * 100, "", "", "", "", "", "", ())
    records = store(path, FREELANCERS, [[person]])
    path.write_bytes(b"PAR1" + bytes(len(path.read_bytes()) - 4))
    assert len(records) == 1
    with pytest.raises(MarketplaceError, match=r"The marketplace home is damaged \(f\.parquet"):
        list(records)
    with pytest.raises(MarketplaceError, match="damaged"):
        records.ids()


def test_a_file_that_is_none(tmp_path: Path) -> None:
    """It is missing, not Parquet, or has other columns."""
    path = tmp_path / "f.parquet"
    with pytest.raises(MarketplaceError, match="remove it and make or import it again"):
        StoredRecords(path, FREELANCERS)
    path.write_text("no parquet", "utf-8")
    with pytest.raises(MarketplaceError, match="damaged"):
        StoredRecords(path, FREELANCERS)
    pq.write_table(pa.table({"id": ["x"]}), path)
    with pytest.raises(MarketplaceError, match="it has the columns id"):
        StoredRecords(path, FREELANCERS)
