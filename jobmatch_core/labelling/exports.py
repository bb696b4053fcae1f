"""Pairs with their texts and judgments, ready for other annotation tools, which `argilla` and `label_studio` write."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jobmatch_core.entities import Judgment, Pair, PairKind, Verdict
from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.current import current_judgments

SIDES = {
    PairKind.PROJECT_FREELANCER: ("Project", "Freelancer"),
    PairKind.TITLE_OCCUPATION: ("Title", "Occupation"),
    PairKind.TITLE_TITLE: ("Title", "Other title"),
}
# what the tools call the verdicts; to skip is no answer in either
ANSWERS = {
    PairKind.PROJECT_FREELANCER: {
        Verdict.POSITIVE: "fits",
        Verdict.NEGATIVE: "lacks skills",
        Verdict.UNSURE: "not sure",
    },
    PairKind.TITLE_OCCUPATION: {Verdict.POSITIVE: "right", Verdict.NEGATIVE: "wrong", Verdict.UNSURE: "not sure"},
    PairKind.TITLE_TITLE: {
        Verdict.POSITIVE: "the same work",
        Verdict.NEGATIVE: "other work",
        Verdict.UNSURE: "not sure",
    },
}


@dataclass(frozen=True, slots=True)
class PairTexts:
    """What people read of a pair."""

    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a model would say of a pair.

    Attributes:
        verdict: one of `ANSWERS`.
        score: how sure it is, from 0 to 1, None where it does not say.
        agent: the model's name with its digest.
    """

    verdict: Verdict
    score: float | None
    agent: str


@dataclass(frozen=True, slots=True)
class ExportItem:
    """A pair as other tools want it.

    Attributes:
        pair: what is judged.
        texts: what people read.
        judgments: one of each annotator; an adjudication in place of what its annotator had said before.
        suggestion: a model's, None where there is none.
    """

    pair: Pair
    texts: PairTexts
    judgments: tuple[Judgment, ...]
    suggestion: Suggestion | None


def no_suggestion(pair: Pair) -> Suggestion | None:
    """Suggest nothing."""


def export_items(
    kind: PairKind,
    judgments: Iterable[Judgment],
    texts: Callable[[Pair], PairTexts],
    *,
    suggest: Callable[[Pair], Suggestion | None] = no_suggestion,
    unjudged: Iterable[Pair] = (),
) -> Iterator[ExportItem]:
    """Yield the pairs of one kind: first those that were judged, in the order of recording, then others to be judged.

    Args:
        kind: the others are left out.
        judgments: the whole history, or what is current of it, in the order of recording.
        texts: gives a pair's texts, KeyError where they are not known; the `__getitem__` of a dict serves.
        suggest: gives what a model says of a pair.
        unjudged: pairs to be judged over there.

    Raises:
        LabellingError: the texts of a pair are not known.
    """
    said: dict[Pair, dict[str, Judgment]] = {}
    for judgment in sorted(current_judgments(judgments), key=lambda each: each.adjudicates):
        said.setdefault(judgment.pair, {})[judgment.annotator] = judgment
    for pair in unjudged:
        said.setdefault(pair, {})
    for pair, by_annotator in said.items():
        if pair.kind is kind:
            yield ExportItem(pair, _texts(texts, pair), tuple(by_annotator.values()), suggest(pair))


def write_json_array(path: Path, records: Iterable[dict[str, Any]]) -> int:
    """Write records as one JSON array, a line each, in ASCII, which any program reads alike; return how many."""
    count = 0
    with path.open("w", encoding="ascii", newline="\n") as file:
        file.write("[")
        for count, record in enumerate(records, 1):
            file.write(("," if count > 1 else "") + "\n" + json.dumps(record, allow_nan=False))
        file.write("\n]\n")
    return count


def _texts(texts: Callable[[Pair], PairTexts], pair: Pair) -> PairTexts:
    try:
        return texts(pair)
    except KeyError as error:
        raise LabellingError(
            f"The texts of {pair.left!r} and {pair.right!r} of {pair.source!r} are not there, so it cannot be "
            "exported; import that marketplace or taxonomy again."
        ) from error
