"""ESCO's files: versions, subsets, and everything that may be wrong with them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.esco import esco_files as found_files
from jobmatch_core.taxonomy.esco import esco_version, read_esco
from jobmatch_core.taxonomy.tables import GROUP, OCCUPATION, TaxonomyTables
from tests.core.taxonomy.made_esco_tables import NURSE, V103, V111, V120, U, esco_tables

ISCO = "http://data.europa.eu/esco/isco/C"

FolderOf = Callable[..., Path]


def _names(tables: TaxonomyTables, uri: str) -> list[tuple[str, str, bool]]:
    number = tables.concepts["uri"].to_list().index(uri)
    own = tables.names[tables.names["concept"] == number]
    return [tuple(row) for row in own[["language", "text", "preferred"]].itertuples(index=False)]


@pytest.mark.parametrize(
    ("header", "row", "code", "description"),
    [
        pytest.param(V103, f"Occupation,{U}1,2221,nurse,sister,Cares.\n", "2221", "Cares.", id="1.0.3"),
        pytest.param(
            V111,
            f"Occupation,{U}1,2221,nurse,sister,,released,2021,,,,x,Cares.,2221.1\n",
            "2221.1",
            "Cares.",
            id="1.1.1",
        ),
        pytest.param(
            V120,
            f"Occupation,{U}1,2221,nurse,sister,,released,2024,,,,x,Cares.,2221.1,Q86\n",
            "2221.1",
            "Cares.",
            id="1.2.0",
        ),
        pytest.param(V103, f"Occupation,{U}1,C2221,nurse,sister,Cares.\n", "2221", "Cares.", id="group with its C"),
        pytest.param(
            "altLabels,preferredLabel,iscoGroup,conceptUri\n",
            f"sister,nurse,2221,{U}1\n",
            "2221",
            "",
            id="needed columns only, another order",
        ),
    ],
)
def test_versions(
    load_esco: Callable[[dict[str, str]], Taxonomy], header: str, row: str, code: str, description: str
) -> None:
    """The columns of every version since 1.0.3 are read alike."""
    nurse = load_esco({"occupations_en.csv": header + row}).occupation(U + "1")
    assert (nurse.code, nurse.name, nurse.description) == (code, "nurse", description)
    assert [group.code for group in nurse.isco_path] == ["2", "22", "222", "2221"]
    assert [(name.language, name.text, name.preferred) for name in nurse.names] == [
        ("en", "nurse", True),
        ("en", "sister", False),
    ]


@pytest.mark.parametrize(
    "cell",
    [
        pytest.param('"sister\nRN"', id="one a line"),
        pytest.param('"sister\r\nRN"', id="CRLF between"),
        pytest.param("sister | RN", id="bars"),
        pytest.param('"sister\n\n  RN \nsister\nnurse"', id="repeated, blank, same as preferred"),
    ],
)
def test_alternative_labels(folder_of: FolderOf, cell: str) -> None:
    """Every version's way to write several labels gives the same names, each once."""
    tables = esco_tables(folder_of({"occupations_en.csv": V103 + f"Occupation,{U}1,2221,nurse,{cell},\n"}))
    assert _names(tables, U + "1") == [("en", "nurse", True), ("en", "sister", False), ("en", "RN", False)]


@pytest.mark.parametrize(
    "content",
    [NURSE.replace("\n", "\r\n"), "\ufeff" + NURSE, ("\ufeff" + NURSE).replace("\n", "\r\n")],
    ids=["CRLF", "BOM", "both"],
)
def test_line_ends_and_byte_order_mark(folder_of: FolderOf, content: str) -> None:
    """Files that went through Excel are read."""
    assert _names(esco_tables(folder_of({"occupations_en.csv": content})), U + "1") == [("en", "nurse", True)]


def test_hidden_labels_are_names(folder_of: FolderOf, esco_files: dict[str, str]) -> None:
    """ESCO's hidden labels are misspellings that people do type."""
    assert ("en", "nrse", False) in _names(esco_tables(folder_of(esco_files)), U + "nurse")


