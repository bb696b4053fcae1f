"""Example job titles of different fields of work and languages, each with a correct and sure link.

Confidence depends on the taxonomy: 'Krankenschwester' names one unit group of ISCO-08, but several occupations of ESCO.
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
_NAMES_TRIED = 40  # names of the taxonomy's occupations, if the bundled titles are not enough
_GROUP_DIGITS = 2  # an ISCO sub-major group is a field of work


@dataclass(frozen=True, slots=True)
class _Field:
    isco: frozenset[str]  # unit groups that count as correct
    titles: tuple[tuple[str, str], ...]  # (language, title), the best first


def example_titles(linker: Linker) -> list[str]:
    """Return up to `N_EXAMPLES` titles, one per field of work, in as many languages as possible.

    If the bundled titles are not enough, names of the taxonomy's own occupations follow.
    """
    examples: list[LinkResult] = []
    used: Counter[str] = Counter()
    for field in _fields():
        for language, title in sorted(field.titles, key=lambda entry: used[entry[0]]):
            if language not in linker.taxonomy.manifest.languages:
                continue
            result = linker.link(title)
            if (best := _sure(result)) and best.isco in field.isco:
                examples.append(result)
                used[language] += 1
                break
        if len(examples) == N_EXAMPLES:
            break
    return [result.title for result in (*examples, *_own_examples(linker, examples))][:N_EXAMPLES]


@cache
def _fields() -> tuple[_Field, ...]:
    text = (files("jobmatch_core.linking") / "example_titles.toml").read_text("utf-8")
    return tuple(
        _Field(frozenset(field["isco"]), tuple((language, title) for language, title in field["titles"]))
        for field in tomllib.loads(text)["field"]
    )


def _sure(result: LinkResult) -> Candidate | None:
    return result.best if confidence(result) == SURE else None


def _own_examples(linker: Linker, examples: list[LinkResult]) -> Iterator[LinkResult]:
    """Yield links of occupations' names from all over the taxonomy, one for each further field of work."""
    if len(examples) >= N_EXAMPLES:
        return
    taxonomy = linker.taxonomy
    numbers = taxonomy.occupation_numbers
    tried = numbers[:: max(len(numbers) // _NAMES_TRIED, 1)].tolist()
    fields = {result.candidates[0].isco[:_GROUP_DIGITS] for result in examples}
    results = linker.link_all([taxonomy.name(number, ENGLISH) for number in tried])
    for number, result in zip(tried, results, strict=True):
        best = _sure(result)
        if best is None or best.uri != taxonomy.uris[number]:
            continue
        field = best.isco[:_GROUP_DIGITS] or best.uri  # an occupation without an ISCO code is a field of its own
        if field not in fields:
            fields.add(field)
            yield result
