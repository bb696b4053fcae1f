"""Export of pairs with their texts and judgments to other annotation tools; `argilla` and `label_studio` write it."""

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
# the tools' names of the verdicts; neither has an answer for skip
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
    """The displayed texts of a pair."""

    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A model's suggestion for a pair.

    Attributes:
        verdict: one of `ANSWERS`.
        score: confidence of the model, 0 to 1, None if unknown.
        agent: the model's name with its digest.
    """

    verdict: Verdict
    score: float | None
    agent: str


@dataclass(frozen=True, slots=True)
class ExportItem:
    """A pair for another tool.

    Attributes:
        pair: the pair to judge.
        texts: displayed texts.
        judgments: one per annotator; an adjudication replaces its annotator's earlier judgment.
        suggestion: suggestion of a model, None without one.
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
    """Yield the pairs of one kind: first the judged ones, in the order of recording, then others to be judged.

    Args:
        kind: kind of pair; others are left out.
        judgments: the whole history, or the current judgments, in the order of recording.
        texts: returns a pair's texts, KeyError if unknown; the `__getitem__` of a dict serves.
        suggest: returns a model's suggestion for a pair.
        unjudged: further pairs to be judged in the tool.

    Raises:
        LabellingError: the texts of a pair are unknown.
    """
    by_pair: dict[Pair, dict[str, Judgment]] = {}
    for judgment in sorted(current_judgments(judgments), key=lambda each: each.adjudicates):
        by_pair.setdefault(judgment.pair, {})[judgment.annotator] = judgment
    for pair in unjudged:
        by_pair.setdefault(pair, {})
    for pair, by_annotator in by_pair.items():
        if pair.kind is kind:
            yield ExportItem(pair, _texts(texts, pair), tuple(by_annotator.values()), suggest(pair))


def write_json_array(path: Path, records: Iterable[dict[str, Any]]) -> int:
    """Write records as one JSON array, a line each, in ASCII, which any program reads; return their number."""
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
