"""Training of the towers on a tiny marketplace; an interruption does not change the result."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.entities import Interaction
from jobmatch_core.errors import MarketplaceError, ModelError, SettingsError
from jobmatch_core.towers.document_pairs import DocumentPairs
from jobmatch_core.towers.sampling import PAPER_TRIPLETS, Sampling
from jobmatch_core.towers.tower_recipe import TowerConfig
from jobmatch_core.towers.tower_training import TowerBatches, split_projects, train_towers
from jobmatch_core.towers.two_towers import TwoTowers
from tests.core.towers.made_towers import CATEGORIES, MARKETPLACE, RECIPE, Words, project


def vectors(folder: Path) -> np.ndarray:
    """Return a model's vectors of all projects and freelancers."""
    towers = TwoTowers.load(folder, Words())
    return np.vstack([towers.encode_projects(MARKETPLACE.projects), towers.encode_freelancers(MARKETPLACE.freelancers)])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a model trained without interruption."""
    out = tmp_path_factory.mktemp("models") / "tiny"
    train_towers(RECIPE, MARKETPLACE, out, encoder=Words())
    return out


def test_the_report(whole: Path) -> None:
    """The report has the marketplace's counts, the epochs and the number of weights."""
    report = json.loads((whole / "report.json").read_text("utf-8"))
    assert (report["marketplace"], report["generated"], report["backbone"]) == ("tiny", True, "words")
    assert report["projects"] == [9, 3]
    assert (report["freelancers"], report["interactions"]) == (16, len(MARKETPLACE.interactions))
    assert len(report["epochs"]) == 4
    assert report["weights"] > 1000


def test_the_loss_falls(whole: Path) -> None:
    """Of validation projects, in the same batches; not to zero, because positives share the probability."""
    report = json.loads((whole / "report.json").read_text("utf-8"))
    losses = [epoch["validation_loss"] for epoch in report["epochs"]]
    assert max(losses) < report["before"] - 0.4
    assert max(epoch["loss"] for epoch in report["epochs"]) < report["before"] - 0.4


def test_projects_find_who_has_the_skill(whole: Path) -> None:
    """Projects of the validation find them, too."""
    towers = TwoTowers.load(whole, Words())
    scores = towers.encode_projects(MARKETPLACE.projects) @ towers.encode_freelancers(MARKETPLACE.freelancers).T
    best = np.argsort(-scores, axis=1)[:, :4] % 4
    assert (best == (np.arange(12) % 4)[:, None]).mean() > 0.9


@pytest.mark.parametrize(
    "change",
    [
        {"training": replace(RECIPE.training, loss="triplet", epochs=2), "sampling": PAPER_TRIPLETS},
        {"training": replace(RECIPE.training, validation=0, warmup=0, epochs=1)},
        {"sampling": Sampling(projects=30, weak_negatives=0)},
        *(
            {"tower": replace(RECIPE.tower, **{off: False})}
            for off in ("section_embeddings", "head", "skip", "weighted_pooling")
        ),
    ],
    ids=["triplet", "no validation", "one batch", "no-sections", "no-head", "no-skip", "no-weighting"],
)
def test_every_kind_of_recipe(tmp_path: Path, change: dict[str, object]) -> None:
    """All losses are finite."""
    recipe = replace(RECIPE, **change)  # type: ignore[arg-type]
    report = train_towers(recipe, MARKETPLACE, tmp_path / "m", encoder=Words())
    for epoch in report.epochs:
        assert np.isfinite(epoch.loss)
        assert (epoch.validation_loss is None) == (recipe.training.validation == 0)
    assert np.isfinite(vectors(tmp_path / "m")).all()


@pytest.mark.parametrize("weak", [0, 3])
def test_relations_of_a_batch(weak: int) -> None:
    """Relations of all pairs, not only sampled ones; categories count only with weak negatives."""
    sampling = Sampling(2, 2, 1, weak_negatives=weak, project_weak_negatives=False)
    [batch] = TowerBatches(DocumentPairs.of(MARKETPLACE), np.array([0, 2]), sampling).epoch((1,))
    kinds = [int(document.id[1:]) % 4 for document in batch.freelancers]
    for row, document in enumerate(batch.projects):
        wanted = int(document.id[1:]) % 4
        for column, kind in enumerate(kinds):
            expected = 0 if CATEGORIES[kind] != CATEGORIES[wanted] else 1 if kind == wanted else -1
            assert batch.to_freelancers[row, column] == expected
    for i, one in enumerate(kinds):
        for j, other in enumerate(kinds):
            if i >= j:
                expected = 0
            elif CATEGORIES[one] != CATEGORIES[other]:
                expected = -1 if weak else 0
            else:  # projects 0 and 2 want kinds 0 and 2, and refuse 1 and 3
                expected = 0 if one % 2 and other % 2 else 1 if one == other else -1
            assert batch.among_freelancers[i, j] == expected


def test_weak_negatives_of_projects() -> None:
    """Unknown pairs of other categories are negative; known relations stay."""
    sampling = Sampling(2, 2, 1, weak_negatives=3)
    [batch] = TowerBatches(DocumentPairs.of(MARKETPLACE), np.array([0, 2]), sampling).epoch((1,))
    unlike = [[other.category != document.category for other in batch.freelancers] for document in batch.projects]
    assert np.array(unlike).any()
    assert (batch.to_freelancers.numpy()[np.array(unlike)] == -1).all()
    assert (batch.to_freelancers > 0).any(dim=1).all()


def test_the_split_leaves_out_who_teaches_nothing() -> None:
    """Projects without a positive are in neither part, all others in one."""
    lonely = replace(MARKETPLACE, projects=[*MARKETPLACE.projects, project(12)])
    trained, validated = split_projects(DocumentPairs.of(lonely), 0.25, seed=1)
    assert sorted([*trained, *validated]) == list(range(12))
    assert (len(trained), len(validated)) == (9, 3)
    assert not np.array_equal(validated, split_projects(DocumentPairs.of(lonely), 0.25, seed=2)[1])


def test_nobody_was_interested(tmp_path: Path) -> None:
    """A marketplace without interest is an error, and no folder is written."""
    refused = replace(MARKETPLACE, interactions=[Interaction("p0", "f0", False, "")])
    with pytest.raises(MarketplaceError, match="nothing to train on"):
        train_towers(RECIPE, refused, tmp_path / "m", encoder=Words())
    assert list(tmp_path.iterdir()) == []


def test_what_does_not_go_together(tmp_path: Path) -> None:
    """A width that is not divisible by the heads, and a missing backbone."""
    with pytest.raises(SettingsError, match="cannot be built over words: the head's width 8 is not divisible"):
        train_towers(replace(RECIPE, tower=TowerConfig(heads=3)), MARKETPLACE, tmp_path / "m", encoder=Words())
    with pytest.raises(ModelError, match=r"There is no model .*gone"):
        train_towers(replace(RECIPE, backbone=str(tmp_path / "gone")), MARKETPLACE, tmp_path / "m")
    assert list(tmp_path.iterdir()) == []
