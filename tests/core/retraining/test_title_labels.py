"""What is known of titles: however they are written, a title is on one side only, and is one title."""

from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from jobmatch_core.entities import Judgment, Pair, PairKind
from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.labels import Label, labels_of
from jobmatch_core.labelling.snapshot import Snapshots
from jobmatch_core.retraining.title_labels import JudgedTitle, require_title_labels, title_labels
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold
from tests.core.labelling.made_judgments import judgment

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
    ways = [(verdict, way, uri) for word in words for verdict, way, uri in (
        ("+", word, "a"), ("-", word.upper(), "b"), ("+", f"  {word}!", "a"),
    )]  # fmt: skip
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


def test_a_snapshot_without_titles_of_the_taxonomy_is_refused(tmp_path: Path) -> None:
    """Before the training starts."""
    settings = Settings(tmp_path)
    judged = judgment("+", of=Pair(PairKind.TITLE_OCCUPATION, "isco-08", "nurse", "http://x"))
    snapshot = Snapshots(settings).freeze([judged], datetime(2026, 11, 21, 9, tzinfo=UTC)).name
    require_title_labels(snapshot, "isco-08", settings)
    with pytest.raises(LabellingError, match=r"no judged titles of esco-1\.2; choose the taxonomy"):
        require_title_labels(snapshot, "esco-1.2", settings)
