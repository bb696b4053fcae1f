"""One system on one dataset: both rankings, from scores written by hand."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core import __version__
from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.datasets.melo import read_melo
from jobmatch_core.benchmarks.scoreboard import run
from jobmatch_core.benchmarks.scoreboard.entries import own_entry
from jobmatch_core.benchmarks.scoreboard.results import MERGED, ResultStore, figure_names, figures_record
from jobmatch_core.benchmarks.scoreboard.run import evaluate, versions_of
from jobmatch_core.benchmarks.systems.system import Digests
from jobmatch_core.entities import FloatArray, Progress
from jobmatch_core.metrics.ranking import METRICS, Metric
from tests.made_results import write_melo

# columns: cook, chef (both uri:cook), nurse, bus driver
SCORES = {
    "cook": [0.9, 0.1, 0.2, 0.3],
    "nurses": [0.8, 0.7, 0.5, 0.1],
    "driver of a bus": [0.5, 0.5, 0.5, 0.5],
}


@dataclass(frozen=True)
class ByHand:
    """A system whose scores are written down."""

    name: str = "by hand"

    def prepare(self, dataset: RankingDataset, *, progress: Progress) -> "ByHand":
        """Nothing is to be prepared."""
        progress(len(dataset.elements), len(dataset.elements))
        return self

    def scores(self, queries: Sequence[str]) -> FloatArray:
        """Return the rows."""
        return np.array([SCORES[query] for query in queries], dtype=np.float32)


@dataclass(frozen=True)
class OfOccupations(ByHand):
    """Has an own opinion on occupations, too small to be rounded, and says more of itself."""

    size_mb: float | None = 38.5

    def digests(self, dataset: RankingDataset) -> Digests:
        """Have an encoder and a calibration."""
        return Digests("abc-123", "def")

    def prepare(self, dataset: RankingDataset, *, progress: Progress) -> "OfOccupations":
        """Nothing is to be prepared."""
        return self

    def note(self, dataset: RankingDataset) -> str:
        """Name the dataset."""
        return f"has seen {dataset.name}"

    def occupation_scores(self, queries: Sequence[str]) -> FloatArray:
        """Rank the driver first, then the nurse, then the cook; columns are by URI: cook, driver, nurse."""
        return np.array([[1e-9, 3e-9, 2e-9]] * len(queries), dtype=np.float32)


@pytest.fixture
def dataset(tmp_path: Path) -> RankingDataset:
    """Three queries, four names of three occupations."""
    return read_melo(write_melo(tmp_path))


def test_both_rankings_by_hand(dataset: RankingDataset) -> None:
    """Work the ranks out.

    By name: cook 1; nurses: cook, chef, nurse: 3; driver: all tie, the greatest id is the driver's: 1.
    MRR = (1 + 1/3 + 1) / 3. By occupation nurses has cook, nurse: 2; of the tie the nurse has the greatest id, the
    driver comes second; MRR = (1 + 1/2 + 1/2) / 3.
    """
    by_name, by_occupation = evaluate(ByHand(), dataset)
    assert [outcome.rank for outcome in by_name.outcomes] == [1, 3, 1]
    assert by_name.values["mrr"] == pytest.approx(7 / 9)
    assert [outcome.rank for outcome in by_occupation.outcomes] == [1, 2, 2]
    assert by_occupation.values["mrr"] == pytest.approx(2 / 3)
    assert (by_name.ranking, by_occupation.ranking) == ("by_name", "by_occupation")
    assert (by_name.values["accuracy_at_1"], by_name.values["accuracy_at_5"]) == (pytest.approx(2 / 3), 1.0)
    assert by_name.values["mrr_low"] <= by_name.values["mrr"] <= by_name.values["mrr_high"]


def test_average_precision_by_hand(dataset: RankingDataset) -> None:
    """The cook's names are ranked 1 and 4: (1/1 + 2/4) / 2 = 0.75; the nurse's 1/3, the driver's 1."""
    by_name, _ = evaluate(ByHand(), dataset)
    assert [outcome.average_precision for outcome in by_name.outcomes] == pytest.approx([0.75, 1 / 3, 1.0])
    assert by_name.values["map"] == pytest.approx((0.75 + 1 / 3 + 1) / 3)


def test_outcomes_name_names(dataset: RankingDataset) -> None:
    """What was ranked first and what was wanted; an occupation goes by its first name."""
    by_name, by_occupation = evaluate(ByHand(), dataset)
    missed = by_name.outcomes[1]
    assert (missed.query, missed.found, missed.wanted) == ("nurses", "cook", "nurse")
    assert by_occupation.outcomes[1].wanted == "nurse"


def test_an_own_opinion_on_occupations(dataset: RankingDataset) -> None:
    """Ranks cook 3, nurse 2, driver 1, though rounded to five decimals all would tie."""
    by_name, by_occupation = evaluate(OfOccupations(), dataset)
    assert [outcome.rank for outcome in by_occupation.outcomes] == [3, 2, 1]
    assert [outcome.rank for outcome in by_name.outcomes] == [1, 3, 1]


def test_what_a_system_says_of_itself(dataset: RankingDataset) -> None:
    """Digests, size and note go into its results; others have jobmatch's version and no size."""
    described, _ = evaluate(OfOccupations(), dataset)
    assert (described.size_mb, described.note) == (38.5, "has seen tst_q_en_c_en")
    assert (described.encoder, described.calibration, described.taxonomy) == ("abc-123", "def", "")
    assert (described.model, described.versions["system"]) == ("abc-123 def", f"{__version__} abc-123 def")
    plain, _ = evaluate(ByHand(), dataset)
    assert (plain.size_mb, plain.note) == (None, "")
    assert (plain.model, plain.versions["system"]) == ("", __version__)
    assert {"numpy", "scipy", "python", "jobmatch"} <= set(versions_of(ByHand(), dataset))


