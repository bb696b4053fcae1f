"""What may be wrong with ESCO's files: each fault is reported with its file and line."""

from collections.abc import Callable
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError
from tests.core.taxonomy.made_esco_tables import NURSE, V103, U, esco_tables

ISCO = "http://data.europa.eu/esco/isco/C"
FolderOf = Callable[..., Path]


@pytest.mark.parametrize("file", ["occupations_xx.csv", "skills_xx.csv", "ISCOGroups_klingon.csv"])
def test_unknown_language(folder_of: FolderOf, file: str) -> None:
    """The file is named, and the languages that are known."""
    with pytest.raises(DataFileError, match=rf"^{file}: the language .* not known; expected one of ar, bg, ") as caught:
        esco_tables(folder_of({"occupations_en.csv": NURSE, file: NURSE}))
    assert caught.value.path.name == file


@pytest.mark.parametrize(
    ("files", "where", "problem"),
    [
        pytest.param({"occupations_en.csv": ""}, ("occupations_en.csv", 1), "the file is empty", id="empty"),
        pytest.param({"occupations_en.csv": V103}, ("occupations_en.csv", 1), "no rows", id="header only"),
        pytest.param(
            {"occupations_en.csv": NURSE, "occupations_de.csv": V103},
            ("occupations_de.csv", 1),
            "no rows",
            id="one language header only",
        ),
        pytest.param(
            {"occupations_en.csv": NURSE.replace("altLabels", "labels")},
            ("occupations_en.csv", 1),
            "'altLabels' is missing",
            id="column missing",
        ),
        pytest.param(
            {"occupations_en.csv": NURSE + f"Occupation,{U}1,2221,sister,,\n"},
            ("occupations_en.csv", 3),
            r"/1 occurs twice \(first on line 2\)",
            id="duplicate URI",
        ),
        pytest.param(
            {"occupations_en.csv": NURSE + "Occupation,,2221,sister,,\n"},
            ("occupations_en.csv", 3),
            "conceptUri is empty",
            id="no URI",
        ),
        pytest.param(
            {"occupations_en.csv": NURSE + f"Occupation,{U}2,,sister,,\n"},
            ("occupations_en.csv", 3),
            "iscoGroup is ''",
            id="no group",
        ),
        pytest.param(
            {"occupations_en.csv": NURSE + f"Occupation,{U}2,22215,sister,,\n"},
            ("occupations_en.csv", 3),
            "iscoGroup is '22215'",
            id="group of five digits",
        ),
        pytest.param(
            {"occupations_en.csv": NURSE + f"Occupation,{U}2,2221.1,sister,,\n"},
            ("occupations_en.csv", 3),
            "iscoGroup is '2221.1'",
            id="a code in place of the group",
        ),
        pytest.param(
            {"occupations_en.csv": NURSE + f"Occupation,{U}2,9999,sister,,\n"},
            ("occupations_en.csv", 3),
            "iscoGroup is '9999'",
            id="group that ISCO-08 has not",
        ),
        pytest.param(
            {"occupations_en.csv": NURSE + f"Occupation,{U}2,٢٢٢١,sister,,\n"},
            ("occupations_en.csv", 3),
            "iscoGroup is '٢٢٢١'",
            id="group in Arabic digits",
        ),
        pytest.param(
            {"occupations_en.csv": NURSE + f"Occupation,{U}2,2221"},
            ("occupations_en.csv", 3),
            "cut short",
            id="last line cut short",
        ),
        pytest.param(
            {"occupations_en.csv": NURSE + f'Occupation,{U}2,2221,"sis'},
            ("occupations_en.csv", 3),
            "cut short",
            id="cut short inside a quote",
        ),
        pytest.param(
            {"occupations_en.csv": NURSE, "ISCOGroups_en.csv": f"conceptUri,code,preferredLabel\n{ISCO}2,x,y\n"},
            ("ISCOGroups_en.csv", 2),
            "code is 'x'",
            id="group code that is none",
        ),
        pytest.param(
            {
                "occupations_en.csv": NURSE,
                "ISCOGroups_en.csv": f"conceptUri,code,preferredLabel\n{ISCO}2,2,a\n{ISCO}2,2,b\n",
            },
            ("ISCOGroups_en.csv", 3),
            "occurs twice",
            id="group twice",
        ),
        pytest.param(
            {"occupations_en.csv": NURSE, "skills_en.csv": "conceptUri,skillType,preferredLabel,altLabels\n"},
            ("skills_en.csv", 1),
            "no rows",
            id="no skills",
        ),
        pytest.param(
            {
                "occupations_en.csv": NURSE,
                "occupationSkillRelations_en.csv": f"occupationUri,relationType,skillUri\n{U}1,needed,s\n",
            },
            ("occupationSkillRelations_en.csv", 2),
            "relationType is 'needed'; expected essential or optional",
            id="unknown kind of relation",
        ),
        pytest.param(
            {"occupations_en.csv": NURSE, "broaderRelationsOccPillar_en.csv": "a,b\n1,2\n"},
            ("broaderRelationsOccPillar_en.csv", 1),
            "all columns are missing: 'conceptUri', 'broaderUri'",
            id="relations without columns",
        ),
    ],
)
def test_faults(folder_of: FolderOf, files: dict[str, str], where: tuple[str, int], problem: str) -> None:
    """Every fault is told with its file and line."""
    with pytest.raises(DataFileError, match=problem) as caught:
        esco_tables(folder_of(files))
    assert (caught.value.path.name, caught.value.line) == where


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        pytest.param(NURSE.replace("nurse", "Köchin").encode("cp1252"), "not UTF-8", id="cp1252"),
        pytest.param(NURSE.encode("utf-16"), "not UTF-8", id="UTF-16"),
        pytest.param(b"PK\x03\x04" + NURSE.encode(), "zip archive", id="zip or xlsx"),
        pytest.param(NURSE.replace(",", ";").encode(), "missing", id="semicolons"),
        pytest.param(NURSE.replace("nurse", "nur\x00se").encode(), "", id="NUL"),
    ],
)
def test_wrong_kind_of_file(folder_of: FolderOf, content: bytes, problem: str) -> None:
    """A file that only has the right name is refused."""
    with pytest.raises(DataFileError, match=rf"^occupations_en\.csv.*{problem}"):
        esco_tables(folder_of({"occupations_en.csv": content}))
