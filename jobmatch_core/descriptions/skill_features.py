"""Features of the skills that a sentence may ask for.

A span of the sentence is compared with the names of a skill: the cosine of letters, that of words and that of meaning
are added up. The softmax over the candidates says which skill a span means, if it means one; times the probability of
the span, the best span of the sentence counts. Further features compare the whole sentence.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.descriptions.skill_index import SkillIndex
from jobmatch_core.descriptions.skill_spans import Span, SpanTagger
from jobmatch_core.entities import FloatArray

FEATURES = (
    "span means it",  # logarithm of the probability of the span times the share of the skill, best span
    "span means it by kind",  # the same with the probability of knowledge or a skill, whichever it is
    "span means it by meaning",  # the same as the first, by the vectors alone
    "likeness",  # sum of the three cosines, best span and name
    "likeness of the preferred name",
    "meaning of the preferred name",
    "covered",  # share of a name whose words are in the sentence
    "letters of the sentence",
    "words of the sentence",
    "meaning of the probable words",
    "meaning of the description",  # and the sentence
    "occupations",  # logarithm of the number that require it
    "knowledge",
    "transversal",
)
_TEMPERATURE, _TEMPERATURE_OF_MEANING = 0.15, 0.05  # of the softmax over skills
_FLOOR = 1e-4  # of a probability, before its logarithm


@dataclass(frozen=True, slots=True)
class SentenceSkills:
    """Candidate skills of a sentence."""

    spans: tuple[Span, ...]
    skills: NDArray[np.intp]  # (skill,) places in the index, ascending
    features: FloatArray  # (skill, feature), in the order of `FEATURES`
    best: NDArray[np.intp]  # (skill,) the span that means the skill most probably


def sentence_skills(index: SkillIndex, tagger: SpanTagger, sentence: str) -> SentenceSkills:
    """Return the candidates of a sentence with their features; none for a sentence without spans."""
    read = tagger.read(sentence)
    spans = read.spans
    if not spans:
        empty = np.empty(0, dtype=np.intp)
        return SentenceSkills((), empty, np.empty((0, len(FEATURES)), dtype=np.float32), empty)
    texts = index.encode([*(span.text for span in spans), sentence, read.probable or sentence])
    names = index.candidates(texts)
    parts, whole, joined = texts.part(slice(-2)), texts.part(slice(-2, -1)), texts.part(slice(-1, None))
    meaning = index.meaning(parts, names)
    likeness = index.letters(parts, names) + index.words(parts, names) + meaning
    by_skill, meaning_by_skill = names.best(likeness), names.best(meaning)  # (span, skill)
    shares = _softmax(by_skill / _TEMPERATURE)
    either = np.array([span.either for span in spans], dtype=np.float32)[:, None]
    kinds = np.array([(span.skill, span.knowledge) for span in spans], dtype=np.float32)
    traits = index.traits[names.skills]
    is_knowledge = traits[:, 1].astype(np.intp)
    means = either * shares
    features = [
        np.log(_FLOOR + means.max(axis=0)),
        np.log(_FLOOR + (kinds[:, is_knowledge] * shares).max(axis=0)),
        np.log(_FLOOR + (either * _softmax(meaning_by_skill / _TEMPERATURE_OF_MEANING)).max(axis=0)),
        by_skill.max(axis=0),
        likeness[:, names.starts].max(axis=0),
        meaning[:, names.starts].max(axis=0),
        names.best(index.covered(whole, names))[0],
        names.best(index.letters(whole, names))[0],
        names.best(index.words(whole, names))[0],
        names.best(index.meaning(joined, names))[0],
        (whole.vectors @ index.descriptions[names.skills].T)[0],
        *traits.T,
    ]
    return SentenceSkills(spans, names.skills, np.stack(features, axis=1).astype(np.float32), means.argmax(axis=0))


def _softmax(scores: FloatArray) -> FloatArray:
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(axis=-1, keepdims=True))
