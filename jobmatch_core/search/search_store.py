"""Search indexes on disk, one for each source and encoder, built on first use or when out of date.

Those of taxonomies are under `JOBMATCH_HOME/indexes`, those of marketplaces under `JOBMATCH_HOME/vectors`.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from jobmatch_core.entities import Encoder, Freelancer, Progress, Project, no_progress
from jobmatch_core.errors import SearchError
from jobmatch_core.io.folders import atomic_folder, folder_word, remove_whole
from jobmatch_core.io.text_files import json_text, read_json
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.search.search_encoder import SearchEncoder
from jobmatch_core.search.search_index import SearchIndex
from jobmatch_core.search.search_items import (
    OccupationCard,
    PeopleItems,
    Record,
    SearchItem,
    occupation_items,
)
from jobmatch_core.search.search_models import load_beside, load_search_encoder
from jobmatch_core.search_events import SearchKind
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from jobmatch_core.taxonomy.bundled import duties_digest
from jobmatch_core.taxonomy.lexicon import lexicon_digest, with_lexicon

_log = logging.getLogger(__name__)
_FORMAT = 4  # raised when the words, the texts or the files change
_STAMP = "stamp.json"
_RECORDS: dict[SearchKind, type[Record]] = {
    SearchKind.OCCUPATIONS: OccupationCard,
    SearchKind.FREELANCERS: Freelancer,
    SearchKind.PROJECTS: Project,
}


@dataclass(frozen=True, slots=True)
class _Source:
    digest: str
    count: int
    items: Callable[[], Iterable[SearchItem]]


def open_search(
    kind: SearchKind,
    source: str,
    *,
    settings: Settings | None = None,
    encoder: SearchEncoder | None = None,
    keep: Collection[str] = (),
    progress: Progress = no_progress,
) -> SearchIndex[Record]:
    """Open the search index of a taxonomy (its id) or marketplace (its name); build it if it is missing or out of date.

    A built one replaces those of other encoders, except those that *keep* names.

    Raises:
        TaxonomyError, MarketplaceError: the source does not exist or is damaged.
        LinkingError: the encoder beside cannot be loaded.
        SearchError: the index cannot be stored.
    """
    settings = settings or Settings.from_environment()
    encoder = encoder or load_search_encoder(settings=settings)
    beside = load_beside(settings) if kind is SearchKind.OCCUPATIONS else None
    made_of = _source(kind, source, settings)
    stamp = {"format": _FORMAT, "source": made_of.digest, "encoder": encoder.name}
    if beside:
        stamp["beside"] = beside.name
    folder = _folder(kind, source, encoder, settings)
    if stored := _opened(folder, stamp, kind, encoder, beside):
        return stored
    index = SearchIndex.build(
        made_of.items(),
        _RECORDS[kind],
        encoder,
        beside=beside,
        count=made_of.count,
        progress=progress,
    )
    try:
        with atomic_folder(folder) as temporary:
            index.save(temporary)
            (temporary / _STAMP).write_text(json_text(stamp), "utf-8")
        _remove_other_encoders(folder, keep)
    except OSError as error:
        raise SearchError(
            f"The index of the {kind} of {source} could not be stored in {folder.parent} ({error.strerror or error}). "
            "Set JOBMATCH_HOME to a writable folder on a disk with free space."
        ) from error
    return _opened(folder, stamp, kind, encoder, beside) or index


def _source(kind: SearchKind, source: str, settings: Settings) -> _Source:
    if kind is SearchKind.OCCUPATIONS:
        taxonomy = TaxonomyStore.open(settings).load(source)
        count = len(taxonomy.occupation_numbers)
        digest = f"{taxonomy.manifest.source_hash} {lexicon_digest()} {duties_digest()}"
        return _Source(digest, count, lambda: occupation_items(with_lexicon(taxonomy)))
    store = MarketplaceStore.open(settings)
    manifest, market = store.manifest(source), store.load(source)
    taxonomy = TaxonomyStore.open(settings).load(manifest.taxonomy)
    table = "freelancers.parquet" if kind is SearchKind.FREELANCERS else "projects.parquet"
    return _Source(
        f"{manifest.hashes[table]} {taxonomy.manifest.source_hash}",
        len(market.freelancers if kind is SearchKind.FREELANCERS else market.projects),
        lambda: _people(kind, market, taxonomy),
    )


def _people(kind: SearchKind, market: Marketplace, taxonomy: Taxonomy) -> Iterator[SearchItem]:
    items = PeopleItems.of(taxonomy)
    if kind is SearchKind.FREELANCERS:
        yield from map(items.freelancer, market.freelancers)
    else:
        yield from map(items.project, market.projects)


def _folder(kind: SearchKind, source: str, encoder: SearchEncoder, settings: Settings) -> Path:
    parent = settings.indexes if kind is SearchKind.OCCUPATIONS else settings.vectors
    return parent / f"{source}+search-{kind}+{folder_word(encoder.name)}"


def _opened(
    folder: Path, stamp: dict[str, object], kind: SearchKind, encoder: SearchEncoder, beside: Encoder | None
) -> SearchIndex[Record] | None:
    if not folder.is_dir():
        return None
    try:
        if read_json(folder / _STAMP) == stamp:
            return SearchIndex.load(folder, _RECORDS[kind], encoder, beside=beside)
    except (OSError, ValueError, EOFError, KeyError, msgspec.MsgspecError) as error:
        _log.warning("The index in %s is damaged (%s) and is built again.", folder, error)
    return None


def _remove_other_encoders(folder: Path, keep: Collection[str]) -> None:
    prefix = folder.name.rpartition("+")[0]
    kept = {folder.name, *(f"{prefix}+{folder_word(name)}" for name in keep)}
    for other in folder.parent.glob(f"{prefix}+*"):
        if other.name not in kept:
            remove_whole(other)
