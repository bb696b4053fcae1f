"""Figures that the README, the tutorials and docs/results.md claim are those of the shipped files, number by number.

A line of the README or a tutorial with a figure ends with a mark, which readers do not see and which names the figures
in their order. MELO's table is matched by system and column, the other lines of docs/results.md by section and first
words. Times, sizes and growth depend on the machine and are left out.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from jobmatch_core import __version__
from jobmatch_core.benchmarks.scoreboard.entries import authors_results, published_results
from jobmatch_core.benchmarks.scoreboard.scoreboard import Scoreboard
from jobmatch_core.benchmarks.systems.linker_system import shipped_calibration_digest
from jobmatch_core.encoders.loading import shipped_encoder
from tests.quoted_figures import MARK, agree, decimals, marked, melo_mean, other_results

ROOT = Path(__file__).parents[1]
RESULTS = (ROOT / "docs" / "results.md").read_text("utf-8")
MELO = "Occupations: MELO"
BY_MACHINE = ("Speed and size", "Growth")
NO_FIGURES = {  # of no benchmark: Python's version, what the app shows of one title, the default of a setting
    "README.md": ["3.11", "3.13", "3.14"],
    "docs/recruiter.md": ["0.99", "0.80"],
}
OURS = ("linker:corpus", "encoder:titles", "linker")


def sections(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield a document's sections, without its code blocks."""
    plain = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    for section in re.split(r"^## ", plain, flags=re.MULTILINE)[1:]:
        title, *lines = section.splitlines()
        yield title, lines


def line_name(section: str, line: str) -> str:
    """Return what a line of the results is called: its section, and the first cell or the first four words."""
    first = line.strip("|").split("|")[0] if line.startswith("|") else " ".join(line.split()[:4])
    bare = re.sub(r"[*`\[\]]", "", first).strip()
    return f"{section}: {bare}"


@pytest.mark.parametrize("name", ["README.md", "docs/recruiter.md", "docs/data-scientist.md", "docs/annotator.md"])
def test_every_figure_of_a_document_is_the_shipped_one(name: str) -> None:
    """Each number is marked, and is what the mark names, rounded."""
    unmarked = []
    for line in (ROOT / name).read_text("utf-8").splitlines():
        mark = MARK.search(line)
        if mark is None:
            unmarked += decimals(line)
            continue
        values = marked(mark[1])
        assert len(values) == len(decimals(line)), line
        for shown, value in zip(decimals(line), values, strict=True):
            assert value is not None, f"{mark[1]} was not measured"
            assert agree(shown, value), f"{shown} is {value} in the shipped results: {line}"
    assert unmarked == NO_FIGURES.get(name, [])


def test_the_table_of_melo_is_the_shipped_one() -> None:
    """By system, ranking and setting; empty where a system was not measured or published on all datasets."""
    lines = dict(sections(RESULTS))[MELO]
    [header] = [line for line in lines if line.startswith("| system")]
    columns = [re.fullmatch(r"(by name|by occupation), \d+ (\S+)", each.strip()) for each in header.split("|")]
    rows = [line for line in lines if re.match(r"\| .*`", line)]
    assert len(rows) == 5
    for row in rows:
        system = re.findall(r"`([^`]+)`", row)[0]
        for cell, column in zip(row.split("|"), columns, strict=True):
            if column is None:
                continue
            value = melo_mean(system, *column.groups()) or melo_mean(f"published {system}", *column.groups())
            shown = decimals(cell)
            assert [agree(each, value) for each in shown if value is not None] == [True] * len(shown), (system, cell)
            assert bool(shown) or value is None or system == "linker", (system, column)


def test_the_prose_of_melo_is_the_shipped_one() -> None:
    """Each line with a figure is marked."""
    for line in dict(sections(RESULTS))[MELO]:
        if line.startswith("|") or not decimals(line):
            continue
        mark = MARK.search(line)
        assert mark, line
        for shown, value in zip(decimals(line), marked(mark[1]), strict=True):
            assert value is not None, mark[1]
            assert agree(shown, value), (shown, value, line)


@pytest.mark.parametrize("setting", ["monolingual", "cross-lingual"])
def test_the_rank_that_is_claimed_is_the_scoreboards(setting: str) -> None:
    """`rank 3 of 17 systems on the monolingual datasets`, and on how many it is above all others."""
    headline = Scoreboard.of([], "melo").chosen(setting).headline("mrr", "by_name")  # type: ignore[arg-type]
    assert headline is not None
    [claim] = re.findall(
        rf"rank (\d+) of (\d+) systems on the {setting} datasets.*?above every other one on (\d+)", RESULTS
    )
    assert tuple(map(int, claim)) == (headline.place, headline.systems, headline.wins)


def test_the_other_results_are_the_shipped_ones() -> None:
    """Line by line, in both directions."""
    written = {
        line_name(section, line): [float(each) for each in decimals(line)]
        for section, lines in sections(RESULTS)
        if section not in (MELO, *BY_MACHINE)
        for line in lines
        if decimals(line)
    }
    assert written == other_results()


def test_shipped_figures_are_of_the_shipped_models() -> None:
    """Ours carry version, encoder and calibration of this release: whoever changes a model measures again."""
    encoder, results = shipped_encoder().name, authors_results()
    ours = [each for each in results if each.system in OURS]
    assert {each.system for each in ours} == set(OURS)
    assert {(each.version, each.encoder) for each in ours} == {(__version__, encoder)}
    calibrations = {each.calibration for each in ours if each.system != "encoder:titles"}
    assert calibrations == {shipped_calibration_digest(encoder)}
    assert {bool(each.taxonomy) for each in ours if each.system == "linker"} == {True}


def test_no_figure_by_occupation_of_names_in_the_queries_language_is_shipped() -> None:
    """On a corpus in another language that would be the monolingual figure once more."""
    crossed = {each.dataset for each in published_results() if each.dataset.endswith("_c_en")} - {"usa_q_en_c_en"}
    assert not [
        each
        for each in authors_results()
        if each.system == "linker" and each.ranking == "by_occupation" and each.dataset in crossed
    ]
