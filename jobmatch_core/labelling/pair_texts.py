"""Texts of pairs from the stored marketplaces and taxonomies, for other annotation tools."""

from functools import cache
from typing import assert_never

from jobmatch_core.entities import Pair, PairKind
from jobmatch_core.labelling.exports import PairTexts
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from jobmatch_core.text.languages import ENGLISH
from jobmatch_core.towers.documents import freelancer_document, project_document


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
