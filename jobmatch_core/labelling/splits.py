"""Splits of labels into training and test sets by project or title: a split by pair would measure memorisation."""

from collections.abc import Sequence
from dataclasses import dataclass

from jobmatch_core.entities import PairKind
from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.candidates import share_of
from jobmatch_core.labelling.labels import Label

_Left = tuple[PairKind, str, str]  # the left side: kind of pair, source, id or text


@dataclass(frozen=True, slots=True)
class Split:
    """Training and test labels, in their original order."""

    train: tuple[Label, ...]
    test: tuple[Label, ...]


def split_by_project(labels: Sequence[Label], share_test: float) -> Split:
    """Hold out about a share of projects by their hashes.

    A test project stays one when labels are added, so that no later model has seen it, and models are comparable. At
    least one project is on either side.

    Args:
        labels: labels of pairs with at least two different left sides.

    Raises LabellingError if there are fewer than two projects, or the share is invalid.
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
    """Return whether `split_by_project` holds out a label's project, unless it would hold out none or all."""
    return share_of("split", *_left(label)) < share_test


def _left(label: Label) -> _Left:
    return label.pair.kind, label.pair.source, label.pair.left


def _check(n_projects: int, share_test: float) -> None:
    if not 0 < share_test < 1:
        raise LabellingError(f"The share of test projects must be between 0 and 1; it is {share_test}.")
    if n_projects < 2:
        raise LabellingError("Labels of at least two projects or titles are needed; judge more pairs.")
