"""Masculine and feminine forms of job titles: attested ones of a taxonomy, and ones made by rule."""

import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import permutations
from typing import Literal

from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold
from jobmatch_core.text.forms import expand_forms
from jobmatch_core.text.language_guess import is_stop_word
from jobmatch_core.titles.one_gender import LEAST_COMPOUND, in_case

Gender = Literal["m", "f"]
_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST = 4  # letters of a gendered word
_LEAST_STEM = 2  # letters that both forms begin with
_ENOUGH = 30  # attested titles of a language; with fewer, twins are made by rule
_MOST_NAMES = 60  # of one occupation in one language; more are compared in vain


@dataclass(frozen=True, slots=True)
class GenderRule:
    """How a language forms feminine words."""

    endings: tuple[tuple[str, str], ...]  # pairs of a masculine and a feminine ending
    main: Literal["first", "last"]  # the word of a title that is changed by rule
    compounds: bool  # true if a word may end with a gendered word

    def feminine(self, word: str) -> str:
        """Return the form by the first ending that a lower-case word has; '' without one."""
        for masculine, feminine in self.endings:
            if word.endswith(masculine) and not word.endswith(feminine) and len(word) - len(masculine) >= _LEAST_STEM:
                return word[: len(word) - len(masculine)] + feminine
        return ""

    def are_forms(self, masculine: str, feminine: str) -> bool:
        """Return whether one lower-case word is the feminine form of the other by some ending."""
        return any(
            masculine.endswith(left)
            and feminine.endswith(right)
            and masculine[: len(masculine) - len(left)] == feminine[: len(feminine) - len(right)]
            for left, right in self.endings
        )


@cache
def gender_rules() -> dict[str, GenderRule]:
    """Return the rules by language."""
    tables = tomllib.loads((files("jobmatch_core.audit") / "gender_rules.toml").read_text("utf-8"))
    return {
        language: GenderRule(tuple(map(tuple, table["endings"])), table["main"], table.get("compounds", False))
        for language, table in tables.items()
    }


@dataclass(frozen=True, slots=True)
class TitleTwin:
    """One title in two forms."""

    language: str  # language code
    masculine: str
    feminine: str
    uri: str  # URI of the occupation that has the masculine one as a name
    attested: bool  # true if the taxonomy has both forms; false if the feminine one was made by rule


class GenderedForms:
    """The gendered words of a taxonomy's names by language, and its names in both forms."""

    def __init__(self, names: Iterable[tuple[str, str, Sequence[str]]]) -> None:
        """Find the pairs among the language, URI and names of each occupation in each language."""
        self._names = [(language, uri, [*dict.fromkeys(texts)]) for language, uri, texts in names]
        self.attested = [twin for row in self._names for twin in _attested(*row)]
        self._words: dict[Gender, dict[str, _Words]] = {
            "m": _words_of(self.attested, "m"),
            "f": _words_of(self.attested, "f"),
        }

    @classmethod
    def of(cls, taxonomy: Taxonomy) -> "GenderedForms":
        """Return the forms of a taxonomy's names, those of the lexicon included if it has them."""
        names: defaultdict[tuple[int, str], list[str]] = defaultdict(list)
        table = taxonomy.tables.names
        rules = gender_rules()
        for concept, language, text in zip(table["concept"], table["language"], table["text"], strict=True):
            if language in rules:
                names[concept, language].extend(expand_forms(text))
        return cls((language, taxonomy.uris[concept], texts) for (concept, language), texts in names.items())

    def title_twins(self) -> list[TitleTwin]:
        """Return the twins of all names; by rule in languages with fewer than 30 attested ones."""
        counts = Counter(twin.language for twin in self.attested)
        made = (
            twin
            for language, uri, names in self._names
            if counts[language] < _ENOUGH
            for name in names
            if (twin := _made(language, uri, name))
        )
        return [*self.attested, *{(twin.language, twin.masculine): twin for twin in made}.values()]

    def masculine_nouns(self) -> dict[str, dict[str, str]]:
        """Return the masculine form of each feminine noun by language."""
        return {language: words.nouns for language, words in self._words["m"].items()}

    def as_gender(self, text: str, language: str, gender: Gender) -> str:
        """Return a text with its attested nouns in one form, and the words beside them that agree with them."""
        words = self._words[gender].get(language)
        if words is None:
            return text
        compounds = gender_rules()[language].compounds
        parts = _WORD.split(text)
        given = _WORD.findall(text)
        changed = [_changed(word, words.nouns, compounds=compounds) for word in given]
        are_nouns = [word != other for word, other in zip(given, changed, strict=True)]
        for place, word in enumerate(given):
            neighbours = [at for at in (place - 1, place + 1) if 0 <= at < len(given) and are_nouns[at]]
            if not are_nouns[place] and any(parts[max(at, place)] == " " for at in neighbours):
                changed[place] = _changed(word, words.others, compounds=False)
        return parts[0] + "".join(word + after for word, after in zip(changed, parts[1:], strict=True))


