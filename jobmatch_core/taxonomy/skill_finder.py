"""Find a taxonomy's skills by their names in all its languages: in running text, in lists, or of one text alone."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from jobmatch_core.entities import NamedSkill
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold
from jobmatch_core.text.language_guess import is_common
from jobmatch_core.text.locales import ENGLISH

_EAST_ASIAN = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"  # kana, Chinese characters, hangul: written without spaces
_SCRIPTS_MEET = re.compile(rf"(?<=[{_EAST_ASIAN}])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9+#])(?=[{_EAST_ASIAN}])")
_SHORT = 3  # letters of a word that is often a different word in another language
TEXT_KEY = "text:"  # begins the key of a skill unknown to the taxonomy; the folded text follows
# a middle dot inside a word may be Catalan, as in 'col·laboració'
_SEPARATORS = re.compile(r"[;；\n\r●•▪■◦‣|¦]|\s[·∙]|[·∙]\s")
# names have these signs, too: 'C/C++', 'nursing, general'
_SIGNS_IN_NAMES = tuple(re.compile(pattern) for pattern in (r"[,，、،]", r"/", r"[·∙](?![lL])|(?<![lL])[·∙]|・"))
_BULLET = re.compile(r"^\s*[-–—*]\s+")
_KNOWN = 0.5  # minimum share of known pieces for a sign to separate them
_WORDS = 4  # maximum mean number of words of a piece; with more, the text is a sentence
_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class SkillNames:
    """Names of skills, one a row: the skill's key, the name, its language, and whether it is preferred there."""

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
class _Place:  # of a name in a text, in words
    start: int
    end: int
    row: int


class SkillFinder:
    """Finds names in folded text at word boundaries, the longest first; a word belongs to at most one skill."""

    def __init__(self, names: SkillNames) -> None:
        """Fold all names; a million take some seconds."""
        self._names = names
        self._rows: dict[str, tuple[int, ...]] = {}  # by folded name
        self._longest: dict[str, int] = {}  # first word of a name -> the most words that follow it
        folded: dict[str, str] = {}
        for row, text in enumerate(names.texts):
            pieces = (folded.get(piece) or folded.setdefault(piece, fold(piece)) for piece in _parted(text).split())
            name = " ".join(piece for piece in pieces if piece)
            if name:
                first, _, others = name.partition(" ")
                self._rows[name] = (*self._rows.get(name, ()), row)
                self._longest[first] = max(len(others.split()), self._longest.get(first, 0))

    def find(self, text: str, language: str = "") -> tuple[NamedSkill, ...]:
        """Return the skills of a text in order of appearance, each once, as written in the taxonomy.

        Args:
            text: a text in any language.
            language: language code of the text, '' if unknown. Of several skills with the same name, the one that has
                it in this language is preferred, then the one that has it in English. Words of up to three letters
                match only in these two languages, because they are often different words in others.
        """
        words = fold(_parted(text)).split()
        taken: set[int] = set()
        places: list[_Place] = []
        for place in sorted(self._places(words, language), key=lambda place: (place.start - place.end, place.start)):
            if taken.isdisjoint(range(place.start, place.end)):
                taken.update(range(place.start, place.end))
                places.append(place)
        skills: dict[str, NamedSkill] = {}
        for place in sorted(places, key=lambda place: place.start):
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
        own_language = self._names.languages[row]
        return own_language != language, own_language != ENGLISH, not self._names.preferred[row], row


def _parted(text: str) -> str:
    # separate Latin words from East Asian characters, as in 'Pythonエンジニア'
    return text if text.isascii() else _SCRIPTS_MEET.sub(" ", text)


class SkillKeys:
    """Skill keys by folded name; a shared name belongs to the first skill that prefers it."""

    def __init__(self, names: SkillNames | None = None) -> None:
        """Fold the names; without names, the key of every skill is its text."""
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
        """Return the key of the skill of that name, or a key made of the text."""
        folded = fold(text)
        return self._keys.get(folded) or TEXT_KEY + (folded or text.strip())

    def knows(self, text: str) -> bool:
        """Return whether a text is a name of a skill."""
        return fold(text) in self._keys

    def named(self, texts: Iterable[str]) -> tuple[NamedSkill, ...]:
        """Return the skills of some texts, each once; empty texts are left out."""
        skills: dict[str, NamedSkill] = {}
        for text in filter(None, (text.strip() for text in texts)):
            key = self.key(text)
            skills.setdefault(key, NamedSkill(key, text))
        return tuple(skills.values())


@dataclass(slots=True)
class SkillSplitter:
    """Splits texts such as `Python; SQL` into skills.

    Semicolons, bullets and line breaks always separate; commas, slashes and middle dots only between known skills.
    """

    keys: SkillKeys  # the known skills
    doubtful: int = 0  # number of texts that look like lists but stayed whole, because their pieces are unknown
    _examples: dict[str, None] = field(default_factory=dict)

    def split(self, text: str) -> list[str]:
        """Return the skills of a text in order; a known name stays whole."""
        parts = (_BULLET.sub("", part).strip() for part in _SEPARATORS.split(text))
        return [piece for part in parts if part for piece in self._pieces(part)]

    def named(self, skills: str | Sequence[str]) -> tuple[NamedSkill, ...]:
        """Return the skills of a text or a list, each once."""
        return self.keys.named(self.split(skills) if isinstance(skills, str) else skills)

    def note(self) -> str:
        """Return a warning about doubtful texts; '' where there are none."""
        if not self.doubtful:
            return ""
        shown = ", ".join(map(repr, self._examples))
        return (
            f"Texts that look like several skills were read as one each, because the taxonomy does not know most of "
            f"the pieces: {self.doubtful:,}, such as {shown}. Put semicolons between skills."
        )

    def _pieces(self, text: str) -> list[str]:
        if self.keys.knows(text):
            return [text]
        ways = [[piece.strip() for piece in sign.split(text) if piece.strip()] for sign in _SIGNS_IN_NAMES]
        ways = [pieces for pieces in ways if len(pieces) > 1]
        for pieces in ways:
            if sum(map(self.keys.knows, pieces)) >= _KNOWN * len(pieces):
                return [skill for piece in pieces for skill in self._pieces(piece)]
        if any(len(" ".join(pieces).split()) <= _WORDS * len(pieces) for pieces in ways):
            self.doubtful += 1
            if len(self._examples) < _EXAMPLES:
                self._examples[text] = None
        return [text]
