"""Search for occupations, groups and skills by a part of one of their names; plain letters, no linking."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.taxonomy.tables import OCCUPATION
from jobmatch_core.taxonomy.taxonomy import Taxonomy
from jobmatch_core.text.packed_texts import PackedTexts


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
    names, languages = taxonomy.tables.names, taxonomy.name_languages
    rows = closest_rows(taxonomy.casefolded_names, languages, names["preferred"].to_numpy(), letters, show)
    concepts = names["concept"].to_numpy()
    kinds = taxonomy.tables.concepts["kind"].to_numpy()
    hits: dict[int, NameHit] = {}
    for row in rows:
        concept = int(concepts[row])
        if concept in hits or kinds[concept] != kind:
            continue
        name, matched = taxonomy.name(concept, show), taxonomy.name_texts[row]
        hits[concept] = NameHit(taxonomy.uris[concept], name, matched, languages[row])
        if len(hits) == limit:
            break
    return list(hits.values())


def search_skills(taxonomy: Taxonomy, letters: str, *, show: str, limit: int = 100) -> list[NameHit]:
    """Return skills that have a name with these letters in it, in the order of `search_names`; arguments as there."""
    skills, preferred = taxonomy.skill_catalogue, taxonomy.tables.skill_names["preferred"].to_numpy()
    languages = skills.name_languages
    hits: dict[int, NameHit] = {}
    for row in closest_rows(skills.casefolded_names, languages, preferred, letters, show):
        skill = skills.named[row]
        if skill not in hits:
            hits[skill] = NameHit(skills.uris[skill], skills.name(skill, show), skills.name_texts[row], languages[row])
        if len(hits) == limit:
            break
    return list(hits.values())


def closest_rows(
    casefolded: PackedTexts, languages: Sequence[str], preferred: NDArray[np.bool_], letters: str, show: str
) -> list[int]:
    """Return the rows of names with these letters in them, the closest first; none for no letters."""
    wanted = letters.strip().casefold()
    if not wanted:
        return []
    rows = casefolded.containing(wanted)
    texts = dict(zip(rows.tolist(), casefolded.take(rows), strict=True))

    def distance(row: int) -> tuple[bool, bool, bool, bool, int, int]:
        text = texts[row]
        within, elsewhere = not text.startswith(wanted), languages[row] != show
        return within, elsewhere, text != wanted, not preferred[row], len(text), row

    return sorted(texts, key=distance)
