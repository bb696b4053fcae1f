"""Training end to end with a tiny model: what comes out, and that stopping changes nothing."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sentence_transformers import SentenceTransformer

from jobmatch_core.errors import SettingsError, TaxonomyError
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.titles import title_training
from jobmatch_core.titles.occupation_names import Encode, HeldOutFigures, OccupationNames, measure
from jobmatch_core.titles.subword import load_backbone
from jobmatch_core.titles.title_recipe import Recipe, read_recipe
from jobmatch_core.titles.title_training import train_title_encoder
from jobmatch_core.titles.training_report import REPORT_FILE
from tests.core.training.stopping import Stopped, stop_at

TITLES = ["nurse", "bread maker", "Schwester", "wall builder"]


def vectors(folder: Path) -> np.ndarray:
    """Return what a model makes of some titles."""
    return SentenceTransformer(str(folder), device="cpu").encode(TITLES, show_progress_bar=False)


@pytest.fixture
def recipe(recipe_file: Callable[..., Path]) -> Recipe:
    """The recipe of both stages."""
    return read_recipe(recipe_file())


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory, taxonomy_home: Path, backbone: Path) -> Callable[[Recipe], Path]:
    """Return the model of a recipe, trained without a stop, once."""
    models: dict[Recipe, Path] = {}

    def train(recipe: Recipe) -> Path:
        if recipe not in models:
            out = tmp_path_factory.mktemp("models") / "whole"
            train_title_encoder(recipe, out, store=TaxonomyStore.open(Settings(taxonomy_home)))
            models[recipe] = out
        return models[recipe]

    return train


def test_both_stages_give_a_model_folder_with_report(whole: Callable[[Recipe], Path], recipe: Recipe) -> None:
    """It loads, has moved away from the backbone, and says how it came to be."""
    folder = whole(recipe)
    assert vectors(folder).shape == (4, 8)
    assert np.abs(vectors(folder) - vectors(Path(recipe.backbone))).max() > 0.1
    report = json.loads((folder / REPORT_FILE).read_text("utf-8"))
    assert report["recipe"]["seed"] == 3
    assert report["recipe"]["stage2"]["negatives"] == 4
    assert len(report["data_hash"]) == 64
    assert {"sentence-transformers", "torch", "gensim", "jobmatch"} <= set(report["versions"])
    assert [stage["stage"] for stage in report["stages"]] == ["stage1", "stage2"]
    assert [stage["temperature"] for stage in report["stages"]] == [None, 0.2]
    for stage in report["stages"]:
        losses = [point["loss"] for point in stage["outcome"]["losses"]]
        assert len(losses) == 12
        assert np.mean(losses[-4:]) < np.mean(losses[:4])
    languages = {each["language"] for each in report["before"]["languages"]}
    assert languages <= {"de", "en"}
    assert 0 < report["before"]["mrr"] <= 1
    assert sum(report["titles"]) <= 35
    assert report["titles"][1] == 6


def test_nothing_unfinished_and_no_pickle_remains(whole: Callable[[Recipe], Path], recipe: Recipe) -> None:
    """The model's folder is all there is."""
    folder = whole(recipe)
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    assert not [path for path in folder.rglob("*") if path.suffix in (".bin", ".pt", ".pth", ".pkl")]