def test_languages_are_joined_by_uri(folder_of: FolderOf, esco_files: dict[str, str]) -> None:
    """An occupation of three files is one concept; one that only one language has is kept."""
    tables = esco_tables(folder_of(esco_files))
    occupations = tables.concepts[tables.concepts["kind"] == OCCUPATION]
    assert sorted(occupations["uri"]) == [U + "icu", U + "midwife", U + "nurse", U + "school"]
    assert _names(tables, U + "midwife") == [("de", "Hebamme", True), ("en", "midwife", True)]
    assert _names(tables, U + "school") == [("bg", "училищна медицинска сестра", True)]


def test_groups_of_its_own_come_before_the_bundled(folder_of: FolderOf, esco_files: dict[str, str]) -> None:
    """A group that the files name keeps their name; the other 617 get the bundled ones."""
    tables = esco_tables(folder_of(esco_files))
    assert (tables.concepts["kind"] == GROUP).sum() == 619
    assert _names(tables, ISCO + "2221") == [("en", "Own nursing professionals", True)]
    assert ("en", "Midwifery professionals", True) in _names(tables, ISCO + "2222")


def test_relations_to_unknown_skills_are_left_out(folder_of: FolderOf, esco_files: dict[str, str]) -> None:
    """Four relations are in the file; one is to a skill that is not."""
    tables = esco_tables(folder_of(esco_files))
    assert len(tables.relations) == 3
    assert tables.relations["essential"].sum() == 2
    assert len(tables.skills) == 3


def test_relations_twice_count_once(folder_of: FolderOf, esco_files: dict[str, str]) -> None:
    """Relation files are the same in every language's download; having two of them changes nothing."""
    once = esco_tables(folder_of(esco_files))
    again = {name.replace("_en", "_de"): text for name, text in esco_files.items() if "elations" in name}
    twice = esco_tables(folder_of({**esco_files, **again}, "twice"))
    assert len(twice.relations) == len(once.relations)
    assert len(twice.broader) == len(once.broader)


def test_files_are_found_in_reading_order(folder_of: FolderOf, esco_files: dict[str, str]) -> None:
    """Concepts come before relations; what is not ESCO's, or not needed, is left out."""
    others = ["readme.txt", "conceptSchemes_en.csv", "my_occupations_en.csv"]
    others += ["occupations_en (1).csv", "occupations_en.csv.bak"]
    hierarchy = ["skillsHierarchy_en.csv", "skillGroups_en.csv"]
    folder = folder_of({**esco_files, **dict.fromkeys([*others, *hierarchy], "")})
    (folder / "occupations_fr.csv").mkdir()
    assert [path.name for path in found_files(folder)] == [
        "occupations_bg.csv",
        "occupations_de.csv",
        "occupations_en.csv",
        "ISCOGroups_en.csv",
        "skills_de.csv",
        "skills_en.csv",
        "skillGroups_en.csv",
        "skillsHierarchy_en.csv",
        "occupationSkillRelations_en.csv",
        "broaderRelationsOccPillar_en.csv",
    ]


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("labels_v1.0.3", "1.0.3"),
        ("ESCO dataset - v1.1.1 - classification - en - csv", "1.1.1"),
        ("ESCO dataset - v1.2.0 - classification -  - csv", "1.2.0"),
        ("v1.1", "1.1"),
        ("1.2.0", "1.2.0"),
    ],
)
def test_version_in_the_folders_name(folder_of: FolderOf, name: str, version: str) -> None:
    """The folder's name tells the version, whatever the files hold."""
    assert esco_version(found_files(folder_of({"occupations_en.csv": NURSE}, name))) == version


@pytest.mark.parametrize(
    ("occupations", "day", "version"),
    [(3007, "2022-07-27", "1.1.1"), (3039, "2024-04-30", "1.2.0"), (3039, "2025-12-15", "1.2.1")],
)
def test_version_told_by_the_content(folder_of: FolderOf, occupations: int, day: str, version: str) -> None:
    """A known release has this number of occupations, repetitions not counted, and was changed last on this day."""
    rows = [f"Occupation,{U}{n},2221,nurse,,,released,2020-01-01,,,,x,,2221.1\n" for n in range(occupations)]
    rows[7] = rows[7].replace("2020-01-01", f"{day}T07:21:24.23Z")
    folder = folder_of({"occupations_en.csv": V111 + "".join([*rows, rows[0]])}, "esco")
    assert esco_version(found_files(folder)) == version


