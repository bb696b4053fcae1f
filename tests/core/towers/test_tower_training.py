"""Training of the towers end to end on a tiny marketplace: what comes out, and that stopping changes nothing."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from jobmatch_core.encoders.token_encoders import padded
from jobmatch_core.entities import Freelancer, Interaction, NamedSkill, Project
from jobmatch_core.errors import MarketplaceError, ModelError, SettingsError
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.token_vectors import TokenBatch
from jobmatch_core.towers.document_pairs import DocumentPairs
from jobmatch_core.towers.dual_losses import LOSSES
from jobmatch_core.towers.sampling import PAPER_TRIPLETS, Sampling
from jobmatch_core.towers.tower_recipe import TowerConfig, TowerRecipe, TowerTraining
from jobmatch_core.towers.tower_training import TowerBatches, split_projects, train_towers
from jobmatch_core.towers.two_towers import TwoTowers

SKILLS = ("python", "java", "triage", "surgery")  # two a category
CATEGORIES = ("2511", "2511", "2221", "2221")


class Words:
    """A backbone with a random vector a word."""

    dimension = 8

    def __init__(self, name: str = "words") -> None:
        self.name = name

    def encode_tokens(self, texts: Sequence[str]) -> TokenBatch:
        """Return a token a word."""
        return padded([self._vectors(text.split()) for text in texts], self.dimension)

    def _vectors(self, words: list[str]) -> np.ndarray:
        seeds = [[ord(letter) for letter in word] for word in words]
        rows = [np.random.default_rng(seed).normal(size=self.dimension) for seed in seeds]
        return np.array(rows, dtype=np.float32).reshape(-1, self.dimension)


def project(number: int) -> Project:
    """Return one of four kinds, by the skill that it needs."""
    skill = NamedSkill(SKILLS[number % 4], SKILLS[number % 4])
    category = CATEGORIES[number % 4]
    return Project(f"p{number}", "en", "job", "", "", category[:2], "", category, "", (skill,), ())


def freelancer(number: int) -> Freelancer:
    """Return one of four kinds, by skill."""
    skill = NamedSkill(SKILLS[number % 4], SKILLS[number % 4])
    category = CATEGORIES[number % 4]
    return Freelancer(f"f{number}", "en", "worker", "", "", category[:2], "", category, "", (skill,))


def interactions(n_projects: int, n_freelancers: int) -> tuple[Interaction, ...]:
    """Return the answers within a category: who has the skill is interested."""
    return tuple(
        Interaction(f"p{p}", f"f{f}", p % 4 == f % 4, "2026-01-01")
        for p in range(n_projects)
        for f in range(n_freelancers)
        if CATEGORIES[p % 4] == CATEGORIES[f % 4]
    )


MARKETPLACE = Marketplace(
    "tiny", [*map(project, range(12))], [*map(freelancer, range(16))], interactions(12, 16), generated=True
)
RECIPE = TowerRecipe(
    name="tiny",
    seed=3,
    tower=TowerConfig(heads=2, dropout=0.1),
    sampling=Sampling(projects=2, positives=2, negatives=1, weak_negatives=3, project_weak_negatives=False),
    training=TowerTraining(temperature=0.3, epochs=4, learning_rate=0.01, section_pace=1.0, validation=0.25),
)


class Stopped(Exception):
    """The process is killed, as it were."""


def stop_at(step: int) -> Callable[[int, int], None]:
    """Return a progress callback that stops the training at a step."""

    def stop(done: int, total: int) -> None:
        if done == step:
            raise Stopped

    return stop


def vectors(folder: Path) -> np.ndarray:
    """Return what a model makes of everybody."""
    towers = TwoTowers.load(folder, Words())
    return np.vstack([towers.encode_projects(MARKETPLACE.projects), towers.encode_freelancers(MARKETPLACE.freelancers)])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recipe's model, trained without a stop."""
    out = tmp_path_factory.mktemp("models") / "tiny"
    train_towers(RECIPE, MARKETPLACE, out, encoder=Words())
    return out


