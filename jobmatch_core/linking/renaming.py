"""Renaming of links: occupations and groups in another language; the matched name stays."""

from dataclasses import replace

from jobmatch_core.entities import Candidate, LinkResult
from jobmatch_core.taxonomy import Taxonomy


def renamed_result(result: LinkResult, taxonomy: Taxonomy, language: str) -> LinkResult:
    """Return a link with all names in a language.

    Raises:
        TaxonomyError: the taxonomy has no such occupation.
    """
    group = result.group
    return replace(
        result,
        candidates=tuple(renamed_candidate(candidate, taxonomy, language) for candidate in result.candidates),
        group=replace(group, name=taxonomy.group_name(group.code, language)) if group else None,
    )


def renamed_candidate(candidate: Candidate, taxonomy: Taxonomy, language: str) -> Candidate:
    """Return a candidate with its name in a language; raises as `renamed_result`."""
    return replace(candidate, name=taxonomy.name(taxonomy.number(candidate.uri), language))
