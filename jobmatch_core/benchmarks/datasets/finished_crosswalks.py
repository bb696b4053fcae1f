"""Conversion of the user's finished crosswalks to MELO's format, from which datasets are built."""

from collections import defaultdict

from jobmatch_core.benchmarks.datasets.melo import Crosswalk, CrosswalkEntry
from jobmatch_core.crosswalks.mapping import BROADER, CLOSE, EXACT, NARROWER, MappingSet

_KINDS = {EXACT: "exactMatch", NARROWER: "narrowMatch", BROADER: "broadMatch", CLOSE: "closeMatch"}  # of the source


def melo_crosswalk(mappings: MappingSet, source: str, language: str) -> Crosswalk:
    """Return mappings in MELO's format, whose narrowMatch calls the source narrower; that of SKOS, the target.

    *source* is the short name of the list, such as `deu`. Codes without a name and without a concept are left out.
    """
    names: dict[str, str] = {}
    matches: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for item in mappings.mappings:
        if item.source_name and item.target and item.relation in _KINDS:
            names.setdefault(item.source, item.source_name)
            matches[item.source].append((item.target, _KINDS[item.relation]))
    return Crosswalk(source, language, tuple(CrosswalkEntry(names[code], tuple(matches[code])) for code in names))
