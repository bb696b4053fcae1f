"""Labels of titles for training the linker, by title, with concept numbers and candidates."""

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
    """The labels of a title; titles that differ only in case, accents and punctuation are one, as in `own_names`."""

    title: str  # title as first judged
    right: frozenset[int]  # concept numbers of its occupations; empty if only wrong ones are known
    wrong: frozenset[int]  # concept numbers of rejected occupations, unless accepted in another spelling
    looked_at: bool = True  # true if somebody looked at a label; false if all are bulk decisions


@dataclass(frozen=True, slots=True)
class TitleLabels:
    """A taxonomy's labels, with disjoint training and held-out titles."""

    train: tuple[JudgedTitle, ...]  # training titles
    held_out: tuple[JudgedTitle, ...]  # held-out titles, all of which somebody looked at
    # n_train, n_held_out: numbers of their labels
    n_train: int
    n_held_out: int
    left_out: int  # number of labels of other taxonomies, unit groups, none, and occupations that no longer exist
    # n_looked_at, n_bulk: numbers of this taxonomy's labels that somebody looked at, and of bulk decisions
    n_looked_at: int = 0
    n_bulk: int = 0


def title_labels(labels: Sequence[Label], taxonomy: Taxonomy, *, bulk: bool = False) -> TitleLabels:
    """Split a snapshot's labels of titles and occupations; with *bulk*, bulk decisions are trained on, not held out."""
    numbers = {taxonomy.uris[number]: number for number in taxonomy.occupation_numbers.tolist()}
    judged = [label for label in labels if label.pair.kind is PairKind.TITLE_OCCUPATION]
    ours = [label for label in judged if label.pair.source == taxonomy.id and label.pair.right in numbers]
    looked_at = [label for label in ours if label.looked_at]
    aside = _aside(looked_at)
    train = [label for label in looked_at if fold(label.pair.left) not in aside]
    held_out = [label for label in looked_at if fold(label.pair.left) in aside]
    if bulk:
        train += [label for label in ours if not label.looked_at and not _may_be_aside(label, aside)]
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
    """Return the folded titles to hold out; none if there is only one."""
    folded = [_folded(label) for label in labels]
    several = len({label.pair.left for label in folded}) > 1
    return {label.pair.left for label in split_by_project(folded, SHARE_HELD_OUT).test} if several else set()


def _may_be_aside(label: Label, aside: set[str]) -> bool:
    # also titles that will be held out once somebody looks at them
    return fold(label.pair.left) in aside or may_be_tested(_folded(label), SHARE_HELD_OUT)


def _folded(label: Label) -> Label:
    return replace(label, pair=replace(label.pair, left=fold(label.pair.left)))


def judged_taxonomies(labels: Iterable[Label], *, bulk: bool = True) -> dict[str, int]:
    """Return the number of labels of titles by the id of their taxonomy, the largest first.

    Bulk decisions count on demand.
    """
    titles = (label for label in labels if label.pair.kind is PairKind.TITLE_OCCUPATION and (bulk or label.looked_at))
    return dict(Counter(label.pair.source for label in titles).most_common())


def taxonomy_to_train(labels: NamedSnapshot, wanted: str = "", *, bulk: bool = False) -> str:
    """Return the id of the taxonomy whose linker a snapshot can train.

    Args:
        wanted: id of the taxonomy; '' for the one with the most labels of titles.
        bulk: also train on bulk decisions.

    Raises LabellingError if the snapshot has no judged title of this taxonomy, or of any.
    """
    counts = judged_taxonomies(labels.snapshot.labels, bulk=bulk)
    if wanted in counts:
        return wanted
    if counts and not wanted:
        return next(iter(counts))
    of_wanted = f" of {wanted}" if wanted else ""
    in_bulk = judged_taxonomies(labels.snapshot.labels)
    if n_bulk := in_bulk.get(wanted, 0) if wanted else sum(in_bulk.values()):
        raise LabellingError(
            f"Nobody looked at the {n_bulk:,} judged titles{of_wanted} in the snapshot {labels.name}: they were "
            "accepted in bulk. Judge some one by one on the page 'Link titles' and freeze the labels again, or also "
            "train on bulk decisions (--bulk)."
        )
    others = ", ".join(f"{count:,} of {taxonomy}" for taxonomy, count in counts.items())
    choose = f"It has {others}: choose that taxonomy, or judge" if counts else "Judge"
    raise LabellingError(
        f"The snapshot {labels.name} has no judged titles{of_wanted}. {choose} links"
        f"{' of this one' if counts else ''} on the page 'Link titles' and freeze the labels again."
    )


def _by_title(labels: Sequence[Label], numbers: dict[str, int]) -> tuple[JudgedTitle, ...]:
    of_title: dict[str, list[Label]] = {}
    for label in labels:
        of_title.setdefault(fold(label.pair.left), []).append(label)
    return tuple(_judged(title_labels, numbers) for title_labels in of_title.values())


def _judged(labels: Sequence[Label], numbers: dict[str, int]) -> JudgedTitle:
    right = frozenset(numbers[label.pair.right] for label in labels if label.positive)
    wrong = frozenset(numbers[label.pair.right] for label in labels if not label.positive)
    return JudgedTitle(labels[0].pair.left, right, wrong - right, any(label.looked_at for label in labels))


def judged_candidates(linker: Linker, titles: Sequence[JudgedTitle]) -> JudgedCandidates:
    """Return each title's ranked candidates among the taxonomy's own names, with whether its labels allow each one.

    If a title's occupation is not among them, 'none of these' is right.
    """
    candidates = linker.with_own_names(()).candidates([title.title for title in titles])
    rows = candidates.rows
    possible = []
    for number, concept in zip(candidates.meanings.titles[rows.meanings].tolist(), rows.concepts.tolist(), strict=True):
        title = titles[number]
        possible.append(concept in title.right if title.right else concept not in title.wrong)
    has_right = [bool(title.right) for title in titles]
    return JudgedCandidates(candidates, np.array(possible, dtype=np.bool_), np.array(has_right, dtype=np.bool_))
