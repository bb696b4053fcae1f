"""Target vectors for bags of skills: PV-DBOW doc2vec, in which a bag's vector predicts its skills.

Paper: Le & Mikolov (2014); used by Deniz et al. (2024), section 3.1.1, with 512 dimensions. Its other settings are not
given there.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray
from jobmatch_core.titles.skill_bags import SkillBag

DIMENSIONS = 512  # section 3.1.1
MIN_COUNT = 2  # a word of only one bag says nothing about others
_WORD = re.compile(r"\w+")
_LONGEST_PHRASE = 6  # words; a longer text is a sentence, and hardly another bag has the same


@dataclass(frozen=True, slots=True)
class TitleTargets:
    """D1: titles, each with the vector of its bag.

    Attributes:
        titles: titles of all bags; a title of several bags is repeated.
        bags: (title,) row of its bag's vector.
        vectors: (bag, dimension) L2-normalised.
    """

    titles: list[str]
    bags: NDArray[np.int32]
    vectors: FloatArray


def title_targets(bags: Sequence[SkillBag], vectors: FloatArray) -> TitleTargets:
    """Pair every title with its bag's vector, shape (bag, dimension)."""
    numbers = np.repeat(np.arange(len(bags), dtype=np.int32), [len(bag.titles) for bag in bags])
    return TitleTargets([title for bag in bags for title in bag.titles], numbers, vectors)


def skill_vectors(bags: Sequence[SkillBag], *, dimensions: int = DIMENSIONS, epochs: int, seed: int) -> FloatArray:
    """Fit PV-DBOW to bags of skills.

    Args:
        bags: bags of skills, at least one.
        dimensions: length of the vectors.
        epochs: passes over the bags.
        seed: seed of the fit; it runs in one thread, so that the result is reproducible.

    Returns:
        L2-normalised, shape (bag, dimension).
    """
    from gensim.models.doc2vec import Doc2Vec, TaggedDocument

    documents = [TaggedDocument(skill_words(bag), [number]) for number, bag in enumerate(bags)]
    model = Doc2Vec(
        documents, dm=0, vector_size=dimensions, min_count=MIN_COUNT, epochs=epochs, workers=1, seed=seed
    )  # fmt: skip
    vectors = np.asarray(model.dv.vectors, dtype=np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, np.finfo(np.float32).tiny), dtype=np.float32)


def skill_words(bag: SkillBag) -> list[str]:
    """Return the words that a bag predicts: each short skill as one word, and the words of every skill.

    The words let bags of different sources meet, which hardly name any skill the same way. Of ESCO's bags, half have
    their nearest one in their own unit group, against three eighths with whole skills alone.
    """
    words = []
    for skill in bag.skills:
        parts = _WORD.findall(skill.casefold())
        words += parts
        if 1 < len(parts) <= _LONGEST_PHRASE:
            words.append("_".join(parts))
    return words
