"""Links as reconciliation candidates: occupations and ISCO groups with scores of 0 to 100.

Queries with descriptions go to the linker of postings, or of short descriptions.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace as replace_fields

from jobmatch.serve.monitoring import Metrics
from jobmatch.serve.reconcile.recon_query import TYPE_NAMES, ReconQuery
from jobmatch.serve.workers import LinkQueue, Workers, loaded
from jobmatch.services.describing import DescribingService
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.entities import OCCUPATION_LEVEL, UNIT_GROUP_LEVEL, Candidate, LinkResult
from jobmatch_core.linking.abstention import NOT_SURE
from jobmatch_core.linking.records import matched_words
from jobmatch_core.search.search_encoder import is_short
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.locales import ENGLISH

_CERTAIN = 100.0


class Named(Struct, frozen=True):
    """A type or a property: its id and its name."""

    id: str
    name: str


class Feature(Struct, frozen=True):
    """A number that had a part in the score."""

    id: str
    name: str
    value: float


class ReconCandidate(Struct, frozen=True, kw_only=True):
    """An entity that a query may mean.

    Attributes:
        id: its URI.
        name: its name.
        description: its ISCO-08 group, and the name that matched.
        type: its types.
        score: 100 times the probability.
        match: true where the linker does not abstain, and links this one.
        features: each scorer's share of the score.
    """

    id: str
    name: str
    type: list[Named]
    score: float
    match: bool
    description: str | UnsetType = UNSET
    features: list[Feature] = []


TYPES = tuple(Named(each, name) for each, name in TYPE_NAMES.items())
OCCUPATION, ISCO_GROUP = TYPES


def types_of(taxonomy: Taxonomy, uri: str) -> list[Named]:
    """Return the types of a concept: unit groups may be occupations themselves."""
    number = taxonomy.number(uri)
    code = taxonomy.isco_codes[number]
    is_group = bool(code) and taxonomy.codes[number] == code and taxonomy.group_uri(code) == uri
    return [OCCUPATION] * taxonomy.is_occupation(uri) + [ISCO_GROUP] * is_group


def named_directly(taxonomy: Taxonomy, query: ReconQuery) -> list[str]:
    """Return the URIs that a query gives as they are, or by their code."""
    if taxonomy.has_concept(query.text):
        return [query.text]
    return taxonomy.with_code(query.text)


def candidates_of(taxonomy: Taxonomy, query: ReconQuery, result: LinkResult) -> list[ReconCandidate]:
    """Return the candidates for a query, best first.

    Args:
        taxonomy: the taxonomy.
        query: what is looked for.
        result: its link, with as many candidates as there are.
    """
    direct = named_directly(taxonomy, query)
    first = [_direct(taxonomy, uri, query.show, len(direct) == 1) for uri in direct]
    result = narrowed(result, query.isco)
    if query.type == ISCO_GROUP.id:
        linked = _groups(taxonomy, query, result)
    else:
        linked = [_occupation(taxonomy, each, query.show, each is result.best) for each in result.candidates]
        if not query.type and result.level == UNIT_GROUP_LEVEL and result.group is not None:
            linked.insert(0, _group(taxonomy, result.group.code, result.group.probability, query.show, True))
    if first:
        linked = [replace_fields(each, match=False) for each in linked if each.id not in direct]
    return [*first, *linked][: query.limit]


def confirmed(result: LinkResult, by_title: LinkResult) -> LinkResult:
    """Return the link of a long description; nothing is linked unless the title by itself is linked to the same.

    No threshold on the probabilities of whole postings has the precision that is promised of a match; that of titles
    has.
    """
    if result.best is None or (by_title.best is not None and by_title.best.uri == result.best.uri):
        return result
    return replace(result, abstained=True, reason=NOT_SURE)


def narrowed(result: LinkResult, isco: str) -> LinkResult:
    """Return a link for somebody who knows how the ISCO-08 code begins.

    The probabilities are of exclusive events: those of the other occupations are given to what remains, and to 'none
    of these', in proportion. What the linker did not link stays unlinked.
    """
    if not isco:
        return result
    total = sum(each.probability for each in result.candidates)
    kept = [each for each in result.candidates if each.isco.startswith(isco)]
    remaining = sum(each.probability for each in kept) + max(0.0, 1 - total)
    scale = 1 / remaining if remaining > 0 else 0.0
    candidates = tuple(replace(each, probability=min(1.0, each.probability * scale)) for each in kept)
    group = result.group if result.group is not None and result.group.code.startswith(isco) else None
    linked = {OCCUPATION_LEVEL: result.best in kept, UNIT_GROUP_LEVEL: group is not None}
    abstained = not linked.get(result.level, False)
    return replace(result, candidates=candidates, abstained=abstained, group=group)


def _groups(taxonomy: Taxonomy, query: ReconQuery, result: LinkResult) -> list[ReconCandidate]:
    """Return unit groups, each with the sum of its occupations' probabilities."""
    sums: dict[str, float] = {}
    for each in result.candidates:
        if len(each.isco) == UNIT_DIGITS and taxonomy.has_group(each.isco):
            sums[each.isco] = sums.get(each.isco, 0.0) + each.probability
    best = result.best
    matched = best.isco if best else result.group.code if result.group and not result.abstained else ""
    found = [
        _group(taxonomy, code, min(1.0, probability), query.show, code == matched) for code, probability in sums.items()
    ]
    return sorted(found, key=lambda each: -each.score)


