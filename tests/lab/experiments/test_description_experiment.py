"""The experiment on made-up postings: trained, measured, kept, and not measured again."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sentence_transformers import SentenceTransformer

from jobmatch_core.descriptions.aggregators import NetworkConfig
from jobmatch_core.descriptions.description_model import DescriptionModel
from jobmatch_core.descriptions.jdan_recipe import JdanData, JdanRecipe, JdanTraining
from jobmatch_core.descriptions.network import AggregationNetwork
from jobmatch_core.errors import SettingsError
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from jobmatch_core.titles.ngrams import NgramVocabulary
from jobmatch_core.titles.subword import SubwordBag, pack_own
from lab.experiments import description_experiment
from lab.experiments.description_experiment import DESCRIPTION_WEIGHT, DescriptionExperiment, NormalizationTask
from lab.experiments.description_runs import UNTRAINED, DescriptionRun, description_runs
from tests.core.descriptions.made_postings import WordEncoder, made_postings
from tests.made_taxonomy import skilled_taxonomy

RECIPE = JdanRecipe(
    "tiny",
    train_backbone=True,
    variant="sentence-mean",
    data=JdanData(("x",)),
    training=JdanTraining(epochs=1, batch_size=8),
)


def save_backbone(folder: Path, seed: int) -> None:
    """Write a tiny title encoder of ours, packed."""
    texts = [each for posting in made_postings(24) for each in (posting.title, posting.description)]
    vocabulary = NgramVocabulary.from_texts(texts, least=1, most=3000)
    model = SentenceTransformer(modules=[SubwordBag.untrained(vocabulary, 16, seed=seed)], device="cpu")
    pack_own(model)
    model.save_pretrained(str(folder), create_model_card=False)


@pytest.fixture
def backbone(tmp_path: Path) -> Path:
    """The folder of an encoder."""
    save_backbone(tmp_path / "own", seed=1)
    return tmp_path / "own"


@pytest.fixture
def task(tmp_path: Path) -> NormalizationTask:
    """Three titles, one of an occupation that is not there."""
    rows = ["vacancyTitle,conceptUri", "web maker coder,http://jobs/2512", "author,http://jobs/2641", "x,http://jobs/0"]
    (tmp_path / "titles.csv").write_text("\n".join(rows) + "\n", "utf-8")
    return NormalizationTask.read(tmp_path / "titles.csv", skilled_taxonomy())


def test_ranks_equal_a_naive_loop(task: NormalizationTask) -> None:
    """Among the preferred names of all occupations."""
    encoder = WordEncoder(32)
    names = encoder.encode(task.names)
    assert task.names == ["coder", "site builder", "illustrator", "surveyor", "author", "translator"]
    expected = []
    for title, right in zip(task.titles, task.right, strict=True):
        scores = names @ encoder.encode([title])[0]
        expected.append(sum(score >= scores[right] for score in scores) if right >= 0 else np.inf)
    assert task.ranks(DescriptionModel(encoder, "words", "sentence-mean")).tolist() == expected
    assert expected[1:] == [1, np.inf]


def test_a_run_is_kept(
    task: NormalizationTask, tmp_path: Path, backbone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The backbone as it is, then each seed; the second time nothing is trained; another seed is."""
    recipe = replace(RECIPE, backbone=str(backbone))
    store = description_runs(Settings(tmp_path))
    postings = made_postings(24)
    experiment = DescriptionExperiment([task], lambda each: postings, store)
    seen: list[int] = []
    first = experiment.run([recipe], 2, progress=lambda done, total: seen.append(done * 100 // total))
    assert [(run.variant, run.seed) for run in first] == [(UNTRAINED, 0), ("sentence-mean", 1), ("sentence-mean", 2)]
    assert seen == sorted(seen)
    assert seen[-1] == 100
    assert not list((store.folder / "models").iterdir())
    assert all(run.titles == 3 and run.recall_at_10 == pytest.approx(2 / 3) for run in first)
    monkeypatch.setattr(description_experiment, "train_jdan", None)
    assert experiment.run([recipe], 2) == first
    with pytest.raises(TypeError):
        experiment.run([recipe], 3)


@pytest.fixture
def described(task: NormalizationTask) -> NormalizationTask:
    """The same titles; of the occupations, the taxonomy's own descriptions."""
    return task.described_by(skilled_taxonomy(), skilled_taxonomy())


def test_names_and_descriptions_equal_a_naive_loop(task: NormalizationTask, described: NormalizationTask) -> None:
    """A name's cosine and half of its description's; an occupation without one has its name alone."""
    assert (task.ranked_by, described.ranked_by) == ("name", "name and description")
    assert described.data_hash != task.data_hash
    assert described.descriptions is not None
    assert all(described.descriptions)
    described = replace(described, descriptions=["", *described.descriptions[1:]])
    assert described.descriptions is not None
    torch.manual_seed(1)
    network = AggregationNetwork(NetworkConfig(layers=1, heads=2), 32)
    model = DescriptionModel(WordEncoder(32), "words", "jdan", network=network)
    expected = []
    for title, right in zip(described.titles, described.right, strict=True):
        asked = model.encode_titles([title])[0]
        scores = [
            asked @ model.encode_titles([name])[0]
            + (DESCRIPTION_WEIGHT * (asked @ model.encode_descriptions([description])[0]) if description else 0)
            for name, description in zip(described.names, described.descriptions, strict=True)
        ]
        expected.append(sum(score >= scores[right] for score in scores) if right >= 0 else np.inf)
    assert described.ranks(model).tolist() == expected


def test_both_rankings_of_one_training(
    task: NormalizationTask, described: NormalizationTask, tmp_path: Path, backbone: Path
) -> None:
    """A run each; what reads skills alone is ranked by names alone; a model that is there is measured as it is."""
    recipe = replace(RECIPE, backbone=str(backbone))
    store = description_runs(Settings(tmp_path))
    experiment = DescriptionExperiment([task, described], lambda each: made_postings(24), store)
    found = experiment.run([recipe], 1)
    assert [(run.variant, run.ranked_by) for run in found] == [
        (UNTRAINED, "name"),
        (UNTRAINED, "name and description"),
        ("sentence-mean", "name"),
        ("sentence-mean", "name and description"),
    ]
    assert len({run.setting for run in found}) == 4
    assert experiment.run([recipe], 1) == found
    models = [DescriptionModel(WordEncoder(), "words", variant) for variant in ("sentence-mean", "skill-mean")]
    measured = experiment.measure(models)
    assert [(run.recipe, run.ranked_by) for run in measured] == [
        ("words/sentence-mean", "name"),
        ("words/sentence-mean", "name and description"),
        ("words/skill-mean", "name"),
    ]
    assert (measured[0].seed, measured[0].postings, measured[0].train_s) == (0, 0, 0)


def test_nothing_described(tmp_path: Path, task: NormalizationTask) -> None:
    """A taxonomy of other occupations is refused, not taken for one that says nothing."""
    with pytest.raises(SettingsError, match="describes no occupation"):
        task.described_by(TaxonomyStore.open(Settings(tmp_path)).load(BUNDLED_ID), skilled_taxonomy())


def test_a_finished_training_is_not_begun_again(
    task: NormalizationTask, tmp_path: Path, backbone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped between training and measuring, the model is only measured."""
    recipe = replace(RECIPE, backbone=str(backbone))
    store = description_runs(Settings(tmp_path))
    experiment = DescriptionExperiment([task], lambda each: made_postings(24), store)
    measured = description_experiment._measured

    def stopped(*arguments: Any) -> DescriptionRun:
        if arguments[2] == "tiny":
            raise OSError("the disk is full")
        return measured(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(description_experiment, "_measured", stopped)
        with pytest.raises(OSError, match="disk"):
            experiment.run([recipe], 1)
    assert len(list((store.folder / "models").iterdir())) == 1
    with monkeypatch.context() as patched:
        patched.setattr(description_experiment, "train_jdan", None)
        found = experiment.run([recipe], 1)
    assert found[1].postings > 0
    assert found[1].train_s > 0
    assert not list((store.folder / "models").iterdir())


def test_another_backbone_at_the_same_place(task: NormalizationTask, tmp_path: Path, backbone: Path) -> None:
    """Its word is the same, but what it was measured as says nothing of it."""
    recipe = replace(RECIPE, backbone=str(backbone))
    experiment = DescriptionExperiment([task], lambda each: made_postings(24), description_runs(Settings(tmp_path)))
    first = experiment.run([recipe], 1)
    shutil.rmtree(backbone)
    save_backbone(backbone, seed=2)
    second = experiment.run([recipe], 1)
    assert {run.setting for run in first}.isdisjoint(run.setting for run in second)