def test_a_model_folder_with_report(whole: Path) -> None:
    """Nothing else remains, and the report says how it came to be."""
    assert [path.name for path in whole.parent.iterdir()] == ["tiny"]
    assert sorted(path.name for path in whole.iterdir()) == ["config.json", "model.safetensors", "report.json"]
    report = json.loads((whole / "report.json").read_text("utf-8"))
    assert report["recipe"]["seed"] == 3
    assert (report["marketplace"], report["generated"], report["backbone"]) == ("tiny", True, "words")
    assert report["projects"] == [9, 3]
    assert (report["freelancers"], report["interactions"]) == (16, len(MARKETPLACE.interactions))
    assert len(report["data_hash"]) == 64
    assert {"jobmatch", "torch"} <= set(report["versions"])
    assert len(report["epochs"]) == 4
    assert report["weights"] > 1000


def test_the_loss_falls(whole: Path) -> None:
    """Of the projects left out, whose batches are the same each time; not to zero, since positives share one."""
    report = json.loads((whole / "report.json").read_text("utf-8"))
    losses = [epoch["validation_loss"] for epoch in report["epochs"]]
    assert max(losses) < report["before"] - 0.4
    assert max(epoch["loss"] for epoch in report["epochs"]) < report["before"] - 0.4


def test_projects_find_who_has_the_skill(whole: Path) -> None:
    """Those left out, too."""
    towers = TwoTowers.load(whole, Words())
    scores = towers.encode_projects(MARKETPLACE.projects) @ towers.encode_freelancers(MARKETPLACE.freelancers).T
    best = np.argsort(-scores, axis=1)[:, :4] % 4
    assert (best == (np.arange(12) % 4)[:, None]).mean() > 0.9


