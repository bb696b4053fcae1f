"""The bundled taxonomy: ISCO-08, its 436 unit groups as occupations, named in eight languages.

The codes are the International Labour Organization's. The names, everyday titles and descriptions were
written for this project (`isco08/names_XX.csv`, Apache-2.0); they are not the ILO's or ESCO's texts.
"""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

from jobmatch_core.taxonomy.rows import Row, read_rows, split_names
from jobmatch_core.taxonomy.tables import GROUP, OCCUPATION, TablesBuilder, TaxonomyTables

NAME = "ISCO-08"
VERSION = "2008"
ATTRIBUTION = "Codes: ISCO-08, International Labour Organization. Names and titles: the jobmatch authors, Apache-2.0."
LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pl", "pt")


def bundled_files() -> list[Path]:
    """Return the files that the bundled taxonomy is read from."""
    folder = Path(str(files("jobmatch_core.taxonomy") / "isco08"))
    return [folder / f"names_{language}.csv" for language in LANGUAGES]


def read_bundled() -> TaxonomyTables:
    """Return the bundled taxonomy's tables: unit groups are its occupations."""
    builder = TablesBuilder()
    for language, row in _rows():
        code = row["code"]
        kind = OCCUPATION if len(code) == 4 else GROUP
        concept = builder.concept(group_uri(code), kind=kind, code=code, isco=code)
        builder.add_names(concept, language, row["preferred"], split_names(row["alternatives"]))
        builder.describe(concept, language, row["description"])
    for code in sorted(isco_codes()):
        if len(code) > 1:
            builder.add_broader(group_uri(code), group_uri(code[:-1]))
    return builder.build()


def add_isco_groups(builder: TablesBuilder) -> None:
    """Give a taxonomy the ISCO-08 groups that its own files did not bring, so that paths have names."""
    missing = {code for code in isco_codes() if not builder.has_concept(group_uri(code))}
    for language, row in _rows():
        if (code := row["code"]) in missing:
            concept = builder.concept(group_uri(code), kind=GROUP, code=code, isco=code)
            builder.add_names(concept, language, row["preferred"], [])


def group_uri(code: str) -> str:
    """Return an ISCO-08 group's URI, which is ESCO's own, so that links can be joined."""
    return f"http://data.europa.eu/esco/isco/C{code}"


@cache
def isco_codes() -> frozenset[str]:
    """Return all 619 codes of ISCO-08, of one to four digits."""
    return frozenset(row["code"] for row in read_rows(bundled_files()[0], ("code",)))


def _rows() -> Iterator[tuple[str, Row]]:
    for language, path in zip(LANGUAGES, bundled_files(), strict=True):
        for row in read_rows(path, ("code", "preferred", "alternatives")):
            yield language, row
