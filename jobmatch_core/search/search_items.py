"""Searchable items (occupations, freelancers, projects): the texts to encode and the words to index.

Structured fields (skills, place, country, language) are named in all languages in an item's `facts`, so that `Köln`
matches a freelancer in Cologne. Texts that several items share are encoded once.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Encoder, FloatArray, Freelancer, NamedSkill, Occupation, Project
from jobmatch_core.marketplace.cities import city_of
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.bundled import unit_group_duties
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.locales import ENGLISH, country_names, language_names
from jobmatch_core.vector_stores.stored_segment import mapped

LONGEST_TEXT = 2000  # characters of a text that is encoded or indexed
_VECTORS, _STARTS = "shared_vectors.npy", "shared_starts.npy"
_GROUPS, _ITEM_STARTS = "shared_groups.npy", "shared_item_starts.npy"

Names = tuple[str, ...]
Group = tuple[str, ...]
Numbers = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class OccupationCard:
    """Record of an occupation in search results."""

    uri: str
    isco: str  # ISCO-08 code, or ''
    names: dict[str, str]  # preferred name in each language
    description: str  # in English if there is one, else in any language, or ''

    @property
    def id(self) -> str:
        """The URI, which identifies the item."""
        return self.uri

    def name(self, language: str) -> str:
        """Return the name in a language, else in English, else in any; the URI if there are none."""
        return self.names.get(language) or self.names.get(ENGLISH) or next(iter(self.names.values()), self.uri)


Record = OccupationCard | Freelancer | Project


class NearText(StrEnum):
    """The texts of an occupation that the encoder beside ranks by, in the order of `SearchItem.beside`."""

    NAMES = "names"
    DESCRIPTION = "description"
    DUTIES = "duties"  # of its unit group


@dataclass(frozen=True, slots=True)
class SearchItem:
    """An item with its texts."""

    record: Record  # record for display
    texts: tuple[str, ...]  # texts to encode; the one nearest to the query counts
    words: str  # text whose words are indexed
    # groups of texts to encode that other items have too; a separate ranking uses the nearest of them
    shared: tuple[tuple[str, ...], ...] = ()
    facts: str = ""  # structured fields in all languages; a separate ranking uses their words
    # groups of texts of each ranking by the encoder beside the index's own, one for each of `NearText`
    beside: tuple[tuple[Group, ...], ...] = ()


def occupation_items(taxonomy: Taxonomy) -> Iterator[SearchItem]:
    """Yield the occupations: a text per language for the names, one per description, and shared duties."""
    names: dict[int, dict[str, list[str]]] = {}
    rows = taxonomy.tables.names.sort_values("preferred", ascending=False, kind="stable")
    for concept, language, text in zip(rows["concept"], rows["language"], rows["text"], strict=True):
        names.setdefault(int(concept), {}).setdefault(language, []).append(text)
    described: dict[int, dict[str, str]] = {}
    table = taxonomy.tables.descriptions
    for concept, language, text in zip(table["concept"], table["language"], table["text"], strict=True):
        described.setdefault(int(concept), {})[language] = text
    for concept in taxonomy.occupation_numbers.tolist():
        by_language, descriptions = names.get(concept, {}), described.get(concept, {})
        description = descriptions.get(ENGLISH) or next(iter(descriptions.values()), "")
        card = OccupationCard(
            taxonomy.uris[concept],
            taxonomy.isco_codes[concept],
            {language: texts[0] for language, texts in sorted(by_language.items())},
            description,
        )
        texts = [", ".join(texts)[:LONGEST_TEXT] for texts in by_language.values()]
        texts += [part[:LONGEST_TEXT] for part in descriptions.values()]
        duties = _duties(taxonomy.isco_codes[concept][:UNIT_DIGITS])
        named = ", ".join(by_language.get(ENGLISH) or chain.from_iterable(by_language.values()))
        beside = tuple((group,) if group else () for group in (_group(named), _group(description), duties))
        yield SearchItem(card, tuple(texts), " ".join((*texts, *duties)), (duties,) if duties else (), beside=beside)


def _group(text: str) -> Group:
    return (text[:LONGEST_TEXT],) if text else ()


@cache
def _duties(code: str) -> tuple[str, ...]:
    return tuple(duty for duties in unit_group_duties().get(code, {}).values() for duty in duties)


def occupation_text(occupation: Occupation, language: str) -> str:
    """Return an occupation's names in a language, else in English, else its main name, and its description."""
    for wanted in (language, ENGLISH):
        names = sorted(
            (form for form in occupation.names if form.language == wanted), key=lambda form: not form.preferred
        )
        if names:
            break
    listed = ", ".join(form.text for form in names) or occupation.name
    return ". ".join(part for part in (listed, occupation.description) if part)[:LONGEST_TEXT]


