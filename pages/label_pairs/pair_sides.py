"""The two sides of a judged pair of any kind, as far as they are still known here."""

import streamlit as st

from jobmatch_core.entities import Pair, PairKind
from pages.label_pairs import pair_view
from pages.shared import label_market, markets, resources
from pages.shared.market_choice import Market
from pages.shared.widgets import plain


def show(pair: Pair, *, key: str) -> None:
    """Draw them.

    Raises:
        JobMatchError: the marketplace cannot be read.
    """
    if pair.kind is PairKind.PROJECT_FREELANCER:
        market = _market(pair.source)
        sides = None if market is None else pair_view.sides(market, pair.left, pair.right)
        if market is not None and sides is not None:
            pair_view.show(sides, market, key=key)
            return
        name = plain(pair.source, limit=60)
        st.caption(f"The marketplace {name} is not installed here or no longer has both records; these are their ids.")
    for column, text in zip(st.columns(2), (pair.left, pair.right), strict=True):
        column.code(text, language=None, wrap_lines=True)


def titles(pair: Pair) -> tuple[str, str]:
    """Return what either side is called, its id where that is not known.

    Raises:
        JobMatchError: the marketplace cannot be read.
    """
    if pair.kind is PairKind.PROJECT_FREELANCER:
        market = _market(pair.source)
        sides = None if market is None else pair_view.sides(market, pair.left, pair.right)
        if sides is not None:
            project, freelancer = sides.project, sides.freelancer
            return project.title or project.job_title or project.id, freelancer.title or freelancer.id
    return pair.left, pair.right


def _market(source: str) -> Market | None:
    manifest = next((each for each in markets.installed() if each.name == source), None)
    if manifest is None:
        return None
    return label_market.market(manifest, resources.match_models()[0])
