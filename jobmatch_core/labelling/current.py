"""Current judgments of a history: the same rule as the label store's views, as pure functions."""

from collections.abc import Iterable, Sequence
from datetime import UTC

from jobmatch_core.entities import Judgment, Pair
from jobmatch_core.judgment_tallies import JudgmentColumns


def current_judgments(judgments: Iterable[Judgment]) -> list[Judgment]:
    """Return the last judgment of each annotator of each pair, in the order given; adjudications are separate.

    A withdrawn judgment does not count; if its withdrawal is withdrawn, it counts again. Times are ignored, because
    clocks are set back. Current judgments are returned unchanged.

    Args:
        judgments: the whole history, or a part of it, in the order of recording.
    """
    ordered = list(judgments)
    standing = _standing(ordered)
    last: dict[tuple[Pair, str, bool], Judgment] = {}
    for judgment in ordered:
        if judgment.verdict is not None and judgment.id in standing:
            key = (judgment.pair, judgment.annotator, judgment.adjudicates)
            last.pop(key, None)  # so that the order stays that of recording
            last[key] = judgment
    return list(last.values())


def in_columns(judgments: Sequence[Judgment]) -> JudgmentColumns:
    """Return judgments with verdicts as columns.

    Raises:
        ValueError: a time has no time zone.
    """
    if naive := next((each for each in judgments if each.at.tzinfo is None), None):
        raise ValueError(f"judgment {naive.id} has a moment without a time zone")
    return JudgmentColumns(
        ids=[each.id for each in judgments],
        kinds=[each.pair.kind for each in judgments],
        sources=[each.pair.source for each in judgments],
        lefts=[each.pair.left for each in judgments],
        rights=[each.pair.right for each in judgments],
        verdicts=[each.verdict for each in judgments if each.verdict is not None],
        annotators=[each.annotator for each in judgments],
        at=[each.at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") for each in judgments],
        policies=[each.provenance.policy for each in judgments],
        models=[each.provenance.model for each in judgments],
        ranks=[each.provenance.rank for each in judgments],
        scores=[each.provenance.score for each in judgments],
        reasons=[each.reasons for each in judgments],
        notes=[each.note for each in judgments],
        seconds=[each.seconds for each in judgments],
        undoes=[each.undoes for each in judgments],
        adjudicates=[each.adjudicates for each in judgments],
    )


def _standing(judgments: Sequence[Judgment]) -> set[str]:
    """Return the ids followed by an even number of withdrawals, each of the one before; others' ones are ignored."""
    known = {(judgment.annotator, judgment.id) for judgment in judgments}
    undone_by = {(judgment.annotator, judgment.undoes): judgment.id for judgment in judgments if judgment.undoes}
    standing: set[str] = set()
    for judgment in judgments:
        if (judgment.annotator, judgment.undoes) not in known:
            chain = [judgment.id]
            while (judgment.annotator, chain[-1]) in undone_by:
                chain.append(undone_by[judgment.annotator, chain[-1]])
            standing.update(chain[::-2])
    return standing
