"""Tables uploaded to the page 'Link titles': encodings, sheets, headers, the column of titles."""

import io
from pathlib import Path

import pytest
from openpyxl import Workbook
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import NumberInput

from jobmatch_core.crosswalks.mapping import Mapping, MappingSet
from jobmatch_core.crosswalks.relation_features import SourceCode
from jobmatch_core.crosswalks.store import CrosswalkCard, CrosswalkStore
from jobmatch_core.settings import Settings
from jobmatch_core.sheets import table_process
from pages.link_titles.other_codes import codes
from tests.pages.conftest import TINY_ID
from tests.pages.observed import link_list, table, texts


def upload(app: AppTest, name: str, content: bytes) -> AppTest:
    """Upload a file."""
    app.query_params["view"] = "many"
    app.run()
    return app.file_uploader(key="many_upload").set_value((name, content, "text/csv")).run()


def header_row(app: AppTest) -> NumberInput:
    """Return the field of the header row."""
    return next(each for each in app.number_input if each.label == "Header row")


def test_an_uploaded_table_keeps_its_columns(app: AppTest) -> None:
    """The column of titles is detected, and all columns precede the links."""
    upload(app, "jobs.csv", b"id,Job title\n1,nurse\n2,Koch\n")
    column = next(box for box in app.selectbox if box.label == "Column with job titles")
    assert column.value == "Job title"
    app.button(key="many_link").click().run()
    assert not app.exception
    rows = list(app.session_state["many_open"].review.to_rows())
    assert list(rows[0])[:3] == ["id", "Job title", "esco_uri"]
    assert [row["link_uri"] for row in rows] == ["nurse", "cook"]


@pytest.mark.parametrize("pasted", [True, False])
def test_codes_of_another_classification(app: AppTest, home: Path, pasted: bool) -> None:
    """A stored crosswalk is chosen for pasted or uploaded titles, and read at the download; else the list says why."""
    crosswalks = CrosswalkStore.open(Settings(home))
    mappings = MappingSet([Mapping("81", "nurse", "exact", "Care")])
    crosswalk = crosswalks.new(CrosswalkCard("KldB", TINY_ID, "de"), [SourceCode("81", "Care")], mappings)
    crosswalks.new(CrosswalkCard("SOC", "another", "en"), [SourceCode("81", "Care")], mappings)
    if pasted:
        app.query_params["view"] = "many"
        app.run()
        app.selectbox(key="many_crosswalk").set_value(crosswalk).run()
        link_list(app, "nurse", "Koch")
    else:
        upload(app, "jobs.csv", b"id,Job title\n1,nurse\n2,Koch\n")
        assert app.selectbox(key="many_crosswalk").options == ["None", "KldB"], "of the selected taxonomy"
        app.selectbox(key="many_crosswalk").set_value(crosswalk).run()
        app.button(key="many_link").click().run()
    assert not app.exception
    options = app.session_state["many_open"].review.options
    assert (options.also, [code.code for _, code in codes(options)]) == (crosswalk, ["81"])
    crosswalks.remove(crosswalk)
    app.run()
    assert "There is no such crosswalk" in texts(app)


def test_downloads_have_the_name_of_the_file(app: AppTest) -> None:
    """Downloads are named like the API's results; a renamed list gives them its new name."""
    upload(app, "Löhne März.csv", b"id,Job title\n1,nurse\n2,Koch\n")
    app.button(key="many_link").click().run()
    assert not app.exception
    assert app.session_state["many_open"].card.name == "Löhne März"
    names = [button.proto.label for button in app.get("download_button")]
    assert names == ["CSV", "Excel", "Parquet", "JSON lines"]


def test_a_broken_file_shows_what_is_wrong(app: AppTest) -> None:
    """The error message says what was expected."""
    upload(app, "jobs.xlsx", b"no workbook")
    assert not app.exception
    assert "this is not an Excel workbook" in texts(app)


def test_a_file_that_is_not_utf8_is_read_by_its_letters(app: AppTest) -> None:
    """The likeliest encoding is selected; others can be chosen."""
    upload(app, "jobs.csv", "id;titre\n1;infirmière\n".encode("cp1252"))
    assert not app.exception
    box = next(box for box in app.selectbox if box.label == "File encoding")
    assert box.value == "cp1252"
    assert app.dataframe[0].value["titre"][2] == "infirmière"
    box.set_value("cp1250").run()
    assert app.dataframe[0].value["titre"][2] == "infirmičre"
    next(box for box in app.selectbox if box.label == "File encoding").set_value("cp1252").run()
    app.button(key="many_link").click().run()
    assert table(app)[0]["Title"] == "infirmière"


def test_a_running_number_first_is_not_linked(app: AppTest) -> None:
    """The column is detected by its values, below a heading; the first rows are shown as they are."""
    upload(app, "jobs.csv", b"Staff 2024\n\nNr,Who,What they do\n1,Ann Smith,nurse\n2,Bob Jones,\n3,Eva Berg,cook\n")
    assert not app.exception
    assert next(box for box in app.selectbox if box.label == "Column with job titles").value == "What they do"
    shown = app.dataframe[0].value
    assert list(shown.index) == [4, 5, 6]
    assert list(shown["Nr"]) == ["1", "2", "3"]
    assert list(shown["What they do"]) == ["nurse", "", "cook"]
    assert header_row(app).value == 3
    assert app.button(key="many_link").label == "Link 2 titles"
    app.button(key="many_link").click().run()
    assert len(table(app)) == 3


