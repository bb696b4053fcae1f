"""The file of the release's own figures: read as written."""

from datetime import date
from pathlib import Path

from jobmatch_core.benchmarks.scoreboard.entries import read_authors_results
from lab.shipping.measured_figures import write_authors_results
from tests.made_results import make_evaluation


def test_figures_are_read_as_they_were_written(tmp_path: Path) -> None:
    """Sorted, rounded, with the version and the day; a size that is not there stays away."""
    results = [*make_evaluation("linker", mrr=0.1234567, size_mb=38.0), *make_evaluation("bm25", note="a, b")]
    write_authors_results(results, date(2026, 11, 22), tmp_path / "figures.csv")
    first, *_, last = read_authors_results(tmp_path / "figures.csv")
    assert (first.system, first.ranking, first.size_mb, first.note) == ("bm25", "by_name", None, "a, b")
    assert (last.system, last.ranking, last.size_mb, last.values["mrr"]) == ("linker", "by_occupation", 38.0, 0.12346)
    assert (last.version, last.measured_on, last.queries) == ("1", date(2026, 11, 22), 2)


def test_figures_of_names_in_the_queries_language_are_not_written(tmp_path: Path) -> None:
    """By occupation across languages they are the monolingual ones; by name, and on one language, they are kept."""
    results = [
        *make_evaluation("linker", "deu_q_de_c_en", encoder="e-1", calibration="c"),
        *make_evaluation("linker", "deu_q_de_c_de", encoder="e-1", calibration="c", taxonomy="esco-1.0.3@1"),
        *make_evaluation("linker:corpus", "deu_q_de_c_en", encoder="e-1", calibration="c"),
    ]
    write_authors_results(results, date(2026, 11, 22), tmp_path / "figures.csv")
    read = read_authors_results(tmp_path / "figures.csv")
    assert [(each.system, each.dataset, each.ranking) for each in read] == [
        ("linker", "deu_q_de_c_de", "by_name"),
        ("linker", "deu_q_de_c_de", "by_occupation"),
        ("linker", "deu_q_de_c_en", "by_name"),
        ("linker:corpus", "deu_q_de_c_en", "by_name"),
        ("linker:corpus", "deu_q_de_c_en", "by_occupation"),
    ]
    assert {each.model for each in read} == {"e-1 c"}
    assert [each.taxonomy for each in read] == ["esco-1.0.3@1"] * 2 + [""] * 3
