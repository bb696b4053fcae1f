"""`jobmatch link`: one title, several, and a file."""

import csv
import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from openpyxl import Workbook
from typer.testing import Result

from jobmatch_core.entities import GroupOffer
from jobmatch_core.linking import Linker, batch, open_linker
from jobmatch_core.linking.link_answer import link_answer

COOKS = "http://data.europa.eu/esco/isco/C5120"
NURSES = "http://data.europa.eu/esco/isco/C2221"

pytestmark = pytest.mark.usefixtures("use_linker_home")
Cli = Callable[..., Result]


def linked(cli: Cli, *words: str) -> list[dict[str, Any]]:
    """Return the results of a `link --json`."""
    return list(json.loads(cli("link", *words, "--json").stdout)["results"])


def test_a_table_for_people(cli: Cli) -> None:
    """Title, probability as a number and a word, occupation, code and reason."""
    lines = cli("link", "Krankenschwester").stdout.splitlines()
    assert lines[0].strip() == "Krankenschwester"
    assert [heading for heading in ("probability", "occupation", "ISCO", "matched") if heading not in lines[2]] == []
    first = [cell.strip() for cell in lines[4].strip("│").split("│")]
    assert first[0].endswith(" sure")  # an equal name is
    assert float(first[0].split()[0]) > 0.7
    assert first[1:] == ["Nursing professionals", "2221", "Krankenschwester (German)"]


def test_the_table_says_where_it_only_guesses(cli: Cli) -> None:
    """For a text that is not a job, the linker abstains and shows guesses."""
    shown = cli("link", "Katze auf dem Dach").stdout
    assert "No confident match (unknown word); these are guesses." in shown


def test_a_script_without_names_is_said(cli: Cli, tmp_path: Path) -> None:
    """In the table, in JSON and in a file."""
    assert "ພະຍາບານ: no match (no names in Lao)." in cli("link", "ພະຍາບານ").stdout
    assert [each["reason"] for each in linked(cli, "ພະຍາບານ", "cook")] == ["no names in Lao", ""]
    source, out = tmp_path / "titles.csv", tmp_path / "linked.csv"
    source.write_text("title\nພະຍາບານ\ncook\n", "utf-8")
    cli("link", "--file", str(source), "--out", str(out))
    with out.open(encoding="utf-8-sig", newline="") as file:
        assert [row["link_reason"] for row in csv.DictReader(file)] == ["no names in Lao", ""]


def test_the_table_says_what_was_not_looked_at(cli: Cli) -> None:
    """The gender marker."""
    assert "Ignored: (m/w/d)" in cli("link", "Koch (m/w/d)").stdout


def test_markup_in_a_title_is_shown_as_it_is(cli: Cli) -> None:
    """`[red]` is text, not a colour, and `[/]` is not an error."""
    assert "[red]cook[/]" in cli("link", "[red]cook[/]").stdout


def test_json_is_one_object_of_the_documented_shape(cli: Cli) -> None:
    """It has exactly the keys of docs/cli.md on all levels."""
    answer = json.loads(cli("link", "cook (m/w/d)", "--json").stdout)
    assert list(answer) == ["taxonomy", "results"]
    assert answer["taxonomy"] == "isco-08"
    [result] = answer["results"]
    assert list(result) == [
        "title",
        "abstained",
        "reason",
        "level",
        "seniority",
        "group",
        "set_aside",
        "jobs",
        "candidates",
        "coding",
    ]
    assert (result["title"], result["abstained"], result["group"]) == ("cook (m/w/d)", False, None)
    assert result["set_aside"] == ["(m/w/d)"]
    assert list(result["coding"]) == ["state", "code", "level", "name", "probability", "reason"]
    for candidate in result["candidates"]:
        assert list(candidate) == ["uri", "name", "isco", "probability", "evidence", "scores"]
        assert list(candidate["evidence"]) == ["name", "language", "source"]
    best = result["candidates"][0]
    assert (best["uri"], best["name"], best["isco"]) == (COOKS, "Cooks", "5120")
    assert best["evidence"]["name"].lower() == "cook"
    assert best["probability"] == round(best["probability"], 4) > 0.8
    assert sum(best["scores"].values()) == pytest.approx(1, abs=0.001)