def test_a_table_without_a_header_loses_no_title(app: AppTest) -> None:
    """That there is none is detected and can be changed."""
    upload(app, "jobs.csv", b"nurse\ncook\nplumber\n")
    assert header_row(app).value == 0
    assert app.button(key="many_link").label == "Link 3 titles"
    header_row(app).set_value(1).run()
    assert app.button(key="many_link").label == "Link 2 titles"


def test_columns_beside_the_titles(app: AppTest) -> None:
    """Those that are chosen move the links, and the panel says what they speak for."""
    upload(app, "jobs.csv", b"job,branch,id\ndriver,bus company,1\ndriver,,2\n")
    chooser = next(each for each in app.multiselect if each.label.startswith("Columns that say more"))
    assert chooser.options == ["branch", "id"]
    chooser.set_value(["branch"]).run()
    app.button(key="many_link").click().run()
    assert not app.exception
    said = [result.context for result in app.session_state["many_open"].review.results]
    assert [[(each.kind, each.text) for each in context] for context in said] == [[("branch", "bus company")], []]
    assert "branch bus company: speaks for " in texts(app)


def test_the_sheet_with_the_titles_is_chosen(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other sheets can be selected; the list shows row numbers of the file."""
    tasks = table_process._TASKS  # in this process, which is faster than one for each
    monkeypatch.setattr(table_process, "_answers", lambda task, path, **options: tasks[task](path, **options))
    book = Workbook()
    book.active.title = "Imprint"
    book.active.append(["Published by the office"])
    for name, titles in {"Jobs": ["nurse", "Koch"], "Old": ["plumber"]}.items():
        sheet = book.create_sheet(name)
        for cells in ([], ["No", "Job title"], [], *enumerate(titles, 1), ["Total", 2]):
            sheet.append(cells)
    file = io.BytesIO()
    book.save(file)
    upload(app, "jobs.xlsx", file.getvalue())
    assert not app.exception
    box = next(box for box in app.selectbox if box.label == "Sheet")
    assert (box.value, box.options) == ("Jobs", ["Jobs", "Imprint", "Old"])
    assert "Only the sheet Jobs is read, and comes back in a download. Not read: Imprint, Old." in texts(app)
    box.set_value("Old").run()
    assert "Not read: Jobs, Imprint." in texts(app)
    assert app.button(key="many_link").label == "Link 1 title"
    next(box for box in app.selectbox if box.label == "Sheet").set_value("Jobs").run()
    assert app.button(key="many_link").label == "Link 2 titles"
    app.button(key="many_link").click().run()
    review = app.session_state["many_open"].review
    assert [review.row_number(number) for number in (0, 1)] == [4, 5]
    assert [row["No"].value for row in review.rows] == [1, 2], "numbers come back as numbers"


def test_garbled_titles_are_reported(app: AppTest) -> None:
    """A warning names the rows before linking, also for pasted titles."""
    upload(app, "jobs.csv", b"Liste\n\nNr,Beruf\n1,Koch\n2,Verk?ufer\n")
    assert "1 of 2 titles contain garbled characters, e.g. row 5: Verk?ufer; save the file as UTF-8" in texts(app)
    app.file_uploader(key="many_upload").set_value(None).run()
    app.text_area(key="many_paste").set_value("Koch\n\nVerkÃ¤ufer").run()
    assert "1 of 2 titles contain garbled characters, e.g. row 3: VerkÃ¤ufer" in texts(app)


def test_an_example_fills_the_empty_box(app: AppTest) -> None:
    """The box is empty at first, and the button goes once it has text."""
    app.query_params["view"] = "many"
    app.run()
    assert app.text_area(key="many_paste").value == ""
    assert app.button(key="many_link").disabled
    app.button(key="many_example").click().run()
    assert app.button(key="many_link").label == "Link 10 titles"
    assert "many_example" not in [button.key for button in app.button]


def test_languages_that_the_taxonomy_lacks_are_named(app: AppTest) -> None:
    """A notice counts their titles, and a taxonomy with names in them is one click away."""
    upload(app, "jobs.csv", "\n".join(["stanowisko", "kierowca", "pielęgniarka", "sprzątaczka", "nurse"]).encode())
    assert "3 look Polish" in texts(app)
    assert "has no names of its own in Polish" in texts(app)
    app.button(key="use_taxonomy").click().run()
    assert app.selectbox(key="taxonomy").value == "isco-08"
    assert "look Polish" not in texts(app)


def test_numbers_are_linked_only_when_somebody_insists(app: AppTest) -> None:
    """A column of numbers is never preselected, and a warning names it."""
    upload(app, "jobs.csv", b"id,pay\n1,20\n2,30\n")
    box = next(box for box in app.selectbox if box.label == "Column with job titles")
    assert box.value is None
    assert "many_link" not in [button.key for button in app.button]
    box.set_value("id").run()
    assert "id contains numbers, dates, codes or addresses" in texts(app)
