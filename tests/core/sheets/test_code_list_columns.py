"""Detection of lists of codes and names."""

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError, SettingsError
from jobmatch_core.io.tables import write_table
from jobmatch_core.sheets.code_list_columns import code_list_table, taxonomy_layout
from jobmatch_core.taxonomy import readers
from jobmatch_core.taxonomy.code_list import CodeListLayout, read_code_list
from jobmatch_core.taxonomy.readers import COLUMNS, READERS


def layout_of(path: Path, content: str, encoding: str = "utf-8") -> CodeListLayout | None:
    """Write a file and return how it is read."""
    path.write_bytes(content.encode(encoding))
    return taxonomy_layout(path)


@pytest.mark.parametrize(
    ("content", "columns"),
    [
        pytest.param(
            '\ufeff"id";"persona"\n"6245";"Carpenter, joiner"\n"6246";"Nurse"\n"6527";"Baker"\n',
            {"code": "id", "name": "persona"},
            id="semicolons and a column of another name",
        ),
        pytest.param(
            "SOC2020,SOC title,ISCO-08\n2231,Midwives,2222\n5434,Chefs,3434\n",
            {"code": "SOC2020", "name": "SOC title", "isco": "ISCO-08"},
            id="SOC with ISCO",
        ),
        pytest.param(
            "id,SOC,title\n1,11-1011,Chief executives\n2,11-1011,CEO\n3,29-1141,Registered nurse\n",
            {"code": "SOC", "name": "title"},
            id="number of a row and code",
        ),
        pytest.param(
            "KldB 2010\tBezeichnung\n81302\tKrankenpflege\n82102\tAltenpflege\n",
            {"code": "KldB 2010", "name": "Bezeichnung"},
            id="KldB",
        ),
        pytest.param(
            "hisco|en|status\n54010|Domestic servant|\n61110|Farmer|\n",
            {"code": "hisco", "name": "en"},
            id="HISCO",
        ),
        pytest.param(
            "CODIGO;TITULO\n2251-05;Médico acupunturista\n2251-10;Médico alergista\n",
            {"code": "CODIGO", "name": "TITULO"},
            id="CBO",
        ),
        pytest.param(
            "ISCO08,Title\n2221,Nurse\n5120,Cook\n",
            {"code": "ISCO08", "name": "Title", "isco": "ISCO08"},
            id="ISCO alone",
        ),
        pytest.param(
            "code,lang,label,synonyms,kind\nA1,en,Nurse,RN,occupation\nA1,de,Pflegefachfrau,,occupation\n",
            {"code": "code", "name": "label", "alternatives": "synonyms", "language": "lang", "kind": "kind"},
            id="all roles",
        ),
        pytest.param(
            "code,title,kind,language\nA1,Nurse,main,maybe\nA2,Cook,main,never\n",
            {"code": "code", "name": "title"},
            id="columns that only sound like roles",
        ),
        pytest.param(
            ";".join(COLUMNS) + "\nc1;en;Nurse;RN;2221;\n",
            {
                "code": "concept_id",
                "name": "preferred",
                "alternatives": "alternatives",
                "language": "language",
                "parent": "parent",
                "description": "description",
            },
            id="one's own taxonomy, saved with semicolons",
        ),
    ],
)
def test_detected(tmp_path: Path, content: str, columns: dict[str, str]) -> None:
    """Column names decide first, then cells."""
    layout = layout_of(tmp_path / "list.csv", content)
    assert layout is not None
    assert dict(layout.columns) == columns


def test_header_below_a_heading_in_a_workbook(tmp_path: Path) -> None:
    """Statistical offices write a heading above the list."""
    rows = [
        {"a": "Classification 2020", "b": "", "c": ""},
        {"a": "Code", "b": "Title", "c": "Notes"},
        {"a": "2231", "b": "Midwife", "c": ""},
        {"a": "5434", "b": "Chef", "c": ""},
    ]
    write_table(tmp_path / "soc.xlsx", rows)
    layout = taxonomy_layout(tmp_path / "soc.xlsx")
    assert layout is not None
    assert (dict(layout.columns), layout.header_row) == ({"code": "Code", "name": "Title"}, 3)


def test_encoding_is_detected(tmp_path: Path) -> None:
    """A list in an old national encoding is read correctly."""
    content = "Code;Bezeichnung\n1a;Bäcker/Bäckerin\n2a;Köchin\n3a;Müller\n"
    layout = layout_of(tmp_path / "list.csv", content, "cp1252")
    assert layout is not None
    assert layout.encoding == "cp1252"


def test_other_formats(tmp_path: Path) -> None:
    """JSON and packed files are accepted, too."""
    (tmp_path / "a.json").write_text('[{"code": "A1", "title": "Nurse"}, {"code": "A2", "title": "Cook"}]', "utf-8")
    (tmp_path / "a.tsv.gz").write_bytes(gzip.compress(b"code\ttitle\nA1\tNurse\nA2\tCook\n"))
    for name in ("a.json", "a.tsv.gz"):
        layout = taxonomy_layout(tmp_path / name)
        assert layout is not None
        assert dict(layout.columns) == {"code": "code", "name": "title"}


def test_plain_taxonomy_is_read_strictly(tmp_path: Path) -> None:
    """The documented format has its own reader, which does not pad rows."""
    assert layout_of(tmp_path / "own.csv", ",".join(COLUMNS) + "\nc1,en,Nurse,,,\n") is None


@pytest.mark.parametrize("content", ["root:x:0:0:root:/root:/bin/bash\nsecret:x:1:1\n", "a,b\n1,2\n", "title\nNurse\n"])
def test_what_is_no_list(tmp_path: Path, content: str) -> None:
    """The message says how to name columns, and quotes nothing of the file."""
    with pytest.raises(DataFileError, match="none look like codes and names; name them, such as code=SOC") as caught:
        layout_of(tmp_path / "x.csv", content)
    assert "root" not in str(caught.value)


def test_a_list_without_a_header(tmp_path: Path) -> None:
    """Its columns are numbered, for the choice of columns and for the import."""
    path = tmp_path / "t.csv"
    path.write_text("2221;Krankenschwester\n5120;Koch\n7112;Maurer\n", "utf-8")
    assert code_list_table(path).header_row == 0
    columns = {"code": "column 1", "name": "column 2"}
    assert taxonomy_layout(path, columns=columns) == CodeListLayout(columns, "", "utf-8-sig", 0)
    with pytest.raises(DataFileError, match=r"^t\.csv: there is no column 'SOC'; it has column 1, column 2"):
        list(read_code_list(path, CodeListLayout({"code": "SOC", "name": "column 2"}, "", "utf-8-sig", 0)))


def test_other_formats_have_no_layout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that comes before tables reads its files alone, also those with the ending of a table."""
    thesaurus = replace(
        READERS["csv"],
        source="a thesaurus",
        recognised=lambda source: [source] * (source.suffix == ".json"),
        is_table=False,
    )
    monkeypatch.setattr(readers, "READERS", {"thesaurus": thesaurus, **READERS})
    assert layout_of(tmp_path / "jobs.json", "{}") is None
    with pytest.raises(SettingsError, match=r"only for a table, and jobs\.json is a thesaurus; leave them out"):
        taxonomy_layout(tmp_path / "jobs.json", language="de")
