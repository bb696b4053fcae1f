"""The order of the list: results of the online comparison's candidate come between, with this browser's consent."""

from collections.abc import Sequence
from dataclasses import replace

from jobmatch.services.home_services import home_services
from jobmatch_core.entities import Project
from jobmatch_core.retrieval.match_reasons import OpenFinder
from jobmatch_core.retrieval.matches import SEARCHED, Arrangement, Match
from jobmatch_core.search.search_items import item_title
from jobmatch_core.search_events import SearchKind
from jobmatch_core.vector_stores.vector_store import Filters
from pages.shared import markets, search_recording
from pages.shared.market_choice import Market
from pages.shared.search_recording import Asked, Ranked


def in_shown_order(
    market: Market,
    finder: OpenFinder,
    project: Project,
    filters: Filters,
    arrangement: Arrangement,
    matches: Sequence[Match],
) -> list[Match]:
    """Return matches in the order shown, with their ranks in it; scores are those of the finder's model throughout."""
    name = finder.finder.model.name

    def compared() -> Ranked[Match] | None:
        other = home_services().matching.compared(market.manifest.name, name)
        if other is None:
            return None
        ranked = markets.ranking(markets.with_words(market.manifest, other), project, filters, arrangement)
        scored = {each.freelancer.id: each for each in finder.finder.match(project, filters, SEARCHED)}
        ids = [match.freelancer.id for match in ranked]
        return Ranked(other.model.name, {id_: scored[id_] for id_ in ids if id_ in scored})

    asked = Asked(SearchKind.FREELANCERS, market.manifest.name, item_title(project))
    ranked = Ranked(name, {match.freelancer.id: match for match in matches})
    shown = search_recording.in_shown_order(asked, ranked, compared, only_compared=True)
    return [replace(match, rank=rank) for rank, match in enumerate(shown, start=1)]
