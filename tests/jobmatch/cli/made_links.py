"""Links to occupations of the bundled taxonomy, to be judged."""

from jobmatch_core.entities import Pair, PairKind

COOKS = "http://data.europa.eu/esco/isco/C5120"


def link(title: str, uri: str = COOKS) -> Pair:
    """Return the pair of a title and one of the bundled occupations."""
    return Pair(PairKind.TITLE_OCCUPATION, "isco-08", title, uri)
