"""Made-up titles: the same each time, garbled names, some frequent.

Speed and memory of a job over parts: what is counted adds up; how fast and how much is not asserted.
"""

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from jobmatch_core.engines import InProcess
from jobmatch_core.io import table_parts
from jobmatch_core.linking.store import LinkerSpec
from lab.speed import parts_speed
from lab.speed.parts_speed import COLUMN, MadeTitles, measure_parts_speed, write_titles

NAMES = [f"keeper of animal {number}" for number in range(400)]
MADE = MadeTitles(NAMES, 5000)


def test_a_number_is_a_title() -> None:
    """The same each time and in each part; some are names as they are, and some are not."""
    numbers, titles = MADE.drawn(3, 2000)
    assert titles == MADE.drawn(3, 2000)[1]
    assert set(titles) == {MADE.title(number) for number in numbers.tolist()}
    as_they_are = sum(MADE.title(number) in NAMES for number in range(1000)) / 1000
    assert 0.2 < as_they_are < 0.5


def test_parts_differ() -> None:
    """Each draws by itself."""
    assert MADE.drawn(0, 100)[1] != MADE.drawn(1, 100)[1]


def test_all_numbers_are_titles() -> None:
    """None below 0 or beyond the last one, also where there are few."""
    few = MadeTitles(NAMES, 3)
    assert np.unique(few.drawn(0, 2000)[0]).tolist() == [0, 1, 2]


def test_frequencies_follow_zipfs_law() -> None:
    """The first title has a share of (1 - 2 ** -0.2) / (1 - 5001 ** -0.2) = 0.158 of the rows, within four errors."""
    titles = MADE.drawn(0, 20_000)[1]
    share = Counter(titles)[MADE.title(0)] / 20_000
    assert abs(share - 0.158) < 4 * np.sqrt(0.158 * 0.842 / 20_000) + 0.01  # others may be the same text


def test_a_table_says_what_it_has(tmp_path: Path) -> None:
    """A row group for each part; titles of the whole, and those of each part added up."""
    path = tmp_path / "titles.parquet"
    table = write_titles(MADE, path, rows=250, part_rows=100)
    file = pq.ParquetFile(path)
    parts = [file.read_row_group(number)[COLUMN].to_pylist() for number in range(file.num_row_groups)]
    assert [len(part) for part in parts] == [100, 100, 50]
    assert table.part_titles == sum(len(set(part)) for part in parts)
    numbers = {int(number) for part, rows in enumerate((100, 100, 50)) for number in MADE.drawn(part, rows)[0]}
    assert table.titles == len(numbers)


@pytest.mark.long
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
