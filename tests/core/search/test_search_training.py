"""Training of search encoders end to end on made-up pairs, over the title encoder and over a tiny transformer."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.errors import ModelError, SettingsError
from jobmatch_core.search.search_encoder import NgramSearchEncoder, PlainSearchEncoder, SearchEncoder
from jobmatch_core.search.search_models import open_search_encoder
from jobmatch_core.search.search_recipe import SearchRecipe, TaskRecipe
from jobmatch_core.search.search_training import train_search_encoder
from jobmatch_core.search.transformer_encoder import TransformerSearchEncoder
from jobmatch_core.titles.encoder import TitleEncoder, shipped_folder
from tests.core.search.made_pairs import JOBS, PAIRS, POSITIVES, RECIPE
from tests.tiny_transformer import change, save_transformer

TEXTS = [pair.query for pair in POSITIVES]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the recipe's model over the title encoder, trained without interruption."""
    out = tmp_path_factory.mktemp("models") / "tiny"
    train_search_encoder(RECIPE, PAIRS, out)
    return out


@pytest.fixture(scope="module")
def transformer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny transformer of four layers, with the words of the jobs unknown but for three."""
    return save_transformer(tmp_path_factory.mktemp("backbone") / "tiny", layers=4)


def over(backbone: Path, **settings: object) -> SearchRecipe:
    """Return the recipe over a transformer."""
    training = replace(RECIPE.training, epochs=1, learning_rate=0.001)
    return replace(RECIPE, backbone=str(backbone), layers=2, dimension=6, training=training, **settings)


def report_of(folder: Path) -> dict[str, object]:
    """Return the report of a model."""
    content: dict[str, object] = json.loads((folder / "report.json").read_text("utf-8"))
    return content


def queries(folder: Path) -> np.ndarray:
    """Return the vectors of all queries by a model."""
    return open_search_encoder(folder).encode_queries(TEXTS)


def test_the_report(whole: Path) -> None:
    """The report describes the training."""
    report = report_of(whole)
    assert report["backbone"] == shipped_encoder().name
    assert [task["name"] for task in report["tasks"]] == list(PAIRS)  # type: ignore[attr-defined]
    assert [task["trained"] + task["held_out"] for task in report["tasks"]] == [24, 72, 6]  # type: ignore[attr-defined]
    assert len(report["epochs"]) == 4  # type: ignore[arg-type]
    steps = [point["step"] for point in report["curve"]]  # type: ignore[attr-defined]
    assert steps == sorted(set(steps))
    assert steps[-1] == report["steps"]


def test_the_loss_falls(whole: Path) -> None:
    """The loss falls on the training pairs."""
    losses = [epoch["loss"] for epoch in report_of(whole)["epochs"]]  # type: ignore[attr-defined]
    assert losses[-1] < 0.6 * losses[0]


def test_queries_find_their_documents(whole: Path) -> None:
    """Nearly all do, and the document is further ahead of the others than with the title encoder."""
    jobs = list(JOBS)
    right = np.repeat(np.eye(len(jobs), dtype=bool), 4, axis=0)

    def leads(encoder: SearchEncoder) -> np.ndarray:
        scores = encoder.encode_queries(TEXTS) @ encoder.encode(jobs).T
        return np.where(right, scores, -np.inf).max(axis=1) - np.where(right, -np.inf, scores).max(axis=1)

    trained = leads(open_search_encoder(whole))
    assert (trained > 0).mean() > 0.9
    assert trained.mean() > leads(PlainSearchEncoder(shipped_encoder())).mean()


@pytest.mark.parametrize("schedule", ["sequential", "random"])
def test_the_other_schedules(tmp_path: Path, schedule: str) -> None:
    """Other schedules read as many batches and give another model."""
    training = replace(RECIPE.training, epochs=1)
    recipe = replace(RECIPE, schedule=schedule, training=training)
    report = train_search_encoder(recipe, PAIRS, tmp_path / "m")
    assert report.steps == sum(max(round(task.trained / 6), 1) for task in report.tasks)
    assert report.curve[-1].validation_loss is not None


def test_separate_towers(tmp_path: Path) -> None:
    """A query and a document of the same words differ, also after loading."""
    train_search_encoder(replace(RECIPE, towers="separate"), PAIRS, tmp_path / "m")
    encoder = open_search_encoder(tmp_path / "m")
    assert not np.allclose(encoder.encode(TEXTS), encoder.encode_queries(TEXTS), atol=0.05)
    assert encoder.dimension == 32


def test_to_start_from_a_model(whole: Path, tmp_path: Path) -> None:
    """Without training steps the vectors stay; another dimension is refused."""
    start = open_search_encoder(whole)
    recipe = replace(RECIPE, training=replace(RECIPE.training, epochs=1, learning_rate=1e-12))
    train_search_encoder(recipe, PAIRS, tmp_path / "m", start=start)
    assert np.allclose(queries(tmp_path / "m"), queries(whole), atol=1e-3)
    with pytest.raises(SettingsError, match="and the recipe 16"):
        train_search_encoder(replace(recipe, dimension=16), PAIRS, tmp_path / "n", start=start)
    with pytest.raises(SettingsError, match="no title encoder as its backbone"):
        train_search_encoder(recipe, PAIRS, tmp_path / "n", start=PlainSearchEncoder(shipped_encoder()))


def other_titles(folder: Path) -> Path:
    """Write a title encoder of other numbers than the shipped one's; return its folder."""
    shutil.copytree(shipped_folder(), folder)
    weights = load_file(folder / "model.safetensors")
    save_file(weights | {"scales": weights["scales"][::-1].copy()}, folder / "model.safetensors")
    return folder