def test_json_is_the_librarys_own(cli: Cli) -> None:
    """The command prints `link_answer` of the linker's results, also for guesses and no match."""
    titles = ["cook", "Katze auf dem Dach", ""]
    answer = link_answer("isco-08", open_linker().link_all(titles))
    assert json.loads(cli("link", *titles, "--json").stdout) == msgspec.json.decode(msgspec.json.encode(answer))


def test_a_group_is_offered_where_the_linker_abstains(cli: Cli) -> None:
    """With a code, a name and a probability of at least a half."""
    titles = ["engineer", "technician", "manager", "Fahrer", "Berater", "teacher", "operator", "clerk"]
    offered = [result["group"] for result in linked(cli, *titles) if result["abstained"] and result["group"]]
    assert offered, "none of these broad titles made the linker offer a group"
    for group in offered:
        assert list(group) == ["code", "name", "probability"]
        assert group["code"].isdigit()
        assert 0.5 <= group["probability"] <= 1


def test_several_titles_in_their_order(cli: Cli) -> None:
    """One result each; a repeated title has the same result."""
    results = linked(cli, "nurse", "cook", "nurse")
    assert [result["title"] for result in results] == ["nurse", "cook", "nurse"]
    assert [result["candidates"][0]["uri"] for result in results] == [NURSES, COOKS, NURSES]
    assert results[0] == results[2]


def test_show_gives_names_in_that_language(cli: Cli) -> None:
    """A German title with a French answer; the evidence is the matched name."""
    [result] = linked(cli, "Krankenschwester", "--show", "fr")
    best = result["candidates"][0]
    assert (best["uri"], best["name"]) == (NURSES, "Cadres infirmiers")
    assert best["evidence"] == {"name": "Krankenschwester", "language": "de", "source": "taxonomy"}


def test_show_takes_a_locale(cli: Cli) -> None:
    """`FR-ca` is French."""
    assert linked(cli, "cook", "--show", "FR-ca") == linked(cli, "cook", "--show", "fr")


def test_languages_restrict_the_names(cli: Cli) -> None:
    """With Polish and English names only, a German title has no German evidence."""
    assert linked(cli, "Krankenschwester")[0]["candidates"][0]["evidence"]["language"] == "de"
    [result] = linked(cli, "Krankenschwester", "--languages", "pl, en")
    assert {candidate["evidence"]["language"] for candidate in result["candidates"]} <= {"pl", "en"}
    assert linked(cli, "Krankenschwester", "--languages", "de,en")[0]["candidates"][0]["uri"] == NURSES


@pytest.mark.parametrize("top", [1, 3])
def test_top_limits_the_candidates(cli: Cli, top: int) -> None:
    """They are the first of the default five."""
    [few] = linked(cli, "software engineer", "--top", str(top))
    [five] = linked(cli, "software engineer")
    assert len(five["candidates"]) == 5
    assert few["candidates"] == five["candidates"][:top]


@pytest.fixture
def titles_csv(tmp_path: Path) -> Path:
    """Write four titles, one of them empty."""
    path = tmp_path / "titles.csv"
    path.write_text("id,title\n7,cook\n8,Krankenschwester\n9,\n10,cook\n", "utf-8")
    return path


def test_a_file_in_and_a_file_out(cli: Cli, titles_csv: Path, tmp_path: Path) -> None:
    """One row per row, with its own columns first; the command prints the number and the place."""
    out = tmp_path / "linked.csv"
    result = cli("link", "--file", titles_csv, "--column", "title", "--out", out, "--show", "de", "--top", "2")
    read_as = "Read as UTF-8, column names in row 1, titles in 'title'."
    assert " ".join(result.stdout.split()) == f"Linked 4 rows to isco-08: {out} {read_as}"
    with out.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["id"], row["title"]) for row in rows] == [
        ("7", "cook"),
        ("8", "Krankenschwester"),
        ("9", ""),
        ("10", "cook"),
    ]
    assert [row["link_isco"] for row in rows] == ["5120", "2221", "", "5120"]
    assert [row["link_confidence"] for row in rows] == ["sure", "sure", "to check", "sure"]
    assert rows[0]["link_occupation"] == "Köche"
    assert ";" not in rows[0]["link_alternatives"], "two candidates are one alternative"
    assert {row["link_taxonomy"] for row in rows} == {"isco-08"}


