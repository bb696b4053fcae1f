"""Labels of titles and occupations by title, with a taxonomy's concept numbers; judged titles with their candidates."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from jobmatch_core.entities import PairKind
from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.labels import Label
from jobmatch_core.labelling.snapshot import NamedSnapshot
from jobmatch_core.labelling.splits import may_be_tested, split_by_project
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
        looked_at: true if somebody looked at one of them; false if all were decided on in bulk.
    """

    title: str
    right: frozenset[int]
    wrong: frozenset[int]
    looked_at: bool = True


@dataclass(frozen=True, slots=True)
class TitleLabels:
    """A taxonomy's labels; no title is on both sides.

    Attributes:
        train: training titles.
        held_out: held-out titles, all of them looked at.
        n_train, n_held_out: numbers of their labels.
        left_out: number of labels of another taxonomy, of a unit group, or of an occupation that no longer exists.
        n_looked_at, n_bulk: numbers of this taxonomy's labels that somebody looked at, and decided on only in bulk.
    """

    train: tuple[JudgedTitle, ...]
    held_out: tuple[JudgedTitle, ...]
    n_train: int
    n_held_out: int
    left_out: int
    n_looked_at: int = 0
    n_bulk: int = 0


def title_labels(labels: Sequence[Label], taxonomy: Taxonomy, *, bulk: bool = False) -> TitleLabels:
    """Split a snapshot's labels of titles and occupations.

    Args:
        labels: labels of any pairs.
        taxonomy: the taxonomy of the occupations.
        bulk: also train on pairs that were only decided on in bulk; none is ever held out.
    """
    numbers = {taxonomy.uris[number]: number for number in taxonomy.occupation_numbers.tolist()}
    judged = [label for label in labels if label.pair.kind is PairKind.TITLE_OCCUPATION]
    ours = [each for each in judged if each.pair.source == taxonomy.id and each.pair.right in numbers]
    looked_at = [each for each in ours if each.looked_at]
    train, held_out = looked_at, list[Label]()
    aside = _aside(looked_at)
    if aside:
        train = [each for each in looked_at if fold(each.pair.left) not in aside]
        held_out = [each for each in looked_at if fold(each.pair.left) in aside]
    if bulk:
        train = [*train, *(each for each in ours if not each.looked_at and not _may_be_aside(each, aside))]
    return TitleLabels(
        _by_title(train, numbers),
        _by_title(held_out, numbers),
        len(train),
        len(held_out),
        len(judged) - len(ours),
        len(looked_at),
        len(ours) - len(looked_at),
    )


def _aside(labels: Sequence[Label]) -> set[str]:
    """Return the folded titles that are held out; none of a single title."""
    folded = [_folded(each) for each in labels]
    several = len({each.pair.left for each in folded}) > 1
    return {each.pair.left for each in split_by_project(folded, SHARE_HELD_OUT).test} if several else set()


def _may_be_aside(label: Label, aside: set[str]) -> bool:
    """Return whether a title is held out, or will be once somebody looks at it."""
    return fold(label.pair.left) in aside or may_be_tested(_folded(label), SHARE_HELD_OUT)


def _folded(label: Label) -> Label:
    return replace(label, pair=replace(label.pair, left=fold(label.pair.left)))


def judged_taxonomies(labels: Iterable[Label], *, bulk: bool = True) -> dict[str, int]:
    """Return the number of labels of titles by the id of their taxonomy, the largest first.

    Args:
        labels: labels of any pairs.
        bulk: also count pairs that were only decided on in bulk.
    """
    titles = (each for each in labels if each.pair.kind is PairKind.TITLE_OCCUPATION and (bulk or each.looked_at))
    return dict(Counter(each.pair.source for each in titles).most_common())


def taxonomy_to_train(labels: NamedSnapshot, wanted: str = "", *, bulk: bool = False) -> str:
    """Return the id of the taxonomy whose linker a snapshot can train.

    Args:
        labels: the snapshot.
        wanted: id of the taxonomy; '' for the one with the most labels of titles.
        bulk: also train on pairs that were only decided on in bulk.

    Raises:
        LabellingError: the snapshot has no judged title of this taxonomy, or of any.
    """
    found = judged_taxonomies(labels.snapshot.labels, bulk=bulk)
    if wanted in found:
        return wanted
    if found and not wanted:
        return next(iter(found))
    of_wanted = f" of {wanted}" if wanted else ""
    in_bulk = judged_taxonomies(labels.snapshot.labels)
    if n_bulk := in_bulk.get(wanted, 0) if wanted else sum(in_bulk.values()):
        raise LabellingError(
            f"Nobody looked at the {n_bulk:,} judged titles{of_wanted} in the snapshot {labels.name}: they were "
            "accepted in bulk. Judge some one by one on the page 'Link titles' and freeze the labels again, or also "
            "learn from what was accepted in bulk (--bulk)."
        )
    others = ", ".join(f"{count:,} of {taxonomy}" for taxonomy, count in found.items())
    choose = f"It has {others}: choose that taxonomy, or judge" if found else "Judge"
    raise LabellingError(
        f"The snapshot {labels.name} has no judged titles{of_wanted}. {choose} links"
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
    return JudgedTitle(labels[0].pair.left, right, wrong - right, any(label.looked_at for label in labels))


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
