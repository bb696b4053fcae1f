"""Items that are searched, with the texts to encode and the words to index; and occupations as such items."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from jobmatch_core.entities import Freelancer, Occupation, Project
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.duties import unit_group_duties
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.languages import ENGLISH

LONGEST_TEXT = 2000  # letters of a text that is encoded or indexed


@dataclass(frozen=True, slots=True)
class OccupationCard:
    """Record of an occupation that a search shows.

    Attributes:
        uri: URI of the occupation.
        isco: its ISCO-08 code, '' where it has none.
        names: its preferred name in each language.
        description: in English where it has one, else in any language; '' where it has none.
    """

    uri: str
    isco: str
    names: dict[str, str]
    description: str

    @property
    def id(self) -> str:
        """The URI, which identifies the item."""
        return self.uri

    def name(self, language: str) -> str:
        """Return the name in a language, else in English, else in any; the URI where it has none."""
        return self.names.get(language) or self.names.get(ENGLISH) or next(iter(self.names.values()), self.uri)


Record = OccupationCard | Freelancer | Project


@dataclass(frozen=True, slots=True)
class SearchItem:
    """An item with its texts.

    Attributes:
        record: what is shown.
        texts: texts with a vector each; the nearest of them counts.
        words: text whose words are indexed.
        shared: groups of texts with a vector each, which other items have too; the nearest of all is ranked by itself.
        facts: what is known of it by fields, in all languages; its words are ranked by themselves too.
    """

    record: Record
    texts: tuple[str, ...]
    words: str
    shared: tuple[tuple[str, ...], ...] = ()
    facts: str = ""


def occupation_items(taxonomy: Taxonomy) -> Iterator[SearchItem]:
    """Yield the occupations: one text for the names of each language, one for the description; what its group does."""
    names: dict[int, dict[str, list[str]]] = {}
    rows = taxonomy.tables.names.sort_values("preferred", ascending=False, kind="stable")
    for concept, language, text in zip(rows["concept"], rows["language"], rows["text"], strict=True):
        names.setdefault(int(concept), {}).setdefault(language, []).append(text)
    told: dict[int, dict[str, str]] = {}
    table = taxonomy.tables.descriptions
    for concept, language, text in zip(table["concept"], table["language"], table["text"], strict=True):
        told.setdefault(int(concept), {})[language] = text
    for concept in taxonomy.occupation_numbers.tolist():
        by_language, descriptions = names.get(concept, {}), told.get(concept, {})
        description = descriptions.get(ENGLISH) or next(iter(descriptions.values()), "")
        card = OccupationCard(
            taxonomy.uris[concept],
            taxonomy.isco_codes[concept],
            {language: texts[0] for language, texts in sorted(by_language.items())},
            description,
        )
        texts = [", ".join(texts)[:LONGEST_TEXT] for texts in by_language.values()]
        texts += [each[:LONGEST_TEXT] for each in descriptions.values()]
        duties = _duties(taxonomy.isco_codes[concept][:UNIT_DIGITS])
        yield SearchItem(card, tuple(texts), " ".join((*texts, *duties)), (duties,) if duties else ())


@cache
def _duties(code: str) -> tuple[str, ...]:
    """Return what people of a unit group do, in all languages."""
    return tuple(duty for duties in unit_group_duties().get(code, {}).values() for duty in duties)


def occupation_text(occupation: Occupation, language: str) -> str:
    """Return an occupation's names in a language, else in English, else its name, and its description."""
    for wanted in (language, ENGLISH):
        names = sorted(
            (form for form in occupation.names if form.language == wanted), key=lambda form: not form.preferred
        )
        if names:
            break
    told = ", ".join(form.text for form in names) or occupation.name
    return ". ".join(part for part in (told, occupation.description) if part)[:LONGEST_TEXT]


def item_title(record: Record, language: str = ENGLISH) -> str:
    """Return what an item is called; occupations in a language where they have a name in it."""
    if isinstance(record, OccupationCard):
        return record.name(language)
    own = record.job_title if isinstance(record, Project) else ""
    return record.title or own or record.category_name or record.id
