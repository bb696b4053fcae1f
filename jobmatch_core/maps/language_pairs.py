"""Alignment and uniformity by language pair, the scatter of Deniz et al. (2024), Figure 5.

A pair is an item and one of another language with the same concept. Names that are preferred in their
language come first, so that each concept gives one pair a language.
"""

from collections.abc import Sequence

import numpy as np

from jobmatch_core.entities import FloatArray
from jobmatch_core.text.languages import ENGLISH
from jobmatch_core.titles.geometry import PairGeometry, pair_geometry

_MOST = 2000  # pairs of a language: uniformity looks at every two of them


def language_pairs(
    vectors: FloatArray,
    concepts: Sequence[str],
    languages: Sequence[str],
    *,
    anchor: str = ENGLISH,
    most: int = _MOST,
    seed: int = 0,
) -> list[PairGeometry]:
    """Measure each language's pairs with the anchor language, by language.

    Args:
        vectors: (item, dimension), L2-normalised; the first item of a concept and language counts.
        concepts: (item,) concept of each; '' for none.
        languages: (item,) language code of each.
        anchor: language code of every pair's first side.
        most: maximum number of pairs of a language, drawn at random.
        seed: seed of the random draw.
    """
    rows: dict[str, dict[str, int]] = {}
    for row, (concept, language) in enumerate(zip(concepts, languages, strict=True)):
        if concept:
            rows.setdefault(language, {}).setdefault(concept, row)
    anchors = rows.pop(anchor, {})
    found = []
    for language, by_concept in sorted(rows.items()):
        shared = sorted(set(anchors) & set(by_concept))
        if len(shared) > most:
            drawn = np.random.default_rng(seed).choice(len(shared), most, replace=False)
            shared = [shared[number] for number in sorted(drawn)]
        if len(shared) > 1:
            first, second = ([side[concept] for concept in shared] for side in (anchors, by_concept))
            found.append(pair_geometry((anchor, language), vectors[first], vectors[second]))
    return found
