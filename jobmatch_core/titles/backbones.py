"""Backbones to train: any sentence-transformers model, or our own encoder."""

from collections.abc import Sequence
from pathlib import Path

from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import Normalize

from jobmatch_core.errors import SettingsError
from jobmatch_core.model_store.transformer_models import load_sentence_transformer
from jobmatch_core.titles.encoder import TITLES, is_title_encoder, shipped_folder
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


def load_backbone(spec: str | Path) -> SentenceTransformer:
    """Load a model to train.

    Args:
        spec: `titles` for the title encoder that comes with jobmatch, a folder, or `hub:` and a model hub's name.

    Raises:
        SettingsError: it cannot be loaded from this machine.
    """
    try:
        folder = shipped_folder() if spec == TITLES else Path(spec)
        if is_title_encoder(folder):
            bag = SubwordBag.load(str(folder))
            bag.bits = _TRAINABLE
            return _of(bag)
        return load_sentence_transformer(spec)
    except Exception as error:  # a damaged folder raises whatever the reader of the damaged part raises
        raise SettingsError(
            f"The backbone {str(spec)!r} could not be loaded: {' '.join(str(error).split())}. Expected a "
            "folder with a title encoder of ours or a sentence-transformers model, whole and undamaged."
        ) from error


def _of(bag: SubwordBag) -> SentenceTransformer:
    return SentenceTransformer(modules=[bag, Normalize()], device="cpu", trust_remote_code=False)
