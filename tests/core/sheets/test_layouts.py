"""Header, column of titles and rows of realistic files of statistical offices, surveys and companies."""

import csv
from pathlib import Path

import pytest
from openpyxl import Workbook

from jobmatch_core.io.tables import read_numbered
from jobmatch_core.sheets.table_layout import guess_layout

TITLES = ["carpenter", "registered nurse", "lorry driver", "school teacher", "engineer", "plumber"]
GERMAN = ["Altenpfleger", "Bäcker", "Tischler", "Kraftfahrer", "Lehrerin", "Köchin"]
RUSSIAN = ["Повар", "Пекарь", "Охранник", "Бухгалтер", "Водитель автобуса", "Учитель математики"]
SPANISH = ["camarero", "enfermera", "albañil", "conductor de camión", "profesora", "cocinero"]
DUTCH = ["verpleegkundige", "kok", "timmerman", "leraar", "bakker", "loodgieter"]
CHINESE = ["护士", "厨师", "教师", "会计", "司机", "工程师"]
TYPOS = ["carpinter", "nurs", "lorry drvier", "scool teacher", "enginear", "plumer"]
UNSAID = ["Не указано", "Без опыта", "от 1 года", "Опыт 1–3 года", "Не имеет значения", "Опыт 3–6 лет"]
REMARKS = ["builds houses", "works in hospital", "", "primary", "cars", ""]
PEOPLE = ["Ann Smith", "Bob Jones", "Carla Rossi", "Dai Nguyen", "Eva Novák", "Finn Berg"]
CITIES = ["Leeds", "Bonn", "Lyon", "Graz", "Porto", "Gdańsk"]
CODES = ["5120", "7512", "5414", "3313", "8331", "2330"]
NUMBERS = ["1", "2", "3", "4", "5", "6"]


Rows = list[list[str]]
Lines = tuple[list[str], ...]


def table(header: list[str], *columns: list[str], above: Lines = (), below: Lines = ()) -> Rows:
    """Return the rows of a table with lines above and below it."""
    return [*above, header, *(list(cells) for cells in zip(*columns, strict=True)), *below]


LAYOUTS: list[tuple[str, Rows, int, str]] = [
    ("variables", table(["respid", "v12", "v13_txt", "wt1"], NUMBERS, TYPOS, REMARKS, ["1.02"] * 6), 1, "v12"),
    ("occ1", table(["id", "occ1", "occ2"], NUMBERS, TITLES, REMARKS), 1, "occ1"),
    ("occ1 alone", table(["occ1"], TITLES), 1, "occ1"),
    ("v12 alone", table(["v12"], TYPOS), 1, "v12"),
    ("job_1", table(["person", "job_1", "soc2020"], NUMBERS, TITLES, CODES), 1, "job_1"),
    ("soc2020 first", table(["soc2020", "q7a"], CODES, TITLES), 1, "q7a"),
    ("two words with a line", table(["serial_no", "occ_text"], NUMBERS, GERMAN), 1, "occ_text"),
    ("variables in capitals", table(["ID", "Q5_OPEN", "Q6"], NUMBERS, TITLES, NUMBERS), 1, "Q5_OPEN"),
    ("joined words", table(["personId", "jobTitle"], NUMBERS, TITLES), 1, "jobTitle"),
    (
        "name, Russian",
        table(
            ["id", "name", "employer", "experience"],
            ["x1", "x2", "x3", "x4", "x5", "x6"],
            RUSSIAN,
            ["ООО Ромашка"] * 6,
            UNSAID,
        ),
        1,
        "name",
    ),
    ("имя", table(["№", "имя", "город"], NUMBERS, RUSSIAN, CITIES), 1, "имя"),
    ("название", table(["код", "название", "опыт"], CODES, RUSSIAN, UNSAID), 1, "название"),
    ("nombre", table(["código", "nombre", "ciudad"], CODES, SPANISH, CITIES), 1, "nombre"),
    ("名称", table(["编号", "名称"], NUMBERS, CHINESE), 1, "名称"),
    ("naam", table(["nr", "naam", "plaats"], NUMBERS, DUTCH, CITIES), 1, "naam"),
    ("names of people and a column of jobs", table(["name", "what they do"], PEOPLE, TITLES), 1, "what they do"),
    ("a line above", table(["nr", "v12"], NUMBERS, TITLES, above=(["List of occupations 2024"],)), 2, "v12"),
    (
        "merged cells above",
        table(
            ["Vorname", "Name", "Kürzel", "Stelle X"],
            PEOPLE,
            PEOPLE,
            CODES,
            GERMAN,
            above=(["Person", "", "", "Arbeit"],),
        ),
        2,
        "Stelle X",
    ),
    (
        "a line with a comma above",
        table(["respid", "v12"], NUMBERS, TITLES, above=(["Survey Leeds", "wave 3"],)),
        2,
        "v12",
    ),
    (
        "facts above",
        table(["Nr", "Beruf"], NUMBERS, GERMAN, above=(["Firma", "Acme"], ["Datum", "2024-01-05"], [])),
        4,
        "Beruf",
    ),
    ("a total below", table(["Beruf", "Anzahl"], GERMAN, NUMBERS, below=(["Summe", "21"],)), 1, "Beruf"),
    ("a total after a blank row", table(["nr", "title"], NUMBERS, TITLES, below=([], ["Total", ""])), 1, "title"),
    ("Итого", table(["Должность", "ставки"], RUSSIAN, NUMBERS, below=(["Итого:", "21"],)), 1, "Должность"),
    (
        "several totals",
        table(["poste", "effectif"], TITLES, NUMBERS, below=(["Total", "21"], ["Total général", "21 ETP"])),
        1,
        "poste",
    ),
    ("合计", table(["职位", "人数"], CHINESE, NUMBERS, below=(["合计", "21"],)), 1, "职位"),
    ("a total in one column", table(["title"], TITLES, below=(["Total: 6"],)), 1, "title"),
    ("Gesamtzahl", table(["Beruf"], GERMAN, below=(["Gesamtzahl: 6"], ["Stand: 1.1.2026"])), 1, "Beruf"),
    (
        "a note in two cells",
        table(["Beruf", "n"], GERMAN, NUMBERS, below=(["Gesamtzahl der Berufe", "6"], [], ["Stand:", "1.1.2026"])),
        1,
        "Beruf",
    ),
    ("a note alone", table(["title"], TITLES, below=(["As of 1 January 2026"],)), 1, "title"),
    (
        "a note and its source",
        table(["poste"], TITLES, below=(["Total : 6"], ["État au 1er janvier 2026"], ["Source : registre"])),
        1,
        "poste",
    ),
    (
        "codes before",
        table(["Kennung", "Bezeichnung X"], ["A-17", "A-18", "A-19", "B-1", "B-2", "B-3"], GERMAN),
        1,
        "Bezeichnung X",
    ),
]


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
@pytest.mark.parametrize(
    ("rows", "header_row", "column"), [each[1:] for each in LAYOUTS], ids=[each[0] for each in LAYOUTS]
)
def test_layouts(tmp_path: Path, rows: Rows, header_row: int, column: str, ending: str) -> None:
    """Each has six rows of titles, numbered as in the file."""
    path = tmp_path / f"t.{ending}"
    written(path, rows)
    layout = guess_layout(path)
    assert (layout.header_row, layout.column) == (header_row, column)
    [numbered] = read_numbered(path, header_row=header_row)
    assert [number for number, _ in numbered] == list(range(header_row + 1, header_row + 7))
    assert [row[column] for _, row in numbered] == [
        cells[rows[header_row - 1].index(column)] for cells in rows[header_row:][:6]
    ]


