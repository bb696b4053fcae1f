"""Any other taxonomy from one CSV."""

from collections.abc import Callable
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.readers import read_custom
from jobmatch_core.taxonomy.tables import TaxonomyTables

HEADER = "concept_id,language,preferred,alternatives,parent,description\n"
WITH_KIND = HEADER.replace("\n", ",kind\n")

Load = Callable[[str], Taxonomy]
FileOf = Callable[..., Path]


def _kinds(tables: TaxonomyTables) -> dict[str, str]:
    own = tables.concepts[~tables.concepts["uri"].str.startswith("http://data.europa.eu/")]
    return dict(zip(own["uri"], own["kind"], strict=True))


def test_one_concept_in_two_languages(load_custom: Load) -> None:
    """Rows of one id are one occupation."""
    taxonomy = load_custom(HEADER + "c1,en,Nurse,RN|Sister,2221,Cares.\nc1,DE-at,Krankenpfleger,,,Pflegt.\n")
    nurse = taxonomy.occupation("c1", "de")
    assert (nurse.code, nurse.name, nurse.description) == ("c1", "Krankenpfleger", "Pflegt.")
    assert [(name.language, name.text, name.preferred) for name in nurse.names] == [
        ("de", "Krankenpfleger", True),
        ("en", "Nurse", True),
        ("en", "RN", False),
        ("en", "Sister", False),
    ]
    assert [group.code for group in nurse.isco_path] == ["2", "22", "222", "2221"]


@pytest.mark.parametrize("cell", ['"RN\nSister"', "RN|Sister", "RN | Sister", '"RN\r\nSister"'])
def test_alternatives(load_custom: Load, cell: str) -> None:
    """They stand one a line or with a bar between."""
    nurse = load_custom(HEADER + f"c1,en,Nurse,{cell},,\n").occupation("c1")
    assert [name.text for name in nurse.names] == ["Nurse", "RN", "Sister"]


@pytest.mark.parametrize(
    "content",
    [
        "\ufeff" + HEADER + "c1,en,Nurse,,,\n",
        (HEADER + "c1,en,Nurse,,,\n").replace("\n", "\r\n"),
        HEADER + '"c1","en","Nurse","","",""',
        "preferred,alternatives,language,description,parent,concept_id,note\nNurse,,en,,,c1,x\n",
    ],
    ids=["BOM", "CRLF", "all quoted", "other order, more columns"],
)
def test_ways_to_write_it(file_of: FileOf, content: str) -> None:
    """Spreadsheets write CSV in several ways."""
    assert _kinds(read_custom(file_of(content))) == {"c1": "occupation"}


def test_parents_are_groups(file_of: FileOf) -> None:
    """A concept that is somebody's parent is a group, all others are occupations."""
    tables = read_custom(file_of(HEADER + "top,en,Care,,2,\nmid,en,Nursing,,top,\nc1,en,Nurse,,mid,\nc2,en,Cook,,,\n"))
    assert _kinds(tables) == {"top": "group", "mid": "group", "c1": "occupation", "c2": "occupation"}


def test_isco_is_found_through_the_parents(load_custom: Load) -> None:
    """The chain of parents ends at an ISCO-08 code, or it does not."""
    taxonomy = load_custom(HEADER + "c1,en,Nurse,,mid,\nmid,en,Nursing,,top,\ntop,en,Care,,222,\nc2,en,Cook,,,\n")
    assert [group.code for group in taxonomy.occupation("c1").isco_path] == ["2", "22", "222"]
    assert taxonomy.occupation("c2").isco_path == ()
    assert taxonomy.occupations_in("222") == ["c1"]
    assert taxonomy.occupations_in("") == ["c2"]


def test_narrower(load_custom: Load) -> None:
    """The occupations below a concept are listed, its groups are not."""
    taxonomy = load_custom(HEADER + "top,en,Care,,,\nmid,en,Nursing,,top,\nc1,en,Nurse,,mid,\nc2,en,Carer,,top,\n")
    assert taxonomy.occupation("top").narrower == ("c2",)
    assert taxonomy.occupation("mid").narrower == ("c1",)


def test_narrower_of_an_isco_group(load_custom: Load) -> None:
    """A parent that is an ISCO-08 code is that group."""
    taxonomy = load_custom(HEADER + "c1,en,Nurse,,2221,\n")
    assert taxonomy.occupation("http://data.europa.eu/esco/isco/C2221").narrower == ("c1",)


def test_kind_column(file_of: FileOf) -> None:
    """`kind` overrules what the parents tell."""
    content = WITH_KIND + "c1,en,Nurse,,,,occupation\nc2,en,ICU nurse,,c1,,\nc3,en,Jobs,,,,group\n"
    assert _kinds(read_custom(file_of(content))) == {"c1": "occupation", "c2": "occupation", "c3": "group"}


@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["kind first", "kind last"])
def test_kind_in_one_language_holds_for_all(file_of: FileOf, order: tuple[int, int]) -> None:
    """An empty `kind` in another language's row does not take it back."""
    rows = ["c1,en,Jobs,,,,group\n", "c1,de,Berufe,,,,\n"]
    content = WITH_KIND + rows[order[0]] + rows[order[1]] + "c2,en,Nurse,,,,\n"
    assert _kinds(read_custom(file_of(content))) == {"c1": "group", "c2": "occupation"}