def test_a_file_with_json(cli: Cli, titles_csv: Path, tmp_path: Path) -> None:
    """Only JSON on standard output: what was linked, and how it was read."""
    out = tmp_path / "linked.jsonl"
    answer = json.loads(cli("link", "--file", titles_csv, "--column", "title", "--out", out, "--json").stdout)
    layout = {"encoding": "utf-8-sig", "header_row": 1, "column": "title", "sheet": None, "other_sheets": []}
    assert answer == {"taxonomy": "isco-08", "rows": 4, "out": str(out), "damaged": 0} | layout
    assert len(out.read_text("utf-8").splitlines()) == 4


def test_the_files_encoding(cli: Cli, tmp_path: Path) -> None:
    """A file from an older Excel."""
    source, out = tmp_path / "old.csv", tmp_path / "new.csv"
    source.write_bytes("title\nBäcker\n".encode("cp1252"))
    cli("link", "--file", source, "--out", out, "--encoding", "cp1252")
    with out.open(encoding="utf-8-sig", newline="") as file:
        [row] = csv.DictReader(file)
    assert (row["title"], row["link_isco"]) == ("Bäcker", "7512")


@pytest.mark.parametrize(
    ("name", "content", "options"),
    [
        ("t.json", b'[{"job": "cook"}]', ()),
        ("t.csv.gz", gzip.compress(b"n;job\n1;cook\n", mtime=0), ()),
        ("t.csv", b"n#job\n1#cook\n", ("--separator", "#", "--column", "job")),
    ],
)
def test_other_tables(cli: Cli, tmp_path: Path, name: str, content: bytes, options: tuple[str, ...]) -> None:
    """JSON lists, compressed tables and any separator."""
    (tmp_path / name).write_bytes(content)
    cli("link", "--file", tmp_path / name, "--out", tmp_path / "linked.jsonl", *options)
    [row] = (tmp_path / "linked.jsonl").read_text("utf-8").splitlines()
    assert json.loads(row)["link_uri"] == COOKS


def test_a_messy_file_is_read_by_what_stands_in_it(cli: Cli, tmp_path: Path) -> None:
    """A heading, a column of numbers, and an old Excel encoding; the command prints how it was read."""
    source, out = tmp_path / "old.csv", tmp_path / "new.csv"
    source.write_bytes("Personal 2024\n\nNr;Tätigkeit\n1;Bäcker\n2;Köchin\n".encode("cp1252"))
    result = cli("link", "--file", source, "--out", out)
    assert "Read as Windows, Western Europe (cp1252), column names in row 3, titles in 'Tätigkeit'." in result.stdout
    with out.open(encoding="utf-8-sig", newline="") as file:
        assert [(row["Nr"], row["link_isco"]) for row in csv.DictReader(file)] == [("1", "7512"), ("2", "5120")]


def test_a_workbook_of_several_sheets(cli: Cli, run_main: Callable[..., Any], tmp_path: Path) -> None:
    """The sheet with the titles is read and named, and the others listed; another can be chosen."""
    source, out = tmp_path / "jobs.xlsx", tmp_path / "linked.csv"
    book = Workbook()
    book.active.title = "Imprint"
    book.active.append(["Published by the office"])
    for name, titles in {"Jobs": ["nurse", "cook"], "Old": ["baker"]}.items():
        sheet = book.create_sheet(name)
        for cells in ([], ["No", "Job title"], *enumerate(titles, 1), ["Total", len(titles)]):
            sheet.append(cells)
    book.save(source)
    shown = cli("link", "--file", source, "--out", out).stdout
    assert "Linked 2 rows" in shown
    assert "Read the sheet 'Jobs', column names in row 2, titles in 'Job title'." in shown
    assert "Other sheets (--sheet NAME): 'Imprint', 'Old'." in shown
    assert "Linked 1 rows" in cli("link", "--file", source, "--out", out, "--sheet", "Old").stdout
    refused = run_main("link", "--file", source, "--out", out, "--sheet", "x")
    assert (refused.code, "no sheet 'x' with cells; it has 'Imprint', 'Jobs', 'Old'" in refused.err) == (2, True)
    assert "require --file FILE" in run_main("link", "nurse", "--sheet", "x").err


