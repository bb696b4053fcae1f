"""The concepts of a taxonomy as targets of mappings, with their names in one language."""

from collections import Counter
from collections.abc import Sequence

from jobmatch_core.crosswalks.relation_features import TargetConcept
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.locales import ENGLISH

MOST_NAMES = 12  # of a concept that are compared, the preferred one first


def target_concepts(taxonomy: Taxonomy, concepts: Sequence[int], language: str) -> list[TargetConcept]:
    """Return concepts by number, with names in a language; those in English, else any, where it has none."""
    names = _names_in(taxonomy, language)
    in_english = names if language == ENGLISH else _names_in(taxonomy, ENGLISH)
    below = _below(taxonomy)
    return [
        TargetConcept(
            taxonomy.uris[concept],
            tuple((names.get(concept) or in_english.get(concept) or [taxonomy.name(concept, language)])[:MOST_NAMES]),
            taxonomy.group_name(code, language) if (code := taxonomy.isco_codes[concept]) else "",
            code,
            below[taxonomy.codes[concept]],
        )
        for concept in concepts
    ]


def _names_in(taxonomy: Taxonomy, language: str) -> dict[int, list[str]]:
    rows = taxonomy.tables.names.iloc[: taxonomy.n_own_names]
    rows = rows[rows["language"] == language].sort_values("preferred", ascending=False, kind="stable")
    names: dict[int, list[str]] = {}
    for concept, text in zip(rows["concept"].to_list(), rows["text"].to_list(), strict=True):
        names.setdefault(concept, []).append(text)
    return names


def _below(taxonomy: Taxonomy) -> Counter[str]:
    # code -> number of occupations directly below it, by ESCO's codes such as 2654.1 and 2654.1.7
    codes = {taxonomy.codes[number] for number in taxonomy.occupation_numbers}
    return Counter(parent for code in codes if (parent := code.rpartition(".")[0]) in codes)
