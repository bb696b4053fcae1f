"""Links as reconciliation candidates: occupations and ISCO groups with scores of 0 to 100.

Queries with descriptions go to the linker of postings, or of short descriptions.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace as replace_fields

from jobmatch.serve.monitoring import Metrics
from jobmatch.serve.reconcile.recon_query import DESCRIPTION_LETTERS, TYPE_NAMES, ReconQuery
from jobmatch.serve.workers import LinkQueue, Workers, loaded
from jobmatch.services.describing import DescribingService
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.entities import OCCUPATION_LEVEL, UNIT_GROUP_LEVEL, Candidate, LinkResult
from jobmatch_core.linking.abstention import NOT_SURE
from jobmatch_core.linking.link_words import matched_words
from jobmatch_core.search.search_encoder import is_short
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.text.markup import plain_text

_CERTAIN = 100.0
_CLEAR = 2.0  # times as likely as the second candidate
_ALL = 100  # candidates, where some are chosen among them or added up


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
        match: true where the linker links this one, and it is clear of the second.
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
        clear = is_clear(candidate.probability for candidate in result.candidates)
        linked = [
            _occupation(taxonomy, candidate, query.show, clear and candidate is result.best)
            for candidate in result.candidates
        ]
        if not query.type and result.level == UNIT_GROUP_LEVEL and result.group is not None:
            group = result.group
            clear = is_clear((_group_sums(taxonomy, result) | {group.code: group.probability}).values())
            found = _group(taxonomy, group.code, group.probability, query.show, clear)
            linked = [found, *(each for each in linked if each.id != found.id)]  # a group may be an occupation, too
    if first:
        linked = [replace_fields(each, match=False) for each in linked if each.id not in direct]
    return [*first, *linked][: query.limit]


def is_clear(probabilities: Iterable[float]) -> bool:
    """Return whether the best candidate is at least twice as likely as the second."""
    best, second = sorted([*probabilities, 0.0, 0.0], reverse=True)[:2]
    return best >= _CLEAR * second


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
    sums = _group_sums(taxonomy, result)
    best = result.best
    matched = best.isco if best else result.group.code if result.group and not result.abstained else ""
    clear = is_clear(sums.values())
    groups = [
        _group(taxonomy, code, min(1.0, probability), query.show, clear and code == matched)
        for code, probability in sums.items()
    ]
    return sorted(groups, key=lambda group: -group.score)


def _group_sums(taxonomy: Taxonomy, result: LinkResult) -> dict[str, float]:
    """Return the sums of the candidates' probabilities by unit group."""
    sums: dict[str, float] = {}
    for candidate in result.candidates:
        if len(candidate.isco) == UNIT_DIGITS and taxonomy.has_group(candidate.isco):
            sums[candidate.isco] = sums.get(candidate.isco, 0.0) + candidate.probability
    return sums


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
        id=uri,
        name=taxonomy.name(number, show),
        type=types,
        score=_CERTAIN,
        match=match,
        description=f"code {taxonomy.codes[number]}",
    )


def _score(probability: float) -> float:
    return round(100 * probability, 2)


def found_by_prefix(candidates: Sequence[Named], prefix: str) -> list[Named]:
    """Return the types or properties whose id or name contains some letters."""
    letters = prefix.strip().casefold()
    return [each for each in candidates if letters in each.id.casefold() or letters in each.name.casefold()]


@dataclass(frozen=True, slots=True)
class Matcher:
    """Reconciliation of queries; attributes as in `v1.calls`."""

    service: LinkingService
    queue: LinkQueue
    workers: Workers
    describing: DescribingService
    metrics: Metrics

    async def match(
        self, taxonomy: Taxonomy, queries: Sequence[ReconQuery], *, own_names: bool
    ) -> list[list[ReconCandidate]]:
        """Return the candidates of each query, best first.

        Args:
            taxonomy: the taxonomy.
            queries: a batch.
            own_names: use the titles that people accepted.

        Raises:
            JobMatchError: the linker, or the model of descriptions, cannot be opened.
            HTTPException: too many requests are waiting.
        """
        if any(query.description for query in queries):
            queries = await self.workers.read(lambda: [_described_plainly(query) for query in queries])
        titled: dict[LinkOptions, list[int]] = {}
        described: dict[tuple[str, bool], list[int]] = {}
        for place, query in enumerate(queries):
            if query.description:
                described.setdefault((query.show, is_short(query.description)), []).append(place)
            else:
                titled.setdefault(options_of(taxonomy, query, own_names), []).append(place)
        links: dict[int, LinkResult] = {}
        # one language after the other: the linker keeps the names of a few languages only
        groups = sorted(titled.items(), key=lambda group: group[0].languages)
        linked = await asyncio.gather(
            *(self.queue.link([queries[place].text for place in places], options) for options, places in groups)
        )
        for (_, places), results in zip(groups, linked, strict=True):
            links.update(zip(places, results, strict=True))
        for (show, short), places in described.items():
            options = LinkOptions(taxonomy.id, show=show, top=_ALL, own_names=own_names)
            results = await self._described([queries[place] for place in places], options, short)
            links.update(zip(places, results, strict=True))
        self.metrics.linked(list(links.values()))
        return await self.workers.run(
            lambda: [candidates_of(taxonomy, query, links[place]) for place, query in enumerate(queries)]
        )

    async def _described(self, queries: Sequence[ReconQuery], options: LinkOptions, short: bool) -> list[LinkResult]:
        """Link queries with descriptions that are all short, or all long."""
        await loaded(self.service.opening(options))
        linker = await self.workers.read(lambda: self.service.linker(options))
        if short:
            postings = await loaded(self.describing.opening_hints(linker))
        else:
            postings = (await loaded(self.describing.opening("", linker, ENGLISH))).linker
        titles, descriptions = [query.text for query in queries], [query.description for query in queries]
        results = await self.workers.run(
            lambda: postings.link_all(titles, descriptions, show=options.show, top=options.top)
        )
        if short:
            return results
        by_titles = await self.workers.run(lambda: linker.link_all(titles, top=1))
        return [confirmed(result, by_title) for result, by_title in zip(results, by_titles, strict=True)]


def _described_plainly(query: ReconQuery) -> ReconQuery:
    """Return a query whose description is plain text, also of HTML or Markdown, cut to `DESCRIPTION_LETTERS`."""
    return replace_fields(query, description=plain_text(query.description).strip()[:DESCRIPTION_LETTERS])


def options_of(taxonomy: Taxonomy, query: ReconQuery, own_names: bool) -> LinkOptions:
    """Return the options of linking; a language that the taxonomy does not have is only shown."""
    languages = (query.language,) if query.language in taxonomy.manifest.languages else ()
    some = query.type != ISCO_GROUP.id and not query.isco
    # one number for all queries with few candidates, so that they make up one batch
    top = 10 if some and query.limit <= 10 else _ALL
    return LinkOptions(taxonomy.id, languages, query.show, top, own_names=own_names)
