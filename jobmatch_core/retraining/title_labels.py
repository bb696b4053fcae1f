"""Labels of titles and occupations by title, with a taxonomy's concept numbers; judged titles with their candidates."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from jobmatch_core.entities import PairKind
from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.labels import Label
from jobmatch_core.labelling.snapshot import NamedSnapshot
from jobmatch_core.labelling.splits import split_by_project
from jobmatch_core.linking.linker import Linker
from jobmatch_core.linking.refit import JudgedCandidates
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold

SHARE_HELD_OUT = 0.2  # of the judged titles


@dataclass(frozen=True, slots=True)
class JudgedTitle:
    """The labels of a title; titles that differ only in case, accents and punctuation are one, as in `own_names`.

    Attributes:
        title: title as first judged.
        right: concept numbers of its occupations; empty if only wrong ones are known.
        wrong: concept numbers of occupations that it does not mean, unless accepted in another spelling.
    """

    title: str
    right: frozenset[int]
    wrong: frozenset[int]


@dataclass(frozen=True, slots=True)
class TitleLabels:
    """A taxonomy's labels; no title is on both sides.

    Attributes:
        train: training titles.
        held_out: held-out titles.
        n_train, n_held_out: numbers of their labels.
        left_out: number of labels of another taxonomy, of a unit group, or of an occupation that no longer exists.
    """

    train: tuple[JudgedTitle, ...]
    held_out: tuple[JudgedTitle, ...]
    n_train: int
    n_held_out: int
    left_out: int


def title_labels(labels: Sequence[Label], taxonomy: Taxonomy) -> TitleLabels:
    """Split a snapshot's labels of titles and occupations."""
    numbers = {taxonomy.uris[number]: number for number in taxonomy.occupation_numbers.tolist()}
    judged = [label for label in labels if label.pair.kind is PairKind.TITLE_OCCUPATION]
    ours = tuple(each for each in judged if each.pair.source == taxonomy.id and each.pair.right in numbers)
    train, held_out = ours, tuple[Label, ...]()
    folded = [replace(each, pair=replace(each.pair, left=fold(each.pair.left))) for each in ours]
    if len({each.pair.left for each in folded}) > 1:
        aside = {each.pair.left for each in split_by_project(folded, SHARE_HELD_OUT).test}
        is_aside = [each.pair.left in aside for each in folded]
        train = tuple(each for each, held in zip(ours, is_aside, strict=True) if not held)
        held_out = tuple(each for each, held in zip(ours, is_aside, strict=True) if held)
    return TitleLabels(
        _by_title(train, numbers), _by_title(held_out, numbers), len(train), len(held_out), len(judged) - len(ours)
    )


def judged_taxonomies(labels: Iterable[Label]) -> dict[str, int]:
    """Return the number of labels of titles by the id of their taxonomy, the largest first."""
    sources = Counter(label.pair.source for label in labels if label.pair.kind is PairKind.TITLE_OCCUPATION)
    return dict(sources.most_common())


def taxonomy_to_train(labels: NamedSnapshot, wanted: str = "") -> str:
    """Return the id of the taxonomy whose linker a snapshot can train.

    Args:
        labels: the snapshot.
        wanted: id of the taxonomy; '' for the one with the most labels of titles.

    Raises:
        LabellingError: the snapshot has no judged title of this taxonomy, or of any.
    """
    found = judged_taxonomies(labels.snapshot.labels)
    if wanted in found:
        return wanted
    if found and not wanted:
        return next(iter(found))
    others = ", ".join(f"{count:,} of {taxonomy}" for taxonomy, count in found.items())
    choose = f"It has {others}: choose that taxonomy, or judge" if found else "Judge"
    raise LabellingError(
        f"The snapshot {labels.name} has no judged titles{f' of {wanted}' if wanted else ''}. {choose} links"
        f"{' of this one' if found else ''} on the page 'Link titles' and freeze the labels again."
    )


def _by_title(labels: Sequence[Label], numbers: dict[str, int]) -> tuple[JudgedTitle, ...]:
    of_title: dict[str, list[Label]] = {}
    for label in labels:
        of_title.setdefault(fold(label.pair.left), []).append(label)
    return tuple(_judged(title_labels, numbers) for title_labels in of_title.values())


def _judged(labels: Sequence[Label], numbers: dict[str, int]) -> JudgedTitle:
    """Put together the labels of one title."""
    right = frozenset(numbers[label.pair.right] for label in labels if label.positive)
    wrong = frozenset(numbers[label.pair.right] for label in labels if not label.positive)
    return JudgedTitle(labels[0].pair.left, right, wrong - right)


def judged_candidates(linker: Linker, titles: Sequence[JudgedTitle]) -> JudgedCandidates:
    """Find each title's candidates among the taxonomy's own names, and mark what its labels leave possible.

    The candidates are those that the linker ranks. Where the occupation that a title means is not among them, 'none of
    these' is right.
    """
    found = linker.with_own_names(()).candidates([each.title for each in titles])
    owners = found.owners[found.meanings].tolist()
    possible = [
        _possible(titles[title], concept) for title, concept in zip(owners, found.concepts.tolist(), strict=True)
    ]
    known = [bool(each.right) for each in titles]
    return JudgedCandidates(found, np.array(possible, dtype=np.bool_), np.array(known, dtype=np.bool_))


def _possible(title: JudgedTitle, concept: int) -> bool:
    return concept in title.right if title.right else concept not in title.wrong
