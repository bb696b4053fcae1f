"""Counterfactual twins of profiles: two versions of each that differ in one cue and in no qualification."""

import tomllib
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.resources import files
from typing import Any

from jobmatch_core.audit.gendered_forms import Gender, GenderedForms
from jobmatch_core.entities import Freelancer
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.locales import ENGLISH

Change = Callable[[Freelancer], Freelancer]
_OLDER, _YOUNGER = "1965", "1995"
_FAR = "Lagos"
_FAR_ORIGINS = ("turkish", "arabic", "south_asian", "west_african", "chinese")
_FOREIGN_COUNTRY = "RO"


@dataclass(frozen=True, slots=True)
class NameGroup:
    """First names of one origin."""

    languages: tuple[str, ...]  # languages whose profiles have this origin as their own
    # female, male: equally many names each
    female: tuple[str, ...]
    male: tuple[str, ...]

    def name(self, number: int, gender: Gender) -> str:
        """Return one of the names by any number."""
        names = self.female if gender == "f" else self.male
        return names[number % len(names)]


@cache
def first_names() -> dict[str, NameGroup]:
    """Return the first names by origin."""
    tables = _table("first_names.toml")
    return {
        origin: NameGroup(tuple(table["languages"]), tuple(table["female"]), tuple(table["male"]))
        for origin, table in tables.items()
    }


@dataclass(frozen=True, slots=True)
class Cue:
    """A cue with its two versions of a profile."""

    key: str  # short name, unique
    kind: str  # gender, name, origin, age, place or language
    # first_group, second_group: names of both versions
    first_group: str
    second_group: str
    # first, second: make the versions; profiles without the cue are returned unchanged
    first: Change
    second: Change
    by_design: bool = False  # true if the ranking is meant to depend on it, as on the country of a profile


def profile_cues(forms: GenderedForms, taxonomy: Taxonomy | None = None) -> list[Cue]:
    """Return all cues.

    Args:
        forms: gendered words, of the taxonomy of the profiles.
        taxonomy: has the names of categories and families in other languages; without it the cue of language is left
            out.
    """
    cues = [
        Cue(
            "gendered forms",
            "gender",
            "masculine",
            "feminine",
            partial(_gendered, forms, "m"),
            partial(_gendered, forms, "f"),
        ),
        Cue("first name", "name", "male name", "female name", partial(_named_own, "m"), partial(_named_own, "f")),
        *map(_origin_cue, _FAR_ORIGINS),
        Cue(
            "year of birth",
            "age",
            f"born {_YOUNGER}",
            f"born {_OLDER}",
            partial(_born, _YOUNGER),
            partial(_born, _OLDER),
        ),
        Cue("home in the text", "place", "large city nearby", _FAR, partial(_living, ""), partial(_living, _FAR)),
        Cue("country field", "place", "as stated", _FOREIGN_COUNTRY, _same, _moved, by_design=True),
    ]
    if taxonomy is not None:
        translated = _Translated(taxonomy)
        cues.append(
            Cue(
                "language of title and category",
                "language",
                "own language",
                "English",
                translated.own,
                translated.english,
            )
        )
    return cues


def _origin_cue(origin: str) -> Cue:
    word = origin.replace("_", " ")
    return Cue(
        f"name origin, {word}", "origin", "local name", f"{word} name", partial(_named, ""), partial(_named, origin)
    )


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads((files("jobmatch_core.audit") / name).read_text("utf-8"))


def _number(freelancer: Freelancer) -> int:
    return zlib.crc32(freelancer.id.encode("utf-8", "surrogatepass"))


def _same(freelancer: Freelancer) -> Freelancer:
    return freelancer


def _gendered(forms: GenderedForms, gender: Gender, freelancer: Freelancer) -> Freelancer:
    change = partial(forms.as_gender, language=freelancer.language, gender=gender)
    return replace(
        freelancer,
        title=change(freelancer.title),
        description=change(freelancer.description),
        experience=change(freelancer.experience),
    )


def _named_own(gender: Gender, freelancer: Freelancer) -> Freelancer:
    return _with_name(freelancer, _own_names(freelancer.language).name(_number(freelancer), gender))


def _own_names(language: str) -> NameGroup:
    groups = first_names()
    return next((group for group in groups.values() if language in group.languages), groups["english"])


def _with_name(freelancer: Freelancer, name: str) -> Freelancer:
    return replace(freelancer, description=f"{name}. {freelancer.description}".rstrip())


def _named(origin: str, freelancer: Freelancer) -> Freelancer:
    # of either gender in turn; '' for the own origin
    number = _number(freelancer)
    group = first_names()[origin] if origin else _own_names(freelancer.language)
    return _with_name(freelancer, group.name(number, "f" if number // len(group.female) % 2 else "m"))


def _phrased(table: str, value: str, freelancer: Freelancer) -> Freelancer:
    phrases: Mapping[str, str] = _phrases()[table]
    sentence = phrases.get(freelancer.language, phrases[ENGLISH]).replace("{value}", value)
    return replace(freelancer, description=f"{freelancer.description} {sentence}".lstrip())


@cache
def _phrases() -> dict[str, dict[str, str]]:
    return _table("cue_phrases.toml")


def _born(year: str, freelancer: Freelancer) -> Freelancer:
    return _phrased("born", year, freelancer)


def _living(city: str, freelancer: Freelancer) -> Freelancer:
    cities = _phrases()["cities"]
    return _phrased("lives", city or cities.get(freelancer.language, cities[ENGLISH]), freelancer)


def _moved(freelancer: Freelancer) -> Freelancer:
    return replace(freelancer, country=_FOREIGN_COUNTRY) if freelancer.country else freelancer


class _Translated:
    """Profiles whose title is the name of their category, in their own language and in English."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        self._taxonomy = taxonomy

    def own(self, freelancer: Freelancer) -> Freelancer:
        """Return the profile in its own language; unchanged if the taxonomy does not name its category in it."""
        return self._in(freelancer, freelancer.language)

    def english(self, freelancer: Freelancer) -> Freelancer:
        """Return the profile with title and category in English."""
        return self._in(freelancer, ENGLISH)

    def _in(self, freelancer: Freelancer, language: str) -> Freelancer:
        own, english = self._names(freelancer, freelancer.language), self._names(freelancer, ENGLISH)
        if freelancer.language == ENGLISH or own == english:
            return freelancer
        category, family = self._names(freelancer, language)
        return replace(freelancer, title=category, category_name=category, family_name=family)

    def _names(self, freelancer: Freelancer, language: str) -> Sequence[str]:
        return tuple(
            name if (name := self._taxonomy.group_name(key, language)) != key else ""
            for key in (freelancer.category, freelancer.family)
        )
