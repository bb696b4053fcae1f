"""Speed of searching freelancers by a few words, over as many as a large marketplace has."""

import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np

from jobmatch_core.entities import Encoder, FloatArray, Freelancer, Progress, no_progress
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_marketplace
from jobmatch_core.search.people_items import PeopleItems
from jobmatch_core.search.search_encoder import PlainSearchEncoder
from jobmatch_core.search.search_index import SearchIndex
from jobmatch_core.search.search_items import SearchItem
from jobmatch_core.search.search_models import load_search_encoder
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.vector_stores.vector_store import NO_FILTERS, Filters

_REAL, _SEED = 5000, 5  # freelancers of a demo marketplace, who are repeated under other ids
_ROUNDS, _WARM_UP = 5, 1
_QUERIES = (
    "React developer Berlin", "logo designer", "senior Java developer", "Übersetzerin Spanisch Deutsch",
    "développeur Python données", "someone who makes animated films", "SAP Berater", "traduttore giuridico", "editr",
    "machine learning engineer with experience in logistics", "Grafikdesign Verpackung", "卡通", "video", "programista",
    "technical writer for medical devices", "accountant", "sound", "UX", "copywriter SEO", "data analyst power bi",
)  # fmt: skip
_FILTERS = Filters(languages=("en", "de"), max_day_rate=600.0)


@dataclass(frozen=True, slots=True)
class SearchSpeed:
    """Seconds, milliseconds and megabytes of one run.

    Attributes:
        freelancers: number of them.
        model: that encodes queries.
        build_s: indexing words, with vectors at hand.
        open_s: opening the index from the disk.
        disk_mb: size of the index.
        search_p50_ms, search_p95_ms: the best twenty for a query, with reasons and profiles.
        filtered_p50_ms, filtered_p95_ms: the same with filters on language and day rate.
    """

    freelancers: int
    model: str
    build_s: float
    open_s: float
    disk_mb: float
    search_p50_ms: float
    search_p95_ms: float
    filtered_p50_ms: float
    filtered_p95_ms: float


class _EncodedOnce:
    """Encodes each text once, since the freelancers repeat."""

    def __init__(self, encoder: Encoder, items: Iterable[SearchItem]) -> None:
        texts = {text: None for item in items for text in chain(item.texts, *item.shared)}
        self._rows = {text: row for row, text in enumerate(texts)}
        self._vectors = encoder.encode(list(texts))
        self.name = encoder.name

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return the vectors of known texts."""
        return self._vectors[[self._rows[text] for text in texts]]


def measure_search_speed(freelancers: int = 100_000, *, progress: Progress = no_progress) -> SearchSpeed:
    """Draw freelancers, index them in a temporary folder, and search.

    Args:
        freelancers: number of freelancers.
        progress: called with freelancers indexed and freelancers in total.
    """
    settings = Settings.from_environment()
    encoder = load_search_encoder(settings=settings)
    spec = DemoSpec(projects=1, freelancers=min(freelancers, _REAL), seed=_SEED)
    taxonomy = TaxonomyStore.open(settings).load()
    real, items = demo_marketplace(taxonomy, spec).freelancers, PeopleItems.of(taxonomy)
    known = _EncodedOnce(encoder, map(items.freelancer, real))
    drawn = (replace(real[number % len(real)], id=f"{number:08}") for number in range(freelancers))
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        built = SearchIndex.build(
            map(items.freelancer, drawn),
            Freelancer,
            PlainSearchEncoder(known),
            filtered=True,
            count=freelancers,
            progress=progress,
        )
        build_s = time.perf_counter() - started
        built.save(Path(folder))
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
        started = time.perf_counter()
        index = SearchIndex.load(Path(folder), Freelancer, encoder, filtered=True)
        open_s = time.perf_counter() - started
        everybody, some = _percentiles(index, NO_FILTERS), _percentiles(index, _FILTERS)
    return SearchSpeed(freelancers, encoder.name, build_s, open_s, size / 1e6, *everybody, *some)


def _percentiles(index: SearchIndex[Freelancer], filters: Filters) -> tuple[float, float]:
    """Return the 50th and the 95th percentile of a search, in milliseconds."""
    times = []
    for number in range(_WARM_UP + _ROUNDS):
        for query in _QUERIES:
            started = time.perf_counter()
            index.search(query, filters)
            if number >= _WARM_UP:
                times.append(1000 * (time.perf_counter() - started))
    p50, p95 = np.percentile(times, [50, 95])
    return float(p50), float(p95)
