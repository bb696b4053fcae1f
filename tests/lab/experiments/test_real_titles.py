"""Titles as people write them: a linker made by hand, and the titles that come with jobmatch."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from jobmatch_core.entities import Candidate, Evidence, LinkResult, Progress, no_progress
from jobmatch_core.errors import DataFileError
from jobmatch_core.linking import Linker
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.taxonomy.bundled import read_bundled
from jobmatch_core.text.folding import fold
from lab.experiments.real_titles import (
    NO_JOB,
    OwnNamesReport,
    RealTitle,
    RealTitlesReport,
    evaluate_own_names,
    evaluate_real_titles,
    read_real_titles,
)

Table = dict[str, list[tuple[str, str, float]]]
TINY = """concept_id,language,preferred,alternatives,parent,description
cook,en,cook,chef,5120,
baker,en,baker,chef,7512,
baker,de,Bäcker,Brotbäcker,7512,
"""


def linker(table: Table, taxonomy: Any = None) -> Linker:
    """Return a linker that answers as a table says, (URI, code, probability) each; it links from .5 on."""

    def link_all(titles: Sequence[str], *, progress: Progress = no_progress) -> list[LinkResult]:
        results = []
        for title in titles:
            found = tuple(
                Candidate(uri, uri, isco, probability, Evidence(uri, "en", {}))
                for uri, isco, probability in table.get(title, [])
            )
            results.append(LinkResult(title, found, not found or found[0].probability < 0.5, None, "tiny", ()))
        progress(len(titles), len(titles))
        return results

    return cast(Linker, SimpleNamespace(link_all=link_all, taxonomy=taxonomy))


def test_a_report_by_hand() -> None:
    """Two English titles, right at .9 and wrong at .6, a German one that is right but not linked, and no job at all.

    The gaps of the groups' probabilities: |.9 - 1|, |.7 - 0| (two candidates of the group) and |.4 - 1| over three.
    A code of five digits is of its unit group.
    """
    titles = [
        RealTitle("en", "chef", ("3434", "5120")),
        RealTitle("en", "carer", ("5322",)),
        RealTitle("de", "Bäcker", ("7512",)),
        RealTitle(NO_JOB, "London", ()),
    ]
    table: Table = {
        "chef": [("cook", "5120.1", 0.9)],
        "carer": [("nurse", "2221", 0.6), ("aide", "5322", 0.2), ("sister", "2221", 0.1)],
        "Bäcker": [("baker", "7512", 0.4)],
        "London": [("cook", "5120", 0.55)],
    }
    told: list[tuple[int, int]] = []
    found = evaluate_real_titles(linker(table), titles, progress=lambda *step: told.append(step))
    assert told == [(4, 4)]
    assert [each.language for each in found] == ["all", "en", "de", NO_JOB]
    assert found[0] == RealTitlesReport(
        "all", 3, pytest.approx(2 / 3), pytest.approx(2 / 3), 0.5, pytest.approx((0.1 + 0.7 + 0.6) / 3)
    )
    assert found[1] == RealTitlesReport("en", 2, 0.5, 1.0, 0.5, pytest.approx(0.4))
    assert (found[2].first, found[2].linked, math.isnan(found[2].right)) == (1.0, 0.0, True)
    assert (found[3].first, found[3].linked, found[3].right) == (0.0, 1.0, 0.0)


def test_a_title_without_candidates_is_wrong() -> None:
    """With a probability of 0."""
    [everything, _] = evaluate_real_titles(linker({}), [RealTitle("en", "chef", ("5120",))])
    assert (everything.first, everything.linked, everything.ece) == (0.0, 0.0, 0.0)


def test_own_names_by_hand(tmp_path: Path) -> None:
    """`chef` is a name of two occupations and not asked; of the others one is found and linked, one found only.

    A baker that the lexicon calls `cook` changes nothing; one that it alone calls `pastry hero` is asked for.
    """
    path = tmp_path / "tiny.csv"
    path.write_text(TINY, "utf-8")
    store = TaxonomyStore.open(Settings(tmp_path / "home"))
    taxonomy = store.load(store.import_from(path).id)
    further = taxonomy.tables.names.iloc[[0, 0]].assign(concept=taxonomy.number("baker"), text=["cook", "pastry hero"])
    taxonomy = taxonomy.with_names(further)
    table: Table = {
        "cook": [("cook", "5120", 0.9)],
        "baker": [("cook", "5120", 0.6)],
        "Bäcker": [("baker", "7512", 0.4)],
        "pastry hero": [("baker", "7512", 0.7)],
    }
    told: list[tuple[int, int]] = []
    found = evaluate_own_names(linker(table, taxonomy), progress=lambda *step: told.append(step))
    assert found == [OwnNamesReport("de", 2, 0.5, 0.0), OwnNamesReport("en", 3, 2 / 3, 1.0)]
    assert told == [(1, 2), (2, 2)]
    assert [each.names for each in evaluate_own_names(linker(table, taxonomy), most=1)] == [1, 1]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    """Give a writer of a table of titles."""

    def written(text: str) -> Path:
        path = tmp_path / "titles.csv"
        path.write_text(text, "utf-8")
        return path

    return written


def test_titles_of_ones_own(write: Callable[[str], Path]) -> None:
    """Several groups with `|` between them; without a language, or a code, it is no job."""
    found = read_real_titles(write("language,title,isco\nen,chef,3434|5120\nde,Bäcker,7512\n-,London,\n"))
    assert found == [
        RealTitle("en", "chef", ("3434", "5120")),
        RealTitle("de", "Bäcker", ("7512",)),
        RealTitle(NO_JOB, "London", ()),
    ]


def test_a_table_without_titles(tmp_path: Path) -> None:
    """A file that is missing is named."""
    with pytest.raises(DataFileError, match=r"none\.csv: there is no such file"):
        read_real_titles(tmp_path / "none.csv")


def test_the_titles_that_come_with_jobmatch() -> None:
    """300 in 15 languages, 20 each, with codes of unit groups, and 15 texts that are no job; each stands once."""
    titles = read_real_titles()
    jobs = [each for each in titles if each.language != NO_JOB]
    units = {code for code in read_bundled().concepts["isco"].to_list() if len(code) == 4}
    assert (len(jobs), len(titles)) == (300, 315)
    assert len({each.language for each in jobs}) == 15
    assert all(each.groups and set(each.groups) <= units for each in jobs)
    assert not any(each.groups for each in titles if each.language == NO_JOB)
    assert len({(each.language, fold(each.title)) for each in titles}) == len(titles)


@pytest.mark.parametrize("name", ["further_titles_read.csv", "further_titles_kept.csv"])
def test_further_titles(name: str) -> None:
    """450 in 15 languages, each of one of four kinds, with codes of unit groups; each stands once."""
    titles = read_real_titles(Path(str(files("lab.experiments") / name)))
    units = {code for code in read_bundled().concepts["isco"].to_list() if len(code) == 4}
    assert len({(title.language, title.title) for title in titles}) == 450
    assert Counter(title.kind for title in titles) == {"plain": 150, "office": 75, "typed": 75, "messy": 150}
    assert set(Counter(title.language for title in titles).values()) == {30}
    assert all(title.groups and set(title.groups) <= units for title in titles)


@pytest.mark.parametrize(("number", "read"), [(3, 200), (4, 148)])
def test_titles_read_and_apart(number: int, read: int) -> None:
    """300 in 15 languages, of which some were read and mended; with codes of unit groups; each stands once."""
    titles = read_real_titles(Path(str(files("lab.experiments") / f"further_titles_{number}.csv")))
    units = {code for code in read_bundled().concepts["isco"].to_list() if len(code) == 4}
    assert len({(title.language, title.title) for title in titles}) == 300
    assert Counter(title.kind for title in titles) == {"read": read, "apart": 300 - read}
    assert set(Counter(title.language for title in titles).values()) == {20}
    assert all(title.groups and set(title.groups) <= units for title in titles)


def test_figures_by_kind() -> None:
    """Kinds come after the languages."""
    titles = [RealTitle("en", "cook", ("5120",), "plain"), RealTitle("en", "COOK!!", ("5120",), "messy")]
    reports = evaluate_real_titles(linker({"cook": [("uri", "5120", 0.9)]}), titles)
    assert [(report.language, report.titles, report.first) for report in reports] == [
        ("all", 2, 0.5),
        ("en", 2, 0.5),
        ("plain", 1, 1.0),
        ("messy", 1, 0.0),
    ]
