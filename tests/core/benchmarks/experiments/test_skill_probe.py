"""The linear probe: what can be read off vectors is, what cannot is not."""

import json
from pathlib import Path

import pytest

from jobmatch_core.benchmarks.experiments.skill_probe import probe_skills, read_titles_with_skills
from jobmatch_core.errors import DataFileError
from tests.core.descriptions.made_postings import WordEncoder

TRADES = ("baker", "nurse", "welder", "teacher", "driver", "clerk")
TITLES = [(f"{trade} {n}", tuple(f"{trade} {k}" for k in range(4))) for n in range(12) for trade in TRADES]


def test_a_trade_in_the_title_tells_its_skills() -> None:
    """Ten of 24 by frequency, all of them by the word; a title's spellings fall on one side."""
    found = probe_skills(WordEncoder(32), TITLES)
    assert (found.skills, found.trained + found.tested) == (24, 72)
    assert found.top_10_accuracy > 0.9
    assert found.frequency_accuracy < 0.7
    assert probe_skills(WordEncoder(32), TITLES) == found


def test_reading(tmp_path: Path) -> None:
    """Lists or texts with commas; titles without skills are left out."""
    rows = [{"t": "Baker", "s": ["Dough", "dough", ""]}, {"t": "Cook", "s": "soup, stew"}, {"t": "Idler", "s": []}]
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    assert read_titles_with_skills(path, "t", "s") == [("Baker", ("dough",)), ("Cook", ("soup", "stew"))]
    with pytest.raises(DataFileError, match="no column 'x'"):
        read_titles_with_skills(path, "x", "s")


def test_too_little_is_refused() -> None:
    """One title cannot be both trained on and tested with."""
    with pytest.raises(ValueError, match="the probe needs titles"):
        probe_skills(WordEncoder(), TITLES[:1])