@pytest.mark.parametrize("step", [3, 5, 6, 17])
def test_a_stopped_training_goes_on_as_if_it_had_not_been(whole: Path, tmp_path: Path, step: int) -> None:
    """From the last whole epoch of five steps."""
    out = tmp_path / "tiny"
    with pytest.raises(Stopped):
        train_towers(RECIPE, MARKETPLACE, out, encoder=Words(), progress=stop_at(step))
    assert not out.exists()
    seen: list[tuple[int, int]] = []
    report = train_towers(
        RECIPE, MARKETPLACE, out, encoder=Words(), progress=lambda done, total: seen.append((done, total))
    )
    assert seen[0] == ((step - 1) // 5 * 5 + 1, 20)
    assert seen[-1] == (20, 20)
    assert len(report.epochs) == 4
    assert np.array_equal(vectors(out), vectors(whole))
    assert [path.name for path in tmp_path.iterdir()] == ["tiny"]


def test_another_recipe_or_backbone_does_not_go_on(tmp_path: Path) -> None:
    """Half of one and half of the other would be neither; told so, it begins anew."""
    out = tmp_path / "tiny"
    with pytest.raises(Stopped):
        train_towers(RECIPE, MARKETPLACE, out, encoder=Words(), progress=stop_at(7))
    for recipe, backbone in ((replace(RECIPE, seed=4), "words"), (RECIPE, "others")):
        with pytest.raises(SettingsError, match="start over with --no-resume"):
            train_towers(recipe, MARKETPLACE, out, encoder=Words(backbone))
    seen: list[int] = []
    train_towers(
        RECIPE,
        MARKETPLACE,
        out,
        encoder=Words("others"),
        resume=False,
        progress=lambda done, total: seen.append(done),
    )
    assert seen == list(range(1, 21))


def test_an_existing_folder_is_not_touched(whole: Path) -> None:
    """It may be an older model."""
    with pytest.raises(SettingsError, match="exists already"):
        train_towers(RECIPE, MARKETPLACE, whole, encoder=Words())


def test_the_seed_decides(whole: Path, tmp_path: Path) -> None:
    """And nothing random is left elsewhere: torch's own numbers go on as they were."""
    torch.manual_seed(5)
    expected = torch.rand(1)
    torch.manual_seed(5)
    train_towers(RECIPE, MARKETPLACE, tmp_path / "again", encoder=Words())
    assert torch.equal(torch.rand(1), expected)
    assert np.array_equal(vectors(tmp_path / "again"), vectors(whole))
    train_towers(replace(RECIPE, seed=4), MARKETPLACE, tmp_path / "other", encoder=Words())
    assert np.abs(vectors(tmp_path / "other") - vectors(whole)).max() > 1e-3


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
    """Each gives a model whose losses are numbers."""
    recipe = replace(RECIPE, **change)  # type: ignore[arg-type]
    report = train_towers(recipe, MARKETPLACE, tmp_path / "m", encoder=Words())
    for epoch in report.epochs:
        assert np.isfinite(epoch.loss)
        assert (epoch.validation_loss is None) == (recipe.training.validation == 0)
    assert np.isfinite(vectors(tmp_path / "m")).all()


@pytest.mark.parametrize("weak", [0, 3])
def test_relations_of_a_batch(weak: int) -> None:
    """Those of all its pairs, not only the sampled ones; categories count only where weak negatives are drawn."""
    sampling = Sampling(2, 2, 1, weak_negatives=weak, project_weak_negatives=False)
    [batch] = TowerBatches(DocumentPairs.of(MARKETPLACE), np.array([0, 2]), sampling).epoch((1,))
    kinds = [int(each.id[1:]) % 4 for each in batch.freelancers]
    for row, each in enumerate(batch.projects):
        wanted = int(each.id[1:]) % 4
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
    """Those of other categories are unlike the project too; what is known of a pair stays."""
    sampling = Sampling(2, 2, 1, weak_negatives=3)
    [batch] = TowerBatches(DocumentPairs.of(MARKETPLACE), np.array([0, 2]), sampling).epoch((1,))
    unlike = [[other.category != each.category for other in batch.freelancers] for each in batch.projects]
    assert np.array(unlike).any()
    assert (batch.to_freelancers.numpy()[np.array(unlike)] == -1).all()
    assert (batch.to_freelancers > 0).any(dim=1).all()


def test_the_split_leaves_out_who_teaches_nothing() -> None:
    """A project without a positive is in neither part; every other in one."""
    lonely = replace(MARKETPLACE, projects=[*MARKETPLACE.projects, project(12)])
    trained, validated = split_projects(DocumentPairs.of(lonely), 0.25, seed=1)
    assert sorted([*trained, *validated]) == list(range(12))
    assert (len(trained), len(validated)) == (9, 3)
    assert not np.array_equal(validated, split_projects(DocumentPairs.of(lonely), 0.25, seed=2)[1])


def test_nobody_was_interested(tmp_path: Path) -> None:
    """There is nothing to learn, and nothing is written."""
    refused = replace(MARKETPLACE, interactions=[Interaction("p0", "f0", False, "")])
    with pytest.raises(MarketplaceError, match="nothing to train on"):
        train_towers(RECIPE, refused, tmp_path / "m", encoder=Words())
    assert list(tmp_path.iterdir()) == []


def test_what_does_not_go_together(tmp_path: Path) -> None:
    """Heads that cannot share the width; a backbone that is not there."""
    with pytest.raises(SettingsError, match="cannot be built over words: the head's width is 8"):
        train_towers(replace(RECIPE, tower=TowerConfig(heads=3)), MARKETPLACE, tmp_path / "m", encoder=Words())
    with pytest.raises(ModelError, match=r"There is no model .*gone"):
        train_towers(replace(RECIPE, backbone=str(tmp_path / "gone")), MARKETPLACE, tmp_path / "m")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_loss_that_is_no_number(tmp_path: Path, value: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The training ends with what to do, and no model is written."""
    loss = torch.tensor(value).requires_grad_()
    monkeypatch.setitem(LOSSES, RECIPE.training.loss, lambda *_: loss)
    with pytest.raises(ModelError, match=r"its loss became (nan|inf)\. Choose a lower learning rate"):
        train_towers(RECIPE, MARKETPLACE, tmp_path / "tiny", encoder=Words())
    assert not (tmp_path / "tiny").exists()
