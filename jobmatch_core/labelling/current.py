"""What counts now of all that was ever said: the same rule as the label store's views, as a pure function."""

from collections.abc import Iterable, Sequence

from jobmatch_core.entities import Judgment, Pair


def current_judgments(judgments: Iterable[Judgment]) -> list[Judgment]:
    """Return the last judgment of each annotator of each pair, in the order given; adjudications are kept apart.

    What was taken back does not count, and if the taking back is taken back, it counts again. Moments decide nothing,
    as clocks are set back. What is current already comes back as it is.

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
    """Return the ids that an even number of undos follow, each taking back the one before; others' undos are none."""
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
