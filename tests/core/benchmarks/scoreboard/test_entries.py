"""The bundled published figures: complete, and the paper's.

What the authors measured: read as written, and what is shipped holds together.
"""

from collections import Counter

import pytest

from jobmatch_core.benchmarks.scoreboard.entries import (
    PUBLISHED_SYSTEMS,
    authors_results,
    is_ours,
    melo_languages,
    published_results,
)
from jobmatch_core.benchmarks.scoreboard.results import RANKINGS
from jobmatch_core.errors import DataFileError


def test_all_figures_are_there() -> None:
    """15 systems; 48 datasets, of which the lemma baselines lack those of the six languages without spaCy: 12."""
    results = published_results()
    counts = {name: sum(result.system == name for result in results) for name in PUBLISHED_SYSTEMS}
    assert len(results) == len({(result.system, result.dataset) for result in results}) == 684
    assert {count for name, count in counts.items() if name.endswith("lemmas")} == {36}
    assert {count for name, count in counts.items() if not name.endswith("lemmas")} == {48}
    assert {result.system for result in results} == set(PUBLISHED_SYSTEMS)


@pytest.mark.parametrize(
    ("system", "dataset", "mrr"),
    [("openai", "usa_q_en_c_en", 0.6842), ("e5", "deu_q_de_c_en", 0.5073), ("edit_distance", "dnk_q_da_c_da", 0.5650)],
)
def test_figures_are_those_of_table_2(system: str, dataset: str, mrr: float) -> None:
    """Spot checks against the paper's Table 2."""
    [found] = [r.values["mrr"] for r in published_results() if (r.system, r.dataset) == (system, dataset)]
    assert found == pytest.approx(mrr, abs=1e-4)


def test_figures_are_shares() -> None:
    """Between nought and one, and more found among more."""
    for result in published_results():
        found = result.values
        assert 0 <= found["accuracy_at_1"] <= found["accuracy_at_5"] <= found["accuracy_at_10"] <= 1
        assert found["accuracy_at_1"] <= found["mrr"] <= 1
        assert found["map"] <= 1


def test_sizes() -> None:
    """278 million parameters of four bytes each; OpenAI's are unknown, baselines have none."""
    assert PUBLISHED_SYSTEMS["paraph_mmpnet"].size_mb == 1112
    assert PUBLISHED_SYSTEMS["openai"].size_mb is None
    assert PUBLISHED_SYSTEMS["bm25"].size_mb is None


def test_languages_are_read_off_the_name() -> None:
    """Query language, and one or several of the corpus."""
    assert melo_languages("deu_q_de_c_en") == ("de", ("en",))
    assert melo_languages("usa_q_en_c_de_en_es") == ("en", ("de", "en", "es"))


@pytest.mark.parametrize("name", ["", "german", "deu_q_de", "_q_de_c_en", "deu_q__c_en", "deu_q_de_c_"])
def test_other_names_are_refused(name: str) -> None:
    """What was expected is said."""
    with pytest.raises(DataFileError, match="deu_q_de_c_en"):
        melo_languages(name)


# rounded: published figures have four decimals; of equal names another may be kept at the edge of the first hundred
_ROUNDING = 0.0002


def test_the_shipped_figures_are_whole() -> None:
    """Ours and three baselines on 31 datasets, each once; the linker with further names by occupation on 16 alone."""
    results = authors_results()
    rows = Counter((each.system, each.ranking) for each in results)
    assert len({(each.system, each.dataset, each.ranking) for each in results}) == len(results)
    for system in ("linker:corpus", "encoder:titles", "bm25", "char_tf_idf", "edit_distance"):
        assert [rows[system, ranking] for ranking in RANKINGS] == [31, 31]
    assert [rows["linker", ranking] for ranking in RANKINGS] == [31, 16]
    assert all(each.model for each in results if is_ours(each.system))
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
