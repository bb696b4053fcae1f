"""Find a taxonomy's skills by their names in all its languages: in running text, or by the key of a text.

The key says whether a text equals one of a skill's names, in any language.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from jobmatch_core.entities import NamedSkill
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold
from jobmatch_core.text.language_guess import is_common
from jobmatch_core.text.locales import ENGLISH

_EAST_ASIAN = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"  # kana, Chinese signs, hangul: no blank stands beside them
_SCRIPTS_MEET = re.compile(rf"(?<=[{_EAST_ASIAN}])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9+#])(?=[{_EAST_ASIAN}])")
_SHORT = 3  # letters of a word that may well be another word of another language
TEXT_KEY = "text:"  # begins the key of a skill unknown to the taxonomy; the folded text follows


@dataclass(frozen=True, slots=True)
class SkillNames:
    """Names of skills, one a row: the skill's key, the name, its language, whether it is preferred in that language."""

    keys: Sequence[str]
    texts: Sequence[str]
    languages: Sequence[str]
    preferred: Sequence[bool]

    @classmethod
    def of(cls, taxonomy: Taxonomy) -> "SkillNames":
        """Return the skill names of a taxonomy; a skill's key is its URI."""
        uris, names = taxonomy.tables.skills["uri"].to_list(), taxonomy.tables.skill_names
        keys = [uris[skill] for skill in names["skill"].to_list()]
        return cls(keys, names["text"].to_list(), names["language"].to_list(), names["preferred"].to_list())


@dataclass(frozen=True, slots=True)
class _Place:
    """Start and end of a name in a text, counted in words, and the name's row."""

    start: int
    end: int
    row: int


class SkillFinder:
    """Finds names in folded text at word boundaries, the longest first; a word belongs to one skill at most."""

    def __init__(self, names: SkillNames) -> None:
        """Fold all names, each word once: a million names take some seconds."""
        self._names = names
        self._rows: dict[str, tuple[int, ...]] = {}  # by the folded name
        self._longest: dict[str, int] = {}  # by its first word, the most words that follow in a name
        folded: dict[str, str] = {}
        for row, text in enumerate(names.texts):
            pieces = (folded.get(piece) or folded.setdefault(piece, fold(piece)) for piece in _parted(text).split())
            name = " ".join(piece for piece in pieces if piece)
            if name:
                first, _, others = name.partition(" ")
                self._rows[name] = (*self._rows.get(name, ()), row)
                self._longest[first] = max(len(others.split()), self._longest.get(first, 0))

    def find(self, text: str, language: str = "") -> tuple[NamedSkill, ...]:
        """Return the skills of a text in its order, each once, under the name found.

        Args:
            text: a text in any language.
            language: language code of the text, '' where unknown. Where several skills share a name, the skill with the
                name in this language comes first, then the one with it in English. Words of up to three letters match
                only in these two languages, because in others they may be different words.
        """
        words = fold(_parted(text)).split()
        taken: set[int] = set()
        found: list[_Place] = []
        for place in sorted(self._places(words, language), key=lambda each: (each.start - each.end, each.start)):
            if taken.isdisjoint(range(place.start, place.end)):
                taken.update(range(place.start, place.end))
                found.append(place)
        skills: dict[str, NamedSkill] = {}
        for place in sorted(found, key=lambda each: each.start):
            key = self._names.keys[place.row]
            skills.setdefault(key, NamedSkill(key, self._names.texts[place.row]))
        return tuple(skills.values())

    def _places(self, words: Sequence[str], language: str) -> Iterator[_Place]:
        for start, first in enumerate(words):
            for end in range(start + 1, min(start + 2 + self._longest.get(first, -1), len(words) + 1)):
                name = " ".join(words[start:end])
                rows = [row for row in self._rows.get(name, ()) if self._counts(row, name, language)]
                if rows:
                    yield _Place(start, end, min(rows, key=lambda row: self._rank(row, language)))

    def _counts(self, row: int, name: str, language: str) -> bool:
        if len(name) <= _SHORT and language and self._names.languages[row] not in (language, ENGLISH):
            return False
        return not is_common(name, language)

    def _rank(self, row: int, language: str) -> tuple[bool, bool, bool, int]:
        its = self._names.languages[row]
        return its != language, its != ENGLISH, not self._names.preferred[row], row


def _parted(text: str) -> str:
    """Return a text with a blank where Latin words stand among East Asian signs, as in 'Pythonエンジニア'."""
    return text if text.isascii() else _SCRIPTS_MEET.sub(" ", text)


class SkillKeys:
    """Keys by folded name; where several skills share one, the first skill with it as a preferred name has it."""

    def __init__(self, names: SkillNames | None = None) -> None:
        """Fold the names; without names, every skill has its own text as key."""
        self._keys: dict[str, str] = {}
        if names is None:
            return
        rows = list(zip(names.preferred, names.texts, names.keys, strict=True))
        for wanted in (True, False):
            for preferred, text, key in rows:
                if preferred == wanted:
                    self._keys.setdefault(fold(text), key)

    @classmethod
    def of(cls, taxonomy: Taxonomy) -> "SkillKeys":
        """Return the keys of a taxonomy's skill names."""
        return cls(SkillNames.of(taxonomy))

    def key(self, text: str) -> str:
        """Return the key of the skill of that name, or one of the text itself."""
        folded = fold(text)
        return self._keys.get(folded) or TEXT_KEY + (folded or text.strip())

    def knows(self, text: str) -> bool:
        """Return whether a text equals a name of a skill."""
        return fold(text) in self._keys

    def named(self, texts: Iterable[str]) -> tuple[NamedSkill, ...]:
        """Return the skills of some texts, each once, without the empty ones."""
        skills: dict[str, NamedSkill] = {}
        for text in filter(None, (text.strip() for text in texts)):
            key = self.key(text)
            skills.setdefault(key, NamedSkill(key, text))
        return tuple(skills.values())
