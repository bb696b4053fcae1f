"""The trainable bag of n-grams: by hand, saved and loaded, and as a module of sentence-transformers."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import Normalize

from jobmatch_core.titles.ngrams import NgramVocabulary
from jobmatch_core.titles.packing import pack, unpack
from jobmatch_core.titles.subword import SubwordBag

TITLES = ["head cook", "Köchin", "nurse", "nurse nurse", "料理人", "", "🍳", "zzz"]


@pytest.fixture(scope="module")
def vocabulary() -> NgramVocabulary:
    """The features of the titles but the last."""
    return NgramVocabulary.from_texts(TITLES[:-1], least=1, most=1000)


@pytest.fixture(scope="module")
def bag(vocabulary: NgramVocabulary) -> SubwordBag:
    """Random vectors of 6 dimensions."""
    weights = np.random.default_rng(1).normal(size=(len(vocabulary), 6)).astype(np.float32)
    return SubwordBag(vocabulary.hashes, weights)


def sums(bag: SubwordBag, texts: list[str]) -> np.ndarray:
    """Return what the module gives to texts."""
    return bag(bag.preprocess(texts))["sentence_embedding"].detach().numpy()


def test_a_text_is_the_sum_of_its_features(bag: SubwordBag, vocabulary: NgramVocabulary) -> None:
    """Each as often as it occurs; zeros where nothing is known of a text, between two others too."""
    features = vocabulary.features(TITLES)
    weights = bag.weights.detach().numpy()
    expected = [weights[features.rows[a:b]].sum(axis=0) for a, b in pairwise(features.starts.tolist())]
    np.testing.assert_allclose(sums(bag, TITLES), expected, atol=1e-5)
    assert not sums(bag, TITLES)[-3:].any()


def test_only_unknown_texts(bag: SubwordBag) -> None:
    """A batch without a single feature."""
    assert sums(bag, ["", "zzz"]).tolist() == [[0.0] * 6] * 2


def test_a_prompt_stands_before_the_text(bag: SubwordBag) -> None:
    """As sentence-transformers has it."""
    prompted = bag(bag.preprocess(["cook"], prompt="head "))["sentence_embedding"].detach().numpy()
    np.testing.assert_array_equal(prompted, sums(bag, ["head cook"]))


def test_gradients_reach_only_what_was_used(bag: SubwordBag, vocabulary: NgramVocabulary) -> None:
    """Each feature of `nurse nurse` counts as often as it occurs in it: twice, but for the pair."""
    bag.zero_grad()
    bag(bag.preprocess(["nurse nurse"]))["sentence_embedding"].sum().backward()
    slope = bag.weights.grad
    assert slope is not None
    counts = np.bincount(vocabulary.features(["nurse nurse"]).rows, minlength=len(vocabulary))
    assert sorted(set(counts.tolist())) == [0, 1, 2]
    np.testing.assert_array_equal(slope.numpy(), np.repeat(counts[:, None], 6, axis=1).astype(np.float32))
    bag.zero_grad()


def test_untrained_vectors_are_small_and_come_from_the_seed(vocabulary: NgramVocabulary) -> None:
    """Within 0.1 / sqrt(dimension), and again the same."""
    first, again, other = (SubwordBag.untrained(vocabulary, 16, seed).weights.detach() for seed in (1, 1, 2))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)
    assert 0 < first.abs().max() <= 0.1 / 4
    assert first.shape == (len(vocabulary), 16)


def test_it_says_what_it_is(bag: SubwordBag) -> None:
    """As wide as its vectors, and without a limit of tokens."""
    assert bag.get_embedding_dimension() == 6
    assert bag.max_seq_length is None


def test_saved_and_loaded_it_is_the_same(bag: SubwordBag, tmp_path: Path) -> None:
    """32 bits: to the last bit; two files, and none of them a pickle."""
    bag.save(str(tmp_path))
    loaded = SubwordBag.load(str(tmp_path))
    assert torch.equal(loaded.weights, bag.weights)
    np.testing.assert_array_equal(loaded.vocabulary.hashes, bag.vocabulary.hashes)
    assert (loaded.bits, loaded.dimension, loaded.weights.requires_grad) == (32, 6, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config.json", "model.safetensors"]
    assert json.loads((tmp_path / "config.json").read_text("utf-8")) == {"bits": 32, "dimension": 6}


def test_saved_in_four_bits_it_is_what_was_packed(bag: SubwordBag, tmp_path: Path) -> None:
    """Loaded, it has the unpacked weights."""
    weights = bag.weights.detach().numpy()
    SubwordBag(bag.vocabulary.hashes, weights, bits=4).save(str(tmp_path))
    loaded = SubwordBag.load(str(tmp_path))
    np.testing.assert_array_equal(loaded.weights.detach().numpy(), unpack(*pack(weights)))
    assert loaded.bits == 4


def test_as_a_sentence_transformer(bag: SubwordBag, tmp_path: Path) -> None:
    """Saved and loaded with its Normalize module it encodes the same, unit vectors but for unknown texts."""
    model = SentenceTransformer(modules=[bag, Normalize()], device="cpu")
    expected = sums(bag, TITLES)
    expected /= np.maximum(np.linalg.norm(expected, axis=1, keepdims=True), 1e-9)
    np.testing.assert_allclose(model.encode(TITLES), expected, atol=1e-6)
    model.save_pretrained(str(tmp_path), create_model_card=False)
    loaded = SentenceTransformer(str(tmp_path), device="cpu", trust_remote_code=True)
    np.testing.assert_array_equal(loaded.encode(TITLES), model.encode(TITLES))
    assert loaded.get_embedding_dimension() == 6
    assert not list(tmp_path.rglob("*.py"))
