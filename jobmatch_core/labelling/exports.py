"""Pairs with their texts and judgments, to export to other annotation tools; `annotation_tools` writes them.

The texts come from the stored marketplaces and taxonomies.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, assert_never

from jobmatch_core.entities import Judgment, Pair, PairKind, Verdict
from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.labels import current_judgments
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.towers.documents import freelancer_document, project_document

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


class StoredTexts:
    """The texts of pairs; each marketplace and taxonomy is opened once."""

    def __init__(self, settings: Settings) -> None:
        """Set the locations; nothing is opened yet."""
        self._marketplace = cache(MarketplaceStore.open(settings).load)
        self._taxonomy = cache(TaxonomyStore.open(settings).load)

    def __call__(self, pair: Pair) -> PairTexts:
        """Return the displayed texts of a pair.

        Raises:
            KeyError: its marketplace has no such project or freelancer.
            MarketplaceError: that marketplace is not stored here.
            TaxonomyError: that taxonomy is not installed here, or has no such occupation.
        """
        match pair.kind:
            case PairKind.PROJECT_FREELANCER:
                return _of_marketplace(self._marketplace(pair.source), pair)
            case PairKind.TITLE_OCCUPATION:
                return PairTexts(pair.left, _of_occupation(self._taxonomy(pair.source), pair.right))
            case PairKind.TITLE_TITLE:
                return PairTexts(pair.left, pair.right)
        assert_never(pair.kind)


def _of_marketplace(marketplace: Marketplace, pair: Pair) -> PairTexts:
    project = marketplace.projects[marketplace.project_rows[pair.left]]
    freelancer = marketplace.freelancers[marketplace.freelancer_rows[pair.right]]
    return PairTexts(project_document(project).whole, freelancer_document(freelancer).whole)


def _of_occupation(taxonomy: Taxonomy, uri: str) -> str:
    occupation = taxonomy.occupation(uri, ENGLISH)
    return "\n".join(filter(None, (f"{occupation.name} ({occupation.code})", occupation.description)))
