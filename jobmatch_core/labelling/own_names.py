"""The titles that people accepted for an occupation: names of their own beside a taxonomy's.

They follow from the title-occupation judgments that count at the moment, so that an undo takes one away. Titles that
differ only in case, accents and punctuation are one. What was adjudicated of a title counts before all else. Else an
occupation is accepted where more than half of the title's judges say so; whoever accepted another occupation and said
nothing of this one is against it, who skipped it is not counted.
"""

from collections.abc import Iterable, Sequence

from jobmatch_core.entities import Judgment, OwnName, PairKind, Verdict
from jobmatch_core.labelling.current import current_judgments
from jobmatch_core.text.folding import fold

Said = dict[str, dict[str, Judgment]]  # by occupation, then by annotator


def own_names(judgments: Iterable[Judgment], taxonomy: str) -> list[OwnName]:
    """Return the accepted titles of a taxonomy, in the order in which they were first judged.

    Args:
        judgments: the whole history, or what is current of it, in the order of recording; those of other pairs are
            left out.
        taxonomy: its id.
    """
    titles: dict[str, list[Judgment]] = {}
    folded: dict[str, str] = {}
    for judgment in current_judgments(judgments):
        pair = judgment.pair
        if pair.kind is PairKind.TITLE_OCCUPATION and pair.source == taxonomy and judgment.verdict is not Verdict.SKIP:
            if pair.left not in folded:
                folded[pair.left] = fold(pair.left)
            titles.setdefault(folded[pair.left], []).append(judgment)
    return [name for title, said in titles.items() if title for name in _accepted(said)]


def _accepted(judgments: Sequence[Judgment]) -> list[OwnName]:
    """Return what one title was accepted for; its judgments are in the order of recording."""
    settled = {each.pair.right: each for each in judgments if each.adjudicates}
    if any(each.verdict is Verdict.POSITIVE for each in settled.values()):
        return [_own_name([each]) for each in settled.values() if each.verdict is Verdict.POSITIVE]
    said: Said = {}
    for each in judgments:
        if not each.adjudicates and each.pair.right not in settled:
            said.setdefault(each.pair.right, {})[each.annotator] = each
    return [_own_name(positive) for uri in said if (positive := _majority(said, uri))]


def _majority(said: Said, uri: str) -> list[Judgment]:
    """Return the judgments that accept an occupation, in the order of time; none where they are no majority."""
    positive = [each for each in said[uri].values() if each.verdict is Verdict.POSITIVE]
    elsewhere = {
        each.annotator for by in said.values() for each in by.values() if each.verdict is Verdict.POSITIVE
    }  # fmt: skip
    judges = elsewhere | said[uri].keys()
    return sorted(positive, key=lambda each: each.at) if 2 * len(positive) > len(judges) else []


def _own_name(positive: Sequence[Judgment]) -> OwnName:
    last = positive[-1]
    return OwnName(last.pair.left, last.pair.right, tuple(each.annotator for each in positive), last.at.date())
