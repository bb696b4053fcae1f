"""Display names of the benchmarks' datasets."""

import re
from functools import cache

from jobmatch_core.benchmarks.datasets import title_sets
from jobmatch_core.benchmarks.scoreboard.entries import melo_languages, published_results
from jobmatch_core.errors import DataFileError
from pages.shared.language import N_, _, language_name, numeral

_OF_LANGUAGES = re.compile(r"[a-z]{2}([-_][A-Za-z]{2})?")  # a folder of title similarity
# named where another MELO source has the same language
_COUNTRIES = {"aut": N_("Austria"), "bel": N_("Belgium")}


def dataset_title(name: str) -> str:
    """Return a dataset's display name: 'French titles, English ESCO' for `fra_q_fr_c_en`; other names unchanged.

    The source of a dataset that is not one of MELO's is named, so that it is not taken for MELO's of these languages.
    """
    languages = title_sets.similarity_languages(name) if _OF_LANGUAGES.fullmatch(name) else None
    if languages:
        return ", ".join(dict.fromkeys(map(_titles, languages)))
    try:
        query, corpus = melo_languages(name)
    except DataFileError:
        return name
    source = name.partition("_")[0]
    country = _(_COUNTRIES[source]) if source in _COUNTRIES else "" if source in _published_sources() else source
    if len(corpus) == 1:
        names = _("{language} ESCO", language=language_name(corpus[0]))
    else:
        names = _("ESCO in {n} languages", n=numeral(len(corpus)))
    return f"{_titles(query)}{f' ({country})' if country else ''}, {names}"


@cache
def _published_sources() -> frozenset[str]:
    return frozenset(result.dataset.partition("_")[0] for result in published_results())


def _titles(code: str) -> str:
    return _("{language} titles", language=language_name(code))