def item_title(record: Record, language: str = ENGLISH) -> str:
    """Return the display title of an item; an occupation's in the language if it has a name in it."""
    if isinstance(record, OccupationCard):
        return record.name(language)
    own = record.job_title if isinstance(record, Project) else ""
    return record.title or own or record.category_name or record.id


class PeopleItems:
    """Makes items of freelancers and projects, whose skills it names in all languages."""

    def __init__(self, skills: Mapping[str, Names] | None = None) -> None:
        """Take the names of each skill by its key; other skills keep only the name in the profile."""
        self._skills = skills or {}

    @classmethod
    def of(cls, taxonomy: Taxonomy) -> "PeopleItems":
        """Take the preferred names of a taxonomy's skills."""
        uris, names = taxonomy.tables.skills["uri"].to_list(), taxonomy.tables.skill_names
        preferred = names[names["preferred"]]
        texts_by_uri: dict[str, list[str]] = {}
        for skill, text in zip(preferred["skill"], preferred["text"], strict=True):
            texts_by_uri.setdefault(uris[skill], []).append(text)
        return cls({uri: tuple(dict.fromkeys(texts)) for uri, texts in texts_by_uri.items()})

    def freelancer(self, freelancer: Freelancer) -> SearchItem:
        """Return a freelancer."""
        return self._item(freelancer, freelancer_text(freelancer), freelancer.skills)

    def project(self, project: Project) -> SearchItem:
        """Return a project."""
        return self._item(project, project_text(project), (*project.mandatory, *project.bonus))

    def _item(self, record: Freelancer | Project, text: str, skills: Iterable[NamedSkill]) -> SearchItem:
        named = tuple(self._skills.get(skill.key, (skill.text,)) for skill in skills)
        cities = _cities(record)
        places_and_languages = (*cities, *country_names(record.country), *language_names(record.language))
        return SearchItem(
            record=record,
            texts=(text,) if text else (),
            words=". ".join(filter(None, (text, *cities))),
            shared=named,
            facts=". ".join((*places_and_languages, *chain.from_iterable(named))),
        )


def freelancer_text(freelancer: Freelancer) -> str:
    """Return a freelancer's texts as one, title and skills first, since an encoder may read only the beginning."""
    skills = ", ".join(skill.text for skill in freelancer.skills)
    return _joint(freelancer.title, freelancer.category_name, skills, freelancer.description, freelancer.experience)


def project_text(project: Project) -> str:
    """Return a project's texts as one, in the order of `freelancer_text`."""
    skills = ", ".join(skill.text for skill in (*project.mandatory, *project.bonus))
    return _joint(project.title, project.job_title, project.category_name, skills, project.description)


def _joint(*parts: str) -> str:
    return ". ".join(filter(None, parts))[:LONGEST_TEXT]


def _cities(record: Freelancer | Project) -> Names:
    city = city_of(record.place) if record.place else None
    return (city.name, *city.other_names) if city else ()