def test_equal_texts_are_kept_apart_and_merged(dataset: RankingDataset) -> None:
    """By hand: the second name is 'cook', too. Two stand before the nurse's as in MELO's own code, one as in WorkRB."""
    doubled = replace(dataset, elements=["cook", "cook", "nurse", "bus driver"])
    by_name, by_occupation = evaluate(ByHand(), doubled)
    assert by_name.values["mrr"] == pytest.approx((1 + 1 / 3 + 1) / 3)
    assert by_name.values["mrr_merged"] == pytest.approx((1 + 1 / 2 + 1) / 3)
    assert set(by_occupation.values) == set(figure_names())


def test_the_dataset_is_named(dataset: RankingDataset) -> None:
    """By task, name, languages and the hash of its files."""
    result, _ = evaluate(ByHand(), dataset)
    assert (result.task, result.dataset, result.system) == ("melo", "tst_q_en_c_en", "by hand")
    assert (result.query_language, result.corpus_languages, result.queries) == ("en", ("en",), 3)
    assert result.data_hash == dataset.data_hash
    assert result.seconds >= 0


def test_scoring_and_ranking_are_timed_apart(dataset: RankingDataset, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second each: to prepare; to score by name, and by occupation where the system does; to rank; for figures."""
    monkeypatch.setattr(run, "timed", lambda work: (1.0, work()))
    for system in (ByHand(), OfOccupations()):
        results = evaluate(system, dataset)
        assert [(result.seconds, result.ranking_seconds) for result in results] == [(2, 2), (2, 2)]
    monkeypatch.setattr(run, "_BLOCK_SCORES", 1)  # three blocks
    results = evaluate(ByHand(), dataset)
    assert [(result.seconds, result.ranking_seconds) for result in results] == [(4, 4), (4, 4)]


def test_blocks_do_not_matter(dataset: RankingDataset, monkeypatch: pytest.MonkeyPatch) -> None:
    """Query by query gives the same outcomes as all at once."""
    whole = evaluate(ByHand(), dataset)
    monkeypatch.setattr(run, "_BLOCK_SCORES", 1)
    single = evaluate(ByHand(), dataset)
    assert [result.outcomes for result in single] == [result.outcomes for result in whole]
    assert [result.values["mrr"] for result in single] == [result.values["mrr"] for result in whole]


def test_progress_reaches_its_end(dataset: RankingDataset) -> None:
    """It never goes back."""
    calls: list[tuple[int, int]] = []
    evaluate(ByHand(), dataset, progress=lambda done, total: calls.append((done, total)))
    assert {total for _, total in calls} == {7}
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)
    assert calls[-1] == (7, 7)


def test_a_metric_is_one_entry(dataset: RankingDataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is measured with its interval, stored, read again, and stands in the tables; older results open without it."""
    store = ResultStore(tmp_path / "evaluations")
    older = evaluate(ByHand("older"), dataset)
    store.save(older)
    monkeypatch.setitem(METRICS, "worst", Metric("Worst", lambda ranks: 1 / ranks.ranks[-3:], interval=True))
    store.save(evaluate(ByHand("newer"), dataset))
    newer, _, kept, _ = store.stored().results
    assert newer.values["worst_low"] <= newer.values["worst"] == pytest.approx((1 / 4 + 1 / 3 + 1) / 3)
    assert figures_record(newer)["worst_high"] == own_entry(newer).record()["worst_high"] == newer.values["worst_high"]
    assert kept == replace(older[0], outcomes=())
    assert own_entry(kept).value("worst") is None
    monkeypatch.delitem(METRICS, "worst")
    assert "worst" not in store.stored().results[0].values


def test_a_query_may_have_no_part_in_a_mean(dataset: RankingDataset, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in AUC; without any query the mean is 0."""
    monkeypatch.setitem(METRICS, "auc", Metric("AUC", lambda ranks: np.array([np.nan, 0.5, 1.0])))
    monkeypatch.setitem(METRICS, "none", Metric("None", lambda ranks: np.full(3, np.nan)))
    by_name, _ = evaluate(ByHand(), dataset)
    assert (by_name.values["auc"], by_name.values["none"]) == (0.75, 0.0)


def test_a_record_is_flat(dataset: RankingDataset) -> None:
    """The figures stand among the other fields, in the order that programs have read them in since release 0.1.0."""
    record = figures_record(evaluate(ByHand(), dataset)[0])
    since = [
        "system",
        "dataset",
        "ranking",
        "queries",
        "mrr",
        "accuracy_at_1",
        "accuracy_at_5",
        "accuracy_at_10",
        "map",
        "recall_at_5",
        "recall_at_10",
        "r_precision",
        "ndcg_at_10",
        "auc",
        "mrr_low",
        "mrr_high",
        "map_low",
        "map_high",
        "size_mb",
        "note",
        "task",
        "query_language",
        "corpus_languages",
        "seconds",
        "ranking_seconds",
        "data_hash",
        "versions",
    ]
    assert [name for name in record if name in since] == since
    assert set(record) - set(since) <= {*figure_names(), *MERGED, "encoder", "calibration", "taxonomy"}
