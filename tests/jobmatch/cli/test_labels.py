"""`jobmatch labels`, on a real store."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from db.access_store import Person
from db.history import JudgmentFilter
from db.label_store import LabelStore
from jobmatch_core.entities import Judgment, Pair, PairKind
from jobmatch_core.labelling.label_files import read_labels, write_labels
from jobmatch_core.settings import Settings
from tests.core.labelling.made_judgments import HARD_TEXTS, judgment, said
from tests.jobmatch.cli.made_links import COOKS, link

Cli = Callable[..., Result]


@pytest.fixture(autouse=True)
def no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a store in the test's own home."""
    monkeypatch.delenv("JOBMATCH_DB", raising=False)


def history() -> list[Judgment]:
    """Three people on five pairs, a withdrawn acceptance of a title, difficult texts in notes."""
    accepted = judgment("+", "ann", link("=Vibe <b>"), minute=20)
    hard = [text for text in HARD_TEXTS if text.isprintable()]
    return [
        *said(["+-+?+", "++-?s", "+-+-."]),
        accepted,
        judgment(None, "ann", accepted.pair, minute=30, undoes=accepted.id),
        *(judgment("-", "ann", link(f"note {n}"), minute=40 + n, note=text) for n, text in enumerate(hard)),
    ]


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """Write a file of judgments."""
    path = tmp_path / "labels.jsonl"
    write_labels(path, history())
    return path


def kept() -> list[Judgment]:
    """Return the judgments in the store."""
    with LabelStore.open(Settings.from_environment().label_store) as store:
        return list(store.as_recorded())


def test_what_a_tool_gave_back_is_imported(cli: Cli, tmp_path: Path) -> None:
    """An export to a tool comes back as it was, to which nothing is added; somebody's new answer is."""
    write_labels(tmp_path / "titles.jsonl", [judgment("+", "ann", Pair(PairKind.TITLE_TITLE, "", "cook", "chef"))])
    cli("labels", "import", tmp_path / "titles.jsonl")
    cli("labels", "export", tmp_path / "pairs", "--format", "doccano", "--kind", "title-title")
    path = tmp_path / "pairs" / "pairs.jsonl"
    command = ("labels", "import", path, "--format", "doccano", "--annotator", "bob", "--json")
    assert json.loads(cli(*command).stdout) == {"file": str(path), "judgments": 1, "new": 0}
    path.write_text(path.read_text("utf-8").replace('"label": []', '"label": ["other work"]'), "utf-8")
    for new in (1, 0):
        assert json.loads(cli(*command).stdout) == {"file": str(path), "judgments": 2, "new": new}
    assert [(one.annotator, one.verdict) for one in kept()] == [("ann", "positive"), ("bob", "negative")]


def test_tables_are_not_of_a_tool(run_main: Callable[..., Any], tmp_path: Path) -> None:
    """Options of tables and --format exclude each other; an unknown tool is named."""
    refused = run_main("labels", "import", tmp_path / "x.json", "--format", "argilla", "--titles", "title")
    assert refused.code == 2
    assert "leave out --format" in refused.err
    assert "choose one of label-studio" in run_main("labels", "import", tmp_path / "x", "--format", "excel").err


def test_import_keeps_all_and_counts_what_is_new(cli: Cli, labels: Path, jobmatch_home: Path) -> None:
    """A second import adds nothing; the store is in the home."""
    count = len(history())
    assert json.loads(cli("labels", "import", labels, "--json").stdout) == {
        "file": str(labels),
        "judgments": count,
        "new": count,
    }
    assert "0 new" in cli("labels", "import", labels).stdout
    assert len(kept()) == count
    assert (jobmatch_home / "jobmatch.db").is_file()


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_export_and_import_give_the_same_history(cli: Cli, labels: Path, tmp_path: Path, ending: str) -> None:
    """Byte for byte, in another store."""
    cli("labels", "import", labels)
    out = tmp_path / f"out.{ending}"
    assert json.loads(cli("labels", "export", out, "--json").stdout) == {
        "out": str(out),
        "format": ending,
        "kind": None,
        "judgments": len(history()),
    }
    before = kept()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JOBMATCH_DB", str(tmp_path / "another.db"))
        cli("labels", "import", out)
        assert kept() == before
    assert list(read_labels(out)) == before


