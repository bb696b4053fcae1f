"""Links as reconciliation candidates: occupations and ISCO groups with scores of 0 to 100."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace as replace_fields

from jobmatch.serve.linkers import loaded_linker
from jobmatch.serve.monitoring import Metrics
from jobmatch.serve.reconcile.recon_query import DESCRIPTION_LETTERS, TYPE_NAMES, ReconQuery
from jobmatch.serve.workers import LinkQueue, Workers, loaded
from jobmatch.services.describing import DescribingService
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.entities import OCCUPATION_LEVEL, UNIT_GROUP_LEVEL, Candidate, Evidence, LinkResult
from jobmatch_core.link_reasons import NOT_SURE
from jobmatch_core.linking.link_words import matched_words
from jobmatch_core.search.search_encoder import is_short
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.text.markup import plain_text

_CERTAIN = 100.0
_CLEAR = 2.0  # minimum ratio of the first to the second probability
_ALL = 100  # candidates, if they are filtered or summed


class Named(Struct, frozen=True):
    """A type or a property: its id and its name."""

    id: str
    name: str


class Feature(Struct, frozen=True):
    """A scorer's share of the score."""

    id: str
    name: str
    value: float


class ReconCandidate(Struct, frozen=True, kw_only=True):
    """An entity that a query may mean."""

    id: str  # its URI
    name: str
    type: list[Named]
    score: float  # 100 times the probability
    match: bool  # true if the linker links this one, and it is clear of the second
    description: str | UnsetType = UNSET  # its ISCO-08 group and the name that matched
    features: list[Feature] = []  # each scorer's share of the score


OCCUPATION, ISCO_GROUP = TYPES = tuple(Named(type_id, name) for type_id, name in TYPE_NAMES.items())


def concept_types(taxonomy: Taxonomy, uri: str) -> list[Named]:
    """Return the types of a concept; a unit group may also be an occupation."""
    number = taxonomy.number(uri)
    code = taxonomy.isco_codes[number]
    is_group = bool(code) and taxonomy.codes[number] == code and taxonomy.group_uri(code) == uri
    return [OCCUPATION] * taxonomy.is_occupation(uri) + [ISCO_GROUP] * is_group


def identified(taxonomy: Taxonomy, text: str) -> list[str]:
    """Return the URIs of the concepts whose URI or code equals a text."""
    return [text] if taxonomy.has_concept(text) else taxonomy.with_code(text)


def recon_candidates(taxonomy: Taxonomy, query: ReconQuery, result: LinkResult) -> list[ReconCandidate]:
    """Return the candidates for a query, best first; *result* is its link, with all candidates."""
    direct = identified(taxonomy, query.text)
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
            unit_group = _group(taxonomy, group.code, group.probability, query.show, clear)
            # a group may be an occupation, too
            linked = [unit_group, *(candidate for candidate in linked if candidate.id != unit_group.id)]
    if first:
        linked = [replace_fields(candidate, match=False) for candidate in linked if candidate.id not in direct]
    return [*first, *linked][: query.limit]


def is_clear(probabilities: Iterable[float]) -> bool:
    """Return whether the best candidate is at least twice as likely as the second."""
    best, second = sorted([*probabilities, 0.0, 0.0], reverse=True)[:2]
    return best >= _CLEAR * second


def confirmed(result: LinkResult, by_title: LinkResult) -> LinkResult:
    """Return the link of a long description; the linker abstains unless the title alone has the same link.

    Only the probabilities of titles have a threshold with the promised precision of a match.
    """
    if result.best is None or (by_title.best is not None and by_title.best.uri == result.best.uri):
        return result
    return replace(result, abstained=True, reason=NOT_SURE)


def narrowed(result: LinkResult, isco: str) -> LinkResult:
    """Return a link with only the candidates whose ISCO-08 code starts with *isco*.

    The probabilities of the removed candidates are distributed over the others and 'none of these', in proportion.
    Titles that the linker did not link stay unlinked.
    """
    if not isco:
        return result
    total = sum(candidate.probability for candidate in result.candidates)
    matching = [candidate for candidate in result.candidates if candidate.isco.startswith(isco)]
    remaining = sum(candidate.probability for candidate in matching) + max(0.0, 1 - total)
    scale = 1 / remaining if remaining > 0 else 0.0
    candidates = tuple(
        replace(candidate, probability=min(1.0, candidate.probability * scale)) for candidate in matching
    )
    group = result.group if result.group is not None and result.group.code.startswith(isco) else None
    linked = {OCCUPATION_LEVEL: result.best in matching, UNIT_GROUP_LEVEL: group is not None}
    abstained = not linked.get(result.level, False)
    return replace(result, candidates=candidates, abstained=abstained, group=group)


