"""The shipped encoder by itself."""

from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.datasets.melo import read_melo
from jobmatch_core.benchmarks.scoreboard.run import DescribedSystem, evaluate
from jobmatch_core.benchmarks.systems.system import VOCABULARY_SEEN, Digests, OccupationRanker, TitleEncoderSystem
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.entities import no_progress
from tests.made_results import write_melo


@pytest.fixture
def dataset(tmp_path: Path) -> RankingDataset:
    """Three queries, four English names of three occupations, as if they were O*NET's."""
    return read_melo(write_melo(tmp_path, "usa_q_en_c_en"))


def test_scores_are_the_cosines_of_its_vectors(dataset: RankingDataset) -> None:
    """Nothing else; occupations follow from their names."""
    ranker = TitleEncoderSystem().prepare(dataset, progress=no_progress)
    encoder = shipped_encoder()
    expected = encoder.encode(["nurses", "Koch"]) @ encoder.encode(dataset.elements).T
    np.testing.assert_allclose(ranker.scores(["nurses", "Koch"]), expected, atol=1e-6)
    assert not isinstance(ranker, OccupationRanker)


def test_it_says_what_it_is(dataset: RankingDataset) -> None:
    """Name, digest, size, and that it has seen O*NET."""
    system = TitleEncoderSystem()
    assert isinstance(system, DescribedSystem)
    assert system.name == "encoder:titles"
    assert system.digests(dataset) == Digests(shipped_encoder().name)
    by_name, by_occupation = evaluate(system, dataset)
    assert by_name.note == by_occupation.note == VOCABULARY_SEEN
    assert by_name.size_mb == pytest.approx(shipped_encoder().size_mb)
    assert by_name.values["accuracy_at_1"] > 0
