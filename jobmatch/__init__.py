"""The application, and its Python API: the names below, each loaded at its first use. See docs/python.md."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jobmatch.python_api import (
        evaluate,
        import_marketplace,
        judge_title,
        open_describer,
        open_finder,
        open_labels,
        open_search,
    )
    from jobmatch_core.descriptions.postings import Posting
    from jobmatch_core.encoders.loading import load_encoder
    from jobmatch_core.errors import JobMatchError
    from jobmatch_core.linking import open_linker
    from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
    from jobmatch_core.retrieval.project_reader import ProjectReader
    from jobmatch_core.settings import Settings
    from jobmatch_core.taxonomy import TaxonomyStore

__all__ = [
    "JobMatchError",
    "MarketplaceStore",
    "Posting",
    "ProjectReader",
    "Settings",
    "TaxonomyStore",
    "evaluate",
    "import_marketplace",
    "judge_title",
    "load_encoder",
    "open_describer",
    "open_finder",
    "open_labels",
    "open_linker",
    "open_search",
]
_OWN = "jobmatch.python_api"
_MODULES = {
    "JobMatchError": "jobmatch_core.errors",
    "MarketplaceStore": "jobmatch_core.marketplace.marketplace_store",
    "Posting": "jobmatch_core.descriptions.postings",
    "ProjectReader": "jobmatch_core.retrieval.project_reader",
    "Settings": "jobmatch_core.settings",
    "TaxonomyStore": "jobmatch_core.taxonomy",
    "load_encoder": "jobmatch_core.encoders.loading",
    "open_linker": "jobmatch_core.linking",
}  # name -> module, if it is not `_OWN`


def __getattr__(name: str) -> object:
    """Load a name of the API; the command line and the server, which import this package, do not wait for them."""
    if name not in __all__:
        raise AttributeError(f"module 'jobmatch' has no attribute {name!r}; docs/python.md lists the names")
    value = globals()[name] = getattr(import_module(_MODULES.get(name, _OWN)), name)
    return value


def __dir__() -> list[str]:
    """Return the names that a notebook offers."""
    return sorted({*globals(), *__all__})
