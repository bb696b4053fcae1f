"""Labels as edges: what is learned from, what is put aside, and that no project is on both sides."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance
from jobmatch_core.errors import LabellingError
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.labelling.labels import Label, Resolution
from jobmatch_core.labelling.snapshot import Snapshots
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.retraining.tower_labels import (
    TowerLabels,
    judged_pairs,
    require_tower_labels,
    tower_labels,
    with_labels,
)
from jobmatch_core.settings import Settings
from jobmatch_core.towers.document_pairs import temporal_split
from jobmatch_core.towers.sampling import interaction_matrix
from tests.core.labelling.made_judgments import judgment
from tests.core.retraining.made_labels import AT, label
from tests.made_marketplace import TRADES, marketplace

MARKET = marketplace(5)
PAST, LATER = temporal_split(MARKET, 0.4)


def test_sorted_out() -> None:
    """Projects 0 to 2 of each trade are the past, 3 and 4 come later; the rest cannot be used."""
    labels = [
        label("p-web-0", "f-web-0"),
        label("p-data-1", "f-data-0"),
        label("p-web-4", "f-web-0"),
        label("p-gone-0", "f-web-0"),
        label("p-web-0", "f-gone"),
        label("p-web-0", "f-web-0", source="another"),
        Label(Pair(PairKind.TITLE_TITLE, "", "a", "b"), True, Resolution.UNANIMOUS, AT, ()),
    ]
    found = tower_labels(labels, PAST, LATER)
    assert sorted(each.pair.left for each in (*found.train, *found.held_out)) == ["p-data-1", "p-web-0"]
    assert (len(found.train), len(found.held_out)) == (1, 1)
    assert [each.pair.left for each in found.later] == ["p-web-4"]
    assert found.left_out == 3


def test_what_was_accepted_in_bulk() -> None:
    """It is trained on only if asked for, and never measured with."""
    many = (judgment("+", provenance=Provenance("many", origin=Origin.BULK)),)
    looked_at = [label(f"p-{trade}-0", f"f-{trade}-0") for trade in TRADES]
    bulk = [replace(label(f"p-{trade}-1", f"f-{trade}-0"), judgments=many) for trade in TRADES]
    bulk.append(replace(label("p-web-4", "f-web-0"), judgments=many))
    without, with_bulk = (tower_labels([*looked_at, *bulk], PAST, LATER, bulk=each) for each in (False, True))
    assert {*without.train, *without.held_out} == {*looked_at}
    assert (without.later, without.n_looked_at, without.n_bulk) == ((), len(TRADES), len(TRADES) + 1)
    assert (with_bulk.held_out, with_bulk.later) == (without.held_out, ())
    assert {*without.train} < {*with_bulk.train}


def test_one_project_alone_is_learned_from() -> None:
    """There is nothing to put aside."""
    found = tower_labels([label("p-web-0", f"f-web-{number}") for number in range(3)], PAST, None)
    assert (len(found.train), found.held_out, found.later) == (3, (), ())


@given(
    st.lists(
        st.tuples(st.sampled_from(TRADES), st.integers(0, 4), st.integers(0, 5), st.booleans()), min_size=1, max_size=30
    )
)
def test_no_project_is_on_two_sides(rows: list[tuple[str, int, int, bool]]) -> None:
    """However labels are spread, and none is lost."""
    labels = [label(f"p-{trade}-{project}", f"f-{trade}-{free}", said) for trade, project, free, said in rows]
    found = tower_labels(labels, PAST, LATER)
    sides = [{each.pair.left for each in part} for part in (found.train, found.held_out, found.later)]
    assert not sides[0] & sides[1]
    assert not (sides[0] | sides[1]) & sides[2]
    assert len(found.train) + len(found.held_out) + len(found.later) + found.left_out == len(labels)
    assert found.left_out == 0


def test_labels_become_edges_and_count_before_the_history() -> None:
    """The history says that f-web-1 did not fit p-web-0; the label says it does. What was put aside is gone."""
    labels = TowerLabels(
        (label("p-web-0", "f-web-1"), label("p-web-0", "f-film-0", False)), (label("p-data-1", "f-data-0"),), (), 0
    )
    material = with_labels(PAST, labels)
    assert "p-data-1" not in {each.id for each in material.projects}
    assert len(material.projects) == len(PAST.projects) - 1
    matrix = interaction_matrix(material.projects, material.freelancers, material.interactions).toarray()
    row = material.project_rows["p-web-0"]
    known = {key: int(matrix[row, column]) for key, column in material.freelancer_rows.items() if matrix[row, column]}
    expected = {f"f-web-{number}": 1 if number % 2 == 0 else -1 for number in range(6)} | {"f-data-0": -1}
    assert known == expected | {"f-web-1": 1, "f-film-0": -1}
    assert material.truth is not None
    assert material.truth.mandatory.shape[0] == len(material.projects)
    assert len(PAST.interactions) == 12 * 7  # what was given is as it was


def test_an_older_label_still_counts_before_a_later_answer() -> None:
    """The history has dates of January 2026; the label is of 2020."""
    old = Label(label("p-web-0", "f-web-1").pair, True, Resolution.UNANIMOUS, datetime(2020, 1, 1, tzinfo=UTC), ())
    material = with_labels(PAST, TowerLabels((old,), (), (), 0))
    key = ("p-web-0", "f-web-1")
    said = [each.positive for each in material.interactions if (each.project, each.freelancer) == key]
    assert said == [True]


def test_nothing_to_learn_from() -> None:
    """Labels of later projects alone teach nothing: it is said what to do."""
    with pytest.raises(LabellingError, match="judge pairs of its older projects"):
        with_labels(PAST, TowerLabels((), (), (label("p-web-4", "f-web-0"),), 0))


def test_rows_to_measure_with() -> None:
    """By the marketplace's own numbers."""
    found = judged_pairs([label("p-logo-0", "f-data-1", False), label("p-web-1", "f-web-0")], PAST)
    assert [PAST.projects[row].id for row in found.projects] == ["p-logo-0", "p-web-1"]
    assert [PAST.freelancers[row].id for row in found.freelancers] == ["f-data-1", "f-web-0"]
    assert np.array_equal(found.positive, [False, True])
    assert len(found) == 2


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A home with the marketplace."""
    settings = Settings(tmp_path)
    MarketplaceStore.open(settings).save("tiny", MARKET.blocks(), origin={}, generated=True)
    return settings


def freeze(settings: Settings, judged: Judgment) -> str:
    """Freeze a judgment and return the snapshot's name."""
    return Snapshots(settings).freeze([judged], AT).name


def of_project(project: str, source: str = "tiny") -> Judgment:
    """Judge a freelancer for a project."""
    return judgment("+", of=Pair(PairKind.PROJECT_FREELANCER, source, project, "f-web-0"))


def test_a_snapshot_with_one_label_of_an_older_project_is_enough(settings: Settings) -> None:
    """The training may start."""
    require_tower_labels(freeze(settings, of_project("p-web-0")), "tiny", 0.4, settings)


@pytest.mark.parametrize(
    "judged",
    [
        of_project("p-web-0", "another"),
        of_project("p-web-4"),
        judgment("+", of=Pair(PairKind.TITLE_OCCUPATION, "isco-08", "nurse", "http://x")),
    ],
    ids=["another marketplace", "a project to test on", "a title"],
)
def test_a_snapshot_without_labels_of_older_projects_is_refused(settings: Settings, judged: Judgment) -> None:
    """The error says what to do."""
    with pytest.raises(LabellingError, match=r"no training labels for projects of tiny.*judge pairs of its older"):
        require_tower_labels(freeze(settings, judged), "tiny", 0.4, settings)
