"""Speed and size of the linker compared with RapidFuzz, on synthetic titles from `linking.examples`."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from rapidfuzz import fuzz, process
from threadpoolctl import threadpool_limits

from jobmatch_core.engines import Processes
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import LinkingError
from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.linking.examples import held_out_titles
from jobmatch_core.linking.store import LinkerSpec
from jobmatch_core.metrics.gauges import peak_memory_mb, proportional_memory_mb, timed
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from jobmatch_core.text.folding import fold
from jobmatch_core.text.locales import ENGLISH

N_SINGLE, N_BATCH, N_RAPIDFUZZ = 300, 6000, 100
N_WORKERS, N_CHUNK = 20_000, 2000  # titles in total and per task, as for a file
_SEED = 7


@dataclass(frozen=True, slots=True)
class LinkSpeed:
    """Seconds, milliseconds and megabytes of one run."""

    taxonomy: str
    names: int
    # import_s, import_mb: time and peak memory of the import with index building, in its own process
    import_s: float
    import_mb: float
    load_s: float  # opening the saved index
    # link_p50_ms, link_p95_ms: median and 95th percentile for one title
    link_p50_ms: float
    link_p95_ms: float
    batch_titles_per_s: float  # many titles at once, with evidence
    rss_mb: float  # peak memory of the linking process
    # one_worker_titles_per_s, two_workers_titles_per_s: distinct titles with all evidence, one thread per worker
    one_worker_titles_per_s: float
    two_workers_titles_per_s: float
    two_workers_ratio: float
    worker_mb: float  # memory that the second worker adds, shared pages counted once; 0 off Linux
    english_titles_per_s: float  # as batch_titles_per_s with names of one language only, English if there is any
    rapidfuzz_titles_per_s: float  # `process.extract(scorer=fuzz.ratio)` over the same names
    rapidfuzz_cdist_titles_per_s: float  # `process.cdist` over the same names on all cores, its fastest way
    rapidfuzz_ratio: float


def measure_link_speed(source: Path | None = None, *, progress: Progress = no_progress) -> LinkSpeed:
    """Import a taxonomy into a temporary home and measure every step.

    Args:
        source: a folder of ESCO's CSV files, or the CSV of another taxonomy; the bundled one by default.

    Raises LinkingError if the import failed; its message says why.
    """
    with tempfile.TemporaryDirectory() as home:
        progress(0, 5)
        import_s, import_mb = _import(source, home)
        settings = Settings(Path(home))
        installed = TaxonomyStore.open(settings).installed()
        [manifest] = [manifest for manifest in installed if (manifest.id == BUNDLED_ID) == (source is None)]
        progress(1, 5)
        load_s, linker = timed(lambda: open_linker(manifest.id, settings=settings))
        titles = held_out_titles(linker.index, N_BATCH, _SEED).titles
        singles = [timed(lambda title=title: linker.link(title))[0] for title in titles[:N_SINGLE]]  # type: ignore[misc]
        progress(2, 5)
        batch_s, _ = timed(lambda: linker.link_all(titles))
        rss_mb = peak_memory_mb()
        progress(3, 5)
        many = held_out_titles(linker.index, N_WORKERS, _SEED + 1).titles
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:  # where nothing else is open
            one, two, worker_mb = pool.submit(_by_workers, manifest.id, settings, many).result()
        progress(4, 5)
        english, extract, cdist = _against_rapidfuzz(linker, titles)
        progress(5, 5)
    return LinkSpeed(
        taxonomy=manifest.id,
        names=len(np.unique(linker.index.form_names)),
        import_s=import_s,
        import_mb=import_mb,
        load_s=load_s,
        link_p50_ms=float(np.percentile(singles, 50)) * 1000,
        link_p95_ms=float(np.percentile(singles, 95)) * 1000,
        batch_titles_per_s=len(titles) / batch_s,
        rss_mb=rss_mb,
        one_worker_titles_per_s=one,
        two_workers_titles_per_s=two,
        two_workers_ratio=two / one,
        worker_mb=worker_mb,
        english_titles_per_s=english,
        rapidfuzz_titles_per_s=extract,
        rapidfuzz_cdist_titles_per_s=cdist,
        rapidfuzz_ratio=english / extract,
    )


def _by_workers(taxonomy: str, settings: Settings, titles: Sequence[str]) -> tuple[float, float, float]:
    """Return distinct titles per second by one worker and by two, and the memory that the second adds."""
    spec = LinkerSpec(taxonomy)
    _opened(spec, settings.home, 0)  # as a job does, before it begins its workers
    distinct = list(dict.fromkeys(titles))
    chunks = [distinct[start : start + N_CHUNK] for start in range(0, len(distinct), N_CHUNK)]
    rates, memory = [], []
    for workers in (1, 2):
        with Processes(workers) as engine:
            opened: dict[int, float] = {}
            while len(opened) < workers:  # the first may take the second one's task while that starts
                opened |= engine.map(partial(_opened, spec, settings.home), range(workers))
            seconds, _ = timed(lambda engine=engine: list(engine.map(partial(_n_linked, spec), chunks)))  # type: ignore[misc]
            in_workers = dict(engine.map(partial(_opened, spec, settings.home), range(4 * workers)))
            memory.append(proportional_memory_mb() + sum(in_workers.values()))
        rates.append(len(distinct) / seconds)
    return rates[0], rates[1], memory[1] - memory[0]


def _opened(spec: LinkerSpec, home: Path, _: int) -> tuple[int, float]:
    os.environ["JOBMATCH_HOME"] = str(home)
    spec.link(["nurse"])
    return os.getpid(), proportional_memory_mb()


def _n_linked(spec: LinkerSpec, titles: list[str]) -> int:
    with threadpool_limits(limits=1):
        return len(spec.link(titles))


def _import(source: Path | None, home: str) -> tuple[float, float]:
    """Import in a child process, so that its memory is its own."""
    what = ["index"] if source is None else ["import", str(source)]
    command = [sys.executable, "-m", "jobmatch", "taxonomy", *what, "--json"]
    seconds, done = timed(
        lambda: subprocess.run(
            command, env=os.environ | {"JOBMATCH_HOME": home}, capture_output=True, text=True, check=False
        )
    )
    if done.returncode:
        raise LinkingError(f"The import failed: {done.stderr.strip()}")
    return seconds, peak_memory_mb(children=True)


def _against_rapidfuzz(linker: Linker, titles: Sequence[str]) -> tuple[float, float, float]:
    """Return titles per second over the names of one language: ours, RapidFuzz's extract, RapidFuzz's cdist."""
    have = linker.taxonomy.manifest.languages
    language = ENGLISH if ENGLISH in have else have[0]
    linker.link(titles[0], languages=[language])  # makes this language's part of the index
    rows = np.unique(linker.index.form_names).tolist()
    texts = [linker.taxonomy.name_texts[row] for row in rows if linker.taxonomy.name_languages[row] == language]
    names = [fold(text) for text in texts]
    ours, _ = timed(lambda: linker.link_all(titles, languages=[language]))
    few = titles[:N_RAPIDFUZZ]
    extract, _ = timed(lambda: [process.extract(title, names, scorer=fuzz.ratio, limit=5) for title in few])
    cdist, _ = timed(lambda: process.cdist(few, names, scorer=fuzz.ratio, workers=-1))
    return len(titles) / ours, len(few) / extract, len(few) / cdist
