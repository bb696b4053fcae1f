"""Models to train, out of folders."""

from pathlib import Path

import numpy as np
import pytest
from sentence_transformers import SentenceTransformer

from jobmatch_core.errors import SettingsError
from jobmatch_core.titles.encoder import TitleEncoder
from jobmatch_core.titles.ngrams import NgramVocabulary
from jobmatch_core.titles.subword import SubwordBag, load_backbone, pack_own, untrained_own

TITLES = ["ward nurse", "bread baker", "wall builder"]


def test_any_folder_of_sentence_transformers(backbone: Path) -> None:
    """It is the model that was saved."""
    expected = SentenceTransformer(str(backbone), device="cpu").encode(TITLES)
    assert np.array_equal(load_backbone(backbone).encode(TITLES), expected)
    assert not pack_own(load_backbone(backbone))


@pytest.mark.parametrize("bits", [32, 4])
def test_our_own_encoder(tmp_path: Path, bits: int) -> None:
    """It loads without trust in foreign code, and is saved again without being rounded."""
    bag = SubwordBag.untrained(NgramVocabulary.from_texts(TITLES, least=1, most=1000), 32, 1)
    bag.bits = bits
    SentenceTransformer(modules=[bag], device="cpu").save_pretrained(str(tmp_path / "a"), create_model_card=False)
    model = load_backbone(tmp_path / "a")
    vectors = model.encode(TITLES)
    assert vectors.shape == (3, 32)
    model.save_pretrained(str(tmp_path / "b"), create_model_card=False)
    assert np.array_equal(load_backbone(tmp_path / "b").encode(TITLES), vectors)


def test_our_own_encoder_from_nothing(tmp_path: Path) -> None:
    """It is seeded, its vectors are normalised, and packed it is what the linker reads."""
    titles = TITLES * 5  # a feature needs five texts
    model = untrained_own(titles, seed=3)
    vectors = model.encode(TITLES)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.array_equal(untrained_own(titles, seed=3).encode(TITLES), vectors)
    assert not np.array_equal(untrained_own(titles, seed=4).encode(TITLES), vectors)
    assert pack_own(model)
    model.save_pretrained(str(tmp_path / "own"), create_model_card=False)
    packed = TitleEncoder.load(tmp_path / "own").encode(TITLES)
    assert (packed * vectors).sum(axis=1).min() > 0.98


@pytest.mark.parametrize("content", [None, "[", "[]"])
def test_what_cannot_be_loaded(tmp_path: Path, content: str | None) -> None:
    """No folder, a damaged one, one with nothing in it; the name is said."""
    folder = tmp_path / "model"
    if content is not None:
        folder.mkdir()
        (folder / "modules.json").write_text(content, "utf-8")
    with pytest.raises(SettingsError, match=r"The backbone '.*model' could not be loaded: .* Expected a folder"):
        load_backbone(folder)
