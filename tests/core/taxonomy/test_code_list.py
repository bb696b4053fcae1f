"""Lists of codes and names, read as taxonomies."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError, SettingsError
from jobmatch_core.taxonomy.code_list import CodeListLayout, parents_by_code, parsed_columns, read_code_list
from jobmatch_core.taxonomy.readers import read_list

FileOf = Callable[..., Path]
COLUMNS = {"code": "SOC", "name": "Title"}


def test_columns_in_words() -> None:
    """Each role once; a comma in a column's name is doubled."""
    assert parsed_columns("code=SOC, name=Title,,main,isco=ISCO08") == {
        "code": "SOC",
        "name": "Title,main",
        "isco": "ISCO08",
    }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("code=SOC", "The column of name is missing"),
        ("SOC,Title", "'SOC' does not name a column"),
        ("code=SOC,name=Title,job=x", "'job=x' does not name a column"),
        ("code=SOC,code=Other,name=Title", "'code=Other' does not name a column"),
        ("code=,name=Title", "'code=' does not name a column"),
    ],
)
def test_columns_that_are_none(text: str, problem: str) -> None:
    """The message says how columns are named, and which there are."""
    with pytest.raises(SettingsError, match=problem):
        parsed_columns(text)


def test_several_titles_of_a_code(file_of: FileOf) -> None:
    """As in coding indexes: the first is the preferred name, in each language."""
    path = file_of(
        "SOC;Title;lang\n2231;Nurse;en\n2231;Sister;en\n2231;Krankenpfleger;de\n2231;Nurse;en\n5434;Chef;en\n"
    )
    found = read_code_list(path, CodeListLayout(COLUMNS | {"language": "lang"}, separator=";"))
    shown = [(row["concept_id"], row["language"], row["preferred"], row["alternatives"]) for row in found.rows]
    assert shown == [
        ("2231", "en", "Nurse", "Sister"),
        ("2231", "de", "Krankenpfleger", ""),
        ("5434", "en", "Chef", ""),
    ]
    assert found.notes == (
        "Read as a list of codes and names: code from 'SOC', name from 'Title', language from 'lang'.",
    )


def test_isco_of_a_code(file_of: FileOf) -> None:
    """The code of ISCO-08 that most rows have, in the usual ways to write it; none that is no code."""
    nurses = "1,Nurse,2221\n1,Sister,2221|3221\n1,Matron,ISCO 1342\n"
    path = file_of(f"SOC,Title,ISCO08\n{nurses}2,Soldier,0310\n3,Poet,99999\n4,Cook,\n")
    tables = read_list(path, CodeListLayout(COLUMNS | {"isco": "ISCO08"})).tables
    own = tables.concepts[tables.concepts["kind"] == "occupation"]
    assert list(own["isco"]) == ["2221", "0310", "", ""]
    assert len(tables.broader)


def test_a_code_that_is_one_of_isco_by_chance(file_of: FileOf) -> None:
    """Codes of the list are not taken for ISCO-08's."""
    path = file_of("SOC,Title,ISCO08\n2221,Cook,5120\n5120,Nurse,2221\n")
    tables = read_list(path, CodeListLayout(COLUMNS | {"isco": "ISCO08"})).tables
    own = tables.concepts[tables.concepts["kind"] == "occupation"]
    assert dict(zip(own["uri"], own["isco"], strict=True)) == {"2221": "5120", "5120": "2221"}


@pytest.mark.parametrize(
    ("names", "language"),
    [
        (("Carpenter, joiner", "Nurse", "Baker"), "en"),
        (("Krankenschwester", "Bäcker", "Tischler"), "de"),
        (("Enfermeiro", "Padeiro", "Carpinteiro"), "pt"),
        (("Μάγειρας", "Νοσοκόμα"), "el"),
        (("看護師", "ソフトウェアエンジニア"), "ja"),
        (("Xyzzy",), "en"),
    ],
)
def test_language_is_guessed(file_of: FileOf, names: tuple[str, ...], language: str) -> None:
    """By words of names, else by the script; that it was guessed is said."""
    path = file_of("SOC,Title\n" + "".join(f'{number},"{name}"\n' for number, name in enumerate(names)))
    found = read_code_list(path, CodeListLayout(COLUMNS))
    assert {row["language"] for row in found.rows} == {language}
    assert "No column gives the language of the names" in found.notes[1]
    told = read_code_list(path, CodeListLayout(COLUMNS, language="fr"))
    assert {row["language"] for row in told.rows} == {"fr"}
    assert len(told.notes) == 1


def test_rows_that_are_left_out(file_of: FileOf) -> None:
    """Headings without a code are no occupations; how many there are is said."""
    path = file_of("SOC,Title\n,Professionals\n1,Nurse\n,\n2,\n")
    found = read_code_list(path, CodeListLayout(COLUMNS, language="en"))
    assert [row["preferred"] for row in found.rows] == ["Nurse"]
    assert found.notes[-1] == "Rows without a code or a name were left out: 3, the first in line 2."


