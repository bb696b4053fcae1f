"""A corpus made of a taxonomy: every name of its concepts in some languages, numbered as MELO numbers them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.errors import TaxonomyError
from jobmatch_core.taxonomy import Taxonomy


@dataclass(frozen=True)
class Corpus:
    """Names as elements; the fields are those of `RankingDataset`.

    Ids are `C000700_de_001`: the concept's place among all of them by URI, the language, and the name's place in
    it, the preferred one first and the others by their characters. Runs of white space are one space.
    """

    element_ids: list[str]
    elements: list[str]
    element_languages: list[str]
    concepts: list[str]
    element_concepts: NDArray[np.int32]


def names_of(taxonomy: Taxonomy, numbers: Sequence[int], languages: Sequence[str]) -> Corpus:
    """Collect the names of some of a taxonomy's concepts.

    Args:
        taxonomy: taxonomy with the names.
        numbers: of the concepts; those without a name in these languages are left out, but keep their places.
        languages: any of the taxonomy's; the order does not matter.

    Raises:
        TaxonomyError: no language is given, or there are no names in one.
    """
    _check_languages(taxonomy, languages)
    places = {number: place for place, number in enumerate(sorted(numbers, key=taxonomy.uris.__getitem__), start=1)}
    names = taxonomy.tables.names
    names = names[names["language"].isin(languages) & names["concept"].isin(list(places))]
    names = names.assign(place=names["concept"].map(places), text=names["text"].str.split().str.join(" "))
    names = names.sort_values(["place", "language", "preferred", "text"], ascending=[True, True, False, True])
    names = names.drop_duplicates(["place", "language", "text"])
    counts = names.groupby(["place", "language"]).cumcount()
    used, element_concepts = np.unique(names["place"], return_inverse=True)
    uris = {place: taxonomy.uris[number] for number, place in places.items()}
    return Corpus(
        element_ids=[
            f"C{place:06d}_{language}_{count:03d}"
            for place, language, count in zip(names["place"], names["language"], counts, strict=True)
        ],
        elements=names["text"].to_list(),
        element_languages=names["language"].to_list(),
        concepts=[uris[place] for place in used.tolist()],
        element_concepts=element_concepts.astype(np.int32),
    )


def _check_languages(taxonomy: Taxonomy, languages: Sequence[str]) -> None:
    have = taxonomy.manifest.languages
    missing = [language for language in languages if language not in have]
    if missing or not languages:
        asked = ", ".join(missing) or "no language at all"
        raise TaxonomyError(f"{taxonomy.id} cannot give names in {asked}; it has {', '.join(have)}.")