class SharedTexts:
    """Groups of texts, and the groups of each item."""

    def __init__(self, vectors: FloatArray, starts: Numbers, groups: Numbers, item_starts: Numbers) -> None:
        """Assemble shared texts; use `of` or `load` to get them.

        Args:
            vectors: (text, dimension) vectors, grouped.
            starts: (group,) first text of each group.
            groups: numbers of the groups of all items, item by item.
            item_starts: (item + 1,) first group of each item.
        """
        self._vectors, self._starts, self._groups, self._item_starts = vectors, starts, groups, item_starts
        self._with_groups = np.flatnonzero(np.diff(item_starts))

    @classmethod
    def of(cls, groups_of_items: Iterable[tuple[Group, ...]], encoder: Encoder) -> Self:
        """Encode the texts of each distinct group once; no group may be empty."""
        numbers: dict[Group, int] = {}
        rows = [[numbers.setdefault(group, len(numbers)) for group in groups] for groups in groups_of_items]
        flat = [text for group in numbers for text in group]
        starts = np.cumsum([0, *map(len, numbers)])[: len(numbers)]
        item_starts = np.cumsum([0, *map(len, rows)])
        groups = np.fromiter(chain.from_iterable(rows), dtype=np.intp)
        return cls(encoder.encode(flat).astype(np.float32), starts.astype(np.intp), groups, item_starts.astype(np.intp))

    def likeness(self, vector: FloatArray) -> FloatArray:
        """Return the cosine of a vector and each item's nearest text, shape (item,); 0 for items without texts."""
        cosines = np.zeros(len(self._item_starts) - 1, dtype=np.float32)
        if len(self._with_groups):
            of_groups = np.maximum.reduceat(self._vectors @ vector, self._starts)
            starts = self._item_starts[self._with_groups]
            cosines[self._with_groups] = np.maximum.reduceat(of_groups[self._groups], starts)
        return cosines

    def save(self, folder: Path) -> None:
        """Write the vectors, the groups and the items' groups into a folder."""
        np.save(folder / _VECTORS, self._vectors)
        np.save(folder / _STARTS, self._starts)
        np.save(folder / _GROUPS, self._groups)
        np.save(folder / _ITEM_STARTS, self._item_starts)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the files that `save` wrote, memory-mapped.

        Raises OSError or ValueError if a file is missing or damaged.
        """
        return cls(*(mapped(folder / name) for name in (_VECTORS, _STARTS, _GROUPS, _ITEM_STARTS)))


class OccupationDocument(NamedTuple):
    """An occupation as a document of two texts."""

    uri: str
    texts: tuple[str, str]  # its comma-separated names, and its English description or ''

    @property
    def text(self) -> str:
        """Both texts as one."""
        names, description = self.texts
        return f"{names}. {description}" if description else names


def occupation_documents(taxonomy: Taxonomy, languages: Collection[str] = ()) -> list[OccupationDocument]:
    """Return the documents of a taxonomy's occupations in the order of its concepts; all languages by default.

    Preferred names of all languages come first, English foremost, so that an encoder that reads only the beginning
    still reads most languages. A name that is the same in several languages is listed once.
    """
    names = _names(taxonomy, frozenset(languages or taxonomy.manifest.languages))
    descriptions = taxonomy.tables.descriptions
    english = descriptions[descriptions["language"] == ENGLISH].set_index("concept")["text"].to_dict()
    return [
        OccupationDocument(taxonomy.uris[number], (", ".join(names.get(number, ())), str(english.get(number, ""))))
        for number in taxonomy.occupation_numbers.tolist()
    ]


def occupation_names(taxonomy: Taxonomy, languages: Collection[str] = ()) -> list[tuple[str, ...]]:
    """Return the single names in each document of `occupation_documents`."""
    names = _names(taxonomy, frozenset(languages or taxonomy.manifest.languages))
    return [tuple(names.get(number, ())) for number in taxonomy.occupation_numbers.tolist()]


def _names(taxonomy: Taxonomy, languages: frozenset[str]) -> dict[int, list[str]]:
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