def test_groups_of_codes_with_dots() -> None:
    """As in CP2011: each code is below the one without its last part."""
    codes = ["1", "1.1", "1.2", "1.1.1", "1.1.2", "1.2.1", "1.2.2"]
    assert parents_by_code(codes) == {
        "1.1": "1",
        "1.2": "1",
        "1.1.1": "1.1",
        "1.1.2": "1.1",
        "1.2.1": "1.2",
        "1.2.2": "1.2",
    }


def test_notes_of_a_code(file_of: FileOf) -> None:
    """What it includes and excludes is below its description, under the words of the list."""
    path = file_of("SOC,Title,Text,Umfasst,Umfasst nicht\n1,Koch,Kocht.,Beiköche,Küchenhilfen\n2,Bäcker,,,Konditoren\n")
    columns = COLUMNS | {"description": "Text", "includes": "Umfasst", "excludes": "Umfasst nicht"}
    found = read_code_list(path, CodeListLayout(columns, language="de"))
    assert [row["description"] for row in found.rows] == [
        "Kocht.\n\nUmfasst: Beiköche\n\nUmfasst nicht: Küchenhilfen",
        "Umfasst nicht: Konditoren",
    ]


def test_codes_that_are_not_valid(file_of: FileOf) -> None:
    """Before their first day or after their last one; a year or a month is valid to its end, and no date is told."""
    ends = ("31.12.2019", "31/12/2020", "2020-06-15 00:00:00", "20200614", "9999", "", "2019", "2020-06", "open")
    rows = "".join(f"{number},Nurse {number},,{end}\n" for number, end in enumerate(ends))
    path = file_of(f"SOC,Title,From,To\n{rows}a,Nurse a,2020-06-16,\nb,Nurse b,2020-06-15,\nc,Nurse c,2020-07,\n")
    layout = CodeListLayout(COLUMNS | {"valid_from": "From", "valid_until": "To"}, language="en")
    found = read_code_list(path, layout, date(2020, 6, 15))
    assert [row["concept_id"] for row in found.rows] == ["1", "2", "4", "5", "7", "8", "b"]
    assert found.notes[-2:] == (
        "Rows that are not valid on the day of the import were left out: 5.",
        "Cells that are no date limit no validity: 1, such as 'open'.",
    )
    with pytest.raises(DataFileError, match="no row that is valid has both"):
        read_code_list(file_of("SOC,Title,To\n1,Nurse,2019-01-01\n"), CodeListLayout(COLUMNS | {"valid_until": "To"}))


def test_groups_of_a_hierarchy(file_of: FileOf) -> None:
    """As in KldB: what begins other codes is a group."""
    path = file_of(
        "SOC,Title\n8,Gesundheit\n81,Medizin\n813,Pflege\n81302,Krankenpflege\n82,Pflegehilfe\n82102,Altenpflege\n"
    )
    concepts = read_list(path, CodeListLayout(COLUMNS)).tables.concepts
    kinds = {code: kind for code, kind in zip(concepts["uri"], concepts["kind"], strict=True) if code.isdecimal()}
    assert kinds == {
        "8": "group",
        "81": "group",
        "813": "group",
        "82": "group",
        "81302": "occupation",
        "82102": "occupation",
    }


@pytest.mark.parametrize(
    "codes",
    [
        pytest.param([str(number) for number in range(1, 120)], id="running numbers"),
        pytest.param(["12", "123", "4567"], id="some shorter codes that begin none"),
        pytest.param(["2512.1", "2512.1.1", "2512"], id="with dots, of ESCO"),
        pytest.param(["2512", "2512.1", "2512.1.1", "2512.2", "2512.3"], id="with dots, last levels differ"),
        pytest.param(["1.1.1", "1.1.2", "2.1.1"], id="with dots, none above another"),
        pytest.param(["6245", "6246"], id="one length"),
    ],
)
def test_codes_without_groups(codes: list[str]) -> None:
    """Not every code that begins another is its group."""
    assert parents_by_code(codes) == {}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("SOC,Name\n1,Nurse\n", r"line 1: there is no column 'Title'; it has SOC, Name"),
        ("SOC;Title\n1;Nurse\n", r"there is no column 'SOC'; it has SOC;Title; if ';' separates them"),
        ("SOC,Title\n,Nurse\n", r"no row has both a code \(SOC\) and a name \(Title\)"),
    ],
)
def test_faults(file_of: FileOf, content: str, problem: str) -> None:
    """The error names the columns that there are."""
    with pytest.raises(DataFileError, match=problem):
        read_code_list(file_of(content), CodeListLayout(COLUMNS, separator=","))


def test_unknown_language_of_a_row(file_of: FileOf) -> None:
    """The error names the line."""
    path = file_of("SOC,Title,lang\n1,Nurse,en\n2,Cook,klingon\n")
    with pytest.raises(DataFileError, match="line 3: 'klingon' is not a language known here"):
        read_list(path, CodeListLayout(COLUMNS | {"language": "lang"}))
