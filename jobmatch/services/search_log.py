"""The search log: recording of opened results, their export as training data, and what they say of two models."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from uuid import uuid4

from db.label_store import LabelStore
from jobmatch_core.errors import JobMatchError, SearchError
from jobmatch_core.io.folders import write_text_whole
from jobmatch_core.io.text_files import json_text
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.retraining.online_comparison import OnlineComparison
from jobmatch_core.search.interleaving import Credit, credit, interleaved
from jobmatch_core.search.pair_files import TextPair
from jobmatch_core.search.position_bias import (
    WeightedChoice,
    WeightedPair,
    drawn_order,
    weighted_choices,
    weighted_pairs,
)
from jobmatch_core.search.search_items import freelancer_text, occupation_text, project_text
from jobmatch_core.search_events import SearchChoice, SearchKind, SearchShown, Team
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.text.language_guess import guess_language
from jobmatch_core.text.locales import ENGLISH

_ENDING = ".jsonl"


@dataclass(frozen=True, slots=True)
class Ranking:
    """Ids of items, best first, and the name of the model that ranked them."""

    model: str
    items: tuple[str, ...]


def shown_search(
    kind: SearchKind,
    source: str,
    query: str,
    ranking: Ranking,
    *,
    session: str,
    varied: bool,
    candidate: Ranking | None = None,
) -> SearchShown:
    """Return a search as shown; nothing is stored yet.

    Characters of the query that databases cannot store are replaced. *varied* swaps two neighbours at random, or
    interleaves with the ranking of the candidate of an online comparison. *session* is a random id of the tab.
    """
    id_ = uuid4()
    items, pair, swapped, rival, teams = ranking.items, 0, False, "", tuple[Team, ...]()
    if varied and candidate is not None:
        both = interleaved(items, candidate.items, id_.int, max(len(items), len(candidate.items)))
        items, teams, rival = both.items, both.teams, candidate.model
    elif varied:
        items, pair, swapped = drawn_order(items, id_.int)
    storable = query.replace("\0", " ").encode("utf-8", "replace").decode()
    at = datetime.now(UTC)
    return SearchShown(str(id_), kind, source, storable, ranking.model, items, pair, swapped, session, at, rival, teams)


def comparison_credit(store: LabelStore, comparison: OnlineComparison) -> Credit:
    """Return what the search log says of two models, from all searches in which just these were compared.

    Raises LabelStoreError if the label store cannot be read.
    """
    shown = [search for search in store.searches() if (search.model, search.candidate) == comparison.encoders]
    return credit(shown, store.search_choices())


def record_opened(store: LabelStore, shown: SearchShown, item: str) -> bool:
    """Store that an item of a search was opened; return False if it was stored before or the log was erased.

    Raises LabelStoreError if the label store cannot be used.
    """
    rank = shown.items.index(item) + 1
    return store.record_choice(SearchChoice(str(uuid4()), shown.id, item, rank, datetime.now(UTC)))


def training_pairs(store: LabelStore, settings: Settings, *, corrected: bool = True) -> list[WeightedPair]:
    """Return queries with opened items as training pairs; see `weighted_pairs`."""
    return weighted_pairs(store.searches(), store.search_choices(), _texts(settings), corrected=corrected)


def logged_pairs(settings: Settings) -> list[TextPair]:
    """Return the training pairs, weighted by inverse propensity.

    Raises LabelStoreError if the label store cannot be read.
    """
    with LabelStore.open(settings.label_store) as store:
        pairs = training_pairs(store, settings)
    return [TextPair(pair.query, pair.document, weight=pair.weight) for pair in pairs]


def opened_freelancers(marketplace: str, settings: Settings) -> list[WeightedChoice]:
    """Return the results opened in searches for a marketplace's freelancers, weighted by inverse propensity.

    Raises LabelStoreError if the label store cannot be read.
    """
    if not settings.may_have_labels:
        return []
    with LabelStore.open(settings.label_store) as store:
        return weighted_choices(store.searches(), store.search_choices(), SearchKind.FREELANCERS, marketplace)


def pairs_as_jsonl(pairs: list[WeightedPair]) -> str:
    """Return pairs as JSON lines with query, document and weight, for `jobmatch train search-encoder`."""
    return "".join(json_text(asdict(pair), ensure_ascii=False) + "\n" for pair in pairs)


def export_pairs(out: Path, pairs: list[WeightedPair]) -> None:
    """Write pairs to a file.

    Raises SearchError if there are none, the file does not end in .jsonl, or it cannot be written.
    """
    if out.suffix != _ENDING:
        raise SearchError(f"{out.name} does not end in {_ENDING}; give a name such as pairs{_ENDING}.")
    if not pairs:
        raise SearchError(
            "There is nothing to export: no opened result is stored, or its source was removed. Switch on the search "
            "log on the page 'Search', search, and open results."
        )
    try:
        write_text_whole(out, pairs_as_jsonl(pairs))
    except OSError as error:
        raise SearchError(f"{out} cannot be written ({error.strerror or error}); give another path.") from error


def _texts(settings: Settings) -> Callable[[SearchShown, str], str]:
    """Return a function that looks up the text of an item; '' if the item or its source was removed."""

    @cache
    def source_texts(kind: SearchKind, source: str) -> Callable[[str, str], str]:
        if kind is SearchKind.OCCUPATIONS:
            taxonomy = TaxonomyStore.open(settings).load(source)
            return lambda id_, language: occupation_text(taxonomy.occupation(id_, language), language)
        market = MarketplaceStore.open(settings).load(source)
        if kind is SearchKind.FREELANCERS:
            people, rows = market.freelancers, market.freelancer_rows
            return lambda id_, language: freelancer_text(people[rows[id_]]) if id_ in rows else ""
        projects, numbers = market.projects, market.project_rows
        return lambda id_, language: project_text(projects[numbers[id_]]) if id_ in numbers else ""

    def text_of(search: SearchShown, item: str) -> str:
        try:
            return source_texts(search.kind, search.source)(item, guess_language(search.query) or ENGLISH)
        except JobMatchError:  # the taxonomy or marketplace was removed
            return ""

    return text_of