def test_over_another_title_encoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The title encoder is found from any directory; if it is missing or has changed, the error says what to do."""
    titles = other_titles(tmp_path / "titles-mine")
    monkeypatch.chdir(tmp_path)
    recipe = replace(RECIPE, backbone="titles-mine", training=replace(RECIPE.training, epochs=1))
    train_search_encoder(recipe, PAIRS, tmp_path / "m")
    monkeypatch.chdir("/")
    trained = open_search_encoder(tmp_path / "m")
    assert isinstance(trained, NgramSearchEncoder)
    assert trained.titles.name == TitleEncoder.load(titles).name != shipped_encoder().name
    with pytest.raises(SettingsError, match="it was trained over titles-mine-"):
        train_search_encoder(RECIPE, PAIRS, tmp_path / "n", start=trained)
    weights = load_file(titles / "model.safetensors")
    save_file(weights | {"scales": weights["scales"][::-1].copy()}, titles / "model.safetensors")
    with pytest.raises(ModelError, match=r"trained over titles-mine-\w+, and titles-mine-\w+ gives other vectors"):
        open_search_encoder(tmp_path / "m")
    shutil.rmtree(titles)
    with pytest.raises(ModelError, match=r"There is no model .*titles-mine.*restore the backbone, or train"):
        open_search_encoder(tmp_path / "m")


def test_a_transformer_is_cut(transformer: Path, tmp_path: Path) -> None:
    """A transformer is truncated and encodes the same after loading."""
    train_search_encoder(over(transformer), PAIRS, tmp_path / "m")
    encoder = open_search_encoder(tmp_path / "m")
    assert isinstance(encoder, TransformerSearchEncoder)
    assert encoder.towers["document"].model.config.num_hidden_layers == 2
    vectors = encoder.encode(["cook nurse", "baker", ""])
    assert vectors.shape == (3, 6)
    assert np.allclose(np.linalg.norm(vectors[:2], axis=1), 1, atol=1e-5)
    assert np.allclose(encoder.encode(["baker"]), vectors[1:2], atol=1e-5)
    assert encoder.encode([]).shape == (0, 6)


def test_a_student_of_fewer_layers(transformer: Path, tmp_path: Path) -> None:
    """It starts with the first layers of its teacher and approaches its vectors (section V-A)."""
    train_search_encoder(over(transformer, towers="separate"), PAIRS, tmp_path / "teacher")
    teacher = open_search_encoder(tmp_path / "teacher")
    taught = TaskRecipe("outputs", "taught", ("clicks.tsv",))
    recipe = replace(over(transformer, tasks=(taught,), teacher="t"), layers=1)
    recipe = replace(recipe, training=replace(recipe.training, epochs=6, learning_rate=0.003))
    report = train_search_encoder(recipe, {"outputs": POSITIVES}, tmp_path / "s", teacher=teacher, start=teacher)
    [figures] = report.tasks
    assert report.teacher == teacher.name
    assert figures.loss_before is not None
    assert figures.loss_after is not None
    assert figures.loss_after < figures.loss_before
    student = open_search_encoder(tmp_path / "s")
    assert isinstance(student, TransformerSearchEncoder)
    assert student.towers["document"].model.config.num_hidden_layers == 1


def test_a_smaller_student_over_ngrams(whole: Path, tmp_path: Path) -> None:
    """It learns through a map, since its vectors are shorter."""
    taught = TaskRecipe("outputs", "taught", ("clicks.tsv",))
    recipe = replace(RECIPE, tasks=(taught,), teacher="t", dimension=8)
    report = train_search_encoder(recipe, {"outputs": POSITIVES}, tmp_path / "s", teacher=open_search_encoder(whole))
    assert report.tasks[0].loss_after < report.tasks[0].loss_before  # type: ignore[operator]
    assert open_search_encoder(tmp_path / "s").dimension == 8


def test_what_cannot_be_trained(whole: Path, tmp_path: Path) -> None:
    """An unknown backbone is refused."""
    with pytest.raises(SettingsError, match="cannot be trained for search"):
        train_search_encoder(replace(RECIPE, backbone=str(whole)), PAIRS, tmp_path / "n")


def test_damaged_folders(whole: Path, tmp_path: Path) -> None:
    """A changed title encoder, wrong arrays or a missing file is reported with a remedy."""
    folder = tmp_path / "m"
    shutil.copytree(whole, folder)
    assert np.allclose(queries(folder), queries(whole))
    change(folder / "config.json", backbone_name="other")
    with pytest.raises(ModelError, match="trained over other"):
        open_search_encoder(folder)
    (folder / "model.safetensors").unlink()
    for kind in ("ngrams", "transformer", "else"):
        change(folder / "config.json", search=kind, backbone_name=shipped_encoder().name)
        with pytest.raises(ModelError, match="no search encoder that can be used"):
            open_search_encoder(folder)
