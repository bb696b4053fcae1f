"""Splits of labels into training and test sets. No project, or title, ever has pairs in both.

A split by pair would test on projects that were trained on, and measure memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from jobmatch_core.entities import PairKind
from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.candidates import share_of
from jobmatch_core.labelling.labels import Label

_Left = tuple[PairKind, str, str]  # the left side: kind of pair, source, id or text


@dataclass(frozen=True, slots=True)
class Split:
    """Labels on either side, each in the order in which they were given."""

    train: tuple[Label, ...]
    test: tuple[Label, ...]


def split_by_project(labels: Sequence[Label], share_test: float) -> Split:
    """Hold out about a share of projects by their hashes.

    So a project that was once tested on stays in the test set, however many labels are added: no later model has seen
        it, and two models' scores on it are comparable. If none, or all, would be held out, one goes to the other side.

    Args:
        labels: labels of pairs with at least two different left sides.
        share_test: share of projects to test on.

    Raises:
        LabellingError: there are fewer than two projects, or the share is invalid.
    """
    drawn = {left: share_of("split", *left) for left in map(_left, labels)}
    _check(len(drawn), share_test)
    ordered = sorted(drawn, key=lambda left: drawn[left])
    n_test = sum(share < share_test for share in drawn.values())
    aside = set(ordered[: min(max(n_test, 1), len(ordered) - 1)])
    return Split(
        tuple(label for label in labels if _left(label) not in aside),
        tuple(label for label in labels if _left(label) in aside),
    )


def may_be_tested(label: Label, share_test: float) -> bool:
    """Return whether `split_by_project` holds out a label's project wherever it holds out neither none nor all."""
    return share_of("split", *_left(label)) < share_test


def split_by_time(labels: Sequence[Label], share_test: float) -> Split:
    """Hold out the share of projects that were labelled last, as in Jouanneau et al. (2024), section 4.2.

    A project's time is that of its first label; projects of the same time stay together. Labels of the other projects
    given after the first test project's are left out: they were not known by then.

    Args:
        labels: labels of pairs with at least two different left sides.
        share_test: share of projects to test on; more if several have the first one's time.

    Raises:
        LabellingError: there are fewer than two projects, all have the same time, or the share is invalid.
    """
    first: dict[_Left, datetime] = {}
    for label in labels:
        first[_left(label)] = min(first.get(_left(label), label.at), label.at)
    _check(len(first), share_test)
    moments = sorted(first.values())
    if moments[0] == moments[-1]:
        raise LabellingError("All projects were first labelled in one moment, so time does not part them.")
    since = max(moments[-ceil(len(moments) * share_test)], next(moment for moment in moments if moment > moments[0]))
    return Split(
        tuple(label for label in labels if first[_left(label)] < since and label.at < since),
        tuple(label for label in labels if first[_left(label)] >= since),
    )


def _left(label: Label) -> _Left:
    return label.pair.kind, label.pair.source, label.pair.left


def _check(n_projects: int, share_test: float) -> None:
    if not 0 < share_test < 1:
        raise LabellingError(f"The share of projects to test on is {share_test}; give one between 0 and 1.")
    if n_projects < 2:
        raise LabellingError("Labels of at least two projects, or titles, are needed; judge pairs of others.")
