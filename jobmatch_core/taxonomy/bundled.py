"""The bundled taxonomy: ISCO-08, its 436 unit groups as occupations, named in eight languages, with their duties.

The codes are the International Labour Organization's. The names, everyday titles and descriptions
(`isco08/names_XX.csv`) and the skills that groups with many freelancers ask for (`isco08/skills.csv`) were
written for this project (Apache-2.0); they are not the ILO's or ESCO's texts.

So were the duties, in everyday words of several languages, such as `repairs lifts and escalators`, for searches by what
somebody does. `isco08/duties_XX.csv` has one unit group a row: `code` and `duties`, short phrases with `|` between.
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

_SKILL_KIND = "skill/competence"  # ESCO's word, so that both taxonomies can be read alike


def bundled_files() -> list[Path]:
    """Return the files that the groups' names are read from, one a language, in the order of `LANGUAGES`."""
    return [_folder() / f"names_{language}.csv" for language in LANGUAGES]


def skills_file() -> Path:
    """Return the file that the skills are read from: a row a skill, a column a language.

    Names stand with `|` between them, the preferred one first. What is the same in all languages, such as an
    abbreviation, need only be an English one.
    """
    return _folder() / "skills.csv"


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
    _add_skills(builder)
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
    return f"{ISCO_URI}{code}"


def skill_uri(skill_id: str) -> str:
    """Return the URI of a skill of ours.

    It is a URN and no web address: it names the skill for good and promises no page that answers, and no
    domain that somebody else may own one day.
    """
    return f"urn:jobmatch:skill:{skill_id}"


@cache
def isco_codes() -> frozenset[str]:
    """Return all 619 codes of ISCO-08, of one to four digits."""
    return frozenset(row["code"] for row in read_rows(bundled_files()[0], ("code",)))


def _folder() -> Path:
    return Path(str(files("jobmatch_core.taxonomy") / "isco08"))


def _add_skills(builder: TablesBuilder) -> None:
    for row in read_rows(skills_file(), ("id", *LANGUAGES, "essential", "optional")):
        uri = skill_uri(row["id"])
        for language in LANGUAGES:
            preferred, *alternatives = split_names(row[language])
            builder.skill(uri, _SKILL_KIND, language, preferred, alternatives)
        for column in ("essential", "optional"):
            for code in row[column].split():
                builder.relate(group_uri(code), uri, essential=column == "essential")


def unit_group_names() -> Iterator[tuple[str, str, str]]:
    """Yield (language, unit group, name) of every name, preferred and alternative."""
    for language, row in _rows():
        if len(row["code"]) == UNIT_DIGITS:
            yield from ((language, row["code"], name) for name in (row["preferred"], *split_names(row["alternatives"])))


def _rows() -> Iterator[tuple[str, Row]]:
    for language, path in zip(LANGUAGES, bundled_files(), strict=True):
        for row in read_rows(path, ("code", "preferred", "alternatives")):
            yield language, row


Duties = dict[str, dict[str, tuple[str, ...]]]


def duty_files() -> list[Path]:
    """Return the files, by language."""
    return sorted(Path(str(files("jobmatch_core.taxonomy") / "isco08")).glob("duties_*.csv"))


@cache
def duties_digest() -> str:
    """Return the SHA-256 of all files, to tell whether an index was built with them."""
    return sha256(b"".join(path.read_bytes() for path in duty_files())).hexdigest()


@cache
def unit_group_duties() -> Duties:
    """Return code of the unit group -> language -> phrases."""
    found: Duties = {}
    for path in duty_files():
        language = path.stem.removeprefix("duties_")
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                found.setdefault(row["code"], {})[language] = tuple(row["duties"].split("|"))
    return found
