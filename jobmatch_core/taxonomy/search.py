"""Search for occupations by a part of one of their names; plain letters, no linking."""

from dataclasses import dataclass

from jobmatch_core.taxonomy.tables import OCCUPATION
from jobmatch_core.taxonomy.taxonomy import Taxonomy


@dataclass(frozen=True, slots=True)
class NameHit:
    """An occupation, and its name that contains the letters."""

    uri: str
    name: str
    matched: str
    language: str


def search_names(taxonomy: Taxonomy, letters: str, *, show: str, limit: int = 100) -> list[NameHit]:
    """Return occupations that have a name with these letters in it, the closest names first.

    Names that equal the letters or begin with them come before names that only contain them, and within each of the
    two those in the shown language come first; then preferred names, then shorter ones.

    Args:
        taxonomy: the taxonomy to search.
        letters: as typed; case does not matter.
        show: language code of the names in the answer, and of the names that come first.
        limit: maximum number of results.
    """
    wanted = letters.strip().casefold()
    if not wanted:
        return []
    texts = taxonomy.name_texts
    rows = [row for row, text in enumerate(texts) if wanted in text.casefold()]
    preferred = taxonomy.tables.names["preferred"].to_numpy()
    languages = taxonomy.name_languages

    def distance(row: int) -> tuple[bool, bool, bool, bool, int, int]:
        text = texts[row].casefold()
        within, elsewhere = not text.startswith(wanted), languages[row] != show
        return within, elsewhere, text != wanted, not preferred[row], len(text), row

    rows.sort(key=distance)
    concepts = taxonomy.tables.names["concept"].to_numpy()
    kinds = taxonomy.tables.concepts["kind"].to_numpy()
    hits: dict[int, NameHit] = {}
    for row in rows:
        concept = int(concepts[row])
        if concept in hits or kinds[concept] != OCCUPATION:
            continue
        hits[concept] = NameHit(taxonomy.uris[concept], taxonomy.name(concept, show), texts[row], languages[row])
        if len(hits) == limit:
            break
    return list(hits.values())