def test_garbled_titles_are_reported(run_main: Callable[..., Any], tmp_path: Path) -> None:
    """On standard error, for a file and for parts; the titles are linked anyway."""
    source = tmp_path / "titles.csv"
    source.write_text("Liste\n\nNr,Beruf\n1,Koch\n2,Verk?ufer\n3,B\ufffdcker\n", "utf-8")
    for number, out in enumerate((tmp_path / "linked.csv", tmp_path / "parts")):
        answer = run_main("link", "--file", source, "--out", out, "--json")
        assert (
            "jobmatch: 2 of 3 titles contain garbled characters, e.g. row 5: Verk?ufer; save the file" in answer.err
        ), number
        assert json.loads(answer.out)["damaged"] == 2


def test_a_file_without_names_of_columns(cli: Cli, tmp_path: Path) -> None:
    """Its first title is linked, too."""
    source, out = tmp_path / "bare.csv", tmp_path / "new.csv"
    source.write_text("nurse\ncook\n")
    cli("link", "--file", source, "--out", out)
    with out.open(encoding="utf-8-sig", newline="") as file:
        assert [row["column 1"] for row in csv.DictReader(file)] == ["nurse", "cook"]
    cli("link", "--file", source, "--out", out, "--header-row", "1")
    with out.open(encoding="utf-8-sig", newline="") as file:
        assert [row["nurse"] for row in csv.DictReader(file)] == ["cook"]


def test_resume_goes_on_after_an_interruption(
    run_main: Callable[..., Any], titles_csv: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the first of two parts; the result has the same bytes as without an interruption."""
    monkeypatch.setattr(batch, "PART_ROWS", 2)
    out, whole = tmp_path / "out.csv", tmp_path / "whole.csv"
    command = ["link", "--file", titles_csv, "--column", "title", "--out"]
    assert run_main(*command, whole).code == 0
    linked_once, calls = batch.linked_once, []

    def stopped_at_the_second(*arguments: Any) -> Any:
        calls.append(arguments)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return linked_once(*arguments)

    monkeypatch.setattr(batch, "linked_once", stopped_at_the_second)
    stopped = run_main(*command, out)
    assert (stopped.code, stopped.out) == (130, "")
    assert not out.exists()
    assert run_main(*command, out, "--resume").code == 0
    assert len(calls) == 3, "the first part was linked again"
    assert out.read_bytes() == whole.read_bytes()


def test_a_higher_precision_leaves_more_titles_unlinked(cli: Cli) -> None:
    """Candidates and probabilities stay the same."""
    titles = ["cook", "kitchen person", "Softwareentwickler", "carer of old people", "Lehrkraft", "machine person"]
    low, high = (linked(cli, *titles, "--precision", wish) for wish in ("0.5", "0.99"))
    assert sum(each["abstained"] for each in low) < sum(each["abstained"] for each in high)
    assert all(other["abstained"] for one, other in zip(low, high, strict=True) if one["abstained"])


@pytest.mark.parametrize("precision", ["0", "1", "1.5", "nan"])
def test_a_precision_that_cannot_be_reached(run_main: Callable[..., Any], precision: str) -> None:
    """The message names the possible ones."""
    ended = run_main("link", "cook", "--precision", precision)
    assert ended.code != 0
    assert "target precision must be between 0 and 1" in " ".join(ended.err.split())


def test_the_table_says_where_a_unit_group_is_linked(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The row has the unit group and none of its occupations."""
    result = replace(open_linker().link("cook"), abstained=False, group=GroupOffer("5120", "Cooks", 0.91))
    monkeypatch.setattr(Linker, "link_all", lambda *_, **__: [result])
    assert "Linked to the unit group 5120 Cooks (0.91), not to one of its occupations." in cli("link", "cook").stdout