@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["parent first", "parent last"])
def test_parent_in_one_language_holds_for_all(load_custom: Load, order: tuple[int, int]) -> None:
    """A parent need be given only once."""
    rows = ["c1,en,Nurse,,2221,\n", "c1,de,Krankenpfleger,,,\n"]
    assert load_custom(HEADER + rows[order[0]] + rows[order[1]]).occupations_in("2221") == ["c1"]


def test_long_chain_of_parents(load_custom: Load) -> None:
    """Depth is no matter of the stack."""
    rows = [f"c{n},en,N{n},,c{n + 1},\n" for n in range(1500)]
    taxonomy = load_custom(HEADER + "".join(rows) + "c1500,en,Top,,2221,\n")
    assert taxonomy.occupations_in("2221") == ["c0"]


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        pytest.param("", 1, "the file is empty; expected a header with concept_id, language, ", id="empty"),
        pytest.param(HEADER, 1, "a header but no rows", id="header only"),
        pytest.param(
            "concept_id,language,preferred\nc1,en,Nurse\n",
            1,
            "'alternatives', 'parent', 'description'",
            id="columns missing",
        ),
        pytest.param(HEADER.replace(",", ";") + "c1;en;Nurse;;;\n", 1, "missing", id="semicolons"),
        pytest.param(HEADER + ",en,Nurse,,,\n", 2, "concept_id is empty", id="no id"),
        pytest.param(HEADER + "c1,,Nurse,,,\n", 2, "language is empty", id="no language"),
        pytest.param(HEADER + "c1,en, ,,,\n", 2, "preferred is empty", id="no name"),
        pytest.param(
            HEADER + "c1,en,Nurse,,,\nc2,xx,Cook,,,\n",
            3,
            "'xx' is not a language known here; expected one",
            id="unknown language",
        ),
        pytest.param(
            HEADER + "c1,en,Nurse,,,\nc1,EN-gb,Sister,,,\n",
            3,
            r"c1 occurs twice in language en \(first on line 2\)",
            id="twice in one language",
        ),
        pytest.param(HEADER + "c1,en,Nurse,,c9,\n", 2, "the parent 'c9' is neither a concept_id", id="unknown parent"),
        pytest.param(HEADER + "c1,en,Nurse,,9999,\n", 2, "the parent '9999' is neither", id="no ISCO-08 code"),
        pytest.param(
            HEADER + "c0,en,Cook,,,\na,en,A,,b,\nb,en,B,,c,\nc,en,C,,a,\n", 3, "a is its own ancestor", id="circle"
        ),
        pytest.param(HEADER + "c0,en,Cook,,,\na,en,A,,a,\n", 3, "a is its own parent", id="its own parent"),
        pytest.param(HEADER + "a,en,A,,a,\n", 2, "a is its own parent", id="nothing but its own parent"),
        pytest.param(HEADER + "a,en,A,,b,\nb,en,B,,a,\n", 2, "a is its own ancestor", id="nothing but a circle"),
        pytest.param(
            HEADER + "c1,en,Nurse,,2221,\nc1,de,Pfleger,,,\nc1,fr,Infirmier,,2222,\n",
            4,
            "the parent of c1 is '2222' here but '2221' on line 2",
            id="two parents",
        ),
        pytest.param(
            WITH_KIND + "c1,en,Jobs,,,,group\nc1,de,Berufe,,,,occupation\n",
            3,
            "the kind of c1 is 'occupation' here but 'group' on line 2",
            id="two kinds",
        ),
        pytest.param(HEADER + "c0,en,Cook,,a,\na,en,A,,b,\nb,en,B,,a,\n", 2, "ancestor", id="below a circle"),
        pytest.param(WITH_KIND + "c1,en,Nurse,,,,job\n", 2, "kind is 'job'; expected occupation", id="bad kind"),
        pytest.param(WITH_KIND + "c1,en,Nurse,,,,group\n", None, "every concept is a group", id="groups only"),
        pytest.param(HEADER + 'c1,en,"Nurse', 2, "cut short", id="cut short"),
    ],
)
def test_faults(file_of: FileOf, content: str, line: int | None, problem: str) -> None:
    """The error names the line and what is expected."""
    with pytest.raises(DataFileError, match=problem) as caught:
        read_custom(file_of(content))
    assert caught.value.line == line


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_other_encodings(file_of: FileOf, encoding: str) -> None:
    """Only UTF-8 is taken, so that no name is garbled."""
    with pytest.raises(DataFileError, match="not UTF-8"):
        read_custom(file_of((HEADER + "c1,de,Köchin,,,\n").encode(encoding)))


def test_isco_groups_have_names(load_custom: Load) -> None:
    """The path is named although the file knows no ISCO-08."""
    nurse = load_custom(HEADER + "c1,en,Nurse,,2221,\n").occupation("c1", "de")
    assert nurse.isco_path[-1].name == "Akademische und vergleichbare Krankenpflegefachkräfte"
