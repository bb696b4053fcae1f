"""The table of gendered nouns that comes with jobmatch, see `jobmatch_core/titles/one_gender.py`."""

from importlib.resources import files
from pathlib import Path

from jobmatch_core.audit.gendered_forms import GenderedForms
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from jobmatch_core.taxonomy.lexicon import with_lexicon
from jobmatch_core.titles.one_gender import FILE

HEADER = "language\tfeminine\tmasculine"


def shipped_nouns() -> Path:
    """Return the path of the shipped table."""
    return Path(str(files("jobmatch_core.titles") / FILE))


def nouns_table(forms: GenderedForms) -> str:
    """Return the table of attested nouns; words that are the masculine form of another noun are left out."""
    lines = [HEADER]
    for language, nouns in sorted(forms.masculine_nouns().items()):
        masculine = set(nouns.values())
        lines += [f"{language}\t{word}\t{common}" for word, common in sorted(nouns.items()) if word not in masculine]
    return "\n".join(lines) + "\n"


def bundled_forms(store: TaxonomyStore) -> GenderedForms:
    """Return the forms of the bundled names and the lexicon."""
    return GenderedForms.of(with_lexicon(store.load(BUNDLED_ID)))
