"""Titles of datasets in words: `fra_q_fr_c_en` is 'French titles, English ESCO'."""

from jobmatch_core.benchmarks.scoreboard.published import melo_languages
from jobmatch_core.errors import DataFileError
from jobmatch_core.text.languages import LANGUAGE_NAMES, language_name

# MELO's sources whose language has another source, too, which goes without its country
_COUNTRIES = {"aut": "Austria", "bel": "Belgium"}


def dataset_title(name: str) -> str:
    """Return a MELO dataset in words, a language's titles for its code, and any other name as it is."""
    if name in LANGUAGE_NAMES:
        return f"{language_name(name)} titles"
    try:
        query, corpus = melo_languages(name)
    except DataFileError:
        return name
    country = _COUNTRIES.get(name.partition("_")[0])
    titles = f"{language_name(query)} titles{f' ({country})' if country else ''}"
    names = f"{language_name(corpus[0])} ESCO" if len(corpus) == 1 else f"ESCO in {len(corpus)} languages"
    return f"{titles}, {names}"
