"""Facts of a taxonomy about the skills that a posting mentions."""

from collections.abc import Sequence
from dataclasses import dataclass

from jobmatch_core.descriptions.skills import Mention
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.languages import ENGLISH


@dataclass(frozen=True, slots=True)
class NamedOccupation:
    """An occupation's URI and its name in the language asked for."""

    uri: str
    name: str


@dataclass(frozen=True, slots=True)
class SkillFact:
    """A skill.

    Attributes:
        uri: URI of the skill.
        name: name in the requested language, else in English.
        kind: kind in the taxonomy, such as `knowledge`.
        mentions: words that name it, each once.
        n_occupations: number of occupations that require it.
        occupations: the first few of these, those for which it is essential before others.
    """

    uri: str
    name: str
    kind: str
    mentions: tuple[str, ...]
    n_occupations: int
    occupations: tuple[NamedOccupation, ...]


def skill_facts(
    taxonomy: Taxonomy, mentions: Sequence[Mention], language: str = ENGLISH, *, n_occupations: int = 3
) -> list[SkillFact]:
    """Return the skills that are mentioned, in their order.

    Args:
        taxonomy: taxonomy with the skills.
        mentions: as `SkillMatcher.find` returns them.
        language: language code of the names.
        n_occupations: maximum number of occupations of each.
    """
    tables = taxonomy.tables
    numbers = {uri: number for number, uri in enumerate(tables.skills["uri"].to_list())}
    words: dict[int, dict[str, None]] = {}
    for mention in mentions:
        if mention.uri in numbers:
            words.setdefault(numbers[mention.uri], {})[mention.text] = None
    names = tables.skill_names[tables.skill_names["skill"].isin(words) & tables.skill_names["preferred"]]
    relations = tables.relations[tables.relations["skill"].isin(words)].sort_values(
        ["essential", "occupation"], ascending=[False, True]
    )
    facts = []
    for skill, texts in words.items():
        own = names[names["skill"] == skill]
        by_language = dict(zip(own["language"], own["text"], strict=True))
        asking = relations.loc[relations["skill"] == skill, "occupation"].to_list()
        facts.append(
            SkillFact(
                uri=str(tables.skills["uri"].iloc[skill]),
                name=str(by_language.get(language) or by_language.get(ENGLISH) or next(iter(texts))),
                kind=str(tables.skills["kind"].iloc[skill]),
                mentions=tuple(texts),
                n_occupations=len(asking),
                occupations=tuple(
                    NamedOccupation(taxonomy.uris[occupation], taxonomy.name(occupation, language))
                    for occupation in asking[:n_occupations]
                ),
            )
        )
    return facts
