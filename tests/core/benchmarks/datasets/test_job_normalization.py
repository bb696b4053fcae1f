"""Job normalization: reading its file, and a report worked out by hand."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jobmatch_core.benchmarks.datasets import title_sets
from jobmatch_core.benchmarks.datasets.title_sets import evaluate_job_normalization, read_job_normalization, read_titles
from jobmatch_core.errors import DataFileError, TaxonomyError
from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.metrics.calibration import CoveragePoint
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import GROUP, OCCUPATION, Manifest, TablesBuilder


def write(tmp_path: Path, content: str | bytes) -> Path:
    """Write a file of titles."""
    path = tmp_path / "titles.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_titles_and_occupations(tmp_path: Path) -> None:
    """In order, other columns left aside, commas and double titles kept."""
    content = 'nr,conceptUri,vacancyTitle\n1,uri:a,"cook, Leeds"\n2,uri:b,Köchin\n3,uri:a,Köchin\n'
    assert read_titles(write(tmp_path, content)) == (["cook, Leeds", "Köchin", "Köchin"], ["uri:a", "uri:b", "uri:a"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("vacancyTitle,conceptUri\n", "titles.csv, line 1: the file has a header but no rows"),
        (
            "vacancyTitle,uri\ncook,x\n",
            "titles.csv, line 1: the column 'conceptUri' is missing; found vacancyTitle, uri",
        ),
        ("", "titles.csv, line 1: the file is empty"),
        ("vacancyTitle,conceptUri\ncook\n", "titles.csv, line 2: 1 fields where the header has 2"),
        ("vacancyTitle,conceptUri\nKöchin,x\n".encode("cp1252"), "titles.csv, line 2: this is not UTF-8 text"),
        (b"PK\x03\x04", "titles.csv: this is a zip archive"),
    ],
    ids=["no rows", "no column", "empty", "cut short", "cp1252", "zip"],
)
def test_files_that_cannot_be_read(tmp_path: Path, content: str | bytes, message: str) -> None:
    """Each with its line, if it has one."""
    with pytest.raises(DataFileError) as caught:
        read_titles(write(tmp_path, content))
    assert str(caught.value).startswith(message)


# ranks 1, 2, 12 and not found; the linker is silent on the last; it links at 0.5 or more
TABLE = {
    "first": [(1, 0.9), (2, 0.05)],
    "second": [(5, 0.6), (2, 0.2), (6, 0.1)],
    "twelfth": [(number, 0.35 - number / 100) for number in range(12)],
}
TITLES = ["first", "second", "twelfth", "unknown"]
RIGHT = ["uri:1", "uri:2", "uri:11", "uri:1"]


def test_a_report_by_hand(hand_written: Callable[..., Any]) -> None:
    """MRR = (1 + 1/2 + 1/12 + 0) / 4 = 19/48; ECE = (0.1 + 0.6 + 0.35 + 0) / 4; linked are 0.9 and 0.6."""
    report = evaluate_job_normalization(hand_written(TABLE, threshold=0.5), TITLES, RIGHT)
    assert report.titles == 4
    assert (report.accuracy_at_1, report.recall_at_5, report.recall_at_10) == (0.25, 0.5, 0.5)
    assert report.mrr == pytest.approx(19 / 48)
    assert report.ece == pytest.approx(1.05 / 4)
    assert report.mean_confidence == pytest.approx((0.9 + 0.6 + 0.35) / 4)
    assert (report.linked, report.accuracy_linked) == (0.5, 0.5)
    bins = [(part.count, part.confidence, part.accuracy) for part in report.reliability]
    assert bins == [(1, 0.0, 0.0), (1, 0.35, 0.0), (1, 0.6, 0.0), (1, 0.9, 1.0)]
    assert report.risk_coverage[-1] == CoveragePoint(coverage=1.0, threshold=0.0, risk=0.75)


def test_nothing_linked(hand_written: Callable[..., Any]) -> None:
    """A threshold above all: no share of nothing, and no division by zero."""
    report = evaluate_job_normalization(hand_written(TABLE, threshold=0.95), TITLES, RIGHT)
    assert (report.linked, report.accuracy_linked) == (0.0, 0.0)


def test_titles_are_ranked_in_blocks(hand_written: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """The report does not depend on the blocks; progress is told after each."""
    whole = evaluate_job_normalization(hand_written(TABLE), TITLES, RIGHT)
    monkeypatch.setattr(title_sets, "_BLOCK", 3)
    linker, seen = hand_written(TABLE), []
    report = evaluate_job_normalization(linker, TITLES, RIGHT, progress=lambda *step: seen.append(step))
    assert report == whole
    assert linker.calls == [TITLES[:3], TITLES[3:]]
    assert seen == [(3, 4), (4, 4)]


@pytest.mark.usefixtures("use_linker_home")
def test_the_real_linker() -> None:
    """The report says of titles what the linker itself says of them."""
    linker: Linker = open_linker()
    titles = ["cook", "Krankenschwester", "Katze auf dem Dach"]
    results = linker.link_all(titles)
    right = [results[0].candidates[0].uri, results[1].candidates[1].uri, "uri:none"]
    report = evaluate_job_normalization(linker, titles, right)
    assert (report.accuracy_at_1, report.recall_at_5) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert report.mrr == pytest.approx((1 + 1 / 2) / 3)
    assert report.linked == pytest.approx(sum(not result.abstained for result in results) / 3)
    top = [result.candidates[0].probability if result.candidates else 0.0 for result in results]
    assert report.mean_confidence == pytest.approx(sum(top) / 3)


def tiny_taxonomy(language: str = "en") -> Taxonomy:
    """Two occupations and a group."""
    builder = TablesBuilder()
    for uri, kind, names in (
        ("uri:judge", OCCUPATION, ["judge"]),
        ("uri:group", GROUP, ["cooks"]),
        ("uri:cook", OCCUPATION, ["cook", "chef"]),
    ):
        concept = builder.concept(uri, kind=kind, code="", isco="")
        builder.add_names(concept, language, names[0], names[1:])
    manifest = Manifest("tiny-1", "Tiny", "1", (language,), {}, source_hash="1", attribution="", created="")
    return Taxonomy(manifest, builder.build())


def test_as_a_ranking_dataset(tmp_path: Path) -> None:
    """The corpus has the occupations' names only; a title of an unknown occupation has nothing relevant."""
    content = "vacancyTitle,conceptUri\nsous-chef,uri:cook\nmage,uri:none\njudge,uri:judge\nsous-chef,uri:cook\n"
    dataset = read_job_normalization(write(tmp_path, content), tiny_taxonomy())
    assert (dataset.name, dataset.task, dataset.cross_lingual) == ("titles", "job-normalization", False)
    assert (dataset.query_ids, dataset.queries[:2]) == (["1", "2", "3", "4"], ["sous-chef", "mage"])
    assert dataset.elements == ["cook", "chef", "judge"]
    assert dataset.element_ids == ["C000001_en_000", "C000001_en_001", "C000002_en_000"]
    assert (dataset.concepts, dataset.element_concepts.tolist()) == (["uri:cook", "uri:judge"], [0, 0, 1])
    cook, none, judge = [True, True, False], [False] * 3, [False, False, True]
    assert dataset.relevant.toarray().tolist() == [cook, none, judge, cook]


def test_a_taxonomy_without_english(tmp_path: Path) -> None:
    """Its names cannot be ranked for English titles."""
    path = write(tmp_path, "vacancyTitle,conceptUri\nchef,uri:cook\n")
    with pytest.raises(TaxonomyError, match="tiny-1 cannot give names in en; it has fr"):
        read_job_normalization(path, tiny_taxonomy("fr"))


def test_other_tables(tmp_path: Path) -> None:
    """Titles of one's own may be in any table."""
    path = tmp_path / "titles.tsv.gz"
    path.write_bytes(gzip.compress("id\tvacancyTitle\tconceptUri\n1\tKöchin\tx\n".encode("cp1252")))
    assert read_titles(path) == (["Köchin"], ["x"])
    path = tmp_path / "titles.json"
    path.write_text('[{"vacancyTitle": "cook", "uri": "x"}]', "utf-8")
    with pytest.raises(DataFileError, match="there is no column 'conceptUri'; it has vacancyTitle, uri"):
        read_titles(path)
