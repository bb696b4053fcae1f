"""Two versions of a taxonomy compared: each kind of change, by hand."""

import pytest

from jobmatch_core.errors import TaxonomyError
from jobmatch_core.taxonomy.versions import Change, compare_versions
from tests.made_versions import AFTER, BEFORE, taxonomy, uri, versions


def test_each_kind_of_change() -> None:
    """The most consequential first; an occupation that only gained a name is unchanged."""
    changes = compare_versions(*versions())
    assert [(change.change, change.then, change.now) for change in changes.changes] == [
        (Change.REMOVED, "scribe (4411)", ""),
        (Change.REMOVED, "wind technician (7412)", "perhaps onshore technician (7412)"),
        (Change.SPLIT, "bean and pea grower (6111)", "bean grower (6111); pea grower (6111)"),
        (Change.REPLACED, "therapeutic radiographer (2269)", "radiation therapist (2269)"),
        (Change.MOVED, "frame maker (7522)", "frame maker (7115)"),
        (Change.RENAMED, "guide (5113)", "tourist guide (5113)"),
        *((Change.ADDED, "", f"{AFTER[key][1].split('|')[0]} ({AFTER[key][0]})") for key in ADDED),
    ]
    assert changes.unchanged == 2
    assert sum(changes.counts.values()) + changes.unchanged == len(BEFORE) + len(ADDED)
    assert changes.by_uri[uri("grower")].successors == (uri("beans"), uri("peas"))
    assert changes.by_uri[uri("wind")].successors == ()


ADDED = ("assistant", "beans", "onshore", "peas", "therapist")


def test_an_occupation_that_took_a_name_is_merged_if_it_is_older() -> None:
    """It was in the earlier version; one that had the name already succeeds nobody."""
    merged = BEFORE | {"carer": ("3412", "home carer|therapeutic radiographer", "Heimbetreuer")}
    del merged["radio"]
    [change] = compare_versions(taxonomy("1", BEFORE), taxonomy("2", merged)).changes
    assert (change.change, change.successors) == (Change.MERGED, (uri("carer"),))
    [change] = compare_versions(taxonomy("1", merged | {"radio": BEFORE["radio"]}), taxonomy("2", merged)).changes
    assert (change.change, change.successors, change.successor_names) == (Change.REMOVED, (), ())


def test_names_are_shown_in_a_language() -> None:
    """A name that changed in English only is no change in German."""
    changes = compare_versions(*versions(), language="de")
    assert uri("guide") not in changes.by_uri
    assert changes.by_uri[uri("frames")].then == "Rahmenbauer (7522)"


def test_the_same_version_has_no_changes() -> None:
    """All occupations are unchanged."""
    before, _ = versions()
    changes = compare_versions(before, before)
    assert (changes.unchanged, changes.changes) == (len(BEFORE), ())


def test_other_taxonomies_are_no_versions() -> None:
    """The error says how to map one to the other."""
    other = taxonomy("9", {"else": ("1111", "else", "anders"), "nurse": BEFORE["nurse"]})
    with pytest.raises(TaxonomyError, match=r"only 1 of 8 occupations have the same URI.*crosswalk"):
        compare_versions(versions()[0], other)
