"""Texts of options, from what a taxonomy says of occupations and groups; nothing is made up.

Of skills an option has those essential to its likeliest occupation and to that of no other option, the rarest first.
Of a definition it has the first sentence.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from jobmatch_core.entities import Candidate, SurfaceForm
from jobmatch_core.questions.splits import Split
from jobmatch_core.taxonomy import Taxonomy

Texts = list["OptionText"] | None  # (option,); None where an option has no text of a kind in a language
_Kind = Callable[[Taxonomy, Sequence[Candidate], Split, str], Texts]
LONGEST = 160  # letters of an option
_MOST_SKILLS = 3
_SENTENCE = re.compile(r"(?<=[.!?。])\s")
_LIST = re.compile(r"\n|Tasks include", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OptionText:
    """The text of an option, and where it is from: `definition of ISCO-08 group 4321`."""

    text: str
    source: str


def option_texts(taxonomy: Taxonomy, candidates: Sequence[Candidate], split: Split, language: str) -> Texts:
    """Return the texts of all options in a language, of the first kind that all have; None without one.

    Unit groups are told apart by their definitions, occupations by their skills; both also by descriptions and names.
    """
    for kind in (_described, _skilled, _named) if split.of_groups else (_skilled, _described, _named):
        texts = kind(taxonomy, candidates, split, language)
        if texts and len({text.text.casefold() for text in texts}) == len(texts):
            return texts
    return None


def _described(taxonomy: Taxonomy, candidates: Sequence[Candidate], split: Split, language: str) -> Texts:
    texts = []
    for option in split.options:
        first = candidates[option[0]]
        uri = _group_uri(taxonomy, first.isco) if split.of_groups else first.uri
        text = _first_sentence(taxonomy.descriptions(uri).get(language, "")) if uri else ""
        kind = f"definition of ISCO-08 group {first.isco}" if split.of_groups else f"description in {taxonomy.id}"
        texts.append(OptionText(text, kind))
    return _all_filled(texts)


def _skilled(taxonomy: Taxonomy, candidates: Sequence[Candidate], split: Split, language: str) -> Texts:
    catalogue = taxonomy.skill_catalogue
    required = [_required(taxonomy, candidates[option[0]]) for option in split.options]
    texts = []
    for number, uris in enumerate(required):
        others = {uri for place, other in enumerate(required) if place != number for uri in other}
        own = [catalogue.number(uri) for uri in uris if uri not in others]
        own.sort(key=lambda skill: (len(catalogue.occupations(skill)), skill))
        names = (_in_language(catalogue.names(skill), language) for skill in own)
        text = _joined(name for name in names if name)
        texts.append(OptionText(text, f"skills in {taxonomy.id}"))
    return _all_filled(texts)


def _named(taxonomy: Taxonomy, candidates: Sequence[Candidate], split: Split, language: str) -> Texts:
    texts = []
    for option in split.options:
        first = candidates[option[0]]
        uri = _group_uri(taxonomy, first.isco) if split.of_groups else first.uri
        text = _in_language(taxonomy.names(uri), language) if uri else ""
        kind = f"name of ISCO-08 group {first.isco}" if split.of_groups else f"name in {taxonomy.id}"
        texts.append(OptionText(_shortened(text), kind))
    return _all_filled(texts)


def _required(taxonomy: Taxonomy, likeliest: Candidate) -> set[str]:
    return {skill.uri for skill in taxonomy.skills(likeliest.uri) if skill.essential}


def _group_uri(taxonomy: Taxonomy, code: str) -> str:
    return taxonomy.group_uri(code) if taxonomy.has_group(code) else ""


def _in_language(names: Iterable[SurfaceForm], language: str) -> str:
    return next((name.text for name in names if name.preferred and name.language == language), "")


def _joined(names: Iterable[str]) -> str:
    chosen: list[str] = []
    for name in names:
        if len(chosen) < _MOST_SKILLS and len("; ".join([*chosen, name])) <= LONGEST:
            chosen.append(name)
    return "; ".join(chosen)


def _first_sentence(text: str) -> str:
    before_list = _LIST.split(text.strip(), maxsplit=1)[0]
    return _shortened(_SENTENCE.split(before_list, maxsplit=1)[0])


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rsplit(" ", 1)[0] + "…"


def _all_filled(texts: list[OptionText]) -> Texts:
    return texts if all(text.text for text in texts) else None
