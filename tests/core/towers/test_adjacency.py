"""Equations 7 to 9 against naive loops, and what equation 8 forbids."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array

from jobmatch_core.entities import Freelancer, Interaction, Project
from jobmatch_core.errors import DataFileError
from jobmatch_core.towers.adjacency import (
    Relations,
    freelancer_freelancer,
    interaction_matrix,
    project_freelancer,
    project_weak_negatives,
    weak_negatives,
    with_weak_negatives,
)

RELATIONS = st.tuples(st.integers(1, 5), st.integers(1, 6)).flatmap(
    lambda shape: arrays(np.int8, shape, elements=st.integers(-1, 1))
)


def project(key: str) -> Project:
    """Return an empty project."""
    return Project(key, "en", "", "", "", "", "", "", "", (), ())


def freelancer(key: str) -> Freelancer:
    """Return an empty profile."""
    return Freelancer(key, "en", "", "", "", "", "", "", "", ())


def sign(number: int) -> int:
    """Return 1, 0 or -1."""
    return (number > 0) - (number < 0)


def naive_equation_8(relations: Relations) -> list[list[int]]:
    """Pair by pair, project by project."""
    n_projects, n_freelancers = relations.shape
    found = [[0] * n_freelancers for _ in range(n_freelancers)]
    for f in range(n_freelancers):
        for g in range(f + 1, n_freelancers):
            together = 0
            forbidden = False
            for p in range(n_projects):
                together += int(relations[p, f]) * int(relations[p, g])
                forbidden |= bool(relations[p, f] < 0 and relations[p, g] < 0)
            found[f][g] = 0 if forbidden else sign(together)
    return found


def naive_equation_9(relations: Relations, categories: list[str]) -> list[list[int]]:
    """Equation 8's, less one where the categories differ."""
    found = naive_equation_8(relations)
    for f in range(len(categories)):
        for g in range(f + 1, len(categories)):
            differ = categories[f] != categories[g] and "" not in (categories[f], categories[g])
            found[f][g] = sign(found[f][g] - differ)
    return found


def test_the_matrix_of_all_interactions() -> None:
    """Rows and columns are in the order of the records; of several answers of a pair the last counts."""
    interactions = [
        Interaction("q", "b", True, "2024-03-01"),
        Interaction("p", "a", True, "2024-01-01"),
        Interaction("p", "c", False, "2024-01-01"),
        Interaction("q", "b", False, "2024-02-01"),
        Interaction("p", "a", False, "2024-01-01"),
    ]
    matrix = interaction_matrix([project("p"), project("q")], [freelancer(f) for f in "abc"], interactions)
    assert matrix.toarray().tolist() == [[-1, 0, -1], [0, 1, 0]]


def test_no_interactions() -> None:
    """Nothing is known of anybody."""
    assert interaction_matrix([project("p")], [freelancer("a")], []).toarray().tolist() == [[0]]


@pytest.mark.parametrize("pair", [("x", "a"), ("p", "x")])
def test_an_interaction_of_somebody_unknown(pair: tuple[str, str]) -> None:
    """It is named."""
    with pytest.raises(DataFileError, match=f"project '{pair[0]}' met freelancer '{pair[1]}'"):
        interaction_matrix([project("p")], [freelancer("a")], [Interaction(*pair, True, "")])


@given(RELATIONS, st.data())
def test_equation_7_takes_a_part(relations: Relations, data: st.DataObject) -> None:
    """In the order asked for."""
    rows = data.draw(st.permutations(range(relations.shape[0])))
    columns = data.draw(st.permutations(range(relations.shape[1])))[:3]
    part = project_freelancer(csr_array(relations), np.array(rows), np.array(columns))
    assert part.dtype == np.int8
    assert part.tolist() == [[relations[p, f] for f in columns] for p in rows]


@given(RELATIONS)
def test_equation_8_equals_the_naive_loop(relations: Relations) -> None:
    """For any relations."""
    assert freelancer_freelancer(relations).tolist() == naive_equation_8(relations)


@pytest.mark.parametrize(
    ("relations", "expected"),
    [
        ([[1, 1]], 1),
        ([[1, -1]], -1),
        ([[-1, 1]], -1),
        ([[-1, -1]], 0),  # forbidden, though the product is positive
        ([[1, 0]], 0),
        ([[1, 1], [1, 1], [1, -1]], 1),  # the majority
        ([[1, 1], [1, -1]], 0),  # a draw
        ([[1, 1], [-1, -1]], 0),  # forbidden, whatever others say
        ([[1, -1], [-1, -1], [1, -1]], 0),  # likewise of unlike ones
        ([[-1, -1], [-1, -1]], 0),  # not -1: two refusals are no more than one
    ],
)
def test_equation_8_by_hand(relations: list[list[int]], expected: int) -> None:
    """Two freelancers and some projects."""
    found = freelancer_freelancer(np.array(relations, dtype=np.int8))
    assert found.tolist() == [[0, expected], [0, 0]]


def test_equation_8_of_many_projects() -> None:
    """More than int8 can count."""
    assert freelancer_freelancer(np.ones((200, 2), dtype=np.int8))[0, 1] == 1


def test_figure_3() -> None:
    """Two projects with two positives and a negative each: two freelancer triplets, four of projects."""
    relations = np.array([[1, 1, 0, 0, -1, 0], [0, 0, 1, 1, 0, -1]], dtype=np.int8)
    among = freelancer_freelancer(relations)
    triplets = [int((matrix > 0).sum(axis=1) @ (matrix < 0).sum(axis=1)) for matrix in (relations, among)]
    assert triplets == [4, 2]


def test_weak_negatives_by_hand() -> None:
    """Of each other's category; who has none differs from nobody."""
    keys = ["a", "b", "", "a"]
    assert weak_negatives(keys, keys).tolist() == [[0, -1, 0, 0], [-1, 0, 0, -1], [0] * 4, [0, -1, 0, 0]]
    assert weak_negatives(["b", ""], keys).tolist() == [[-1, 0, 0, -1], [0] * 4]


def test_projects_weak_negatives_by_hand() -> None:
    """What is known stays; the rest is unlike where the categories differ."""
    known = np.array([[1, 0, -1, 0], [0, 1, 0, 0]], dtype=np.int8)
    found = project_weak_negatives(known, ["a", ""], ["b", "b", "a", "a"])
    assert found.tolist() == [[1, -1, -1, 0], [0, 1, 0, 0]]
    assert found.dtype == np.int8


@given(RELATIONS, st.data())
def test_equation_9_equals_the_naive_loop(relations: Relations, data: st.DataObject) -> None:
    """For any relations and categories."""
    n_freelancers = relations.shape[1]
    categories = data.draw(st.lists(st.sampled_from(["", "a", "b"]), min_size=n_freelancers, max_size=n_freelancers))
    found = with_weak_negatives(freelancer_freelancer(relations), categories)
    assert found.dtype == np.int8
    assert found.tolist() == naive_equation_9(relations, categories)


def test_equation_9_adds_up() -> None:
    """Alike of two categories: not known; refused together: unlike only across categories."""
    alike = freelancer_freelancer(np.array([[1, 1, 1]], dtype=np.int8))
    assert with_weak_negatives(alike, ["a", "b", "a"]).tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 0]]
    refused = freelancer_freelancer(np.array([[-1, -1, -1]], dtype=np.int8))
    assert with_weak_negatives(refused, ["a", "b", "a"]).tolist() == [[0, -1, 0], [0, 0, -1], [0, 0, 0]]