@pytest.mark.first_case
@pytest.mark.parametrize("step", [6, 12, 15])
def test_a_stopped_training_goes_on_as_if_it_had_not_been(
    whole: Callable[[Recipe], Path], recipe: Recipe, store: TaxonomyStore, tmp_path: Path, step: int
) -> None:
    """Before and after the first checkpoint of each stage; the projection of stage 1 is kept too."""
    out = tmp_path / "model"
    with pytest.raises(Stopped):
        train_title_encoder(recipe, out, store=store, progress=stop_at(step))
    assert not out.exists()
    seen: list[int] = []
    report = train_title_encoder(recipe, out, store=store, progress=lambda done, total: seen.append(done))
    # a step is reported before its checkpoint is written
    within = step if step <= 12 else step - 12
    assert seen[0] == step - within + 4 * ((within - 1) // 4) + 1
    assert report.stages[step > 12].outcome.resumed_at == 4 * ((within - 1) // 4)
    assert seen[-1] == 24
    assert np.array_equal(vectors(out), vectors(whole(recipe)))


def test_a_checkpoint_cut_short_is_not_resumed_from(
    whole: Callable[[Recipe], Path], recipe: Recipe, store: TaxonomyStore, tmp_path: Path
) -> None:
    """The one before it serves."""
    out = tmp_path / "model"
    with pytest.raises(Stopped):
        train_title_encoder(recipe, out, store=store, progress=stop_at(10))
    (tmp_path / "model.unfinished" / "stage1-checkpoints" / "checkpoint-8" / "trainer_state.json").write_text("{")
    report = train_title_encoder(recipe, out, store=store)
    assert report.stages[0].outcome.resumed_at == 4
    assert np.array_equal(vectors(out), vectors(whole(recipe)))


def test_another_recipe_begins_anew(recipe: Recipe, store: TaxonomyStore, tmp_path: Path) -> None:
    """Half of one and half of the other would be neither: it is refused, and starts at step 1 where that is said."""
    out = tmp_path / "model"
    with pytest.raises(Stopped):
        train_title_encoder(recipe, out, store=store, progress=stop_at(10))
    other = replace(recipe, stage1=None)
    with pytest.raises(SettingsError, match="start over with --no-resume"):
        train_title_encoder(other, out, store=store)
    seen: list[int] = []
    train_title_encoder(other, out, store=store, resume=False, progress=lambda done, total: seen.append(done))
    assert seen == list(range(1, 13))


def test_a_stage_alone_and_another_seed(whole: Callable[[Recipe], Path], recipe: Recipe) -> None:
    """A recipe with one section runs one stage; the seed decides how it ends."""
    models = [whole(replace(recipe, stage2=None, seed=seed)) for seed in (3, 4)]
    report = json.loads((models[0] / REPORT_FILE).read_text("utf-8"))
    assert [stage["stage"] for stage in report["stages"]] == ["stage1"]
    assert np.abs(vectors(models[0]) - vectors(models[1])).max() > 1e-3


def test_the_best_temperature_is_chosen_on_left_out_titles(
    recipe: Recipe, store: TaxonomyStore, tmp_path: Path
) -> None:
    """Each is tried from the same start; also where the grid was stopped."""
    assert recipe.stage2 is not None
    grid = replace(recipe, stage1=None, stage2=replace(recipe.stage2, temperature=(0.01, 0.2), grid_steps=6))
    with pytest.raises(Stopped):
        train_title_encoder(grid, tmp_path / "model", store=store, progress=stop_at(9))
    seen: list[int] = []
    report = train_title_encoder(grid, tmp_path / "model", store=store, progress=lambda done, total: seen.append(total))
    assert set(seen) == {2 * 6 + 12}
    scores = {trial.temperature: trial.after.score for trial in report.trials}
    assert list(scores) == [0.01, 0.2]
    assert report.stages[0].temperature == max(scores, key=lambda temperature: scores[temperature])


def test_our_own_encoder_is_measured_as_it_is_saved(
    recipe: Recipe, store: TaxonomyStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With four bits a weight: the last figures of the report are those of the folder, not of what was rounded."""
    seen: list[np.ndarray] = []

    def measured(encode: Encode, *words: OccupationNames) -> HeldOutFigures:
        seen.append(encode(TITLES))
        return replace(measure(encode, *words), mrr=len(seen) / 10)

    monkeypatch.setattr(title_training, "measure", measured)
    own = replace(recipe, backbone="own", stage1=None)
    report = train_title_encoder(own, tmp_path / "model", store=store)
    _, full, packed = seen
    saved = load_backbone(tmp_path / "model").encode(TITLES, show_progress_bar=False)
    np.testing.assert_allclose(packed, saved, atol=1e-6)
    known = full.any(axis=1)  # a title without a feature is zeros
    assert 0.95 < (full * packed).sum(axis=1)[known].min() < 0.9999
    assert report.stages[-1].after.mrr == 0.3
    assert json.loads((tmp_path / "model" / REPORT_FILE).read_text("utf-8"))["stages"][-1]["after"]["mrr"] == 0.3


def test_a_taxonomy_without_skills(recipe: Recipe, store: TaxonomyStore, tmp_path: Path) -> None:
    """Stage 1 cannot do without."""
    source = tmp_path / "bare.csv"
    source.write_text("concept_id,language,preferred,alternatives,parent,description\ncook,en,cook,chef,,\n", "utf-8")
    bare = store.import_from(source).id
    without = replace(recipe, data=replace(recipe.data, names=bare, relations=bare, languages=("en",)))
    with pytest.raises(TaxonomyError, match=f"{bare} relates no skills"):
        train_title_encoder(without, tmp_path / "model", store=store)


def test_several_processes_are_refused(
    recipe: Recipe, store: TaxonomyStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a launcher starts them, before any of them writes anything; one that is launched alone is none of several."""
    out = tmp_path / "model"
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(SettingsError, match="without accelerate launch, torchrun"):
        train_title_encoder(recipe, out, store=store)
    assert list(tmp_path.iterdir()) == [tmp_path / "toy.toml"]
    monkeypatch.setenv("WORLD_SIZE", "1")
    with pytest.raises(TaxonomyError):
        train_title_encoder(replace(recipe, data=replace(recipe.data, names="nope")), out, store=store)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"report_to": ("no_such_tracker",)}, "'no_such_tracker', which is not installed: pip install no_such_tracker"),
        ({"precision": "fp16"}, "precision is fp16, for which there is no device here"),
    ],
)
def test_what_the_machine_lacks_is_said_first(
    recipe: Recipe, store: TaxonomyStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: dict, message: str
) -> None:
    """Before anything is loaded."""
    monkeypatch.setattr("torch.accelerator.is_available", lambda: False)
    with pytest.raises(SettingsError, match=message):
        train_title_encoder(replace(recipe, **change), tmp_path / "model", store=store)
    assert list(tmp_path.iterdir()) == [tmp_path / "toy.toml"]
