"""Training of S-BERT with a model of a few words."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from jobmatch_core.errors import SettingsError
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.towers.document_pairs import DocumentPairs
from jobmatch_core.towers.dual_losses import dual_a_triplet
from jobmatch_core.towers.sampling import PAPER_TRIPLETS, freelancer_freelancer, project_freelancer
from jobmatch_core.towers.sentence_bert import (
    DualTripletLoss,
    RetrainedSBert,
    RetrainingSetting,
    TripletBatches,
    retrain_sentence_bert,
)
from tests.made_marketplace import marketplace, tiny_sentence_bert

PAIRS = DocumentPairs.of(marketplace())
SETTING = RetrainingSetting(steps=4)


def trained(seed: int = 1, *, steps: int = 30, progress: Callable[[int, int], None] | None = None) -> RetrainedSBert:
    """Train the tiny model."""
    setting = RetrainingSetting(steps=steps, learning_rate=0.1, max_tokens=32)
    progress = progress or (lambda done, total: None)
    return retrain_sentence_bert(tiny_sentence_bert(), PAIRS, setting, seed=seed, progress=progress)


def distance_gap(model: RetrainedSBert) -> float:
    """Return the mean cosine of positives minus that of negatives."""
    cosines = model.encode(PAIRS.projects) @ model.encode(PAIRS.freelancers).T
    answers = PAIRS.interactions.toarray()
    return float(cosines[answers > 0].mean() - cosines[answers < 0].mean())


def test_all_weights_learn() -> None:
    """Wanted freelancers move closer than refused ones; vectors are normalised."""
    model = trained()
    assert model.name == "sbert-triplet"
    assert distance_gap(model) > distance_gap(RetrainedSBert(tiny_sentence_bert())) + 0.2
    assert np.linalg.norm(model.encode(PAIRS.projects), axis=1) == pytest.approx(np.ones(20), abs=1e-5)


def test_the_seed_decides_and_progress_counts() -> None:
    """Two trainings with one seed are equal."""
    seen: list[tuple[int, int]] = []
    first = trained(3, steps=6, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(done, 6) for done in range(1, 7)]
    again, other = trained(3, steps=6), trained(4, steps=6)
    vectors = [model.encode(PAIRS.freelancers) for model in (first, again, other)]
    assert np.array_equal(vectors[0], vectors[1])
    assert not np.array_equal(vectors[0], vectors[2])


def test_a_batch_has_the_loss_of_its_relations() -> None:
    """Collator and module give equation 11 of the texts' vectors."""
    model = tiny_sentence_bert()
    batch = next(PAIRS.sampler(PAPER_TRIPLETS).batches(1))
    collated = TripletBatches([batch], PAIRS, model)([{"number": 0}])
    assert {key.split("_")[0] for key in collated} == {"project", "freelancer", "label"}
    features = [
        {key.removeprefix(f"{kind}_"): value for key, value in collated.items() if key.startswith(kind)}
        for kind in ("project", "freelancer")
    ]
    loss = DualTripletLoss(model, 1.0)(features, collated["label"])
    encode = RetrainedSBert(model).encode
    vectors = (
        torch.from_numpy(encode([kind[row] for row in rows]))
        for kind, rows in ((PAIRS.projects, batch.projects), (PAIRS.freelancers, batch.freelancers))
    )
    to_freelancers = project_freelancer(PAIRS.interactions, batch.projects, batch.freelancers)
    relations = (torch.from_numpy(matrix) for matrix in (to_freelancers, freelancer_freelancer(to_freelancers)))
    assert loss.item() == pytest.approx(dual_a_triplet(*vectors, *relations, 1.0).item(), rel=1e-4)
    assert loss.item() > 0


def test_nothing_to_train_on() -> None:
    """There are no triplets without interactions."""
    market = marketplace()
    empty = DocumentPairs.of(Marketplace("empty", market.projects, market.freelancers, ()))
    with pytest.raises(SettingsError, match="nothing to train on"):
        retrain_sentence_bert(tiny_sentence_bert(), empty, SETTING, seed=1)
