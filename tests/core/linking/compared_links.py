"""Helpers of the linker's tests: answers compared, and a linker with other thresholds."""

import dataclasses

import pytest

from jobmatch_core.entities import LinkResult
from jobmatch_core.linking import Linker


def with_threshold(linker: Linker, threshold: float, of_units: float = 1.0) -> Linker:
    """Return the same linker with other thresholds, by default so that unit groups are not linked."""
    changed = dataclasses.replace(linker.calibration, threshold=threshold, unit_threshold=of_units)
    return Linker(linker.taxonomy, linker.index, changed)


def assert_same(one: LinkResult, other: LinkResult) -> None:
    """Compare two answers; only the last digits of probabilities may differ, which come from single precision."""
    assert [c.uri for c in one.candidates] == [c.uri for c in other.candidates]
    assert [c.evidence.name for c in one.candidates] == [c.evidence.name for c in other.candidates]
    assert [c.probability for c in one.candidates] == pytest.approx(
        [c.probability for c in other.candidates], rel=1e-4, abs=1e-6
    )
    assert (one.title, one.abstained, one.set_aside) == (other.title, other.abstained, other.set_aside)
    assert (one.group and one.group.code) == (other.group and other.group.code)
