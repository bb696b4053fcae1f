"""Coded titles in the forms that offices send."""

from dataclasses import replace
from pathlib import Path

import pytest

from jobmatch_core.benchmarks.production.coded_titles import (
    CodedColumns,
    code_column,
    coded_titles,
    isco_codes,
    read_coded_titles,
)
from jobmatch_core.errors import DataFileError, TaxonomyError
from jobmatch_core.sheets.table_layout import TableLayout, guess_layout
from jobmatch_core.taxonomy import Manifest, Taxonomy, TaxonomyStore
from jobmatch_core.taxonomy.bundled import add_isco_groups
from jobmatch_core.taxonomy.tables import OCCUPATION, TablesBuilder


@pytest.fixture(scope="module")
def taxonomy(linker_home: Path) -> Taxonomy:
    """Return the bundled ISCO-08."""
    from jobmatch_core.settings import Settings

    return TaxonomyStore.open(Settings(linker_home)).load()


def table(folder: Path, text: str) -> tuple[Path, TableLayout]:
    """Write a CSV; return it with its layout."""
    path = folder / "sample.csv"
    path.write_text(text, "utf-8")
    return path, guess_layout(path, column="title")


@pytest.mark.parametrize(
    ("cell", "codes"),
    [
        ("2221", ("2221",)),
        (" C2221 ", ("2221",)),
        ("http://data.europa.eu/esco/isco/C2221", ("2221",)),
        ("https://data.europa.eu/esco/isco/c110|http://data.europa.eu/esco/isco/C22", ("0110", "22")),
        ("http://data.europa.eu/esco/occupation/2221", ()),
        ("2221.0", ("2221",)),
        ("2221.1.3", ("2221",)),
        ("22", ("22",)),
        ("110", ("0110",)),
        ("0110", ("0110",)),
        ("2512|2514", ("2512", "2514")),
        ("2512; 2514", ("2512", "2514")),
        ("9999", ()),
        ("n/a", ()),
        ("", ()),
    ],
)
def test_forms_of_codes(taxonomy: Taxonomy, cell: str, codes: tuple[str, ...]) -> None:
    """ESCO's and spreadsheets' forms, several codes; what is no code of ISCO-08 is none."""
    assert isco_codes(cell, taxonomy) == codes


def test_rows_without_title_or_code_are_counted(taxonomy: Taxonomy, tmp_path: Path) -> None:
    """They are left out; a second coder and the language are read."""
    text = "title,isco,other,lang\nKoch,5120,5120,de\n,5120,,\nnurse,,2221,en\nbaker,7512,9412,xx\n"
    path, layout = table(tmp_path, text)
    coded = read_coded_titles(path, layout, taxonomy, code="isco", second_code="other", language="lang")
    assert (coded.titles, coded.codes) == (["Koch", "baker"], [("5120",), ("7512",)])
    assert (coded.second_codes, coded.languages, coded.left_out) == ([("5120",), ("9412",)], ["de", ""], 2)
    assert (coded.agreement(4), coded.agreement(1)) == (0.5, 0.5)


def test_agreement_of_one_coder(taxonomy: Taxonomy, tmp_path: Path) -> None:
    """There is none without a second column."""
    path, layout = table(tmp_path, "title,isco\nKoch,5120\n")
    assert read_coded_titles(path, layout, taxonomy, code="isco").agreement(4) is None


def test_tables_without_codes(taxonomy: Taxonomy, tmp_path: Path) -> None:
    """A missing column and one without codes are errors that name it."""
    path, layout = table(tmp_path, "title,isco\nKoch,cook\n")
    with pytest.raises(DataFileError, match="no row has a title and an ISCO-08 code in 'isco'"):
        read_coded_titles(path, layout, taxonomy, code="isco")
    with pytest.raises(DataFileError, match="code"):
        read_coded_titles(path, layout, taxonomy, code="code")


def test_the_column_of_codes_is_detected(taxonomy: Taxonomy) -> None:
    """The one with the longest codes; running numbers and groups are shorter, and texts are none."""
    rows = [
        {"no": n, "group": code[0], "title": "Koch", "isco": code, "empty": None}
        for n, code in enumerate(("5120", "2221", "", "110"), 1)
        if code
    ]
    assert code_column(rows, taxonomy) == "isco"
    assert code_column([{"title": "Koch", "isco": ""}], taxonomy) is None
    assert code_column([], taxonomy) is None


def test_rows_without_a_cell(taxonomy: Taxonomy) -> None:
    """Records of JSON may lack keys; a cell that is a list is an error."""
    columns = CodedColumns("title", "isco", language="lang")
    rows: list[dict[str, object]] = [{"title": "Koch", "isco": 5120}, {"title": "nurse"}, {}]
    coded = coded_titles(rows, columns, taxonomy, "sample.json")
    assert (coded.titles, coded.codes, coded.languages, coded.left_out) == (["Koch"], [("5120",)], [""], 2)
    with pytest.raises(DataFileError, match=r"sample.json: a cell holds a list"):
        coded_titles([{"title": ["Koch"], "isco": "5120"}], columns, taxonomy, "sample.json")


def test_a_taxonomy_without_unit_groups(tmp_path: Path) -> None:
    """Its occupations have no code or a short one; the message says what to do."""
    builder = TablesBuilder()
    for code in ("", "512"):
        concept = builder.concept(f"http://jobs/{code}", kind=OCCUPATION, code=code, isco=code)
        builder.add_names(concept, "en", f"cook {code}", [])
    add_isco_groups(builder)
    manifest = Manifest("short-1", "Short", "1", ("en",), {}, "0" * 64, "", "2026-01-01")
    path, layout = table(tmp_path, "title,isco\nKoch,5120\n")
    with pytest.raises(TaxonomyError, match=r"No occupation of short-1 has .* 4 digits.*import this one"):
        read_coded_titles(path, layout, Taxonomy(manifest, builder.build()), code="isco")


def test_a_table_without_a_column_of_titles(taxonomy: Taxonomy, tmp_path: Path) -> None:
    """The message says what to name."""
    path, layout = table(tmp_path, "title,isco\nKoch,5120\n")
    with pytest.raises(DataFileError, match="name the column of titles"):
        read_coded_titles(path, replace(layout, column=None), taxonomy, code="isco")
