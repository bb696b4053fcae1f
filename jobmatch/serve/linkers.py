"""Linkers for calls of the API, opened without blocking a thread."""

from jobmatch.serve.workers import Workers, loaded
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.linking import Linker
from jobmatch_core.linking.link_answer import Named


async def loaded_linker(service: LinkingService, options: LinkOptions, workers: Workers) -> Linker:
    """Return the linker of options; raises as `loaded` does."""
    await loaded(service.opening(options))
    return await workers.read(lambda: service.linker(options))


async def loaded_naming(service: LinkingService, options: LinkOptions, workers: Workers) -> Named:
    """Return how answers with these options name concepts."""
    if not service.uses_labels(options):  # a thread would delay the answer
        return str
    return await workers.read(lambda: service.naming(options))
