"""The claims of the search encoder's paper, over made-up pairs of a few jobs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.benchmarks.datasets.search_sets import PairSet, TranslationSet
from jobmatch_core.search.pair_files import TextPair
from lab.experiments.search_claims import CLAIMS, TASKS, TEXTS_A_SECOND, UNTRAINED, ClaimRow, SearchClaims, Spread
from lab.experiments.search_figures import with_addresses
from lab.experiments.search_training_sets import SearchTrainingSets
from tests.core.search.made_pairs import LABELLED, PAIRS, RECIPE, TRAINING, TRANSLATIONS
from tests.tiny_transformer import save_transformer

TINY = replace(RECIPE, tasks=TASKS, training=replace(TRAINING, epochs=2))
# labels that no model can follow, so that two trainings differ in how far they do
UNCLEAR = [replace(pair, label=1.0) if place % 5 == 0 else pair for place, pair in enumerate(LABELLED)]
SETS = SearchTrainingSets(
    {name: [replace(pair, document=f"{pair.document}\nwork") for pair in pairs] for name, pairs in PAIRS.items()},
    (
        PairSet("query-ad", LABELLED, ranked=True),
        PairSet("xnli-de", UNCLEAR),
        TranslationSet("tatoeba", "deu", TRANSLATIONS),
    ),
)


@pytest.fixture
def claims(tmp_path: Path) -> SearchClaims:
    """Give the experiment with two seeds, over the title encoder and a tiny transformer."""
    folder = tmp_path / "models"
    folder.mkdir()
    backbone = save_transformer(tmp_path / "tiny", layers=6)
    return SearchClaims(SETS, folder, seeds=2, recipe=TINY, transformer=str(backbone))


def by_setting(rows: list[ClaimRow]) -> dict[str, ClaimRow]:
    """Return the rows by their settings."""
    return {row.setting: row for row in rows}


@pytest.mark.thorough
def test_each_claim_has_its_settings(claims: SearchClaims) -> None:
    """Their figures, and their differences from the first, seed by seed."""
    rows = {claim: by_setting(claims.rows(claim)) for claim in CLAIMS if claim not in ("dimensions", "student")}
    assert {claim: list(each) for claim, each in rows.items()} == {
        "tasks": ["all tasks", "clicks alone", UNTRAINED],
        "negatives": ["semi-hard", "random", "batch-all", "hard"],
        "schedules": ["proportional", "random", "sequential"],
        "attention": [
            "joined, with address",
            "attention, with address",
            "mean of texts, with address",
            "joined, with address, not trained so",
            "joined, without",
            "attention, without",
        ],
    }
    first = rows["tasks"]["all tasks"]
    assert list(first.figures) == [
        "query-ad AUC",
        "query-ad nDCG@10",
        "xnli-de AUC",
        "inference AUC",
        "tatoeba accuracy",
    ]
    assert (first.seeds, rows["tasks"][UNTRAINED].seeds) == (2, 1)
    assert first.differences == {}
    assert first.figures == rows["negatives"]["semi-hard"].figures == rows["schedules"]["proportional"].figures
    for each in ("clicks alone", UNTRAINED):
        row = rows["tasks"][each]
        assert row.differences["query-ad AUC"].mean == pytest.approx(
            row.figures["query-ad AUC"].mean - first.figures["query-ad AUC"].mean
        )
    assert first.figures != rows["tasks"]["clicks alone"].figures
    curves = {setting: row.curve for setting, row in rows["schedules"].items()}
    assert all([share for share, _ in curve] == pytest.approx(np.arange(1, 11) / 10) for curve in curves.values())
    assert len({curve[4][1] for curve in curves.values()}) == 3


@pytest.mark.long
def test_long_vectors_and_their_cost(claims: SearchClaims) -> None:
    """Eight times as many numbers take eight times as much space."""
    short, long = by_setting(claims.rows("dimensions")).values()
    assert (short.setting, long.setting) == ("32", "256")
    assert long.figures["100,000 vectors, MB"].mean == 8 * short.figures["100,000 vectors, MB"].mean == 102.4
    assert long.figures["model, MB"].mean > short.figures["model, MB"].mean
    assert long.figures["search, ms"].mean > 0


@pytest.mark.long
def test_students_of_half_of_the_layers_and_of_none(claims: SearchClaims) -> None:
    """Each seed has its own teacher; figures and speed are told beside the teacher's."""
    rows = by_setting(claims.rows("student"))
    assert list(rows) == ["teacher, 6 layers", "student, 3 layers", "student, title encoder"]
    teacher, half, _ = rows.values()
    assert half.figures["model, MB"].mean < teacher.figures["model, MB"].mean
    assert min(row.figures[TEXTS_A_SECOND].mean for row in rows.values()) > 0
    assert {row.seeds for row in rows.values()} == {2}
    assert half.differences["query-ad AUC"].low is not None


def test_spread_over_seeds() -> None:
    """Student's interval of three runs."""
    spread = Spread.of([1.0, 2.0, 3.0])
    assert spread.mean == 2.0
    assert (spread.low, spread.high) == pytest.approx((-0.484, 4.484), abs=0.001)


def test_addresses() -> None:
    """Each document has another one on a line of its own."""
    texts = [pair.document for pair in with_addresses([TextPair("a", "b")] * 3, np.random.default_rng(1))]
    assert len(set(texts)) == 3
    assert all(text.startswith("b\nhttps://www.") for text in texts)
