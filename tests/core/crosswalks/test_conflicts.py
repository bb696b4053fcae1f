"""Conflicts: each is found, in plain words, and what only looks like one is not."""

from pathlib import Path

import pytest

from jobmatch_core.crosswalks.conflicts import below_in, problems_of
from jobmatch_core.crosswalks.mapping import Mapping
from jobmatch_core.entities import ISCO_URI
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from tests.core.crosswalks.made_mappings import ESCO, mapped, written

SEVERAL = [
    pytest.param([mapped("1", "exact", "a"), mapped("1", "exact", "b")], "means the same as several concepts: a; b"),
    pytest.param(
        [mapped("1", "exact", "a"), mapped("2", "exact", "a")], "means the same as several source codes: 1; 2"
    ),
    pytest.param(
        [mapped("1", "exact", "a"), mapped("1", "narrower", "b")], "1 means the same as a and is narrower than b"
    ),
    pytest.param(
        [mapped("1", "exact", "a"), mapped("1", "broader", "b")], "1 means the same as a and is broader than b"
    ),
    pytest.param(
        [mapped("1", "exact", "a"), mapped("1", "close", "a")], "1 means the same as a and also overlaps with it"
    ),
    pytest.param([mapped("1", "close", "a"), mapped("1", "none", "")], "has no concept and has one at the same time"),
    pytest.param([mapped("1", "close", "a", state="reviewed")], "nobody is named"),
    pytest.param([mapped("1", "close", "a", reviewer="A", second_reviewer="A")], "A is the first and the second"),
    pytest.param([mapped("1", "close", "a", date="28.11.2026")], "'28.11.2026' is no date"),
    pytest.param(
        [
            mapped("1", "narrower", "a"),
            mapped("2", "broader", "a"),
            mapped("2", "narrower", "b"),
            mapped("1", "broader", "b"),
        ],
        "form a circle",
    ),
]


@pytest.mark.parametrize(("mappings", "says"), SEVERAL)
def test_conflicts_are_found(tmp_path: Path, mappings: list[Mapping], says: str) -> None:
    """One problem each, with the line of a mapping."""
    [problem] = problems_of(written(tmp_path, *mappings))
    assert says in problem.text
    assert problem.line > 10


@pytest.mark.parametrize(
    "mappings",
    [
        [mapped("1", "narrower", "a"), mapped("1", "narrower", "b"), mapped("2", "broader", "a")],
        [mapped("1", "exact", "a"), mapped("2", "narrower", "a"), mapped("3", "broader", "a")],
        [mapped("1", "exact", "a"), mapped("1", "none", "b"), mapped("1", "close", "c")],
    ],
)
def test_what_fits_together_is_no_conflict(tmp_path: Path, mappings: list[Mapping]) -> None:
    """Among them: a rejected candidate beside the right one."""
    assert problems_of(written(tmp_path, *mappings)) == []


def test_the_hierarchy_of_the_taxonomy_counts(tmp_path: Path) -> None:
    """A code that equals a concept is broader than what lies below it, and narrower than what lies above."""
    file = written(tmp_path, mapped("1", "exact", "b"), mapped("1", "broader", "c"), mapped("1", "narrower", "a"))
    above = {(f"{ESCO}c", f"{ESCO}b"), (f"{ESCO}b", f"{ESCO}a")}
    assert len(problems_of(file)) == 2
    assert problems_of(file, lambda child, parent: (child, parent) in above) == []


def test_below_at_any_depth() -> None:
    """Nurses (2221) lie below group 222 and below major group 2; nothing lies below itself, or below a sister."""
    is_below = below_in(TaxonomyStore.open().load(BUNDLED_ID))
    for above in ("222", "22", "2"):
        assert is_below(f"{ISCO_URI}2221", f"{ISCO_URI}{above}")
    for other in ("2221", "2222", "3"):
        assert not is_below(f"{ISCO_URI}2221", f"{ISCO_URI}{other}")
    assert not is_below("unknown", f"{ISCO_URI}2")
