"""The classifier of unit groups: its probabilities by hand, against a naive sum, and read back."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from jobmatch_core.entities import FloatArray
from jobmatch_core.titles.encoder import TitleEncoder, shipped_folder
from jobmatch_core.titles.group_classifier import GROUPS_FILE, OTHER, GroupClassifier, GroupWeights
from jobmatch_core.titles.ngrams import NgramVocabulary
from jobmatch_core.titles.packing import pack, unpack

TITLES = ["staff nurse", "nurse", "pastry cook", "Pastry  COOK", "Koch", "qqq", ""]


def weights_of(texts: list[str], dimension: int = 4, seed: int = 1) -> GroupWeights:
    """Make weights of all features of some texts, at random, for three classes."""
    vocabulary = NgramVocabulary.from_texts(texts, least=1, most=1000)
    random = np.random.default_rng(seed)
    return GroupWeights(
        vocabulary.hashes,
        random.normal(size=(len(vocabulary), dimension)).astype(np.float32),
        random.normal(size=(3, dimension)).astype(np.float32),
        random.normal(size=3).astype(np.float32),
        np.array([OTHER, 2221, 5120], np.int32),
    )


def loaded(weights: GroupWeights, folder: Path) -> GroupClassifier:
    """Save and read back."""
    weights.save(folder)
    return GroupClassifier.load(folder / GROUPS_FILE, TitleEncoder.of_bag)


def test_probabilities_by_hand() -> None:
    """Vectors of length one on two axes; the class of other languages has its share, and no column."""

    class Bag:
        name = "two axes"

        def encode(self, texts: Sequence[str]) -> FloatArray:
            """Say 'nurse' is the first axis, 'cook' the second, and know nothing else."""
            axes = {"nurse": [1.0, 0.0], "cook": [0.0, 1.0]}
            return np.array([axes.get(text, [0.0, 0.0]) for text in texts], np.float32).reshape(-1, 2)

    layer = np.log(np.array([[1, 2], [6, 2], [3, 4]], np.float32))
    classifier = GroupClassifier(Bag(), layer, np.zeros(3, np.float32), np.array([OTHER, 2221, 5120], np.int32))
    assert classifier.codes.tolist() == [2221, 5120]
    found = classifier.probabilities(["nurse", "cook", "who knows"])
    np.testing.assert_allclose(found, [[0.6, 0.3], [0.25, 0.5], [0.0, 0.0]], atol=1e-6)
    assert classifier.probabilities([]).shape == (0, 2)


def test_it_equals_a_naive_sum_of_its_stored_features(tmp_path: Path) -> None:
    """Each feature's vector added one by one, as it was packed."""
    weights = weights_of(TITLES[:3])
    classifier = loaded(weights, tmp_path)
    bag = unpack(*pack(weights.bag))
    rows = {int(value): row for row, value in enumerate(weights.hashes)}
    assert crc32(b"<nurse>") in rows
    vocabulary = NgramVocabulary(weights.hashes)
    layer = weights.layer.astype(np.float16).astype(np.float32)
    for title in TITLES:
        features = vocabulary.features([title]).rows.tolist()
        found = classifier.probabilities([title])[0]
        if not features:
            assert not found.any()
            continue
        total = sum((bag[row] for row in features), np.zeros(4, np.float32))
        logits = layer @ (total / np.linalg.norm(total)) + weights.bias
        expected = np.exp(logits) / np.exp(logits).sum()
        np.testing.assert_allclose(found, expected[1:], atol=1e-5)


def test_saving_and_loading_changes_nothing_more(tmp_path: Path) -> None:
    """What was read and is saved again differs only by the rounding to four bits."""
    weights = weights_of(TITLES[:3])
    first = loaded(weights, tmp_path)
    stored = load_file(tmp_path / GROUPS_FILE)
    again = GroupWeights(
        stored["hashes"],
        unpack(stored["codes"], stored["scales"]),
        stored["layer"].astype(np.float32),
        stored["bias"],
        stored["groups"],
    )
    (tmp_path / "again").mkdir()
    second = loaded(again, tmp_path / "again")
    np.testing.assert_allclose(first.probabilities(TITLES), second.probabilities(TITLES), atol=0.02)
    assert first.codes.tolist() == second.codes.tolist() == [2221, 5120]
    np.testing.assert_array_equal(first.probabilities(TITLES[2:3]), first.probabilities(TITLES[3:4]))  # folded alike


def test_a_model_folder_may_have_one(tmp_path: Path) -> None:
    """The title encoder reads it from its own folder, and does without it."""
    folder = tmp_path / "model"
    shutil.copytree(shipped_folder(), folder)
    (folder / GROUPS_FILE).unlink()
    assert TitleEncoder.load(folder).group_classifier is None
    weights_of(TITLES[:3]).save(folder)
    classifier = TitleEncoder.load(folder).group_classifier
    assert classifier is not None
    assert classifier.codes.tolist() == [2221, 5120]


@pytest.mark.parametrize("damage", ["codes", "layer", "groups"])
def test_tensors_that_do_not_fit_are_refused(tmp_path: Path, damage: str) -> None:
    """A row too few of any of them."""
    weights_of(TITLES[:3]).save(tmp_path)
    tensors = load_file(tmp_path / GROUPS_FILE)
    save_file(tensors | {damage: tensors[damage][:-1]}, tmp_path / GROUPS_FILE)
    with pytest.raises(ValueError, match="unit groups do not fit together"):
        GroupClassifier.load(tmp_path / GROUPS_FILE, TitleEncoder.of_bag)
