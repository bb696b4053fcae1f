"""Example job titles that a linker links correctly with high confidence, of different fields of work and languages.

Confidence depends on the taxonomy: 'Krankenschwester' is a name of one unit group of ISCO-08, and of several
occupations of ESCO. So candidates are linked, and only titles with a correct and sure link are offered.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from jobmatch_core.entities import Candidate, LinkResult
from jobmatch_core.linking.link_words import SURE, confidence
from jobmatch_core.linking.linker import Linker
from jobmatch_core.text.locales import ENGLISH

N_EXAMPLES = 8
_NAMES_TRIED = 40  # names of the taxonomy's occupations, where the titles that come with jobmatch are not enough
_GROUP_DIGITS = 2  # of an ISCO code: occupations of one such group are of one field


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of work.

    Attributes:
        isco: the unit groups that count as correct.
        titles: language and title, the best to show first.
    """

    isco: frozenset[str]
    titles: tuple[tuple[str, str], ...]


def example_titles(linker: Linker) -> list[str]:
    """Return up to `N_EXAMPLES` titles, one a field of work, their languages as different as can be.

    Where the titles that come with jobmatch are not enough, names of the taxonomy's own occupations follow.
    """
    found: list[LinkResult] = []
    used: Counter[str] = Counter()
    for field in _fields():
        for language, title in sorted(field.titles, key=lambda each: used[each[0]]):
            if language not in linker.taxonomy.manifest.languages:
                continue
            result = linker.link(title)
            if (best := _sure(result)) and best.isco in field.isco:
                found.append(result)
                used[language] += 1
                break
        if len(found) == N_EXAMPLES:
            break
    return [result.title for result in (*found, *_of_its_own(linker, found))][:N_EXAMPLES]


@cache
def _fields() -> tuple[_Field, ...]:
    text = (files("jobmatch_core.linking") / "example_titles.toml").read_text("utf-8")
    return tuple(
        _Field(frozenset(each["isco"]), tuple((language, title) for language, title in each["titles"]))
        for each in tomllib.loads(text)["field"]
    )


def _sure(result: LinkResult) -> Candidate | None:
    return result.best if confidence(result) == SURE else None


def _of_its_own(linker: Linker, found: list[LinkResult]) -> Iterator[LinkResult]:
    """Yield links of occupations' names, from all over the taxonomy, that are of no field that was found."""
    if len(found) >= N_EXAMPLES:
        return
    taxonomy = linker.taxonomy
    numbers = taxonomy.occupation_numbers
    tried = numbers[:: max(len(numbers) // _NAMES_TRIED, 1)].tolist()
    fields = {result.candidates[0].isco[:_GROUP_DIGITS] for result in found}
    results = linker.link_all([taxonomy.name(number, ENGLISH) for number in tried])
    for number, result in zip(tried, results, strict=True):
        best = _sure(result)
        if best is None or best.uri != taxonomy.uris[number]:
            continue
        field = best.isco[:_GROUP_DIGITS] or best.uri  # without an ISCO code, each is of a field of its own
        if field not in fields:
            fields.add(field)
            yield result
