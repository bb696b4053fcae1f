"""A small search encoder of random weights over the shipped title encoder."""

import numpy as np

from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.search.search_encoder import NgramSearchEncoder, NgramTower
from jobmatch_core.titles.ngrams import NgramVocabulary

TEXTS = ["someone who repairs lifts", "lift technician", ""]


def tower(dimension: int = 8, seed: int = 1) -> NgramTower:
    """Return a tower of random weights."""
    random = np.random.default_rng(seed)
    hashes = NgramVocabulary.from_texts(TEXTS, least=1, most=50).hashes
    projection = random.normal(size=(dimension, shipped_encoder().dimension)).astype(np.float32)
    return NgramTower.packed(projection, hashes, random.normal(size=(len(hashes), dimension)).astype(np.float32))


def encoder(**towers: NgramTower) -> NgramSearchEncoder:
    """Return an encoder of these towers."""
    return NgramSearchEncoder(shipped_encoder(), "titles", towers, query_tokens=2, document_tokens=9, name="made")
