"""Current judgments of a history: the same rule as the label store's views, as a pure function."""

from collections.abc import Iterable, Sequence

from jobmatch_core.entities import Judgment, Pair


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