@pytest.mark.parametrize("folder", ["esco", "esco v1"])
def test_version_that_nothing_tells_is_asked_for(folder_of: FolderOf, folder: str) -> None:
    """No taxonomy is called 'ESCO unknown'."""
    files = found_files(folder_of({"occupations_en.csv": NURSE}, folder))
    problem = (
        r"cannot be recognised from the 1 occupations .* \(without dates of change\); "
        r"give the version .* --version 1\.2\.1"
    )
    with pytest.raises(DataFileError, match=problem):
        esco_version(files)


def _dated(label: str, date: str) -> str:
    return f"Occupation,{U}1,2221,{label},sister,,released,{date},,,,x,Cares.,2221.1\n"


def test_a_lost_first_zero_is_put_back(load_esco: Callable[[dict[str, str]], Taxonomy]) -> None:
    """Files of ESCO 1.2.0 that went through a spreadsheet say 110 and 110.9 for an officer."""
    row = f"Occupation,{U}1,110,officer,,,released,2024-01-01,,,,x,,110.9\n"
    taxonomy = load_esco({"occupations_de.csv": V111 + row, "occupations_en.csv": V111 + row})
    officer = taxonomy.occupation(U + "1")
    assert (officer.code, officer.isco_path[-1].code) == ("0110.9", "0110")
    assert taxonomy.manifest.notes == (
        "The ISCO-08 code of 1 occupation had lost its first 0, as happens in a spreadsheet; it was put back.",
    )


def test_rows_that_agree_count_once(folder_of: FolderOf) -> None:
    """ESCO 1.2.1 holds four occupations twice, alike but for `modifiedDate`; in each language."""
    twice = V111 + _dated("nurse", "2025-07-31T09:38:59.122Z") + _dated("nurse", "2025-11-26T10:02:16.164Z")
    content = read_esco(found_files(folder_of({"occupations_en.csv": twice, "occupations_fr.csv": twice})))
    assert _names(content.tables, U + "1") == [
        (language, name, name == "nurse") for language in ("en", "fr") for name in ("nurse", "sister")
    ]
    assert content.notes == (
        "1 concept occurs more than once in the files with the same content, so each counts once. Rows left "
        "out: nurse (occupations_en.csv, line 3), and 1 more.",
    )


@pytest.mark.parametrize("newest_first", [False, True])
def test_of_rows_that_contradict_each_other_the_newest_counts(folder_of: FolderOf, newest_first: bool) -> None:
    """The import reports the contradiction, whichever row stands first."""
    old, new = _dated("nurse", "2025-07-31T09:38:59Z"), _dated("specialist nurse", "2025-11-26T10:02:16.164Z")
    rows = new + old if newest_first else old + new
    content = read_esco(found_files(folder_of({"occupations_en.csv": V111 + rows})))
    assert _names(content.tables, U + "1")[0] == ("en", "specialist nurse", True)
    line = 3 if newest_first else 2
    assert content.notes == (
        "1 concept occurs more than once in the files with different content, so the newest row counts. Rows "
        f"left out: specialist nurse (occupations_en.csv, line {line}).",
    )


@pytest.mark.parametrize("dates", [("", ""), ("2025-07-31", "2025-07-31"), ("2025-07-31", "yesterday")])
def test_rows_that_contradict_each_other_without_a_newest(folder_of: FolderOf, dates: tuple[str, str]) -> None:
    """Nothing tells which one is right: the user has to."""
    rows = _dated("nurse", dates[0]) + _dated("sister", dates[1])
    with pytest.raises(DataFileError, match="does not show which row is newer; remove one of them") as caught:
        esco_tables(folder_of({"occupations_en.csv": V111 + rows}))
    assert caught.value.line == 3


