"""What a recipe names, read; skills found by the taxonomy's names."""

from dataclasses import replace
from pathlib import Path

import pytest

from jobmatch_core.descriptions.jdan_data import training_postings
from jobmatch_core.descriptions.jdan_recipe import JdanData, JdanRecipe
from jobmatch_core.errors import DataFileError, TaxonomyError
from jobmatch_core.taxonomy import TaxonomyStore


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Postings, and O*NET in miniature."""
    rows = "title,description\nNurse,You care.\nMason,We love bricks and mortar\nBaker,Ovens and dough.\n"
    (tmp_path / "a.csv").write_text(rows, "utf-8")
    (tmp_path / "Task Statements.txt").write_text("O*NET-SOC Code\tTask\n29-1\tGive medicine.\n", "utf-8")
    (tmp_path / "Occupation Data.txt").write_text("O*NET-SOC Code\tTitle\n29-1\tNurses\n", "utf-8")
    return tmp_path


def test_tables_and_onet(folder: Path, store: TaxonomyStore) -> None:
    """One after the other; of a table no more than asked for."""
    data = JdanData(postings=("a.csv", "a.csv"), most=2, onet=".")
    found = training_postings(JdanRecipe("x", data=data), folder, store)
    assert [each.title for each in found] == ["Nurse", "Mason", "Nurse", "Mason", "Nurses"]
    assert not any(each.skills for each in found)
    with pytest.raises(DataFileError, match="no such file"):
        training_postings(JdanRecipe("x", data=JdanData(postings=("gone.csv",))), folder, store)


def test_skills_for_those_that_read_them(folder: Path, store: TaxonomyStore) -> None:
    """By the names of the taxonomy, each once, in the order of the text."""
    data = JdanData(postings=("a.csv",), skills="esco-1.0")
    found = training_postings(JdanRecipe("x", variant="skill-mean", data=data), folder, store)
    assert [each.skills for each in found] == [("care",), ("bricks", "mortar"), ("ovens", "dough")]
    with pytest.raises(TaxonomyError, match="gone"):
        training_postings(JdanRecipe("x", variant="jobbert", data=JdanData(("a.csv",), skills="gone")), folder, store)


def test_what_is_made_is_drawn(folder: Path, store: TaxonomyStore) -> None:
    """So many of O*NET's titles and so many of the taxonomy's, in their order, the same ones every time."""
    lines = [f"{number}-1\t{name}" for number, name in enumerate(("Clerks", "Cooks", "Guards", "Tutors"))]
    tasks = [f"{number}-1\tDo things." for number in range(4)]
    (folder / "Occupation Data.txt").write_text("O*NET-SOC Code\tTitle\n" + "\n".join(lines) + "\n", "utf-8")
    (folder / "Task Statements.txt").write_text("O*NET-SOC Code\tTask\n" + "\n".join(tasks) + "\n", "utf-8")
    data = JdanData(onet=".", taxonomy="esco-1.0")
    everything = [each.title for each in training_postings(JdanRecipe("x", data=data), folder, store)]
    names = everything[4:]
    assert everything[:4] == ["Clerks", "Cooks", "Guards", "Tutors"]
    assert len(names) > 2
    drawn = JdanRecipe("x", data=JdanData(onet=".", taxonomy="esco-1.0", made_most=2))
    found = [each.title for each in training_postings(drawn, folder, store)]
    assert len(found) == 4
    assert sorted(found[:2], key=everything.index) == found[:2]
    assert set(found[2:]) < set(names)
    assert [each.title for each in training_postings(drawn, folder, store)] == found


def test_some_titles_as_adverts_write_them(folder: Path, store: TaxonomyStore) -> None:
    """Those of the taxonomy's names; a table's stay as the employers wrote them."""
    plain = JdanData(postings=("a.csv",), taxonomy="esco-1.0")
    before = training_postings(JdanRecipe("x", data=plain), folder, store)
    after = training_postings(JdanRecipe("x", data=replace(plain, advertised=0.9)), folder, store)
    assert [each.title for each in after[:3]] == ["Nurse", "Mason", "Baker"]
    assert [each.occupation_name for each in after] == [each.occupation_name for each in before]
    assert all(a.title in b.title for a, b in zip(before, after, strict=True))
    assert before != after