def test_import_is_all_or_nothing(cli: Cli, run_main: Callable[..., Any], labels: Path) -> None:
    """The message names the broken last line, and nothing is stored."""
    with labels.open("a", encoding="utf-8") as file:
        file.write('{"id": 1}\n')
    ended = run_main("labels", "import", labels)
    assert ended.code == 2
    assert f"line {len(history()) + 1}" in ended.err
    assert kept() == []


def test_nobody_settles_their_own_disagreement(cli: Cli, run_main: Callable[..., Any], tmp_path: Path) -> None:
    """Unless the file is the history of a release that allowed it."""
    path, of = tmp_path / "labels.jsonl", link("nurse")
    write_labels(path, [judgment("+", "ann", of), judgment("-", "bob", of), judgment("+", "Ann", of, adjudicates=True)])
    assert "somebody else must settle it" in run_main("labels", "import", path).err
    assert kept() == []
    assert "3 new" in cli("labels", "import", path, "--history").stdout


def test_an_undo_without_what_it_undoes_is_refused_whole(run_main: Callable[..., Any], tmp_path: Path) -> None:
    """Also if the file itself is valid."""
    path = tmp_path / "orphan.jsonl"
    write_labels(path, [judgment("+"), judgment(None, undoes="00000000-0000-0000-0000-00000000ffff")])
    ended = run_main("labels", "import", path)
    assert ended.code == 2
    assert "record that one first" in ended.err
    assert kept() == []


def test_export_of_one_kind(cli: Cli, labels: Path, tmp_path: Path) -> None:
    """With withdrawn judgments and their withdrawals."""
    cli("labels", "import", labels)
    out = tmp_path / "titles.jsonl"
    cli("labels", "export", out, "--kind", "title-occupation")
    found = list(read_labels(out))
    assert {each.pair.kind for each in found} == {PairKind.TITLE_OCCUPATION}
    assert [each.verdict for each in found[:2]] == ["positive", None]


@pytest.mark.parametrize("tool", ["argilla", "label-studio"])
def test_export_for_other_tools(cli: Cli, labels: Path, tmp_path: Path, own_linker_home: Path, tool: str) -> None:
    """Pairs with their texts and current verdicts, without withdrawn ones."""
    cli("labels", "import", labels)
    out = tmp_path / tool
    answer = json.loads(cli("labels", "export", out, "--format", tool, "--kind", "title-occupation", "--json").stdout)
    records = json.loads((out / ("records.json" if tool == "argilla" else "tasks.json")).read_text("ascii"))
    assert answer == {"out": str(out), "format": tool, "kind": "title-occupation", "pairs": len(records)}
    texts = records[0]["fields" if tool == "argilla" else "data"]
    assert texts["left"].startswith("note ")
    assert texts["right"].startswith("Cooks (5120)")
    assert not any("Vibe" in json.dumps(record) for record in records)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["labels.txt"], "Name the file labels.txt.jsonl or labels.txt.csv"),
        (["folder", "--format", "argilla"], "needs a --kind: "),
        (["folder", "--format", "unknown"], "no format 'unknown'; choose one of jsonl, csv, "),
        (["labels.csv", "--format", "jsonl"], "a file that ends in .jsonl"),
        (["labels.csv", "--format", "argilla", "--kind", "title-title"], "a folder"),
        (["folder", "--format", "csv"], "a file that ends in .csv"),
    ],
)
def test_export_says_how_it_is_to_be_asked(
    run_main: Callable[..., Any], tmp_path: Path, words: list[str], says: str
) -> None:
    """Nothing is written."""
    ended = run_main("labels", "export", tmp_path / words[0], *words[1:])
    assert ended.code == 2
    assert says in ended.err
    assert not (tmp_path / words[0]).exists()


def test_pairs_of_a_marketplace_that_is_not_there_are_an_error(
    cli: Cli, run_main: Callable[..., Any], labels: Path, tmp_path: Path
) -> None:
    """The error names the marketplace."""
    cli("labels", "import", labels)
    out = tmp_path / "pairs"
    ended = run_main("labels", "export", out, "--format", "argilla", "--kind", "project-freelancer")
    assert ended.code == 2
    assert "no marketplace 'demo'" in ended.err
    assert not out.exists()


