"""Own names from judgments: titles that people accepted or rejected for an occupation, beside a taxonomy's names.

They follow from the current title-occupation judgments, so that an undo removes one. Titles that differ only in case,
accents and punctuation are one. An adjudication of a title takes precedence. Otherwise an occupation is accepted if
more than half of the title's annotators say so; an annotator who accepted another occupation and did not judge this one
counts against it, one who skipped it does not count. It is rejected if more than half of those who judged it say so.
A unit group is accepted and rejected likewise; where an occupation has its URI, the last acceptance says which of them
is meant.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from jobmatch_core.entities import Judgment, PairKind, Verdict
from jobmatch_core.judged_title import OwnName
from jobmatch_core.labelling.judging import accepts_group
from jobmatch_core.labelling.labels import current_judgments
from jobmatch_core.text.folding import fold

Verdicts = dict[str, dict[str, Judgment]]  # by occupation, then by annotator


def own_names(judgments: Iterable[Judgment], taxonomy: str) -> list[OwnName]:
    """Return the accepted titles of a taxonomy, in the order of their first judgments.

    Args:
        judgments: the whole history, or the current judgments, in the order of recording; those of other pairs are left
            out.
        taxonomy: id of the taxonomy.
    """
    return [name for title in _by_title(judgments, taxonomy) for name in _accepted(title)]


def earlier_decisions(judgments: Iterable[Judgment], taxonomy: str) -> list[OwnName]:
    """Return the accepted and the rejected titles of a taxonomy; arguments as of `own_names`."""
    return [name for title in _by_title(judgments, taxonomy) for name in (*_accepted(title), *_rejected(title))]


def _by_title(judgments: Iterable[Judgment], taxonomy: str) -> list[list[Judgment]]:
    """Return the judgments of each title, in the order of recording, without the skipped ones."""
    titles: dict[str, list[Judgment]] = {}
    folded: dict[str, str] = {}
    for judgment in current_judgments(judgments):
        pair = judgment.pair
        if pair.kind is PairKind.TITLE_OCCUPATION and pair.source == taxonomy and judgment.verdict is not Verdict.SKIP:
            if pair.left not in folded:
                folded[pair.left] = fold(pair.left)
            titles.setdefault(folded[pair.left], []).append(judgment)
    return [verdicts for title, verdicts in titles.items() if title]


def _accepted(judgments: Sequence[Judgment]) -> list[OwnName]:
    """Return the own names of one title; its judgments are in the order of recording."""
    settled = {each.pair.right: each for each in judgments if each.adjudicates}
    if any(each.verdict is Verdict.POSITIVE for each in settled.values()):
        return [_own_name([each]) for each in settled.values() if each.verdict is Verdict.POSITIVE]
    verdicts = _unsettled(judgments)
    return [_own_name(positive) for uri in verdicts if (positive := _majority(verdicts, uri))]


def _rejected(judgments: Sequence[Judgment]) -> list[OwnName]:
    """Return the rejections of one title; its judgments are in the order of recording."""
    settled = {each.pair.right: [each] for each in judgments if each.adjudicates}
    rejecting = settled | {uri: list(given.values()) for uri, given in _unsettled(judgments).items()}
    negative = ([each for each in given if each.verdict is Verdict.NEGATIVE] for given in rejecting.values())
    return [
        replace(_own_name(sorted(against, key=lambda each: each.at)), rejected=True, as_group=False)
        for against, given in zip(negative, rejecting.values(), strict=True)
        if 2 * len(against) > len(given)
    ]


def _unsettled(judgments: Sequence[Judgment]) -> Verdicts:
    """Return the verdicts on the occupations that no adjudication settles."""
    settled = {each.pair.right for each in judgments if each.adjudicates}
    verdicts: Verdicts = {}
    for each in judgments:
        if not each.adjudicates and each.pair.right not in settled:
            verdicts.setdefault(each.pair.right, {})[each.annotator] = each
    return verdicts


def _majority(verdicts: Verdicts, uri: str) -> list[Judgment]:
    """Return the judgments that accept an occupation, in the order of time; none without a majority."""
    positive = [each for each in verdicts[uri].values() if each.verdict is Verdict.POSITIVE]
    elsewhere = {each.annotator for by in verdicts.values() for each in by.values() if each.verdict is Verdict.POSITIVE}
    judges = elsewhere | verdicts[uri].keys()
    return sorted(positive, key=lambda each: each.at) if 2 * len(positive) > len(judges) else []


def _own_name(positive: Sequence[Judgment]) -> OwnName:
    last = positive[-1]
    by = tuple(each.annotator for each in positive)
    return OwnName(last.pair.left, last.pair.right, by, last.at.date(), as_group=accepts_group(last))