def _groups(taxonomy: Taxonomy, query: ReconQuery, result: LinkResult) -> list[ReconCandidate]:
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
    sums: dict[str, float] = {}
    for candidate in result.candidates:
        if len(candidate.isco) == UNIT_DIGITS and taxonomy.has_group(candidate.isco):
            sums[candidate.isco] = sums.get(candidate.isco, 0.0) + candidate.probability
    return sums


def _occupation(taxonomy: Taxonomy, candidate: Candidate, show: str, match: bool) -> ReconCandidate:
    group = f"{candidate.isco} {taxonomy.group_name(candidate.isco, show)}".strip()
    evidence = candidate.evidence
    return ReconCandidate(
        id=candidate.uri,
        name=candidate.name,
        type=concept_types(taxonomy, candidate.uri),
        score=round(100 * candidate.probability, 2),
        match=match,
        description=f"{group}; by: {evidence.name} ({public_words(evidence)})",
        features=[Feature(scorer, scorer, share) for scorer, share in evidence.scores.items()],
    )


def public_words(evidence: Evidence) -> str:
    """Return the language and source of a matched name, but not who accepted it, which other sites must not read."""
    return matched_words(evidence) if evidence.own is None else "an accepted title"


def _group(taxonomy: Taxonomy, code: str, probability: float, show: str, match: bool) -> ReconCandidate:
    uri = taxonomy.group_uri(code)
    name = taxonomy.group_name(code, show)
    types = concept_types(taxonomy, uri)
    return ReconCandidate(
        id=uri, name=name, type=types, score=round(100 * probability, 2), match=match, description=f"ISCO-08 {code}"
    )


def _direct(taxonomy: Taxonomy, uri: str, show: str, match: bool) -> ReconCandidate:
    number = taxonomy.number(uri)
    types = concept_types(taxonomy, uri)
    return ReconCandidate(
        id=uri,
        name=taxonomy.name(number, show),
        type=types,
        score=_CERTAIN,
        match=match,
        description=f"code {taxonomy.codes[number]}",
    )


def containing(choices: Sequence[Named], text: str) -> list[Named]:
    """Return the types or properties whose id or name contains a text."""
    letters = text.strip().casefold()
    return [named for named in choices if letters in named.id.casefold() or letters in named.name.casefold()]


@dataclass(frozen=True, slots=True)
class QueryMatcher:
    """Reconciliation of queries; attributes as in `v1.link_calls.LinkCalls`."""

    service: LinkingService
    queue: LinkQueue
    workers: Workers
    describing: DescribingService
    metrics: Metrics

    async def match(
        self, taxonomy: Taxonomy, queries: Sequence[ReconQuery], *, own_names: bool
    ) -> list[list[ReconCandidate]]:
        """Return the candidates of each query, best first; *own_names* uses accepted titles.

        Raises:
            JobMatchError: the linker, or the model of descriptions, cannot be opened.
            HTTPException: too many requests are waiting.
        """
        if any(query.description for query in queries):
            queries = await self.workers.read(
                lambda: [
                    replace_fields(query, description=plain_text(query.description).strip()[:DESCRIPTION_LETTERS])
                    for query in queries
                ]
            )
        titled: dict[LinkOptions, list[int]] = {}
        described: dict[tuple[str, bool], list[int]] = {}
        for place, query in enumerate(queries):
            if query.description:
                described.setdefault((query.show, is_short(query.description)), []).append(place)
            else:
                titled.setdefault(link_options(taxonomy, query, own_names), []).append(place)
        links: dict[int, LinkResult] = {}
        # language by language: the linker caches the names of a few languages only
        groups = sorted(titled.items(), key=lambda group: group[0].languages)
        linked = await asyncio.gather(
            *(self.queue.link([queries[place].titled for place in places], options) for options, places in groups)
        )
        for (_, places), results in zip(groups, linked, strict=True):
            links.update(zip(places, results, strict=True))
        for (show, short), places in described.items():
            options = LinkOptions(taxonomy.id, show=show, top=_ALL, own_names=own_names)
            results = await self._described([queries[place] for place in places], options, short)
            links.update(zip(places, results, strict=True))
        self.metrics.linked(list(links.values()))
        return await self.workers.run(
            lambda: [recon_candidates(taxonomy, query, links[place]) for place, query in enumerate(queries)]
        )

    async def _described(self, queries: Sequence[ReconQuery], options: LinkOptions, short: bool) -> list[LinkResult]:
        linker = await loaded_linker(self.service, options, self.workers)
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


def link_options(taxonomy: Taxonomy, query: ReconQuery, own_names: bool) -> LinkOptions:
    """Return the options of linking; a language that the taxonomy lacks is only shown."""
    languages = (query.language,) if query.language in taxonomy.manifest.languages else ()
    some = query.type != ISCO_GROUP.id and not query.isco
    # the same number for all queries with few candidates, so that they form one batch
    top = 10 if some and query.limit <= 10 else _ALL
    return LinkOptions(taxonomy.id, languages, query.show, top, own_names=own_names)