@pytest.mark.parametrize(
    ("file", "language"),
    [
        ("occupations_de.csv", "de"),
        ("occupations_EN.csv", "en"),
        ("occupations_pt-BR.csv", "pt"),
        ("occupations_nb.csv", "no"),
    ],
)
def test_language_of_a_file(folder_of: FolderOf, file: str, language: str) -> None:
    """It is taken from the file's name."""
    assert _names(esco_tables(folder_of({file: NURSE})), U + "1") == [(language, "nurse", True)]


def test_groups_only(folder_of: FolderOf, esco_files: dict[str, str]) -> None:
    """Without occupations there is nothing to link to."""
    folder = folder_of({"ISCOGroups_en.csv": esco_files["ISCOGroups_en.csv"]})
    with pytest.raises(DataFileError, match=r"there is no occupations_XX\.csv \(XX = a language\)"):
        esco_tables(folder)


def test_circle_of_broader_concepts_isesco_tables(
    folder_of: FolderOf, load_esco: Callable[[dict[str, str]], Taxonomy]
) -> None:
    """Two occupations that are broader than each other do not hang the import or the view."""
    rows = f"Occupation,{U}1,2221,one,,\nOccupation,{U}2,2221,two,,\n"
    circle = f"conceptUri,broaderUri\n{U}1,{U}2\n{U}2,{U}1\n"
    taxonomy = load_esco({"occupations_en.csv": V103 + rows, "broaderRelationsOccPillar_en.csv": circle})
    assert taxonomy.occupation(U + "1").narrower == (U + "2",)
    assert taxonomy.occupation(U + "2").narrower == (U + "1",)


def test_concept_broader_than_itself(load_esco: Callable[[dict[str, str]], Taxonomy]) -> None:
    """Such a relation says nothing."""
    broader = f"conceptUri,broaderUri\n{U}1,{U}1\n"
    taxonomy = load_esco({"occupations_en.csv": NURSE, "broaderRelationsOccPillar_en.csv": broader})
    assert taxonomy.occupation(U + "1").narrower == ()


def test_broader_group_that_only_the_bundled_files_have(load_esco: Callable[[dict[str, str]], Taxonomy]) -> None:
    """Relations to groups are kept although the groups come last."""
    broader = f"conceptUri,broaderUri\n{U}1,{ISCO}2221\n"
    taxonomy = load_esco({"occupations_en.csv": NURSE, "broaderRelationsOccPillar_en.csv": broader})
    assert taxonomy.occupation(ISCO + "2221").narrower == (U + "1",)


def test_two_kinds_of_norwegian(folder_of: FolderOf) -> None:
    """Bokmål and Nynorsk are one language here; it has one preferred name, the other is not lost."""
    nynorsk = NURSE.replace("nurse,,", "sjukepleiar,nurse,Ny.")
    tables = esco_tables(
        folder_of({"occupations_nb.csv": NURSE.replace("nurse,,", "nurse,,Bok."), "occupations_nn.csv": nynorsk})
    )
    assert _names(tables, U + "1") == [("no", "nurse", True), ("no", "sjukepleiar", False)]
    own = tables.descriptions[tables.descriptions["concept"] == 0]
    assert own["text"].to_list() == ["Bok."]


def test_header_only_relations_are_no_fault(folder_of: FolderOf) -> None:
    """A subset of ESCO may have no relations at all."""
    files = {
        "occupations_en.csv": NURSE,
        "occupationSkillRelations_en.csv": "occupationUri,relationType,skillUri\n",
        "broaderRelationsOccPillar_en.csv": "conceptUri,broaderUri\n",
    }
    tables = esco_tables(folder_of(files))
    assert len(tables.relations) == len(tables.broader) == len(tables.skills) == 0


def test_progress_counts_files(folder_of: FolderOf, esco_files: dict[str, str]) -> None:
    """It starts at none, goes up by one and ends at all."""
    seen: list[tuple[int, int]] = []
    read_esco(found_files(folder_of(esco_files)), progress=lambda done, total: seen.append((done, total)))
    assert seen == [(done, 8) for done in range(9)]
