"""Search and suggestions of ESCO's web service: occupations by the linker, all else by letters."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from jobmatch.serve.esco.esco_links import CONCEPT, OCCUPATION, SKILL, Json
from jobmatch.serve.esco.esco_query import MOST_RESULTS, EscoQuery
from jobmatch.serve.esco.esco_resources import SCHEME_KINDS, Resources
from jobmatch_core.entities import Evidence, LinkResult
from jobmatch_core.linking.records import OWN, matched_source
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.search import NameHit, search_names, search_skills
from jobmatch_core.taxonomy.tables import GROUP
from jobmatch_core.text.folding import fold

KINDS = (OCCUPATION, SKILL, CONCEPT)
MOST_OCCUPATIONS = 100  # that the linker offers for a text


@dataclass(frozen=True, slots=True)
class Found:
    """A search result.

    Attributes:
        uri: what was found.
        matched: the name by which it was found.
        more: further fields of the answer.
    """

    uri: str
    matched: str
    more: Json = field(default_factory=dict)


def searched_kinds(query: EscoQuery) -> list[str]:
    """Return the kinds that a search is for: those of its types that are in its schemes."""
    held = {SCHEME_KINDS.get(scheme) for scheme in query.schemes} if query.schemes else set(query.types)
    return [kind for kind in query.types if kind in held]


def listed(resources: Resources, kinds: Sequence[str]) -> list[Found]:
    """Return everything of some kinds, for a search without a text."""
    return [Found(uri, "") for kind in kinds for uri in resources.members(kind)]


def search(taxonomy: Taxonomy, query: EscoQuery, kinds: Sequence[str], link: LinkResult | None) -> list[Found]:
    """Return what a text finds, names that equal it first.

    Args:
        taxonomy: the imported ESCO.
        query: what is asked for.
        kinds: the kinds that are searched.
        link: the text's link, where occupations are searched.
    """
    found = [] if link is None else _linked(link)
    for kind in kinds:
        if kind != OCCUPATION:
            found += [Found(hit.uri, hit.matched) for hit in _by_letters(taxonomy, query, kind)]
    wanted = fold(query.text)
    return sorted(found, key=lambda each: fold(each.matched) != wanted)


def suggested(taxonomy: Taxonomy, query: EscoQuery, kinds: Sequence[str]) -> list[Found]:
    """Return what has a name with these letters: a preferred one, unless alternatives are asked for."""
    hits = [hit for kind in kinds for hit in _by_letters(taxonomy, query, kind)]
    if not query.alternatives:
        hits = [hit for hit in hits if hit.matched == hit.name]
    start = query.text.casefold()
    hits.sort(key=lambda hit: (not hit.matched.casefold().startswith(start), len(hit.matched)))
    return [Found(hit.uri, hit.matched) for hit in hits]


def _linked(link: LinkResult) -> list[Found]:
    return [
        Found(
            candidate.uri,
            candidate.evidence.name,
            {"probability": round(candidate.probability, 4), "evidence": _public(candidate.evidence)},
        )
        for candidate in link.candidates
    ]


def _public(evidence: Evidence) -> dict[str, Any]:
    """Return the evidence that other sites may show: everything but the names of annotators."""
    return {
        "name": evidence.name,
        "language": evidence.language or OWN,
        "source": matched_source(evidence),
        "read_as": evidence.read_as,
        "scores": evidence.scores,
    }


def _by_letters(taxonomy: Taxonomy, query: EscoQuery, kind: str) -> list[NameHit]:
    if kind == SKILL:
        return search_skills(taxonomy, query.text, show=query.language, limit=MOST_RESULTS)
    group = {"kind": GROUP} if kind == CONCEPT else {}
    return search_names(taxonomy, query.text, show=query.language, limit=MOST_RESULTS, **group)
