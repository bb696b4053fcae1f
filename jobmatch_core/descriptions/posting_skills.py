"""The skills of postings, by the names that a taxonomy gives them in all its languages."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.descriptions.skills import SkillMatcher
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.languages import ENGLISH


def skill_names(taxonomy: Taxonomy) -> dict[str, list[str]]:
    """Return the names of each skill by its URI: the preferred English one first, then other preferred ones."""
    uris, table = taxonomy.tables.skills["uri"].to_list(), taxonomy.tables.skill_names
    rows = zip(table["skill"], table["text"], table["language"], table["preferred"], strict=True)
    names: dict[str, list[str]] = {}
    for skill, text, *_ in sorted(rows, key=lambda row: (row[0], not row[3], row[2] != ENGLISH)):
        names.setdefault(uris[skill], []).append(text)
    return names


def with_skills(postings: Iterable[Posting], names: Mapping[str, Sequence[str]]) -> list[Posting]:
    """Give postings the skills that their descriptions name, each once, by its first name (appendix D.2).

    Args:
        postings: postings; their own skills are replaced.
        names: URI -> names of the skill.
    """
    matcher = SkillMatcher(names)
    return [
        replace(posting, skills=tuple(names[uri][0] for uri in matcher.uris(posting.description)))
        for posting in postings
    ]