def _occupation(taxonomy: Taxonomy, candidate: Candidate, show: str, match: bool) -> ReconCandidate:
    group = f"{candidate.isco} {taxonomy.group_name(candidate.isco, show)}".strip()
    evidence = candidate.evidence
    # who accepted a title is not for any page on the web to read
    words = matched_words(evidence) if evidence.own is None else "an accepted title"
    return ReconCandidate(
        id=candidate.uri,
        name=candidate.name,
        type=types_of(taxonomy, candidate.uri),
        score=_score(candidate.probability),
        match=match,
        description=f"{group}; by: {evidence.name} ({words})",
        features=[Feature(scorer, scorer, share) for scorer, share in evidence.scores.items()],
    )


def _group(taxonomy: Taxonomy, code: str, probability: float, show: str, match: bool) -> ReconCandidate:
    uri = taxonomy.group_uri(code)
    name = taxonomy.group_name(code, show)
    types = types_of(taxonomy, uri)
    return ReconCandidate(
        id=uri, name=name, type=types, score=_score(probability), match=match, description=f"ISCO-08 {code}"
    )


def _direct(taxonomy: Taxonomy, uri: str, show: str, match: bool) -> ReconCandidate:
    number = taxonomy.number(uri)
    types = types_of(taxonomy, uri)
    return ReconCandidate(
        id=uri, name=taxonomy.name(number, show), type=types, score=_CERTAIN, match=match,
        description=f"code {taxonomy.codes[number]}",
    )  # fmt: skip


def _score(probability: float) -> float:
    return round(100 * probability, 2)


def found_by_prefix(candidates: Sequence[Named], prefix: str) -> list[Named]:
    """Return the types or properties whose id or name contains some letters."""
    letters = prefix.strip().casefold()
    return [each for each in candidates if letters in each.id.casefold() or letters in each.name.casefold()]


_ALL = 100  # candidates, where some are chosen among them or added up


@dataclass(frozen=True, slots=True)
class Matcher:
    """Reconciliation of queries; attributes as in `v1.calls`."""

    service: LinkingService
    queue: LinkQueue
    workers: Workers
    describing: DescribingService
    metrics: Metrics

    async def match(self, taxonomy: Taxonomy, queries: Sequence[ReconQuery]) -> list[list[ReconCandidate]]:
        """Return the candidates of each query, best first.

        Raises:
            JobMatchError: the linker, or the model of descriptions, cannot be opened.
            HTTPException: too many requests are waiting.
        """
        groups: dict[LinkOptions, list[int]] = {}
        for place, query in enumerate(queries):
            if not query.description:
                groups.setdefault(options_of(taxonomy, query), []).append(place)
        links: dict[int, LinkResult] = {}
        found = await asyncio.gather(
            *(self.queue.link([queries[place].text for place in places], each) for each, places in groups.items())
        )
        for places, results in zip(groups.values(), found, strict=True):
            links.update(zip(places, results, strict=True))
        for place, query in enumerate(queries):
            if query.description:
                links[place] = await self._described(taxonomy, query)
        self.metrics.linked(list(links.values()))
        return await self.workers.run(
            lambda: [candidates_of(taxonomy, query, links[place]) for place, query in enumerate(queries)]
        )

    async def _described(self, taxonomy: Taxonomy, query: ReconQuery) -> LinkResult:
        options = LinkOptions(taxonomy.id)
        await loaded(self.service.opening(options))
        linker = await self.workers.run(lambda: self.service.linker(options))
        short = is_short(query.description)
        if short:
            postings = await loaded(self.describing.opening_hints(linker))
        else:
            postings = (await loaded(self.describing.opening("", linker, ENGLISH))).linker
        found = await self.workers.run(lambda: postings.link(query.text, query.description, show=query.show, top=_ALL))
        return found if short else confirmed(found, await self.workers.run(lambda: linker.link(query.text, top=1)))


def options_of(taxonomy: Taxonomy, query: ReconQuery) -> LinkOptions:
    """Return the options of linking; a language that the taxonomy does not have is only shown."""
    languages = (query.language,) if query.language in taxonomy.manifest.languages else ()
    some = query.type != ISCO_GROUP.id and not query.isco
    # one number for all queries with few candidates, so that they make up one batch
    return LinkOptions(taxonomy.id, languages, query.show, 10 if some and query.limit <= 10 else _ALL)
