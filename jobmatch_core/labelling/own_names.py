"""Own names: titles that people accepted or rejected for an occupation or unit group, from the current judgments.

Titles that differ only in case, accents and punctuation are one. An adjudication takes precedence. Otherwise an
occupation is accepted if more than half of the title's annotators say so: those who accepted another occupation without
judging this one count against it, those who skipped it do not count. It is rejected if more than half of those who
judged it say so. If an occupation and a unit group share a URI, the last acceptance decides which one is meant.
That no occupation fits is accepted like an occupation; of one annotator, it and other acceptances exclude each other,
and the last one counts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from jobmatch_core.entities import Judgment, PairKind, Verdict
from jobmatch_core.judged_title import NO_OCCUPATION_URI, OwnName
from jobmatch_core.labelling.judging import accepts_group
from jobmatch_core.labelling.labels import current_judgments
from jobmatch_core.text.folding import fold

ANSWERED = "question"  # policy of judgments by an answer to a question: of one respondent, not of all with the title
IN_CONTEXT = "in-context"  # policy of judgments on a title that was linked by what stands beside it, too
_OF_ONE = (ANSWERED, IN_CONTEXT)  # they say nothing about the next link of the title
Verdicts = dict[str, dict[str, Judgment]]  # by occupation, then by annotator


def own_names(judgments: Iterable[Judgment], taxonomy: str) -> list[OwnName]:
    """Return the accepted titles of a taxonomy, in the order of their first judgments.

    The judgments are the whole history or the current ones, in the order of recording; other pairs are ignored.
    """
    return [name for title in _by_title(judgments, taxonomy) for name in _accepted(title)]


def earlier_decisions(judgments: Iterable[Judgment], taxonomy: str) -> list[OwnName]:
    """Return the accepted and the rejected titles of a taxonomy; arguments as of `own_names`."""
    return [name for title in _by_title(judgments, taxonomy) for name in (*_accepted(title), *_rejected(title))]


def _by_title(judgments: Iterable[Judgment], taxonomy: str) -> list[list[Judgment]]:
    titles: dict[str, list[Judgment]] = {}
    folded: dict[str, str] = {}
    judged = (judgment for judgment in judgments if judgment.provenance.policy not in _OF_ONE)
    for judgment in current_judgments(judged):
        pair = judgment.pair
        if pair.kind is PairKind.TITLE_OCCUPATION and pair.source == taxonomy and judgment.verdict is not Verdict.SKIP:
            if pair.left not in folded:
                folded[pair.left] = fold(pair.left)
            titles.setdefault(folded[pair.left], []).append(judgment)
    return [_unrevised(verdicts) for title, verdicts in titles.items() if title]


# without the acceptances of an annotator who said 'no occupation' later, or the other way round
def _unrevised(judgments: Sequence[Judgment]) -> list[Judgment]:
    last = {one.annotator: _fits(one) for one in judgments if one.verdict is Verdict.POSITIVE}
    return [one for one in judgments if one.verdict is not Verdict.POSITIVE or _fits(one) is last[one.annotator]]


def _fits(judgment: Judgment) -> bool:
    return judgment.pair.right != NO_OCCUPATION_URI


def _accepted(judgments: Sequence[Judgment]) -> list[OwnName]:
    settled = {judgment.pair.right: judgment for judgment in judgments if judgment.adjudicates}
    if accepted := [judgment for judgment in settled.values() if judgment.verdict is Verdict.POSITIVE]:
        return [_own_name([judgment]) for judgment in accepted]
    verdicts = _unsettled(judgments)
    return [_own_name(positive) for uri in verdicts if (positive := _majority(verdicts, uri))]


def _rejected(judgments: Sequence[Judgment]) -> list[OwnName]:
    by_uri = {judgment.pair.right: [judgment] for judgment in judgments if judgment.adjudicates}
    by_uri |= {uri: list(verdicts.values()) for uri, verdicts in _unsettled(judgments).items()}
    rejections = []
    for group in by_uri.values():
        negative = [judgment for judgment in group if judgment.verdict is Verdict.NEGATIVE]
        if 2 * len(negative) > len(group):
            name = _own_name(sorted(negative, key=lambda judgment: judgment.at))
            rejections.append(replace(name, rejected=True, as_group=False))
    return rejections


def _unsettled(judgments: Sequence[Judgment]) -> Verdicts:
    settled = {judgment.pair.right for judgment in judgments if judgment.adjudicates}
    verdicts: Verdicts = {}
    for judgment in judgments:
        if not judgment.adjudicates and judgment.pair.right not in settled:
            verdicts.setdefault(judgment.pair.right, {})[judgment.annotator] = judgment
    return verdicts


def _majority(verdicts: Verdicts, uri: str) -> list[Judgment]:
    """Return the judgments that accept an occupation, by time; empty without a majority."""
    accepting = [
        judgment for by in verdicts.values() for judgment in by.values() if judgment.verdict is Verdict.POSITIVE
    ]
    positive = [judgment for judgment in accepting if judgment.pair.right == uri]
    judges = {judgment.annotator for judgment in accepting} | verdicts[uri].keys()
    return sorted(positive, key=lambda judgment: judgment.at) if 2 * len(positive) > len(judges) else []


def _own_name(positive: Sequence[Judgment]) -> OwnName:
    last = positive[-1]
    by = tuple(judgment.annotator for judgment in positive)
    return OwnName(last.pair.left, last.pair.right, by, last.at.date(), as_group=accepts_group(last))
