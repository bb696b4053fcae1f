"""The bundled taxonomy: ISCO-08 with its 436 unit groups as occupations, in eight languages, with skills and duties.

The codes are the International Labour Organization's; the texts in `isco08/` were written for this project
(Apache-2.0).
"""

import csv
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from jobmatch_core.entities import ISCO_URI
from jobmatch_core.taxonomy.rows import Row, read_rows, split_names
from jobmatch_core.taxonomy.tables import GROUP, OCCUPATION, UNIT_DIGITS, TablesBuilder, TaxonomyTables

NAME = "ISCO-08"
VERSION = "2008"
ATTRIBUTION = (
    "Codes: ISCO-08, International Labour Organization. Names, titles and skills: the jobmatch authors, Apache-2.0."
)
LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pl", "pt")

FOLDER = Path(str(files("jobmatch_core.taxonomy") / "isco08"))
# One skill a row, one column a language: names separated by `|`, the preferred one first. A name that is the same
# in all languages, such as an abbreviation, need only be in the English column.
SKILLS_FILE = FOLDER / "skills.csv"

_SKILL_KIND = "skill/competence"  # ESCO's term, so that both taxonomies can be read alike

Duties = dict[str, dict[str, tuple[str, ...]]]


def bundled_files() -> list[Path]:
    """Return the files of the groups' names, one a language, in the order of `LANGUAGES`."""
    return [FOLDER / f"names_{language}.csv" for language in LANGUAGES]


def read_bundled() -> TaxonomyTables:
    """Return the bundled taxonomy's tables."""
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
    for row in read_rows(SKILLS_FILE, ("id", *LANGUAGES, "essential", "optional")):
        uri = skill_uri(row["id"])
        for language in LANGUAGES:
            preferred, *alternatives = split_names(row[language])
            builder.skill(uri, _SKILL_KIND, language, preferred, alternatives)
        for column in ("essential", "optional"):
            for code in row[column].split():
                builder.relate(group_uri(code), uri, essential=column == "essential")
    return builder.build()


def add_isco_groups(builder: TablesBuilder) -> None:
    """Add the ISCO-08 groups that a taxonomy's own files lack, so that every ISCO path has names."""
    missing = {code for code in isco_codes() if not builder.has_concept(group_uri(code))}
    for language, row in _rows():
        if (code := row["code"]) in missing:
            concept = builder.concept(group_uri(code), kind=GROUP, code=code, isco=code)
            builder.add_names(concept, language, row["preferred"], [])


def group_uri(code: str) -> str:
    """Return an ISCO-08 group's URI; it is ESCO's, so that links of both taxonomies can be joined."""
    return f"{ISCO_URI}{code}"


def skill_uri(skill_id: str) -> str:
    """Return the URI of a bundled skill: a URN, because a web address would need a domain that lasts."""
    return f"urn:jobmatch:skill:{skill_id}"


@cache
def isco_codes() -> frozenset[str]:
    """Return all 619 codes of ISCO-08, of one to four digits."""
    return frozenset(row["code"] for row in read_rows(bundled_files()[0], ("code",)))


def unit_group_names() -> Iterator[tuple[str, str, str]]:
    """Yield (language, unit group, name) of every name, preferred and alternative."""
    for language, row in _rows():
        if len(row["code"]) == UNIT_DIGITS:
            yield from ((language, row["code"], name) for name in (row["preferred"], *split_names(row["alternatives"])))


def _rows() -> Iterator[tuple[str, Row]]:
    for language, path in zip(LANGUAGES, bundled_files(), strict=True):
        for row in read_rows(path, ("code", "preferred", "alternatives")):
            yield language, row


def duty_files() -> list[Path]:
    """Return the files of the unit groups' duties, by language."""
    return sorted(FOLDER.glob("duties_*.csv"))


@cache
def duties_digest() -> str:
    """Return the SHA-256 of all duty files; a search index built with another one is outdated."""
    return sha256(b"".join(path.read_bytes() for path in duty_files())).hexdigest()


@cache
def unit_group_duties() -> Duties:
    """Return code of a unit group -> language -> duties in everyday words, such as `repairs lifts and escalators`."""
    duties: Duties = {}
    for path in duty_files():
        language = path.stem.removeprefix("duties_")
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                duties.setdefault(row["code"], {})[language] = tuple(row["duties"].split("|"))
    return duties
