"""Taxonomies: ESCO, custom taxonomies and the bundled ISCO-08, imported, stored and loaded.

store = TaxonomyStore.open()            # under JOBMATCH_HOME
store.import_from(Path("ESCO dataset - v1.1.1"))
taxonomy = store.load("esco-1.1.1")
"""

from jobmatch_core.taxonomy.store import BUNDLED_ID, TaxonomyStore
from jobmatch_core.taxonomy.tables import Manifest
from jobmatch_core.taxonomy.taxonomy import Taxonomy

__all__ = ["BUNDLED_ID", "Manifest", "Taxonomy", "TaxonomyStore"]
