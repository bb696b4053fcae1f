"""What the authors measured: read as written, and what is shipped holds together."""

from collections import Counter
from datetime import date
from pathlib import Path

from jobmatch_core.benchmarks.scoreboard.measured import authors_results, read_authors_results, write_authors_results
from jobmatch_core.benchmarks.scoreboard.published import melo_languages, published_results
from jobmatch_core.benchmarks.scoreboard.results import RANKINGS
from tests.made_results import make_evaluation

# rounded: published figures have four decimals; of equal names another may be kept at the edge of the first hundred
_ROUNDING = 0.0002


def test_figures_are_read_as_they_were_written(tmp_path: Path) -> None:
    """Sorted, rounded, with the version and the day; a size that is not there stays away."""
    results = [*make_evaluation("linker", mrr=0.1234567, size_mb=38.0), *make_evaluation("bm25", note="a, b")]
    write_authors_results(results, date(2026, 11, 22), tmp_path / "figures.csv")
    first, *_, last = read_authors_results(tmp_path / "figures.csv")
    assert (first.system, first.ranking, first.size_mb, first.note) == ("bm25", "by_name", None, "a, b")
    assert (last.system, last.ranking, last.size_mb, last.values["mrr"]) == ("linker", "by_occupation", 38.0, 0.12346)
    assert (last.version, last.measured_on, last.queries) == ("1", date(2026, 11, 22), 2)


def test_the_shipped_figures_are_whole() -> None:
    """Ours and three baselines on 31 datasets under both rankings, each once, with their version."""
    results = authors_results()
    rows = Counter((each.system, each.ranking) for each in results)
    assert len({(each.system, each.dataset, each.ranking) for each in results}) == len(results)
    for system in ("linker", "title_encoder", "bm25", "char_tf_idf", "edit_distance"):
        assert [rows[system, ranking] for ranking in RANKINGS] == [31, 31]
    assert {each.version for each in results} == {"0.1.0"}
    assert all(melo_languages(each.dataset) for each in results)
    assert all(0 <= each.values["mrr_low"] <= each.values["mrr"] <= each.values["mrr_high"] <= 1 for each in results)


def test_the_shipped_baselines_are_the_published_ones() -> None:
    """By name our code meets the paper's figures, so that by occupation it measures the same systems."""
    published = {(each.system, each.dataset): each.values["mrr"] for each in published_results()}
    pairs = [
        (each.values["mrr"], published[each.system, each.dataset])
        for each in authors_results()
        if each.ranking == "by_name" and (each.system, each.dataset) in published
    ]
    assert len(pairs) == 3 * 31
    assert max(abs(ours - theirs) for ours, theirs in pairs) < _ROUNDING
