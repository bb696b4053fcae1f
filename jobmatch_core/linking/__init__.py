"""Linking of a title in any language to the occupations of a taxonomy, with evidence and a probability.

Paper: MELO (Retyk et al., 2024), the entity-linking task of section 3. The pivot over all languages' names
is ours: a query is scored against every name in every language, and an occupation gets its best.

    linker = open_linker("esco-1.0.3")
    result = linker.link("Krankenschwester", show="fr")
"""

from jobmatch_core.linking.linker import Linker
from jobmatch_core.linking.store import open_linker, remove_taxonomy

__all__ = ["Linker", "open_linker", "remove_taxonomy"]
