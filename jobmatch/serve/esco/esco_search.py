"""Search, suggestions, lists and facets of ESCO's resources: occupations by the linker, others by their names."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from jobmatch.serve.esco.esco_kinds import ADDRESSES, CODES, ISCO_GROUP, SCHEME_KINDS, SCHEMES_OF, SEARCHED, SKILL_GROUP
from jobmatch.serve.esco.esco_query import MOST_RESULTS, OCCUPATION, SKILL, TYPES, EscoQuery, Json
from jobmatch.serve.esco.esco_relations import RELATIONS
from jobmatch.serve.esco.esco_resources import Resources
from jobmatch_core.entities import Evidence, LinkResult
from jobmatch_core.linking.link_answer import OWN, matched_source
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import GROUP
from jobmatch_core.taxonomy.taxonomy import NameHit, search_names, search_skill_groups, search_skills
from jobmatch_core.text.folding import fold
from jobmatch_core.text.locales import ENGLISH

MOST_OCCUPATIONS = 100  # candidates of the linker for a text


@dataclass(frozen=True, slots=True)
class EscoHit:
    """A search result."""

    uri: str  # URI of the resource
    kind: str
    matched: str  # the name that matched; '' without a search
    more: Json = field(default_factory=dict)  # further fields of the answer


def searched_kinds(query: EscoQuery) -> list[str]:
    """Return the kinds that a search covers: those of its types in its schemes."""
    held = [SCHEME_KINDS.get(scheme, "") for scheme in query.schemes] if query.schemes else SEARCHED
    types = query.types or TYPES
    return [kind for kind in ADDRESSES if kind in held and ADDRESSES[kind] in types]


def search(resources: Resources, query: EscoQuery, link: LinkResult | None) -> list[EscoHit]:
    """Return the hits for a text, names that equal it first; without a text, all resources of the searched kinds.

    *link* is the text's link if occupations are searched.
    """
    if not query.text:
        return [EscoHit(uri, kind, "") for kind in searched_kinds(query) for uri in resources.members(kind)]
    results = [] if link is None else _linked(link)
    for kind in searched_kinds(query):
        if kind != OCCUPATION:
            results += [EscoHit(hit.uri, kind, hit.matched) for hit in _search_names(resources.taxonomy, query, kind)]
    wanted = fold(query.text)
    return sorted(results, key=lambda result: fold(result.matched) != wanted)


def suggest(taxonomy: Taxonomy, query: EscoQuery) -> list[EscoHit]:
    """Return resources whose preferred name, or any name if alternatives are requested, contains the text."""
    hits = [(kind, hit) for kind in searched_kinds(query) for hit in _search_names(taxonomy, query, kind)]
    start = query.text.casefold()
    results = [
        EscoHit(hit.uri, kind, hit.matched) for kind, hit in hits if query.alternatives or hit.matched == hit.name
    ]
    return sorted(results, key=lambda hit: (not hit.matched.casefold().startswith(start), len(hit.matched)))


def count_facet(resources: Resources, results: Sequence[EscoHit], facet: str) -> list[Json]:
    """Return the number of results per value of a facet, the most frequent value first."""
    counts = Counter(value for result in results for value in _values(resources, result, facet))
    return [{"value": value, "count": count} for value, count in counts.most_common()]


def _values(resources: Resources, result: EscoHit, facet: str) -> list[str]:
    if facet == "type":
        return [ADDRESSES[result.kind]]
    if facet == "isInScheme":
        return SCHEMES_OF[result.kind]
    return resources.related(result.uri, facet) if facet in RELATIONS[result.kind] else []


def _linked(link: LinkResult) -> list[EscoHit]:
    return [
        EscoHit(
            candidate.uri,
            OCCUPATION,
            candidate.evidence.name,
            {"probability": round(candidate.probability, 4), "evidence": _public(candidate.evidence)},
        )
        for candidate in link.candidates
    ]


def _public(evidence: Evidence) -> dict[str, Any]:
    # other sites may show it, so it lacks the names of annotators
    return {
        "name": evidence.name,
        "language": evidence.language or OWN,
        "source": matched_source(evidence),
        "read_as": evidence.read_as,
        "scores": evidence.scores,
    }


def _search_names(taxonomy: Taxonomy, query: EscoQuery, kind: str) -> list[NameHit]:
    text, show = query.text, query.language
    if kind == SKILL:
        return search_skills(taxonomy, text, show=show, limit=MOST_RESULTS)
    if kind == SKILL_GROUP:
        return search_skill_groups(taxonomy, text, show=show, limit=MOST_RESULTS)
    if kind in CODES:
        return [NameHit(uri, name, name, ENGLISH) for uri, name in CODES[kind].items() if text.casefold() in name]
    group = {"kind": GROUP} if kind == ISCO_GROUP else {}
    return search_names(taxonomy, text, show=show, limit=MOST_RESULTS, **group)
