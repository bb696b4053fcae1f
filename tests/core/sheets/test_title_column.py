"""The column of job titles is detected by its cells, in realistic tables."""

import pytest

from jobmatch_core.sheets.title_column import CellKind, cell_kind, holds_text, title_column

TITLES = ["Registered nurse", "Truck driver", "Data analyst", "Head of Vibes", "Head chef", "Plumber"]
NUMBERS = ["1", "2", "3", "4", "5", "6"]
DATES = ["2024-01-05", "12.03.2023", "1/2/2024", "5 Jan 2024", "March 2022", "2024年3月1日"]
CODES = ["A-1001", "A-1002", "B/17", "REQ-2024-0017", "X9", "550e8400-e29b-41d4-a716-446655440000"]
EMAILS = ["ann@example.org", "bob@example.org", "www.example.org", "https://example.org/x", "c@d.eu", "e@f.com"]
COMPANIES = ["Acme Ltd", "Müller GmbH", "Dupont S.A.", "Rossi S.p.A.", "Nowak Sp. z o.o.", "Example Inc."]
PEOPLE = ["Ann Smith", "Bob Jones", "Carla Rossi", "Dai Nguyen", "Eva Novák", "Finn Berg"]
CITIES = ["Leeds", "Bonn", "Lyon", "Graz", "Porto", "Gdańsk"]
PAY = ["€ 42,000", "38.500,00", "$50k", "45 000 PLN", "12%", "1'200"]
TEXTS = [f"We look for a {title} who cares for patients, drives our vans and cooks for all of us." for title in TITLES]

TABLES: list[tuple[str, dict[str, list[str]], str | None]] = [
    ("running number first", {"No": NUMBERS, "Title": TITLES}, "Title"),
    ("running number called title", {"title": NUMBERS, "b": TITLES}, "b"),
    ("codes called job", {"job": CODES, "what": TITLES}, "what"),
    ("dates", {"position": DATES, "what": TITLES}, "what"),
    ("addresses", {"role": EMAILS, "what": TITLES}, "what"),
    ("pay", {"pay": PAY, "what": TITLES}, "what"),
    ("companies", {"Employer": COMPANIES, "What they do": TITLES}, "What they do"),
    ("companies without a header", {"column 1": COMPANIES, "column 2": TITLES}, "column 2"),
    ("people", {"column 1": PEOPLE, "column 2": TITLES}, "column 2"),
    ("places", {"column 1": CITIES, "column 2": TITLES}, "column 2"),
    ("descriptions", {"Job description": TEXTS, "x": TITLES}, "x"),
    ("descriptions called job", {"job": TEXTS, "x": TITLES}, "x"),
    ("kinds of contract", {"a": ["full time worker", "temporary nurse"] * 30, "b": TITLES * 10}, "b"),
    (
        "everything",
        {
            "Nr": NUMBERS,
            "ID": CODES,
            "Hired": DATES,
            "E-mail": EMAILS,
            "Company": COMPANIES,
            "Name": PEOPLE,
            "Place": CITIES,
            "Funktion": TITLES,
            "Salary": PAY,
            "Notes": TEXTS,
        },
        "Funktion",
    ),
    ("the name says what the words do not", {"Ort": CITIES, "Berufsbezeichnung": ["Zugchef"] * 6}, "Berufsbezeichnung"),
    ("job title and title of a person", {"Title": ["Mr", "Ms", "Dr"] * 2, "Job title": TITLES}, "Job title"),
    ("empty cells", {"n": ["", *NUMBERS], "t": ["", "", *TITLES]}, "t"),
    ("German", {"lfd. Nr.": NUMBERS, "Vorname": PEOPLE, "Tätigkeit": ["Köchin", "Maurer", "Busfahrer"]}, "Tätigkeit"),
    ("French", {"Matricule": CODES, "Ville": CITIES, "Libellé emploi": ["infirmière", "maçon"]}, "Libellé emploi"),
    ("Polish", {"Lp.": NUMBERS, "Nazwisko": PEOPLE, "Stanowisko": ["kierowca", "kucharz"]}, "Stanowisko"),
    ("Turkish", {"Sıra No": NUMBERS, "Adı Soyadı": PEOPLE, "Ünvan": ["hemşire", "aşçı"]}, "Ünvan"),
    ("Russian", {"№": NUMBERS, "ФИО": ["Иванов И.", "Петров П."], "Должность": ["повар", "водитель"]}, "Должность"),
    ("Greek", {"Πόλη": ["Αθήνα", "Πάτρα"], "Επάγγελμα": ["μάγειρας", "δάσκαλος"]}, "Επάγγελμα"),
    ("Arabic", {"الاسم": ["علي", "سارة"], "المسمى الوظيفي": ["ممرضة", "طباخ"]}, "المسمى الوظيفي"),
    ("Hebrew", {"שם": ["דוד", "שרה"], "תפקיד": ["אחות", "טבח"]}, "תפקיד"),
    ("Chinese", {"编号": NUMBERS, "姓名": ["王芳", "李伟"], "职位名称": ["护士", "厨师"]}, "职位名称"),
    ("Japanese", {"氏名": ["佐藤 花", "鈴木 一"], "職種": ["看護師", "運転手"]}, "職種"),
    ("Korean", {"번호": NUMBERS, "이름": ["김민수"], "직무": ["간호사"]}, "직무"),
    ("Thai", {"no": NUMBERS, "ตำแหน่ง": ["พยาบาล", "ครู"]}, "ตำแหน่ง"),
    ("emoji", {"mood": ["🙂", "🙃", "🎉"], "job": ["👩‍🍳 chef", "🚚 driver", "nurse 💉"]}, "job"),
    ("titles with levels", {"a": NUMBERS, "b": ["Engineer II", "Nurse 3", "C++ developer", "Koch (m/w/d)"]}, "b"),
    (
        "what linking added",
        {
            "text": ["Zugchef", "Head of Vibes", "Hilfe"],
            "esco_occupation": TITLES[:3],
            "isco_group": TITLES[:3],
            "link_occupation": TITLES[:3],
            "link_matched_name": TITLES[:3],
            "decided_name": TITLES[:3],
        },
        "text",
    ),
    ("numbers and dates only", {"a": NUMBERS, "b": DATES, "c": CODES}, None),
    ("nothing", {"a": ["", ""], "b": []}, None),
    ("no column", {}, None),
]


