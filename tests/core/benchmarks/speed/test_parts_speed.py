"""Speed and memory of a job over parts: what is counted adds up; how fast and how much is not asserted."""

from pathlib import Path

import pytest

from jobmatch_core.benchmarks.speed import parts_speed
from jobmatch_core.benchmarks.speed.parts_speed import measure_parts_speed
from jobmatch_core.engines import InProcess
from jobmatch_core.io import table_parts
from jobmatch_core.linking.linker_spec import LinkerSpec


def test_every_figure(lexical_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three parts of ten rows, linked by this process, which has no workers."""
    monkeypatch.setenv("JOBMATCH_HOME", str(lexical_home))
    for module in (parts_speed, table_parts):
        monkeypatch.setattr(module, "PART_ROWS", 10)
    seen: list[tuple[int, int]] = []
    spec = LinkerSpec(encoder=None)
    spec.open()
    speed = measure_parts_speed(spec, InProcess(), 25, 50, progress=lambda *step: seen.append(step))
    assert (speed.taxonomy, speed.rows, speed.parts) == ("isco-08", 25, 3)
    assert 1 <= speed.titles <= speed.part_titles <= 25
    assert speed.rows_per_s == pytest.approx(25 / speed.link_s)
    assert speed.titles_per_s == pytest.approx(speed.part_titles / speed.link_s)
    assert 50 < speed.parent_early_mb <= speed.parent_mb, "Python with NumPy alone is larger"
    assert (speed.workers_mb, speed.workers_early_mb) == (0, 0)
    assert 0 < speed.input_mb < speed.output_mb
    assert seen == [(1, 3), (2, 3), (3, 3)]
