"""`jobmatch crosswalk`: from a list to checked and exported mappings."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from jobmatch_core.crosswalks.sssom import read_sssom, sssom_text
from tests.core.crosswalks.made_mappings import crosswalk, mapped

Cli = Callable[..., Result]
RunMain = Callable[..., Any]


@pytest.fixture
def mappings(tmp_path: Path) -> Path:
    """Write three mappings, of which two contradict each other."""
    path = tmp_path / "mappings.tsv"
    items = (
        mapped("11", "exact", "a", source_name="baker", state="reviewed", reviewer="Ada"),
        mapped("11", "exact", "b", source_name="baker"),
        mapped("2", "none", "", source_name="seal keeper"),
    )
    path.write_text(sssom_text(crosswalk(*items)), "utf-8")
    return path


@pytest.fixture
def national(tmp_path: Path) -> Path:
    """Write a list of codes."""
    path = tmp_path / "national.csv"
    path.write_text("code,name\n2221,medical doctor\n2221.1,surgeon at night\n7512,Baker\n", "utf-8")
    return path


def test_propose(cli: Cli, tiny_id: str, national: Path, tmp_path: Path) -> None:
    """The codes' own doctor and baker are exact; every code has a mapping, with tool, date, licence and probability."""
    out = tmp_path / "out.tsv"
    done = cli("crosswalk", "propose", national, "--taxonomy", tiny_id, "--out", out, "--language", "en", "--json")
    found = read_sssom(out)
    assert found.problems == ()
    assert json.loads(done.stdout)["mappings"] == len(found.mappings.mappings)
    assert {item.source for item in found.mappings.mappings} == {"2221", "2221.1", "7512"}
    exact = [(item.source, item.target) for item in found.mappings.mappings if item.relation == "exact"]
    assert ("2221", "doctor") in exact
    assert ("7512", "baker") in exact
    for item in found.mappings.mappings:
        assert item.probability is not None
        assert (item.tool, item.state, len(item.date)) == ("jobmatch", "proposed", 10)
    assert found.mappings.licence.startswith("https://creativecommons.org/")
    assert json.loads(cli("crosswalk", "check", out, "--json").stdout)["problems"] == []


def test_check(run_main: RunMain, mappings: Path) -> None:
    """Each problem with its line, and the exit code 1; no problem and 0 after one row is gone."""
    ended = run_main("crosswalk", "check", str(mappings))
    assert ended.code == 1
    assert "11 means the same as several concepts: a; b." in " ".join(ended.out.split())
    ended = run_main("crosswalk", "check", str(mappings), "--json")
    [problem] = json.loads(ended.out)["problems"]
    assert problem["line"] > 10
    lines = [line for line in mappings.read_text("utf-8").splitlines(keepends=True) if "ESCO:b" not in line]
    mappings.write_text("".join(lines), "utf-8")
    assert run_main("crosswalk", "check", str(mappings)).code == 0


def test_coverage(cli: Cli, mappings: Path, tmp_path: Path) -> None:
    """With the list, codes that have no mapping are open."""
    national = tmp_path / "national.csv"
    national.write_text("code,name\n11,baker\n12,cook\n2,seal keeper\n", "utf-8")
    found = json.loads(cli("crosswalk", "coverage", mappings, "--source", national, "--json").stdout)["branches"]
    assert [(branch["branch"], branch["codes"], branch["open"]) for branch in found] == [
        ("", 3, 1),
        ("1", 2, 1),
        ("2", 1, 0),
    ]
    table = cli("crosswalk", "coverage", mappings).stdout.splitlines()
    assert "reviewed" in table[1]
    assert max(map(len, table)) <= 80


@pytest.mark.parametrize(
    ("format_", "has"),
    [
        ("sssom", "skos:exactMatch"),
        ("skos-turtle", "skos:exactMatch <"),
        ("skos-jsonld", '"@graph"'),
        ("jskos", '"memberSet"'),
    ],
)
def test_export(cli: Cli, mappings: Path, tmp_path: Path, format_: str, has: str) -> None:
    """Everything, or only what was reviewed."""
    out = tmp_path / "out"
    done = cli("crosswalk", "export", mappings, "--format", format_, "--out", out, "--json")
    assert json.loads(done.stdout)["relations"] == {"exact": 2, "none": 1}
    assert has in out.read_text("utf-8")
    assert "1 mappings" in cli("crosswalk", "export", mappings, "--format", format_, "--out", out, "--reviewed").stdout


def test_build_melo(cli: Cli, tiny_id: str, national: Path, tmp_path: Path) -> None:
    """The codes with one exact concept are the queries."""
    out = tmp_path / "out.tsv"
    cli("crosswalk", "propose", national, "--taxonomy", tiny_id, "--out", out, "--language", "en", "--json")
    words = ("--taxonomy", tiny_id, "--source", "our", "--language", "en", "--languages", "de", "--json")
    built = json.loads(cli("crosswalk", "build-melo", out, tmp_path / "sets", *words).stdout)
    assert built["dataset"] == "our_q_en_c_de"
    assert built["queries"] >= 2


def test_links_with_the_codes_of_a_crosswalk(cli: Cli, tiny_id: str, national: Path, tmp_path: Path) -> None:
    """In the same row as the occupation and ISCO-08, in files and in JSON."""
    mapped_to, titles, out = (tmp_path / name for name in ("out.tsv", "titles.csv", "linked.jsonl"))
    cli("crosswalk", "propose", national, "--taxonomy", tiny_id, "--out", mapped_to, "--language", "en", "--json")
    codes = dict(read_sssom(mapped_to).mappings.other_codes()[::-1])  # the best of each
    linker = ("--taxonomy", tiny_id, "--encoder", "none", "--also", mapped_to, "--json")
    [link] = json.loads(cli("link", "baker", *linker).stdout)["results"]
    best = codes[link["candidates"][0]["uri"]]
    assert link["also"][0] == {"code": best.code, "name": best.name, "relation": best.relation}
    titles.write_text("title\nbaker\nqqqq\n", "utf-8")
    cli("link", "--file", titles, "--out", out, *linker)
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert (rows[0]["link_also_code"].split("; ")[0], rows[0]["link_also_relation"]) == (best.code, best.relation)
    assert rows[0]["link_isco"] == "7512"
    assert rows[1]["link_also_code"] is None


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("export {file} --format rdf --out out", "There is no format 'rdf'; use one of sssom, skos-turtle"),
        ("export {file} --out {file}", "is an input file"),
        ("build-melo {file} out --taxonomy isco-08 --source DE_1 --language de --languages en", "--source is 'DE_1'"),
        ("propose {file} --taxonomy isco-08 --out out --licence free", "--licence is 'free'; expected a URI"),
        ("check {folder}", "cannot be read"),
    ],
)
def test_errors(run_main: RunMain, mappings: Path, tmp_path: Path, words: str, says: str) -> None:
    """In one line, with exit code 2."""
    ended = run_main("crosswalk", *words.format(file=mappings, folder=tmp_path).split())
    assert ended.code == 2
    assert says in ended.err
