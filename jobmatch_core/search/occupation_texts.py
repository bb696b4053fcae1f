"""Documents of a search over occupations: the names and the descriptions of each occupation."""

from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.languages import ENGLISH


class OccupationDocument(NamedTuple):
    """An occupation as a document of two texts.

    Attributes:
        uri: URI of the occupation.
        texts: its names, one after the other with commas between, and its English description, '' where it has none.
    """

    uri: str
    texts: tuple[str, str]

    @property
    def text(self) -> str:
        """Both texts as one."""
        names, description = self.texts
        return f"{names}. {description}" if description else names


def occupation_documents(taxonomy: Taxonomy, languages: Collection[str] = ()) -> list[OccupationDocument]:
    """Return the documents of a taxonomy's occupations, in the order of its concepts.

    The preferred names of all languages come first, English foremost, so that an encoder that reads only the beginning
    still reads most languages. A name that is the same in several languages is there once.

    Args:
        taxonomy: taxonomy with the names and descriptions.
        languages: languages of the names; all of them by default.
    """
    names = _names(taxonomy, frozenset(languages or taxonomy.manifest.languages))
    descriptions = taxonomy.tables.descriptions
    english = descriptions[descriptions["language"] == ENGLISH].set_index("concept")["text"].to_dict()
    return [
        OccupationDocument(taxonomy.uris[number], (", ".join(names.get(number, ())), str(english.get(number, ""))))
        for number in taxonomy.occupation_numbers.tolist()
    ]


def occupation_names(taxonomy: Taxonomy, languages: Collection[str] = ()) -> list[tuple[str, ...]]:
    """Return the names in the documents of `occupation_documents`, each by itself."""
    names = _names(taxonomy, frozenset(languages or taxonomy.manifest.languages))
    return [tuple(names.get(number, ())) for number in taxonomy.occupation_numbers.tolist()]


def _names(taxonomy: Taxonomy, languages: frozenset[str]) -> dict[int, list[str]]:
    """Return the names of each concept in the order of their document."""
    table = taxonomy.tables.names
    table = table[table["language"].isin(languages)]
    foreign = np.asarray(table["language"] != ENGLISH)
    ordered = table.assign(foreign=foreign).sort_values(
        ["concept", "preferred", "foreign", "language"], ascending=[True, False, True, True], kind="stable"
    )
    once = ordered.drop_duplicates(["concept", "text"])
    names: dict[int, list[str]] = defaultdict(list)
    for concept, text in zip(once["concept"].to_list(), once["text"].to_list(), strict=True):
        names[concept].append(text)
    return names
