"""The projection starts as the zero-shot model, learns from interactions, and is reproducible."""

from dataclasses import replace

import numpy as np
import pytest

from jobmatch_core.towers.document_pairs import DocumentPairs
from jobmatch_core.towers.matcher import CosineMatcher, SectionSBert
from jobmatch_core.towers.section_projection import (
    INFO_NCE,
    TRIPLET,
    ProjectedSections,
    SectionProjectionSetting,
    train_projection,
)
from jobmatch_core.vectors import normalised
from tests.made_marketplace import WordVectors, marketplace

PAIRS = DocumentPairs.of(marketplace())


def share_right(model: ProjectedSections | SectionSBert) -> float:
    """Return the share of a project's positives and negatives in which the positive scores higher."""
    scores = CosineMatcher(model).scores(PAIRS.projects, PAIRS.freelancers)
    answers = PAIRS.interactions.toarray()
    right = [(row[good > 0][:, None] > row[good < 0]).mean() for row, good in zip(scores, answers, strict=True)]
    return float(np.mean(right))


def trained(setting: SectionProjectionSetting, seed: int = 1) -> ProjectedSections:
    """Train on the tiny marketplace."""
    return train_projection(WordVectors(), PAIRS, setting, seed=seed)


@pytest.mark.parametrize("setting", [TRIPLET, INFO_NCE], ids=["triplet", "infonce"])
def test_untrained_it_is_the_zero_shot_model(setting: SectionProjectionSetting) -> None:
    """The maps are identities."""
    model = trained(replace(setting, epochs=0))
    for documents in (PAIRS.projects, PAIRS.freelancers):
        assert model.encode(documents) == pytest.approx(SectionSBert(WordVectors()).encode(documents), abs=1e-6)


@pytest.mark.first_case
@pytest.mark.parametrize("setting", [TRIPLET, INFO_NCE], ids=["triplet", "infonce"])
def test_it_learns_whom_projects_want(setting: SectionProjectionSetting) -> None:
    """Random word vectors match after the training; vectors are normalised."""
    model = trained(replace(setting, epochs=12, learning_rate=0.02))
    assert model.name == f"section-sbert+projection-{setting.loss}"
    assert share_right(SectionSBert(WordVectors())) < 0.8
    assert share_right(model) > 0.95
    assert np.linalg.norm(model.encode(PAIRS.projects), axis=1) == pytest.approx(np.ones(len(PAIRS.projects)))


def test_the_seed_decides() -> None:
    """One seed gives one model; another seed gives other batches."""
    first, again, other = (trained(TRIPLET, seed).encode(PAIRS.freelancers) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_progress_counts_batches() -> None:
    """Ten epochs of ten batches of two projects."""
    seen: list[tuple[int, int]] = []
    train_projection(WordVectors(), PAIRS, TRIPLET, seed=1, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(done, 100) for done in range(1, 101)]


def test_weak_negatives_change_infonce() -> None:
    """They change the loss."""
    without = replace(INFO_NCE, sampling=replace(INFO_NCE.sampling, weak_negatives=0))
    assert not np.array_equal(trained(without).encode(PAIRS.projects), trained(INFO_NCE).encode(PAIRS.projects))


def test_mapping_before_or_after_the_mean_is_the_same() -> None:
    """An affine map commutes with the mean."""
    model = trained(TRIPLET)
    encoder, affine = WordVectors(), model.maps["project"]
    project = PAIRS.projects[0]
    sections = encoder.encode(project.texts)
    mapped = (sections @ affine.weights.T + affine.shift).mean(axis=0, keepdims=True)
    assert model.encode([project]) == pytest.approx(normalised(mapped), abs=1e-5)
