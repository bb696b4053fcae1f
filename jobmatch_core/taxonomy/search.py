"""Search for occupations, groups and skills by a part of one of their names; plain letters, no linking."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.taxonomy.tables import OCCUPATION
from jobmatch_core.taxonomy.taxonomy import Taxonomy


@dataclass(frozen=True, slots=True)
class NameHit:
    """An occupation, group or skill, and its name that contains the letters."""

    uri: str
    name: str
    matched: str
    language: str


def search_names(
    taxonomy: Taxonomy, letters: str, *, show: str, limit: int = 100, kind: str = OCCUPATION
) -> list[NameHit]:
    """Return occupations that have a name with these letters in it, the closest names first.

    Names that equal the letters or begin with them come before names that only contain them, and within each of the
    two those in the shown language come first; then preferred names, then shorter ones.

    Args:
        taxonomy: the taxonomy to search.
        letters: as typed; case does not matter.
        show: language code of the names in the answer, and of the names that come first.
        limit: maximum number of results.
        kind: kind of the concepts; GROUP for ISCO-08 groups.
    """
    names = taxonomy.tables.names
    rows = closest_rows(taxonomy.name_texts, taxonomy.name_languages, names["preferred"].to_numpy(), letters, show)
    concepts = names["concept"].to_numpy()
    kinds = taxonomy.tables.concepts["kind"].to_numpy()
    hits: dict[int, NameHit] = {}
    for row in rows:
        concept = int(concepts[row])
        if concept in hits or kinds[concept] != kind:
            continue
        text, language = taxonomy.name_texts[row], taxonomy.name_languages[row]
        hits[concept] = NameHit(taxonomy.uris[concept], taxonomy.name(concept, show), text, language)
        if len(hits) == limit:
            break
    return list(hits.values())


def search_skills(taxonomy: Taxonomy, letters: str, *, show: str, limit: int = 100) -> list[NameHit]:
    """Return skills that have a name with these letters in it, in the order of `search_names`; arguments as there."""
    skills, preferred = taxonomy.skill_catalogue, taxonomy.tables.skill_names["preferred"].to_numpy()
    texts, languages = skills.name_texts, skills.name_languages
    hits: dict[int, NameHit] = {}
    for row in closest_rows(texts, languages, preferred, letters, show):
        skill = skills.named[row]
        if skill not in hits:
            hits[skill] = NameHit(skills.uris[skill], skills.name(skill, show), texts[row], languages[row])
        if len(hits) == limit:
            break
    return list(hits.values())


def closest_rows(
    texts: Sequence[str], languages: Sequence[str], preferred: NDArray[np.bool_], letters: str, show: str
) -> list[int]:
    """Return the rows of names with these letters in them, the closest first; none for no letters."""
    wanted = letters.strip().casefold()
    if not wanted:
        return []

    def distance(row: int) -> tuple[bool, bool, bool, bool, int, int]:
        text = texts[row].casefold()
        within, elsewhere = not text.startswith(wanted), languages[row] != show
        return within, elsewhere, text != wanted, not preferred[row], len(text), row

    return sorted((row for row, text in enumerate(texts) if wanted in text.casefold()), key=distance)