@pytest.mark.parametrize(("columns", "expected"), [each[1:] for each in TABLES], ids=[each[0] for each in TABLES])
def test_the_titles_are_found(columns: dict[str, list[str]], expected: str | None) -> None:
    """Other columns and their order do not matter."""
    assert title_column(columns) == expected
    assert title_column(dict(reversed(columns.items()))) == expected


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (TITLES, True),
        (["nurse", "", ""], True),
        (NUMBERS, False),
        (DATES, False),
        (CODES, False),
        (PAY, False),
        (EMAILS, False),
        ([], False),
        ([*NUMBERS[:2], "nurse"], False),
    ],
)
def test_texts_are_told_from_the_rest(cells: list[str], expected: bool) -> None:
    """A column of numbers is not suggested as titles."""
    assert holds_text(cells) is expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (" ", CellKind.EMPTY),
        ("17", CellKind.NUMBER),
        ("-3,5 %", CellKind.NUMBER),
        ("+49 170 1234567", CellKind.NUMBER),
        ("12:30", CellKind.NUMBER),
        ("2024-01-05T10:00:00", CellKind.DATE),
        ("05.01.24", CellKind.DATE),
        ("ann@example.org", CellKind.ADDRESS),
        ("DE", CellKind.CODE),
        ("2221.1", CellKind.NUMBER),
        ("C2221", CellKind.CODE),
        ("---", CellKind.CODE),
        ("🙂", CellKind.CODE),
        ("CEO", CellKind.TEXT),
        ("1st officer", CellKind.TEXT),
        ("一级建造师", CellKind.TEXT),
        ("2級建築士", CellKind.TEXT),
        ("Nurse 3", CellKind.TEXT),
        ("C++ developer", CellKind.TEXT),
    ],
)
def test_kinds_of_cells(text: str, kind: CellKind) -> None:
    """A title with numbers is a text."""
    assert cell_kind(text) is kind
