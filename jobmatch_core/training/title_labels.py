"""Labels of titles and occupations: what is known of each title, in a taxonomy's own numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from jobmatch_core.entities import PairKind
from jobmatch_core.labelling.labels import Label
from jobmatch_core.labelling.splits import split_by_project
from jobmatch_core.taxonomy import Taxonomy

SHARE_HELD_OUT = 0.2  # of the judged titles


@dataclass(frozen=True, slots=True)
class JudgedTitle:
    """What is known of a title.

    Attributes:
        title: as it was judged.
        right: the concept numbers of the occupations that it means; empty where only wrong ones are known.
        wrong: of those that it does not mean.
    """

    title: str
    right: frozenset[int]
    wrong: frozenset[int]


@dataclass(frozen=True, slots=True)
class TitleLabels:
    """A taxonomy's labels; no title is on both sides.

    Attributes:
        train: to learn from.
        held_out: to measure with.
        n_train, n_held_out: how many labels those come from.
        left_out: how many are of another taxonomy, or of an occupation that is gone.
    """

    train: tuple[JudgedTitle, ...]
    held_out: tuple[JudgedTitle, ...]
    n_train: int
    n_held_out: int
    left_out: int


def title_labels(labels: Sequence[Label], taxonomy: Taxonomy) -> TitleLabels:
    """Sort out a snapshot's labels of titles and occupations."""
    numbers = {uri: number for number, uri in enumerate(taxonomy.uris)}
    judged = [label for label in labels if label.pair.kind is PairKind.TITLE_OCCUPATION]
    ours = tuple(each for each in judged if each.pair.source == taxonomy.id and each.pair.right in numbers)
    train, held_out = ours, tuple[Label, ...]()
    if len({each.pair.left for each in ours}) > 1:
        split = split_by_project(ours, SHARE_HELD_OUT)
        train, held_out = split.train, split.test
    return TitleLabels(
        _by_title(train, numbers), _by_title(held_out, numbers), len(train), len(held_out), len(judged) - len(ours)
    )


def _by_title(labels: Sequence[Label], numbers: dict[str, int]) -> tuple[JudgedTitle, ...]:
    right: dict[str, set[int]] = {}
    wrong: dict[str, set[int]] = {}
    for label in labels:
        for said in (right, wrong):
            said.setdefault(label.pair.left, set())
        (right if label.positive else wrong)[label.pair.left].add(numbers[label.pair.right])
    return tuple(JudgedTitle(title, frozenset(right[title]), frozenset(wrong[title])) for title in right)
