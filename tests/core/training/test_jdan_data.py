"""What a recipe names, read; skills found by the taxonomy's names."""

from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError, TaxonomyError
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.training.jdan_data import training_postings
from jobmatch_core.training.jdan_recipe import JdanData, JdanRecipe


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