def _attested(language: str, uri: str, names: Sequence[str]) -> Iterator[TitleTwin]:
    rule = gender_rules()[language]
    by_length: defaultdict[tuple[int, str], list[str]] = defaultdict(list)
    for name in names[:_MOST_NAMES]:
        by_length[len(name.split()), fold(name[: _LEAST_STEM + 1])[:_LEAST_STEM]].append(name)  # Arzt, Ärztin
    for alike in by_length.values():
        for masculine, feminine in permutations(alike, 2):
            words = zip(masculine.lower().split(), feminine.lower().split(), strict=True)
            differing = [pair for pair in words if pair[0] != pair[1]]
            if differing and all(_is_pair(rule, language, *pair) for pair in differing):
                yield TitleTwin(language, masculine, feminine, uri, attested=True)


def _is_pair(rule: GenderRule, language: str, masculine: str, feminine: str) -> bool:
    if min(len(masculine), len(feminine)) < _SHORTEST or is_stop_word(fold(feminine), language):
        return False
    return rule.are_forms(masculine, feminine)


def _made(language: str, uri: str, name: str) -> TitleTwin | None:
    rule = gender_rules()[language]
    words = name.split()
    place = 0 if rule.main == "first" else len(words) - 1
    if not words or not _WORD.fullmatch(words[place]) or len(words[place]) < _SHORTEST:
        return None
    feminine = rule.feminine(words[place].lower())
    if not feminine:
        return None
    changed = [*words[:place], in_case(words[place], feminine), *words[place + 1 :]]
    return TitleTwin(language, name, " ".join(changed), uri, attested=False)


@dataclass(frozen=True, slots=True)
class _Words:
    # the other form of nouns, and of words that agree with them
    nouns: dict[str, str]
    others: dict[str, str]


def _words_of(twins: Iterable[TitleTwin], wanted: Gender) -> dict[str, _Words]:
    nouns: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    others: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for twin in twins:
        forms = zip(twin.masculine.lower().split(), twin.feminine.lower().split(), strict=True)
        pairs = [pair if wanted == "f" else pair[::-1] for pair in forms if pair[0] != pair[1]]
        main = 0 if gender_rules()[twin.language].main == "first" else -1
        nouns[twin.language][pairs[main]] += 1
        others[twin.language].update(pairs)
    return {language: _Words(_likeliest(nouns[language]), _likeliest(others[language])) for language in nouns}


def _likeliest(pairs: Mapping[tuple[str, str], int]) -> dict[str, str]:
    best: dict[str, tuple[str, str]] = {}
    for pair in pairs:
        best[pair[0]] = max(best.get(pair[0], pair), pair, key=lambda candidate: (pairs[candidate], candidate))
    return {word: other for word, (_, other) in best.items()}


def _changed(word: str, words: Mapping[str, str], *, compounds: bool) -> str:
    lower = word.lower()
    if other := words.get(lower):
        return in_case(word, other)
    if compounds:
        for start in range(1, len(word) - LEAST_COMPOUND + 1):
            if other := words.get(lower[start:]):
                return word[:start] + other
    return word
