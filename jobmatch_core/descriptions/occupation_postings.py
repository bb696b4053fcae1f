"""A taxonomy's occupations as postings: each English name, with the occupation's description and skills below it."""

from collections.abc import Iterator

from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.languages import ENGLISH


def occupation_postings(taxonomy: Taxonomy) -> Iterator[Posting]:
    """Yield a posting a name; all of an occupation's have the same description, a line a skill.

    Occupations without a description or skills in English are left out.
    """
    tables = taxonomy.tables
    names = tables.skill_names[tables.skill_names["preferred"] & (tables.skill_names["language"] == ENGLISH)]
    skill_texts = dict(zip(names["skill"].to_list(), names["text"].to_list(), strict=True))
    english = tables.descriptions[tables.descriptions["language"] == ENGLISH]
    lines: dict[int, list[str]] = {
        concept: [text] for concept, text in zip(english["concept"].to_list(), english["text"].to_list(), strict=True)
    }
    essential_first = tables.relations.sort_values("essential", ascending=False, kind="stable")
    for occupation, skill in zip(essential_first["occupation"], essential_first["skill"], strict=True):
        if skill in skill_texts:
            lines.setdefault(int(occupation), []).append(skill_texts[skill])
    occupations = set(taxonomy.occupation_numbers.tolist())
    rows = zip(tables.names["concept"], tables.names["language"], tables.names["text"], strict=True)
    for number, (concept, language, text) in enumerate(rows):
        if language == ENGLISH and concept in occupations and concept in lines:
            name = taxonomy.name(concept, ENGLISH)
            yield Posting(f"{taxonomy.uris[concept]}/{number}", text, "\n".join(lines[concept]), occupation_name=name)
