"""Pairs with their texts and judgments, for `annotation_tools`."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, assert_never

from jobmatch_core.entities import Judgment, Pair, PairKind, Verdict
from jobmatch_core.errors import LabellingError
from jobmatch_core.io.folders import atomic_folder
from jobmatch_core.judged_title import NO_OCCUPATION_URI
from jobmatch_core.labelling.labels import current_judgments
from jobmatch_core.linking.coding import NO_OCCUPATION
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.towers.documents import freelancer_document, project_document

SIDES = {
    PairKind.PROJECT_FREELANCER: ("Project", "Freelancer"),
    PairKind.TITLE_OCCUPATION: ("Title", "Occupation"),
    PairKind.TITLE_TITLE: ("Title", "Other title"),
}
# names of the verdicts in the tools; neither has an answer for skip
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
    """Displayed texts of a pair."""

    left: str
    right: str


@dataclass(frozen=True, slots=True)
class ExportItem:
    """A judged pair with its texts, and a judgment per annotator: their adjudication, else their current judgment."""

    pair: Pair
    texts: PairTexts
    judgments: tuple[Judgment, ...]


def export_items(
    kind: PairKind, judgments: Iterable[Judgment], texts: Callable[[Pair], PairTexts]
) -> Iterator[ExportItem]:
    """Yield the judged pairs of one kind in recording order, by the whole history or the current judgments.

    Raises LabellingError if the texts of a pair are unknown, for which *texts* raises KeyError.
    """
    by_pair: dict[Pair, dict[str, Judgment]] = {}
    for judgment in sorted(current_judgments(judgments), key=lambda judgment: judgment.adjudicates):
        by_pair.setdefault(judgment.pair, {})[judgment.annotator] = judgment
    for pair, by_annotator in by_pair.items():
        if pair.kind is kind:
            try:
                item = ExportItem(pair, texts(pair), tuple(by_annotator.values()))
            except KeyError as error:
                raise LabellingError(
                    f"The texts of {pair.left!r} and {pair.right!r} of {pair.source!r} are missing, so the pair cannot "
                    "be exported; import that marketplace or taxonomy again."
                ) from error
            yield item


@contextmanager
def export_folder(folder: Path) -> Iterator[Path]:
    """Yield a folder that replaces an existing one in the end; raises LabellingError if it cannot be written."""
    try:
        with atomic_folder(folder) as temporary:
            yield temporary
    except OSError as error:
        raise LabellingError(f"{folder.name} could not be written ({error.strerror or error}).") from error


def write_json_array(path: Path, records: Iterable[dict[str, Any]]) -> int:
    """Write records as a JSON array in ASCII, one per line; return their number."""
    count = 0
    with path.open("w", encoding="ascii", newline="\n") as file:
        file.write("[")
        for count, record in enumerate(records, 1):
            file.write(("," if count > 1 else "") + "\n" + json.dumps(record, allow_nan=False))
        file.write("\n]\n")
    return count


class StoredTexts:
    """Texts of pairs from the stored marketplaces and taxonomies; each is opened once."""

    def __init__(self, settings: Settings) -> None:
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
                market = self._marketplace(pair.source)
                project = market.projects[market.project_rows[pair.left]]
                freelancer = market.freelancers[market.freelancer_rows[pair.right]]
                texts = project_document(project, as_written=True), freelancer_document(freelancer, as_written=True)
                return PairTexts(*(document.whole for document in texts))
            case PairKind.TITLE_OCCUPATION if pair.right == NO_OCCUPATION_URI:
                return PairTexts(pair.left, NO_OCCUPATION)
            case PairKind.TITLE_OCCUPATION:
                occupation = self._taxonomy(pair.source).occupation(pair.right, ENGLISH)
                parts = (f"{occupation.name} ({occupation.code})", occupation.description)
                return PairTexts(pair.left, "\n".join(filter(None, parts)))
            case PairKind.TITLE_TITLE:
                return PairTexts(pair.left, pair.right)
        assert_never(pair.kind)
