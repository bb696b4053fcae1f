"""Recognition of skills in running text by their names, in any language: keyword matching, as in JDAN's appendix D.2.

All names are walked at once in a trie of words, so that a text is read once, however many names there are. Names stand
at word borders; scripts that write no spaces are read letter by letter, where any place is a border.
Paper: Laosaengpha et al. (2024), section 3.1 ('all skill-based models used keyword matching') and appendix D.2.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from jobmatch_core.text.folding import fold

# scripts that write no spaces: Thai to Khmer, kana, ideographs, Hangul, whose particles stick to words
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f"
_LETTER = rf"[^\W_{_UNSPACED}]"
_SIGNS = "".join(chr(code) for code in range(0x0300, 0x1D00) if unicodedata.category(chr(code)).startswith("M"))
_TOKEN = re.compile(rf"[{_UNSPACED}]|\.net\b|{_LETTER}+(?:[{_SIGNS}]+{_LETTER}*)*[+#]*", re.IGNORECASE)
_SHORT = 3  # letters of a name that counts only as it is written: 'Go' and 'R' are a word and a letter else
_MOST_KNOWN = 500_000  # cached spellings of words; beyond that the cache is emptied
_NO_WORD = -1


@dataclass(frozen=True, slots=True)
class Mention:
    """A skill mentioned in a text.

    Attributes:
        start, end: positions in the text.
        text: words as written.
        uri: URI of the skill.
    """

    start: int
    end: int
    text: str
    uri: str


@dataclass(frozen=True, slots=True)
class _Name:
    """A skill's name: the skill, how the name is written, and where it stands in the skill's list of names."""

    uri: str
    text: str
    place: int


class SkillMatcher:
    """A matcher of names in folded text, the longest first; a word belongs to one skill at most."""

    def __init__(self, names: Mapping[str, Iterable[str]]) -> None:
        """Build the trie.

        Args:
            names: URI -> names in all languages, preferred ones first. A name of several skills belongs to the one in
                whose list it comes first.
        """
        self._words: dict[str, int] = {}  # a folded word's number
        self._known: dict[str, int] = {}  # the number of a word as it is written; _NO_WORD where no name has it
        self._next: list[dict[int, int]] = [{}]  # by node, the node behind it by word
        self._ends: dict[int, list[_Name]] = {}  # by node, the names that end there
        for uri, texts in names.items():
            for place, text in enumerate(texts):
                self._add(_Name(uri, text.strip(), place))

    def find(self, text: str) -> tuple[Mention, ...]:
        """Return the skills that a text mentions, in its order; repeated mentions are repeated."""
        tokens = list(_TOKEN.finditer(text))
        words = self._numbers([token[0] for token in tokens])
        taken = bytearray(len(words))
        found: list[Mention] = []
        for first, last, node in sorted(self._places(words), key=lambda place: (place[0] - place[1], place[0])):
            if not any(taken[first : last + 1]):
                start, end = tokens[first].start(), tokens[last].end()
                if name := self._name(node, text[start:end]):
                    taken[first : last + 1] = b"\1" * (last + 1 - first)
                    found.append(Mention(start, end, text[start:end], name.uri))
        return tuple(sorted(found, key=lambda mention: mention.start))

    def uris(self, text: str) -> tuple[str, ...]:
        """Return the skills that a text mentions, each once, in its order."""
        return tuple(dict.fromkeys(mention.uri for mention in self.find(text)))

    def _add(self, name: _Name) -> None:
        words = [word for token in _TOKEN.findall(name.text) for word in _folded(token)]
        node = 0
        for word in words:
            number = self._words.setdefault(word, len(self._words))
            node = self._next[node].setdefault(number, len(self._next))
            if node == len(self._next):
                self._next.append({})
        if words:
            self._ends.setdefault(node, []).append(name)

    def _numbers(self, tokens: Sequence[str]) -> list[int]:
        """Return each word's number; a spelling is folded only when it is met first."""
        known = self._known
        if len(known) > _MOST_KNOWN:
            known = self._known = {}  # not emptied: another thread may be reading it
        for token in set(tokens).difference(known):
            folded = _folded(token)
            known[token] = self._words.get(folded[0], _NO_WORD) if len(folded) == 1 else _NO_WORD
        return [known[token] for token in tokens]

    def _places(self, words: Sequence[int]) -> Iterable[tuple[int, int, int]]:
        """Yield the first and last word of each place where a name may stand, and its node."""
        root, behind, ends = self._next[0], self._next, self._ends
        for first, word in enumerate(words):
            node = root.get(word)
            last = first
            while node is not None:
                if node in ends:
                    yield first, last, node
                last += 1
                node = behind[node].get(words[last]) if last < len(words) else None

    def _name(self, node: int, written: str) -> _Name | None:
        """Return the name at a node; a short one, or one in capitals such as LESS, only where it is written so."""
        names = (
            name
            for name in self._ends[node]
            if name.text == written or not (len(written) <= _SHORT or name.text.isupper())
        )
        return min(names, key=lambda name: name.place, default=None)


def _folded(token: str) -> list[str]:
    return fold(token).split()
