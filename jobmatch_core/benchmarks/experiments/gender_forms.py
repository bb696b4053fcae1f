"""Gendered names must not matter: both forms of a name should give the same occupation.

The pairs are the taxonomy's own: names such as `Koch/Köchin`, whose two forms are linked each by itself.
"""

from dataclasses import dataclass

from jobmatch_core.linking import Linker
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.forms import expand_forms

LANGUAGES = ("de", "fr", "es", "it", "pl", "pt", "cs")


@dataclass(frozen=True, slots=True)
class GenderReport:
    """The share of a language's pairs whose forms have the same first occupation."""

    language: str
    pairs: int
    equal: float
    differing: list[tuple[str, str]]


def gender_pairs(taxonomy: Taxonomy, language: str) -> list[tuple[str, str]]:
    """Return the different (masculine, feminine) forms of the preferred names that have exactly two."""
    names = taxonomy.tables.names
    occupations = set(taxonomy.occupation_numbers.tolist())
    chosen = names[names["preferred"] & (names["language"] == language) & names["text"].str.contains("/", regex=False)]
    pairs = []
    for concept, text in zip(chosen["concept"], chosen["text"], strict=True):
        forms = expand_forms(text)
        if concept in occupations and len(forms) == 2:
            pairs.append((forms[0], forms[1]))
    return sorted(set(pairs))


def evaluate_gender_forms(linker: Linker, language: str) -> GenderReport:
    """Link both forms of every pair and compare the first occupations."""
    pairs = gender_pairs(linker.taxonomy, language)
    first, second = (_first(linker, [pair[side] for pair in pairs]) for side in (0, 1))
    differing = [pair for pair, one, other in zip(pairs, first, second, strict=True) if one != other]
    equal = 1 - len(differing) / len(pairs) if pairs else 1.0
    return GenderReport(language, len(pairs), equal, differing)


def _first(linker: Linker, titles: list[str]) -> list[int]:
    return [int(ranking.concepts[0]) if len(ranking.concepts) else -1 for ranking in linker.rank(titles)]
