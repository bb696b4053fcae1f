"""The agency's wording by language, from `agency.toml`."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from jobmatch_core.io.records import record_of


@dataclass(frozen=True, slots=True)
class PostingWording:
    """Sentences and headings of a posting, with the slots of `agency.toml`."""

    opening: str
    duties: str
    skills: str
    offer: str
    closing: str


@dataclass(frozen=True, slots=True)
class Wording:
    """A language's wording."""

    both: tuple[str, ...]  # patterns of titles for both genders
    patterns: tuple[str, ...]  # patterns of titles as typed in a hurry
    # cities, pay, hours, and employers below: texts for the slots of patterns
    cities: tuple[str, ...]
    pay: tuple[str, ...]
    hours: tuple[str, ...]
    vague: tuple[str, ...]  # titles of which nobody can say what job is meant
    short: dict[str, str]  # abbreviated title -> unit group
    employers: tuple[str, ...]
    posting: PostingWording  # sentences of a posting


@dataclass(frozen=True, slots=True)
class Agency:
    """The unit groups for which the agency looks for people, and its wording by language."""

    groups: tuple[str, ...]
    wordings: dict[str, Wording]


@cache
def load_agency() -> Agency:
    """Read `agency.toml`."""
    table = tomllib.loads((files("jobmatch_core.demo") / "agency.toml").read_text("utf-8"))
    groups = tuple(table.pop("groups"))
    return Agency(groups, {language: record_of(Wording, fields, language) for language, fields in table.items()})
