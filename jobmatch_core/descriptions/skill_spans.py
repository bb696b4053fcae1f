"""Spans of a sentence that may name a skill, each with the probability of knowledge and of a skill.

Two logistic regressions over hashed features of a word and its neighbours give each word the probability that it is
part of a skill or of knowledge; the spans are the runs of words with the highest mean. The layout of the two kinds of
spans is that of SkillSpan (Zhang et al. 2022); the classifier is ours, and reads English.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from zlib import crc32

import numpy as np

from jobmatch_core.entities import FloatArray

N_FEATURES = 2**16  # hashed
_MOST_WORDS = 8  # of a span
_MOST_SPANS = 24  # of a sentence
_PROBABLE = 0.15  # of a word, to be among the probable ones
_LENGTH_POWER = 0.3  # a longer span wins over a part of it that is a little more probable
_WORD = re.compile(r"\S+")
_EDGES = ".,;:!?()[]{}\"'“”„«»•·*…"
_BREAK = re.compile(r"[,;:!?|•·]$")
_INNER_WORDS = """a an and any are as at be both by can etc for from has have in including is it its must not of on or
our should such that the their these this to we who will with within you your"""
_INNER = frozenset(_INNER_WORDS.split())  # begin and end no span


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence: its position without punctuation at its edges, and whether a comma or the like follows."""

    start: int
    end: int
    text: str
    ends_phrase: bool


@dataclass(frozen=True, slots=True)
class Span:
    """A run of words."""

    # start, end: positions in the sentence
    start: int
    end: int
    text: str  # the words as written
    # skill, knowledge: mean probability that its words are part of a skill, and of knowledge
    skill: float
    knowledge: float

    @property
    def either(self) -> float:
        """Probability of a skill or knowledge, as if the two were independent."""
        return 1 - (1 - self.skill) * (1 - self.knowledge)


@dataclass(frozen=True, slots=True)
class Spans:
    """What may name skills in a sentence: its most probable spans, the first ones first, and its probable words."""

    spans: tuple[Span, ...]
    probable: str


@dataclass(frozen=True, slots=True)
class SpanTagger:
    """Weights of the two logistic regressions."""

    weights: FloatArray  # (`N_FEATURES`, 2) of a skill, and of knowledge
    bias: FloatArray  # (2,)

    def probabilities(self, words: Sequence[str]) -> FloatArray:
        """Return the probabilities that each word is part of a skill, and of knowledge, shape (word, 2)."""
        rows = [hashed_features(words, place) for place in range(len(words))]
        logits = np.array([self.weights[row].sum(axis=0, dtype=np.float64) for row in rows]).reshape(-1, 2) + self.bias
        return np.asarray(1 / (1 + np.exp(-logits)), dtype=np.float32)

    def read(self, sentence: str) -> "Spans":
        """Return the most probable spans of a sentence, at most 24, and its probable words."""
        words = words_of(sentence)
        probabilities = self.probabilities([word.text for word in words])
        spans = [_span(sentence, words, run, probabilities) for run in _runs(words)]
        spans.sort(key=lambda span: -span.either * len(span.text.split()) ** _LENGTH_POWER)
        either = 1 - (1 - probabilities).prod(axis=1)
        probable = " ".join(word.text for word, share in zip(words, either, strict=True) if share > _PROBABLE)
        return Spans(tuple(sorted(spans[:_MOST_SPANS], key=lambda span: (span.start, span.end))), probable)


def words_of(sentence: str) -> list[Word]:
    """Return the words of a sentence, without those that are only punctuation."""
    words = []
    for match in _WORD.finditer(sentence):
        text = match[0].lstrip(_EDGES.replace(".", ""))  # '.NET' keeps its full stop
        start, text = match.end() - len(text), text.rstrip(_EDGES)
        if any(map(str.isalnum, text)):
            words.append(Word(start, start + len(text), text, bool(_BREAK.search(match[0]))))
    return words


def hashed_features(words: Sequence[str], place: int) -> list[int]:
    """Return the numbers of a word's features: the word, its ends, its shape, and those of its neighbours."""
    padded = ["", "", *(word.lower() for word in words), "", ""]
    before2, before, word, after, after2 = padded[place : place + 5]
    features = (
        "",
        f"w={word}",
        f"end3={word[-3:]}",
        f"end2={word[-2:]}",
        f"start4={word[:4]}",
        f"shape={_shape(words[place])}",
        f"before={before}",
        f"before2={before2}",
        f"after={after}",
        f"after2={after2}",
        f"pair={before} {word}",
        f"pair2={word} {after}",
        f"before end={before[-3:]}",
        f"after end={after[-3:]}",
        f"before shape={_shape(words[place - 1]) if place else ''}",
        f"words={min(len(words) // 4, 6)}",
    )
    return [crc32(feature.encode()) % N_FEATURES for feature in features]


def _shape(word: str) -> str:
    return "".join("X" if sign.isupper() else "x" if sign.islower() else sign for sign in word[:3])


# first word and the one behind the last
def _runs(words: Sequence[Word]) -> list[tuple[int, int]]:
    phrases = [0, *accumulate(word.ends_phrase for word in words)]  # number of the phrase of each word
    edges = [word.text.lower() not in _INNER for word in words]
    return [
        (first, last + 1)
        for first in range(len(words))
        for last in range(first, min(first + _MOST_WORDS, len(words)))
        if edges[first] and edges[last] and phrases[first] == phrases[last]
    ]


def _span(sentence: str, words: Sequence[Word], run: tuple[int, int], probabilities: FloatArray) -> Span:
    first, behind = run
    start, end = words[first].start, words[behind - 1].end
    skill, knowledge = probabilities[first:behind].mean(axis=0)
    return Span(start, end, sentence[start:end], float(skill), float(knowledge))
