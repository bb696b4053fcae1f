"""Backbones to train: any sentence-transformers model, or our own encoder."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import Normalize

from jobmatch_core.errors import ModelError, SettingsError
from jobmatch_core.model_store.model_spec import ModelKind, ModelSpec, Source, find_model
from jobmatch_core.model_store.transformer_models import load_sentence_transformer
from jobmatch_core.settings import Settings
from jobmatch_core.titles.encoder import is_title_encoder, shipped_folder
from jobmatch_core.titles.ngrams import NgramVocabulary
from jobmatch_core.titles.subword import SubwordBag

OWN = "own"  # the backbone's name in a recipe
_TRAINABLE, _PACKED = 32, 4  # bits; packed weights would be rounded anew with every checkpoint
_LEAST_TEXTS, _MOST_FEATURES, _DIMENSION = 5, 100_000, 256  # AdamW steps through all rows: more take a second a step


def untrained_own(titles: Sequence[str], seed: int) -> SentenceTransformer:
    """Return our own encoder with random weights, over the features of some titles."""
    vocabulary = NgramVocabulary.from_texts(titles, least=_LEAST_TEXTS, most=_MOST_FEATURES)
    return _of(SubwordBag.untrained(vocabulary, _DIMENSION, seed))


def pack_own(model: SentenceTransformer) -> bool:
    """Set our own encoder to be saved with four bits per weight; return whether the model is our own."""
    own = isinstance(model[0], SubwordBag)
    if own:
        model[0].bits = _PACKED
    return own


def load_backbone(word: str | Path, settings: Settings | None = None) -> SentenceTransformer:
    """Load a model to train.

    Args:
        word: a word of `model_spec`, but one encoder only, since several side by side are not trained.
        settings: where named models are; from the environment where not given.

    Raises:
        SettingsError: it cannot be loaded from this machine.
    """
    try:
        found = find_backbone(str(word), settings)
        if found.folder and is_title_encoder(found.folder):
            bag = SubwordBag.load(str(found.folder))
            bag.bits = _TRAINABLE
            return _of(bag)
        return load_sentence_transformer(found.place)
    except Exception as error:  # a damaged folder raises whatever the reader of the damaged part raises
        raise SettingsError(
            f"The backbone {str(word)!r} could not be loaded: {' '.join(str(error).split())}. Expected a "
            "folder with a title encoder of ours or a sentence-transformers model, whole and undamaged."
        ) from error


def find_backbone(word: str, settings: Settings | None = None) -> ModelSpec:
    """Find a model to train; that which comes with jobmatch is given with its folder.

    Raises:
        ModelError: there is no such model, or the word names several encoders side by side.
    """
    found = find_model(word, settings, ModelKind.ENCODER)
    if found.parts:
        raise ModelError(f"{word!r} is several encoders side by side, which are not trained; name one of them")
    return replace(found, folder=shipped_folder()) if found.source is Source.SHIPPED else found


def _of(bag: SubwordBag) -> SentenceTransformer:
    return SentenceTransformer(modules=[bag, Normalize()], device="cpu", trust_remote_code=False)