def test_stats_count(cli: Cli, labels: Path) -> None:
    """p0 and p4 are positive, p1 and p2 are decided by majority, p3 is unsure."""
    cli("labels", "import", labels)
    found = json.loads(cli("labels", "stats", "--json").stdout)
    assert list(found) == ["kinds", "annotators", "policies", "origins"]
    pairs = next(each for each in found["kinds"] if each["kind"] == "project-freelancer")
    assert pairs == {
        "kind": "project-freelancer",
        "recorded": 14,
        "counting": 14,
        "pairs": 5,
        "positive": 3,
        "negative": 1,
        "unlabelled": 1,
        "disputed": 3,
    }
    b = next(each for each in found["annotators"] if each["name"] == "b")
    assert b == {
        "name": "b",
        "positive": 2,
        "negative": 1,
        "unsure": 1,
        "skip": 1,
        "seconds": None,
        "last": "2026-03-02",
    }
    shown = cli("labels", "stats").stdout
    words = ("project-freelancer", "disputed", "annotator", "random", "looked at")
    assert [word for word in words if word not in shown] == []


def test_agreement_is_told_kind_by_kind(cli: Cli, labels: Path) -> None:
    """Of the four pairs with two or more annotators; titles have only one annotator."""
    cli("labels", "import", labels)
    pairs, titles = json.loads(cli("labels", "agreement", "--json").stdout)["kinds"]
    assert (pairs["kind"], pairs["annotators"], pairs["overall"]["pairs"]) == ("project-freelancer", ["a", "b", "c"], 4)
    assert pairs["overall"]["percent"]["value"] == pytest.approx((1 + 1 / 3 + 1 / 3 + 1 / 3) / 4)
    assert [each["left"] for each in pairs["disputes"]] == ["p1", "p2", "p3"]
    assert pairs["disputes"][0]["verdicts"] == {"a": "negative", "b": "positive", "c": "negative"}
    assert [each["start"] for each in pairs["weeks"]] == ["2026-03-02"]
    assert len(pairs["two_by_two"]) == len(pairs["against_others"]) == 3
    assert titles["overall"]["alpha"]["value"] is None
    assert titles["overall"]["alpha"]["reason"] == "no pair has been judged by two people yet"
    [only] = json.loads(cli("labels", "agreement", "--kind", "title-occupation", "--json").stdout)["kinds"]
    assert only == titles


def test_agreement_for_people(cli: Cli, labels: Path) -> None:
    """Tables, and the pairs to adjudicate."""
    cli("labels", "import", labels)
    shown = cli("labels", "agreement").stdout
    expected = (
        "Krippendorff's alpha",
        "Pairs of annotators",
        "To adjudicate: 3",
        "a: negative, b: positive, c: negative",
    )
    assert [word for word in expected if word not in shown] == []
    assert "Not defined: no pair has been judged by two people yet." in shown


@pytest.mark.parametrize("command", ["stats", "agreement"])
def test_where_nobody_judged_it_is_said_how_to_begin(cli: Cli, command: str) -> None:
    """An empty store is not an error."""
    assert "Nobody has judged anything yet" in " ".join(cli("labels", command).stdout.split())
    assert not any(json.loads(cli("labels", command, "--json").stdout).values())


