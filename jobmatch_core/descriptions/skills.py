"""Skills that postings mention, by keyword matching in all languages, and the taxonomy's facts about them.

All names are in one trie of words, so that a text is read once. Names match at word borders; in scripts without spaces,
at any letter.
Paper: Laosaengpha et al. (2024), section 3.1 ('all skill-based models used keyword matching') and appendix D.2.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold
from jobmatch_core.text.locales import ENGLISH

# scripts without spaces: Thai to Khmer, kana, ideographs; and Hangul, which attaches particles to words
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f"
_LETTER = rf"[^\W_{_UNSPACED}]"
_SIGNS = "".join(chr(code) for code in range(0x0300, 0x1D00) if unicodedata.category(chr(code)).startswith("M"))
_TOKEN = re.compile(rf"[{_UNSPACED}]|\.net\b|{_LETTER}+(?:[{_SIGNS}]+{_LETTER}*)*[+#]*", re.IGNORECASE)
_SHORT = 3  # letters of a name that must match exactly: 'go' is a word, 'Go' a skill
_MOST_CACHED = 500_000  # spellings of words; beyond that the cache starts afresh
_NO_WORD = -1


@dataclass(frozen=True, slots=True)
class Mention:
    """A skill mentioned in a text."""

    # start, end: positions in the text
    start: int
    end: int
    text: str  # words as written
    uri: str  # URI of the skill


@dataclass(frozen=True, slots=True)
class _Name:
    uri: str
    text: str
    place: int


class SkillMatcher:
    """A matcher of skill names in folded text, longest first, without overlaps."""

    def __init__(self, names: Mapping[str, Iterable[str]]) -> None:
        """Build the trie.

        Args:
            names: URI -> names in all languages, preferred ones first. An ambiguous name belongs to the skill whose
                list has it earliest.
        """
        self._words: dict[str, int] = {}  # folded word -> number
        self._spellings: dict[str, int] = {}  # word as written -> number, _NO_WORD for an unknown word
        self._next: list[dict[int, int]] = [{}]  # by node: word -> next node
        self._ends: dict[int, list[_Name]] = {}  # node -> names that end there
        for uri, texts in names.items():
            for place, text in enumerate(texts):
                self._add(_Name(uri, text.strip(), place))

    def find(self, text: str) -> tuple[Mention, ...]:
        """Return the mentions of skills in a text, in order, including repeated ones."""
        tokens = list(_TOKEN.finditer(text))
        words = self._numbers([token[0] for token in tokens])
        taken = bytearray(len(words))
        mentions: list[Mention] = []
        for first, last, node in sorted(self._places(words), key=lambda place: (place[0] - place[1], place[0])):
            if not any(taken[first : last + 1]):
                start, end = tokens[first].start(), tokens[last].end()
                if name := self._name(node, text[start:end]):
                    taken[first : last + 1] = b"\1" * (last + 1 - first)
                    mentions.append(Mention(start, end, text[start:end], name.uri))
        return tuple(sorted(mentions, key=lambda mention: mention.start))

    def uris(self, text: str) -> tuple[str, ...]:
        """Return the distinct skills that a text mentions, in order."""
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
        numbers = self._spellings
        if len(numbers) > _MOST_CACHED:
            numbers = self._spellings = {}  # a new dict, since another thread may be reading the old one
        for token in set(tokens).difference(numbers):
            folded = _folded(token)
            numbers[token] = self._words.get(folded[0], _NO_WORD) if len(folded) == 1 else _NO_WORD
        return [numbers[token] for token in tokens]

    # first and last word of each match, and its node
    def _places(self, words: Sequence[int]) -> Iterable[tuple[int, int, int]]:
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
        # a short name, or one in capitals such as LESS, must match exactly
        names = (
            name
            for name in self._ends[node]
            if name.text == written or not (len(written) <= _SHORT or name.text.isupper())
        )
        return min(names, key=lambda name: name.place, default=None)


def _folded(token: str) -> list[str]:
    return fold(token).split()


def skill_names(taxonomy: Taxonomy) -> dict[str, list[str]]:
    """Return the names of each skill by its URI: the preferred English one first, then other preferred ones."""
    uris, table = taxonomy.tables.skills["uri"].to_list(), taxonomy.tables.skill_names
    rows = zip(table["skill"], table["text"], table["language"], table["preferred"], strict=True)
    names: dict[str, list[str]] = {}
    for skill, text, *_ in sorted(rows, key=lambda row: (row[0], not row[3], row[2] != ENGLISH)):
        names.setdefault(uris[skill], []).append(text)
    return names


def with_skills(postings: Iterable[Posting], names: Mapping[str, Sequence[str]]) -> list[Posting]:
    """Give postings the skills that their descriptions mention, each by its first name (appendix D.2)."""
    matcher = SkillMatcher(names)
    return [
        replace(posting, skills=tuple(names[uri][0] for uri in matcher.uris(posting.description)))
        for posting in postings
    ]


@dataclass(frozen=True, slots=True)
class NamedOccupation:
    """An occupation's URI and its name in the requested language."""

    uri: str
    name: str


@dataclass(frozen=True, slots=True)
class SkillFact:
    """A skill."""

    uri: str
    name: str  # name in the requested language, else in English
    kind: str  # kind in the taxonomy, such as `knowledge`
    mentions: tuple[str, ...]  # distinct words that mention it
    n_occupations: int  # number of occupations that require it
    occupations: tuple[NamedOccupation, ...]  # the first few of these, those with an essential relation first


def skill_facts(
    taxonomy: Taxonomy, mentions: Sequence[Mention], language: str = ENGLISH, *, n_occupations: int = 3
) -> list[SkillFact]:
    """Return the mentioned skills, in order, with at most *n_occupations* occupations each."""
    tables = taxonomy.tables
    numbers = {uri: number for number, uri in enumerate(tables.skills["uri"].to_list())}
    words: dict[int, dict[str, None]] = {}
    for mention in mentions:
        if mention.uri in numbers:
            words.setdefault(numbers[mention.uri], {})[mention.text] = None
    names = tables.skill_names[tables.skill_names["skill"].isin(words) & tables.skill_names["preferred"]]
    relations = tables.relations[tables.relations["skill"].isin(words)].sort_values(
        ["essential", "occupation"], ascending=[False, True]
    )
    facts = []
    for skill, texts in words.items():
        own = names[names["skill"] == skill]
        by_language = dict(zip(own["language"], own["text"], strict=True))
        asking = relations.loc[relations["skill"] == skill, "occupation"].to_list()
        facts.append(
            SkillFact(
                uri=str(tables.skills["uri"].iloc[skill]),
                name=str(by_language.get(language) or by_language.get(ENGLISH) or next(iter(texts))),
                kind=str(tables.skills["kind"].iloc[skill]),
                mentions=tuple(texts),
                n_occupations=len(asking),
                occupations=tuple(
                    NamedOccupation(taxonomy.uris[occupation], taxonomy.name(occupation, language))
                    for occupation in asking[:n_occupations]
                ),
            )
        )
    return facts
