"""Speed and size: every figure is measured and adds up; how fast is not asserted, machines differ."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from jobmatch_core.benchmarks import link_speed
from jobmatch_core.benchmarks.link_speed import N_CHUNK, measure_link_speed
from jobmatch_core.errors import LinkingError
from jobmatch_core.linking import open_linker
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore

HEADER = "concept_id,language,preferred,alternatives,parent,description\n"
ENGLISH = HEADER + "doctor,en,medical doctor,surgeon,,\nbaker,en,baker,pastry cook,,\nbaker,de,Bäcker,,,\n"
GERMAN = HEADER + "arzt,de,Arzt/Ärztin,Chirurg,,\nbäcker,de,Bäcker,Konditor,,\n"


def write(tmp_path: Path, content: str) -> Path:
    """Write a tiny taxonomy."""
    path = tmp_path / "tiny.csv"
    path.write_text(content, "utf-8")
    return path


@pytest.fixture(autouse=True)
def _few_titles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure with fewer titles than the command does; workers still share two chunks."""
    for name, number in {"N_SINGLE": 5, "N_BATCH": 20, "N_RAPIDFUZZ": 3, "N_WORKERS": N_CHUNK + 500}.items():
        monkeypatch.setattr(link_speed, name, number)


@pytest.fixture
def _quick_import(linker_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Import within this process, into a home that has the bundled taxonomy's calibration already."""

    def in_process(source: Path, home: str) -> tuple[float, float]:
        for kind in ("taxonomies", "indexes"):
            (Path(home) / kind).mkdir()
            (Path(home) / kind / "isco-08").symlink_to(linker_home / kind / "isco-08")
        settings = Settings(Path(home))
        open_linker(TaxonomyStore.open(settings).import_from(source).id, settings=settings)
        return 1.25, 99.5

    monkeypatch.setattr(link_speed, "_import", in_process)


@pytest.mark.long
def test_every_step_in_earnest(tmp_path: Path) -> None:
    """With the import in a child process, as the command does it."""
    seen: list[tuple[int, int]] = []
    speed = measure_link_speed(write(tmp_path, ENGLISH), progress=lambda *step: seen.append(step))
    assert speed.taxonomy == "tiny-1"
    figures = {name: value for name, value in asdict(speed).items() if isinstance(value, float)}
    assert [name for name, value in figures.items() if not 0 < value < 1e7] == []
    assert speed.link_p50_ms <= speed.link_p95_ms
    assert speed.rapidfuzz_ratio == pytest.approx(speed.english_titles_per_s / speed.rapidfuzz_titles_per_s)
    assert speed.two_workers_ratio == pytest.approx(speed.two_workers_titles_per_s / speed.one_worker_titles_per_s)
    assert min(speed.import_mb, speed.rss_mb) > 50, "Python with NumPy alone is larger"
    assert seen == [(step, 5) for step in range(6)]


@pytest.mark.long
def test_without_a_source_the_bundled_taxonomy_is_measured(linker_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its unit groups have over thirty thousand names."""

    def ready(source: Path | None, home: str) -> tuple[float, float]:
        assert source is None
        for kind in ("taxonomies", "indexes"):
            (Path(home) / kind).symlink_to(linker_home / kind)
        return 1.0, 1.0

    monkeypatch.setattr(link_speed, "_import", ready)
    monkeypatch.setattr(link_speed, "N_WORKERS", 20)  # names are long to take apart; two chunks are shared above
    speed = measure_link_speed()
    assert speed.taxonomy == "isco-08"
    assert speed.names > 30_000


@pytest.mark.thorough
@pytest.mark.usefixtures("_quick_import")
def test_names_are_the_occupations_own(jobmatch_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five; not the thousands of the ISCO groups, which no title is linked to. All of it is in a temporary home.

    RapidFuzz gets the four English ones, folded; with more it would look slower than it is.
    """
    given: list[list[str]] = []
    extract = link_speed.process.extract

    def seen(title: str, names: list[str], **options: Any) -> object:
        given.append(sorted(names))
        return extract(title, names, **options)

    monkeypatch.setattr(link_speed.process, "extract", seen)
    speed = measure_link_speed(write(tmp_path, ENGLISH))
    assert speed.names == 5
    assert given
    assert all(names == ["baker", "medical doctor", "pastry cook", "surgeon"] for names in given)
    assert (speed.import_s, speed.import_mb) == (1.25, 99.5)
    assert not jobmatch_home.exists()


@pytest.mark.long
@pytest.mark.usefixtures("_quick_import")
def test_a_taxonomy_without_english_names(tmp_path: Path) -> None:
    """Measured like any other; the comparison is over the names that it has."""
    speed = measure_link_speed(write(tmp_path, GERMAN))
    assert speed.batch_titles_per_s > 0


def test_an_import_that_fails(tmp_path: Path) -> None:
    """Says in one line why, in the words of the import."""
    source = write(tmp_path, HEADER + "x,klingon,y,,,\n")
    with pytest.raises(LinkingError, match=r"tiny\.csv, line 2: 'klingon' is not a language known here") as caught:
        measure_link_speed(source)
    assert "\n" not in str(caught.value)