def test_a_backup_is_a_store(
    cli: Cli, run_main: Callable[..., Any], labels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It opens with the same content, and replaces no file."""
    cli("labels", "import", labels)
    before, out = kept(), tmp_path / "backup.db"
    cli("labels", "backup", out)
    again = run_main("labels", "backup", out)
    assert (again.code, "a backup never overwrites a file" in again.err) == (2, True)
    monkeypatch.setenv("JOBMATCH_DB", str(out))
    assert kept() == before


def test_claims(cli: Cli, run_main: Callable[..., Any], labels: Path) -> None:
    """By name, or by id if two people share it; people who have not signed in cannot claim."""
    cli("labels", "import", labels)
    people = [
        Person(f"person-{n}", "https://id.example.org", str(n), name, "annotator", datetime(2026, 11, 21, tzinfo=UTC))
        for n, name in enumerate(("Ann Lee", "Bo", "Bo"))
    ]
    with LabelStore.open(Settings.from_environment().label_store) as store:
        for person in people:
            store.access.signed_in(person)
        count = len(store.current(JudgmentFilter(annotator="ann")))
    claimed = json.loads(cli("labels", "claim", "ann", "Ann Lee", "--json").stdout)
    assert "Ann Lee" in cli("labels", "stats").stdout
    assert claimed == {"old": "ann", "new": "person-0", "name": "Ann Lee", "claimed": count}
    assert count > 1
    assert "person-1, person-2" in run_main("labels", "claim", "bob", "Bo").err
    assert "judgments of bob now belong to Bo (person-2)" in cli("labels", "claim", "bob", "person-2").stdout
    assert "has signed in yet" in run_main("labels", "claim", "bob", "Cid").err


@pytest.mark.thorough
@pytest.mark.usefixtures("own_linker_home")
def test_import_of_openrefine(cli: Cli, tmp_path: Path) -> None:
    """The decisions affect the next link; a second import adds nothing."""
    table = tmp_path / "reconciled.csv"
    table.write_text(f"job,job id\nvibe cook,{COOKS}\nbaker,\n", "utf-8")
    options = ("--annotator", "Ann", "--titles", "job", "--uris", "job id", "--json")
    counts = [json.loads(cli("labels", "import", table, *options).stdout) for _ in range(2)]
    assert [(each["judgments"], each["new"]) for each in counts] == [(1, 1), (1, 0)]
    [recorded] = kept()
    assert (recorded.pair, recorded.annotator) == (link("vibe cook"), "Ann")
    assert (recorded.verdict, recorded.provenance.policy) == ("positive", "openrefine")
    [linked] = json.loads(cli("link", "vibe cook", "--json").stdout)["results"]
    assert linked["candidates"][0]["uri"] == COOKS


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--annotator", "Ann"), "--titles and --uris are required"),
        (("--annotator", "Ann", "--titles", "job", "--uris", "job id"), "1 of 2 identifiers are not in isco-08"),
        (("--titles", "job", "--uris", "job id"), "add --annotator"),
    ],
)
def test_openrefine_files_that_cannot_be_imported(
    run_main: Callable[..., Any], tmp_path: Path, options: tuple[str, ...], problem: str
) -> None:
    """Nothing is stored."""
    table = tmp_path / "reconciled.csv"
    table.write_text(f"job,job id\nvibe cook,{COOKS}\nbaker,http://nowhere\n", "utf-8")
    ended = run_main("labels", "import", table, *options)
    assert ended.code == 2
    assert problem in " ".join(ended.err.split())
    assert kept() == []


def test_names_in_place_of_titles(run_main: Callable[..., Any], tmp_path: Path) -> None:
    """As OpenRefine exports a reconciled column; one title that is not a name is enough to accept the file."""
    table = tmp_path / "reconciled.csv"
    lines = ["job,title,job id", f"Cooks,Koch (m/w/d),{COOKS}", f"Köche,cook,{COOKS}"]
    table.write_text("\n".join(lines), "utf-8")
    options = ("--annotator", "Ann", "--uris", "job id", "--titles")
    ended = run_main("labels", "import", table, *options, "job")
    assert ended.code == 2
    assert "a name of its own occupation" in " ".join(ended.err.split())
    assert kept() == []
    assert run_main("labels", "import", table, *options, "title").code == 0
    assert len(kept()) == 2


def test_quotas(cli: Cli, run_main: Callable[..., Any]) -> None:
    """Shown and replaced as a whole, with names of people who signed in; impossible ones are refused."""
    assert "any annotator may take the next pair" in cli("labels", "quotas").stdout
    assert json.loads(cli("labels", "quotas", "--json").stdout) == {
        "judgments": 1,
        "shares": {},
        "author": None,
        "at": None,
    }
    with LabelStore.open(Settings.from_environment().label_store) as store:
        at = datetime(2026, 11, 21, tzinfo=UTC)
        store.access.signed_in(Person("person-1", "https://id.example.org", "1", "Ann Lee", "annotator", at))
    shares = ("--share", "Ann Lee=0.5", "--share", "a=b=0.25")
    made = json.loads(cli("labels", "quotas", "--judgments", 2, *shares, "--json").stdout)
    assert (made["judgments"], made["shares"]) == (2, {"person-1": 0.5, "a=b": 0.25})
    assert re.search(r"Ann Lee\W+50\.0%", cli("labels", "quotas").stdout)
    assert json.loads(cli("labels", "quotas", "--json").stdout) == made
    assert "at most 50%" in run_main("labels", "quotas", "--judgments", "2", "--share", "ann=0.6").err
    for wrong in ("ann", "ann=half", "=0.5"):
        assert "such as ann=0.5" in run_main("labels", "quotas", "--share", wrong).err
    assert json.loads(cli("labels", "quotas", "--judgments", 3, "--json").stdout)["shares"] == {}
