"""Reconciliation of queries by the linker; with descriptions by the linker of postings, or of short descriptions."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from jobmatch.serve.link_queue import LinkQueue
from jobmatch.serve.metrics import Metrics
from jobmatch.serve.reconcile.recon_candidates import ISCO_GROUP, ReconCandidate, candidates_of, confirmed
from jobmatch.serve.reconcile.recon_query import ReconQuery
from jobmatch.serve.workers import Workers, loaded
from jobmatch.services.describing import DescribingService
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.entities import LinkResult
from jobmatch_core.search.search_descriptions import is_short
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.languages import ENGLISH

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
