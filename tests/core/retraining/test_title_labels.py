"""What is known of titles: however they are written, a title is on one side only, and is one title."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance
from jobmatch_core.errors import LabellingError
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.labelling.labels import Label, labels_of
from jobmatch_core.labelling.snapshot import Snapshots, open_snapshot
from jobmatch_core.labelling.splits import may_be_tested
from jobmatch_core.retraining.title_labels import (
    SHARE_HELD_OUT,
    JudgedTitle,
    judged_taxonomies,
    taxonomy_to_train,
    title_labels,
)
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold
from tests.core.labelling.made_judgments import judgment, pair

TAXONOMY = cast(Taxonomy, SimpleNamespace(id="t", uris=["a", "b", "group"], occupation_numbers=np.arange(2)))


def labels(*said: tuple[str, str, str]) -> list[Label]:
    """Return labels of titles and occupations, in the order in which they are given."""
    given: list[Judgment] = [
        judgment(verdict, of=Pair(PairKind.TITLE_OCCUPATION, "t", title, uri)) for verdict, title, uri in said
    ]
    return [*labels_of(given).labels]


def test_no_title_is_on_both_sides_however_it_is_written() -> None:
    """Case, accents and punctuation make no other title."""
    words = [f"job{number}" for number in range(40)]
    ways = [
        (verdict, way, uri)
        for word in words
        for verdict, way, uri in (
            ("+", word, "a"),
            ("-", word.upper(), "b"),
            ("+", f"  {word}!", "a"),
        )
    ]
    found = title_labels(labels(*ways), TAXONOMY)
    train, held_out = ({fold(each.title) for each in side} for side in (found.train, found.held_out))
    assert not train & held_out
    assert train | held_out == set(words)
    assert (len(found.train) + len(found.held_out), found.n_train + found.n_held_out) == (40, 120)
    assert 0 < len(found.held_out) < 20


def test_a_unit_group_is_no_occupation_to_learn() -> None:
    """A title that was accepted for a group says of no occupation that it is right, or wrong."""
    found = title_labels(labels(("+", "nurse", "a"), ("+", "developer", "group")), TAXONOMY)
    assert (found.n_train + found.n_held_out, found.left_out) == (1, 1)


def test_one_title_however_it_is_written() -> None:
    """By its first name; what was accepted is not wrong. One title alone is learned from."""
    found = title_labels(labels(("-", "Nurse", "a"), ("-", "Nurse", "b"), ("+", "nurse", "a")), TAXONOMY)
    assert found.train == (JudgedTitle("Nurse", frozenset([0]), frozenset([1])),)
    assert (found.held_out, found.n_train, found.n_held_out) == ((), 3, 0)


def in_bulk(*said: tuple[str, str, str]) -> list[Label]:
    """Return such labels that nobody looked at."""
    many = Provenance("many", origin=Origin.BULK)
    return [replace(each, judgments=(replace(each.judgments[0], provenance=many),)) for each in labels(*said)]


def test_what_was_accepted_in_bulk() -> None:
    """It is trained on only if asked for, and never measured with; nor is a title that may be measured with later."""
    looked_at = labels(*(("+", f"job{number}", "a") for number in range(33)))
    bulk = in_bulk(*(("+", f"other{number}", "b") for number in range(86)))
    without, with_bulk = (title_labels([*looked_at, *bulk], TAXONOMY, bulk=each) for each in (False, True))
    assert (without.n_looked_at, without.n_bulk) == (with_bulk.n_looked_at, with_bulk.n_bulk) == (33, 86)
    assert without.n_train + without.n_held_out == 33
    assert with_bulk.held_out == without.held_out
    assert all(each.looked_at for each in with_bulk.held_out)
    added = [each for each in with_bulk.train if each not in without.train]
    assert 0.6 * 86 < len(added) < 86
    assert not any(each.looked_at for each in added)
    assert not any(
        may_be_tested(each, SHARE_HELD_OUT) and each.pair.left in {it.title for it in added} for each in bulk
    )


def test_a_snapshot_of_titles_that_nobody_looked_at(tmp_path: Path) -> None:
    """It says so, and how they can be used."""
    settings = Settings(tmp_path)
    pair, many = Pair(PairKind.TITLE_OCCUPATION, "isco-08", "nurse", "http://x"), Provenance("m", origin=Origin.BULK)
    judged = judgment("+", of=pair, provenance=many)
    name = Snapshots(settings).freeze([judged], datetime(2026, 11, 21, 9, tzinfo=UTC)).name
    snapshot = open_snapshot(name, settings)
    with pytest.raises(LabellingError, match=r"Nobody looked at the 1 judged titles .* accepted in bulk"):
        taxonomy_to_train(snapshot, "isco-08")
    with pytest.raises(LabellingError, match=r"Nobody looked at the 1 judged titles in the snapshot .*\(--bulk\)"):
        taxonomy_to_train(snapshot)
    assert taxonomy_to_train(snapshot, "isco-08", bulk=True) == "isco-08"


def test_a_snapshot_without_titles_of_the_taxonomy_is_refused(tmp_path: Path) -> None:
    """Before the training starts."""
    settings = Settings(tmp_path)
    judged = judgment("+", of=Pair(PairKind.TITLE_OCCUPATION, "isco-08", "nurse", "http://x"))
    snapshot = Snapshots(settings).freeze([judged], datetime(2026, 11, 21, 9, tzinfo=UTC)).name
    with pytest.raises(LabellingError, match=r"no judged titles of esco-1\.2\. It has 1 of isco-08: choose that"):
        taxonomy_to_train(open_snapshot(snapshot, settings), "esco-1.2")


def test_the_taxonomy_with_most_labels_is_trained(tmp_path: Path) -> None:
    """Whichever is bundled; one that is named stays, and labels of other pairs are none of titles."""
    settings, at = Settings(tmp_path), datetime(2026, 11, 21, 9, tzinfo=UTC)
    titles = [("esco-1.2", "nurse"), ("isco-08", "nurse"), ("esco-1.2", "cook")]
    judged = [judgment("+", of=Pair(PairKind.TITLE_OCCUPATION, source, title, "x")) for source, title in titles]
    others = [judgment("+", of=pair(f"p{number}", "f")) for number in range(3)]
    labels = open_snapshot(Snapshots(settings).freeze([*others, *judged], at).name, settings)
    assert judged_taxonomies(labels.snapshot.labels) == {"esco-1.2": 2, "isco-08": 1}
    assert taxonomy_to_train(labels) == "esco-1.2"
    assert taxonomy_to_train(labels, "isco-08") == "isco-08"
    only_people = open_snapshot(Snapshots(settings).freeze(others, at.replace(hour=10)).name, settings)
    with pytest.raises(LabellingError, match=r"has no judged titles\. Judge links on the page 'Link titles'"):
        taxonomy_to_train(only_people)
