"""Simulated mappers: the seconds of a code by hand, and the report of a national crosswalk."""

from pathlib import Path

import pytest

from jobmatch_core.linking import Linker
from lab.experiments.mapping_time import mapping_times, seconds
from tests.lab.experiments.test_crosswalk_relations import folder

__all__ = ["folder"]  # a fixture


GROUPS = {uri: ["a", "b", "c", "d"] for uri in "abcd"}


@pytest.mark.parametrize(
    ("right", "drafted", "listed", "typed", "expected"),
    [
        ({"a": "exact"}, {"a": "exact"}, ["a", "x"], False, 4 + 3 + 1),
        ({"a": "exact"}, {"a": "broader"}, ["a", "x"], False, 4 + 3 + 2 + 1 + 1),
        ({"a": "exact"}, {}, ["x", "a"], False, 4 + 2 * 3 + 1 + 2 + 1),
        ({"a": "exact"}, {}, ["x", "a"], True, 4 + 10 + 2 * 3 + 1 + 2 + 1 + 1),
        ({"y": "broader"}, {"a": "exact"}, ["a", "x"], False, 4 + 2 * 3 + 10 + 3 + 1 + 2 + 1 + 2 + 1),
        ({"a": "broader", "c": "broader"}, {"a": "broader"}, ["a"], False, 4 + 3 + 1 + 2 * 3 + 1 + 2 + 1),
        ({"c": "broader"}, {}, ["b"], False, 4 + 3 + (2 + 1 + 2 * 3) + 1 + 2 + 1 + 1),
        ({"b": "broader", "c": "broader"}, {}, ["x"], False, 4 + 3 + (10 + 3) + (1 + 3 * 3) + 2 * (1 + 2) + 1 + 1),
    ],
)
def test_seconds_by_hand(
    right: dict[str, str], drafted: dict[str, str], listed: list[str], typed: bool, expected: float
) -> None:
    """Confirmed; another relation; added; typed; searched, with a wrong draft; by groups, two ways; by both."""
    assert seconds(right, drafted, listed, {} if typed else GROUPS, typed=typed) == expected


def test_a_country_is_simulated(folder: Path, bundled: Linker) -> None:
    """Minutes for 100 codes, of which a crosswalk may have fewer."""
    [report] = mapping_times([folder], bundled)
    assert (report.country, report.unseen, report.codes) == ("deu_de", True, 4)
    assert 0 < report.desk < 100
    assert 0 < report.names < 100
    assert 0 <= report.confirmed <= 1
