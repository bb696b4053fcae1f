"""The lexicon: today's job titles in many languages, each with its unit group of ISCO-08 and, mostly, its occupation.

`lexicon_titles/titles_XX.csv` has one title a row: `title`, `isco` (the unit group), `esco` (the URI of the ESCO
occupation that it means, or '') and `nearest` (the URI of the occupation of the unit group that is nearest to the
title, for a title without one). The titles serve every taxonomy with ISCO-08 codes as further names.
"""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from jobmatch_core.taxonomy.tables import TaxonomyTables
from jobmatch_core.taxonomy.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold

_FOLDER = "lexicon_titles"


@dataclass(frozen=True, slots=True)
class LexiconTitle:
    """A title of a language, its unit group, the URI of its ESCO occupation or '', and that of the nearest one."""

    language: str
    title: str
    isco: str
    esco: str
    nearest: str


def lexicon_files() -> list[Path]:
    """Return the files of the lexicon, by language."""
    return sorted(Path(str(files("jobmatch_core.taxonomy") / _FOLDER)).glob("titles_*.csv"))


@cache
def lexicon_digest() -> str:
    """Return the SHA-256 of the lexicon, to tell whether an index was built with it."""
    return sha256(b"".join(path.read_bytes() for path in lexicon_files())).hexdigest()


def lexicon_titles() -> Iterator[LexiconTitle]:
    """Yield every title."""
    for path in lexicon_files():
        language = path.stem.removeprefix("titles_")
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                yield LexiconTitle(language, row["title"], row["isco"], row["esco"], row["nearest"])


def with_lexicon(taxonomy: Taxonomy, titles: Iterable[LexiconTitle] | None = None) -> Taxonomy:
    """Return a taxonomy with the lexicon's titles, or those given, as further names, after its own.

    A title becomes a name of its own occupation, else of the only occupation of its unit group, else of the nearest
    one. Titles that the taxonomy has as a name of an occupation already are left out, whatever they mean in the
    lexicon.
    """
    import pandas as pd  # which takes longer than listing taxonomies

    known = {
        (language, fold(text)) for language, text in zip(taxonomy.name_languages, taxonomy.name_texts, strict=True)
    }
    of_group = _only_occupations(taxonomy)
    numbers = {uri: number for number, uri in enumerate(taxonomy.uris)}
    rows = [
        (concept, each.language, each.title)
        for each in (lexicon_titles() if titles is None else titles)
        if (each.language, fold(each.title)) not in known
        and (concept := numbers.get(each.esco, of_group.get(each.isco, numbers.get(each.nearest)))) is not None
    ]
    names = taxonomy.tables.names
    further = pd.DataFrame(rows, columns=["concept", "language", "text"]).assign(preferred=False)
    tables = taxonomy.tables
    return Taxonomy(
        taxonomy.manifest,
        TaxonomyTables(
            concepts=tables.concepts,
            names=pd.concat([names, further.astype(names.dtypes.to_dict())], ignore_index=True),
            descriptions=tables.descriptions,
            broader=tables.broader,
            skills=tables.skills,
            skill_names=tables.skill_names,
            relations=tables.relations,
        ),
    )


def _only_occupations(taxonomy: Taxonomy) -> dict[str, int]:
    """Return unit group -> its occupation, for the groups that have one alone."""
    found: dict[str, list[int]] = {}
    for number in taxonomy.occupation_numbers.tolist():
        found.setdefault(taxonomy.isco_codes[number], []).append(number)
    return {code: numbers[0] for code, numbers in found.items() if len(numbers) == 1}
