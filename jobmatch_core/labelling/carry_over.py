"""Judgments of titles carried over to another version of their taxonomy."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import NAMESPACE_URL, uuid5

from jobmatch_core.entities import Judgment, PairKind, Verdict
from jobmatch_core.judged_title import NO_OCCUPATION_URI
from jobmatch_core.taxonomy.versions import VersionChanges
from jobmatch_core.text.folding import fold


@dataclass(frozen=True, slots=True)
class CarriedOver:
    """Judgments of an earlier version, by what becomes of them; all but the last are for the later version."""

    as_before: tuple[Judgment, ...]  # about occupations and groups that both versions have
    to_successors: tuple[Judgment, ...]  # about the only occupation that has taken the name of a removed one
    already: int  # as either, carried over before
    decided_anew: int  # their annotator has judged the title in the later version
    # about occupations without a successor or with several, and rejections of removed occupations
    left: tuple[Judgment, ...]


def carry_over(earlier: Iterable[Judgment], later: Sequence[Judgment], changes: VersionChanges) -> CarriedOver:
    """Return current judgments for the later version of a taxonomy.

    Each keeps its annotator, time, verdict, note and origin. Its id follows from the earlier judgment's, so that what
    is carried over twice is recorded once. A rejection is not carried over to a successor: that a title is not the
    removed occupation does not say that it is not the one that has taken its name.

    Args:
        earlier: current judgments in the order of recording; those of other pairs are ignored.
        later: current judgments of the later version.
        changes: differences of the versions.
    """
    ids = {judgment.id for judgment in later}
    titles = {(judgment.annotator, fold(judgment.pair.left)) for judgment in later}
    as_before, to_successors, left = list[Judgment](), list[Judgment](), list[Judgment]()
    already = decided_anew = 0
    for judgment in earlier:
        pair = judgment.pair
        if pair.kind is not PairKind.TITLE_OCCUPATION or pair.source != changes.before:
            continue
        stays = pair.right in changes.known or pair.right == NO_OCCUPATION_URI
        uri = pair.right if stays else _successor(judgment, changes)
        id_ = str(uuid5(NAMESPACE_URL, f"{judgment.id} {changes.after}"))
        if not uri:
            left.append(judgment)
        elif id_ in ids:
            already += 1
        elif (judgment.annotator, fold(pair.left)) in titles:
            decided_anew += 1
        else:
            carried = replace(judgment, id=id_, pair=replace(pair, source=changes.after, right=uri), undoes="")
            (as_before if uri == pair.right else to_successors).append(carried)
    return CarriedOver(tuple(as_before), tuple(to_successors), already, decided_anew, tuple(left))


def _successor(judgment: Judgment, changes: VersionChanges) -> str:
    change = changes.by_uri.get(judgment.pair.right)
    if change is None or len(change.successors) != 1 or judgment.verdict is not Verdict.POSITIVE:
        return ""
    return change.successors[0]
