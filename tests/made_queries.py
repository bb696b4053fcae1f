"""Two queries over two documents, in place of those over the demo marketplace's freelancers."""

from scipy.sparse import csr_matrix

from jobmatch_core.benchmarks.datasets.search_sets import RankedSet
from jobmatch_core.benchmarks.retrieval.search_queries import FREELANCERS
from jobmatch_core.search.search_items import OccupationCard, SearchItem


def two_freelancers() -> RankedSet:
    """Return them; each document has one text."""
    names = ("baker", "roofer")
    items = [SearchItem(OccupationCard(f"http://{name}", "", {"en": name}, ""), (name,), name) for name in names]
    return RankedSet(
        FREELANCERS,
        ("en", "en"),
        ("bakes bread", "roofs"),
        [("baker",), ("roofer",)],
        csr_matrix([[2, 0], [0, 2]]),
        items=items,
    )