def written(path: Path, rows: Rows) -> None:
    """Write rows unchanged; numbers stay numbers in a workbook."""
    if path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
        return
    book = Workbook()
    for number, cells in enumerate(rows, 1):
        for place, cell in enumerate(cells, 1):
            book.active.cell(number, place, int(cell) if cell.isdecimal() else cell or None)
    book.save(path)


@pytest.mark.parametrize(
    "last",
    [
        ["Total quality manager", "3"],
        ["Totalisator clerk", "3"],
        ["cook", "Total"],
        ["Summe 3", "Koch"],
        ["Total: cook", "3"],
        ["Stand hostess 2026", "3"],
        ["Stand manager", "1.1.2026"],
        ["Data", "2026"],
        ["Data", "1.1.2026"],
        ["Source: cook", "baker"],
        ["Updated cook", "3"],
    ],
)
def test_what_only_begins_like_a_total_is_a_row(tmp_path: Path, last: list[str]) -> None:
    """A total with many rows below it is a row, too."""
    rows = table(["title", "n"], TITLES, NUMBERS, below=(last,))
    written(tmp_path / "t.csv", rows)
    [read] = read_numbered(tmp_path / "t.csv")
    assert list(read[-1][1].values()) == last
    written(tmp_path / "u.csv", [*rows[:2], ["Total", "1"], *rows[1:7]])
    [read] = read_numbered(tmp_path / "u.csv")
    assert len(read) == 8


def test_row_numbers_are_those_of_a_spreadsheet(tmp_path: Path) -> None:
    """Skipped and blank lines count; a cell of several lines is in one row."""
    (tmp_path / "t.csv").write_text('Staff\n\nno,title\n1,"nurse\non call"\n\n2,cook\n3,\n', "utf-8")
    [numbered] = read_numbered(tmp_path / "t.csv", header_row=3)
    assert [(number, row["no"]) for number, row in numbered] == [(4, "1"), (6, "2"), (7, "3")]
    (tmp_path / "one.csv").write_text("title\nnurse\n\ncook\n", "utf-8")
    [numbered] = read_numbered(tmp_path / "one.csv")
    assert [(number, row["title"]) for number, row in numbered] == [(2, "nurse"), (3, ""), (4, "cook")]


def test_row_numbers_of_a_workbook_with_gaps(tmp_path: Path) -> None:
    """Rows that the file leaves out count, too."""
    book = Workbook()
    for number, cells in {4: ["no", "title"], 5: [1, "nurse"], 130: [2, "cook"]}.items():
        for place, cell in enumerate(cells, 1):
            book.active.cell(number, place, cell)
    book.save(tmp_path / "t.xlsx")
    layout = guess_layout(tmp_path / "t.xlsx")
    [numbered] = read_numbered(tmp_path / "t.xlsx", header_row=layout.header_row)
    assert (layout.header_row, [number for number, _ in numbered]) == (4, [5, 130])
