"""The names of a taxonomy's occupations as items of a map."""

from collections import Counter
from collections.abc import Sequence

from jobmatch_core.maps.items import LANGUAGE, ItemKind, Items, isco_fields
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.languages import ENGLISH, language_name
from jobmatch_core.titles.occupation_names import OccupationNames


def occupation_items(
    taxonomy: Taxonomy, languages: Sequence[str] = (), *, preferred: bool = True, show: str = ENGLISH
) -> Items:
    """Return the names of occupations, one point each.

    An id is the occupation's URI with the name's language, and from the second name on its number:
    `http://…/1234@de#2`.

    Args:
        taxonomy: taxonomy of the occupations.
        languages: languages of the names; all where empty.
        preferred: only one name per occupation and language; else all.
        show: language of the ISCO groups' names.

    Raises:
        TaxonomyError: there is no name in one of the languages.
    """
    names = OccupationNames.of(taxonomy, languages)
    if preferred:
        names = names.keep(names.preferred)
    uris = [names.uris[concept] for concept in names.concepts.tolist()]
    codes = [names.isco[concept] for concept in names.concepts.tolist()]
    spoken = names.languages.tolist()
    fields = {LANGUAGE: tuple(map(language_name, spoken))} | isco_fields(codes, taxonomy, show)
    ids = _ids(uris, spoken)
    return Items(ItemKind.OCCUPATIONS, taxonomy.id, ids, tuple(names.texts), fields, concepts=tuple(uris))


def _ids(uris: Sequence[str], languages: Sequence[str]) -> tuple[str, ...]:
    seen: Counter[str] = Counter()
    ids = []
    for uri, language in zip(uris, languages, strict=True):
        stem = f"{uri}@{language}"
        seen[stem] += 1
        ids.append(stem if seen[stem] == 1 else f"{stem}#{seen[stem]}")
    return tuple(ids)
