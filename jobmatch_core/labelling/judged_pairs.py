"""Judged pairs as one annotator finds them, from judgments at hand; the label store counts the same in the database."""

from collections.abc import Iterable

from jobmatch_core.entities import Judgment, Pair, Verdict
from jobmatch_core.judgment_tallies import JudgedPair
from jobmatch_core.labelling.current import current_judgments
from jobmatch_core.labelling.labels import votes_of


def judged_pairs(judgments: Iterable[Judgment], annotator: str) -> list[JudgedPair]:
    """Return the judged pairs, in the order of their first current judgments.

    Args:
        judgments: the whole history, or the current judgments, in the order of recording.
        annotator: name of the annotator.
    """
    by_pair: dict[Pair, list[Judgment]] = {}
    for judgment in current_judgments(judgments):
        by_pair.setdefault(judgment.pair, []).append(judgment)
    return [_judged(pair, given, annotator) for pair, given in by_pair.items()]


def _judged(pair: Pair, given: list[Judgment], annotator: str) -> JudgedPair:
    own = [each.verdict for each in given if each.annotator == annotator]
    others = {each.annotator for each in given if each.annotator != annotator and each.verdict is not Verdict.SKIP}
    said = any(verdict is not Verdict.SKIP for verdict in own)
    return JudgedPair(pair, votes_of(given), len(others), own=bool(own), own_verdict=said)
