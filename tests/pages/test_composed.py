"""Core's composed texts in other languages: templates and their fields, sentences, errors of files, hostile values."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.errors import JobMatchError
from jobmatch_core.io.tables import no_column, table_columns
from lab.translation.catalogues import TRANSLATED
from lab.translation.composed_texts import templates_of
from pages.shared import composed, language

TEMPLATES = {
    "the column {column} is missing": "es fehlt die Spalte {column}",
    "the column {column} is missing; it has {listed}": "{listed} hat sie, aber die Spalte {column} fehlt",
    "a file may have {limit} rows": "höchstens {limit} Zeilen",
    "{share} of the titles are in {language}": "{share} der Bezeichnungen: {language}",
    "give {{a}} or {again} and {again}": "{again} und {again} oder {{a}}",
    " (within chance)": " (im Rahmen des Zufalls)",
    "Free some disk space.": "Geben Sie Speicherplatz frei.",
    "{path} cannot be written{why}": "{path} nicht geschrieben{why}",
    "{first} and {second}": "{first} und {second}",
    "{paths} exist already.": "Es gibt {paths}.",
}
PLAIN = st.text(st.characters(categories=["L", "N"]), min_size=1)


@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show pages in German, with a small catalogue."""
    patterns = [pattern for pair in TEMPLATES.items() if (pattern := composed._Pattern(*pair)).is_clear]
    monkeypatch.setattr(language, "language", lambda: "de")
    monkeypatch.setattr(composed, "language", lambda: "de")
    monkeypatch.setattr(composed, "_patterns", lambda code: sorted(patterns, key=lambda pattern: -pattern.letters))


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("english", "shown"),
    [
        ("the column 'title' is missing", "es fehlt die Spalte 'title'"),
        ("the column 'a' is missing; it has 'b'", "'b' hat sie, aber die Spalte 'a' fehlt"),
        ("a file may have 1,048,576 rows", "höchstens 1.048.576 Zeilen"),
        ("12.5% of the titles are in French", "12,5\u00a0% der Bezeichnungen: Französisch"),
        ("give {a} or x and x", "x und x oder {a}"),
        ("give {a} or x and y", "give {a} or x and y"),
        ("a.csv cannot be written (within chance)", "a.csv nicht geschrieben (im Rahmen des Zufalls)"),
        ("a.csv, b.csv exist already. Free some disk space.", "Es gibt a.csv, b.csv. Geben Sie Speicherplatz frei."),
        ("Free some disk space. Then cry.", "Geben Sie Speicherplatz frei. Then cry."),
        ("a.csv, line 1,000: the column x is missing", "a.csv, Zeile 1,000: es fehlt die Spalte x"),
        ("jobs: a: the column x is missing", "jobs: a: es fehlt die Spalte x"),
        ("-0.25", "-0,25"),
        ("the column French is missing; it has a and b", "a and b hat sie, aber die Spalte French fehlt"),
        ("the column a: the column b is missing is missing", "es fehlt die Spalte a: the column b is missing"),
        ("No space left on device", "No space left on device"),
        ("", ""),
    ],
)
def test_a_text_is_read_by_its_template(english: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With numbers, percents and languages as the viewer writes them; what has no template stays."""
    lines = {"{file}, line {line}": "{file}, Zeile {line}"}
    monkeypatch.setattr(composed, "_", lambda text, **fields: lines[text].format(**fields) if fields else text)
    assert composed.composed(english) == shown


@pytest.mark.usefixtures("german")
@given(PLAIN, PLAIN)
def test_values_are_kept(column: str, listed: str) -> None:
    """Letter by letter, whatever they are."""
    shown = composed.composed(f"the column {column!r} is missing; it has {listed!r}")
    assert shown == f"{listed!r} hat sie, aber die Spalte {column!r} fehlt"


@pytest.mark.usefixtures("german")
def test_values_are_no_templates() -> None:
    """Braces and patterns of a user's file mean nothing."""
    assert composed.composed("the column {limit} .* is missing") == "es fehlt die Spalte {limit} .*"


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    "piece", ["a", "a.csv: ", "a: ", "; ", ". ", "the column ", "{x}", "\n", "Free some disk space. "]
)
@pytest.mark.parametrize("length", [100, 1990, 1_000_000])
def test_hostile_texts_stay(piece: str, length: int) -> None:
    """However long they are, and however many parts they seem to have."""
    text = piece * (length // len(piece))
    assert len(composed.composed(text)) >= len(text)


def test_english_is_as_it_is() -> None:
    """Outside of a session, and for English viewers."""
    assert composed.composed("the column 'title' is missing") == "the column 'title' is missing"


@pytest.mark.parametrize("code", TRANSLATED)
def test_real_errors_are_translated(code: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file's name and the user's own words stay; no English is left."""
    monkeypatch.setattr(language, "language", lambda: code)
    monkeypatch.setattr(composed, "language", lambda: code)
    (tmp_path / "titles.csv").write_text("title,row has\n", "utf-8")
    with pytest.raises(JobMatchError) as empty:
        table_columns(tmp_path / "titles.csv")
    for error in (empty.value, no_column(tmp_path / "titles.csv", "row has", ["title"])):
        place, problem = str(error).split(": ", 1)
        shown = composed.composed(str(error))
        assert shown.startswith(f"{place}: ")
        assert problem not in shown
        assert ("row has" in shown) == ("row has" in problem)


def test_templates_are_read_off_the_code() -> None:
    """Of errors: f-strings, choices, sums, what a variable or a function holds, and what a field may be."""
    source = """
def _reason(path):
    return f"{path.name} is a folder" if path.is_dir() else "there is no such file"

def check(path, rows, who=""):
    "No text for people."
    problem = f"it has {len(rows):,} rows" + f"{' by {one}' if who else ', and nobody wrote it'}"
    if rows:
        raise DataFileError(path, problem, line=1)
    if note := f"the end of {path or who} is missing":
        raise LinkingError(note)
    print(f"reading the file {path}")
    raise TaxonomyError(f"{path}: {_reason(path)}")
"""
    assert sorted(templates_of(source)) == [
        ", and nobody wrote it",
        "it has {len_rows} rows{by_one_if_who_else_and_nobody_wrote_it}",
        "the end of {path} is missing",
        "there is no such file",
        "{path_name} is a folder",
    ]
    assert "reading the file {path}" in list(templates_of(source, every=True))
    assert "No text for people." not in list(templates_of(source, every=True))
