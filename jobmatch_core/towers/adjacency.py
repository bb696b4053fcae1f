"""Relation matrices of projects and freelancers: 1 (alike), -1 (unlike) and 0 (unknown).

Pure functions of arrays, without torch. Paper: Jouanneau et al. (2024), sections 3.2.2 and 3.2.3, equations 7 to 9.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from jobmatch_core.entities import Freelancer, Interaction, Project
from jobmatch_core.errors import DataFileError

Relations = NDArray[np.int8]
Rows = NDArray[np.intp]


def interaction_matrix(
    projects: Sequence[Project], freelancers: Sequence[Freelancer], interactions: Sequence[Interaction]
) -> csr_array:
    """Return the known relations of projects and freelancers, shape (project, freelancer), int8: 1, -1, else 0.

    If a pair met several times, the last date counts, and of one date the last in order.

    Raises:
        DataFileError: an interaction names an unknown project or freelancer.
    """
    row_of = {project.id: row for row, project in enumerate(projects)}
    column_of = {freelancer.id: column for column, freelancer in enumerate(freelancers)}
    last: dict[tuple[int, int], bool] = {}
    for each in sorted(interactions, key=lambda interaction: interaction.date):
        if each.project not in row_of or each.freelancer not in column_of:
            raise DataFileError(
                "interactions",
                f"project {each.project!r} met freelancer {each.freelancer!r}, one of whom is not there; add them, or "
                "remove the interaction",
            )
        last[row_of[each.project], column_of[each.freelancer]] = each.positive
    values = np.array([1 if positive else -1 for positive in last.values()], dtype=np.int8)
    places = np.array(list(last), dtype=np.int32).reshape(-1, 2)
    return csr_array((values, (places[:, 0], places[:, 1])), shape=(len(projects), len(freelancers)))


def project_freelancer(interactions: csr_array, projects: Rows, freelancers: Rows) -> Relations:
    """Return the part of a batch, shape (len(projects), len(freelancers)): equation 7.

    Args:
        interactions: (project, freelancer) result of `interaction_matrix`.
        projects: rows of the batch's projects.
        freelancers: columns of the batch's freelancers.
    """
    return np.asarray(interactions[projects][:, freelancers].toarray(), dtype=np.int8)


def freelancer_freelancer(relations: Relations) -> Relations:
    """Return the relations among freelancers through projects, shape (freelancer, freelancer): equation 8.

    Two freelancers wanted by one project are alike; one wanted and one refused are unlike. Where projects disagree, the
    majority
    counts, and a draw is unknown. Two freelancers refused by one project are never related, whatever other projects
    say: they
    may lack different skills. Each pair appears once, above the diagonal: the earlier freelancer is its anchor.

    Args:
        relations: (project, freelancer) result of `project_freelancer`.
    """
    wide = relations.astype(np.int32)  # sums over many projects overflow int8
    refused = (wide < 0).astype(np.int32)
    both_refused = refused.T @ refused > 0
    return _above_diagonal(np.where(both_refused, 0, wide.T @ wide))


def weak_negatives(left: Sequence[str], right: Sequence[str]) -> Relations:
    """Return -1 where two categories differ, shape (len(left), len(right)): section 3.2.3.

    Args:
        left: one category key per document; a document without one ('') differs from none.
        right: category keys of the other documents.
    """
    rows, columns = (np.array(keys, dtype=object) for keys in (left, right))
    differ: NDArray[np.bool_] = (rows[:, None] != columns) & (rows[:, None] != "") & (columns != "")
    return -differ.astype(np.int8)


def project_weak_negatives(relations: Relations, projects: Sequence[str], freelancers: Sequence[str]) -> Relations:
    """Return the relations of projects and freelancers, with -1 for unknown ones of different categories.

    Not in the paper, which has weak negatives among freelancers only. Without weak negatives of its own, a project
    learns from freelancers that an older system showed it, all of the right category, and so the model unlearns the
    category.

    Args:
        relations: (project, freelancer) result of `project_freelancer`.
        projects: one category key per project.
        freelancers: one category key per freelancer.
    """
    return np.where(relations == 0, weak_negatives(projects, freelancers), relations).astype(np.int8)


def with_weak_negatives(relations: Relations, categories: Sequence[str]) -> Relations:
    """Return the relations of freelancers with those of their categories added, above the diagonal: equation 9.

    As in equation 14 the first term is that of equation 8, so that two who were refused together stay unrelated within
    a category. Two alike through a project but of different categories add up to 'unknown', two unlike by both stay
    -1.

    Args:
        relations: (freelancer, freelancer) result of `freelancer_freelancer`.
        categories: one category key per freelancer.
    """
    return _above_diagonal(relations + weak_negatives(categories, categories))


def _above_diagonal(sums: NDArray[np.signedinteger[Any]]) -> Relations:
    return np.asarray(np.triu(np.sign(sums), k=1), dtype=np.int8)
