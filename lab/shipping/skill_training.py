"""Training of the skill extractor on SkillSpan: the span tagger on its train part, the features on linked sentences.

No sentence of the test sets is learned from: those that also stand in another part are left out. Sentences of the dev
part without a span are further examples, as many for each linked sentence as that part has for each sentence with one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core.descriptions.skill_features import FEATURES, sentence_skills
from jobmatch_core.descriptions.skill_index import SkillIndex
from jobmatch_core.descriptions.skill_model import FeatureWeights, SkillModel
from jobmatch_core.descriptions.skill_spans import N_FEATURES, SpanTagger, hashed_features, words_of
from jobmatch_core.entities import FloatArray, Progress, no_progress
from lab.shipping.skill_span_files import (
    SETS,
    TEST,
    VALIDATION,
    LinkedSentence,
    TaggedSentence,
    read_linked,
    read_tagged,
    right_skills,
    without_spans,
)

_TAGGER_C, _FEATURES_C = 0.3, 1.0  # inverse strengths of the L2 regularisation
_FOLDS = 10
PRECISION = 0.4  # of the skills found, against links that name one of several skills that would do
_ITERATIONS = 2000


@dataclass(frozen=True, slots=True)
class SkillExamples:
    """Candidates of sentences."""

    features: Sequence[FloatArray]  # of each sentence, (skill, feature)
    right: Sequence[NDArray[np.bool_]]  # of each sentence, (skill,) whether it asks for the skill
    missed: int  # number of right skills that are no candidates


def train_skill_model(
    folder: Path, index: SkillIndex, numbers: dict[str, int], progress: Progress = no_progress
) -> tuple[SkillModel, dict[str, object]]:
    """Train on SkillSpan and return the model with its report.

    Args:
        folder: the files of `skill_span_files`.
        index: the skills, with the encoder that the weights are for.
        numbers: preferred English name -> number in the taxonomy.

    Raises DataFileError if a file is missing or damaged, or the taxonomy lacks a linked skill.
    """
    test = {sentence.text for name in SETS for sentence in read_linked(folder, name, TEST)}
    tagged = [sentence for sentence in read_tagged(folder, "train") if sentence.text not in test]
    linked = [
        sentence for name in SETS for sentence in read_linked(folder, name, VALIDATION) if sentence.text not in test
    ]
    plain = _plain(read_tagged(folder, "dev"), len(linked), test)
    tagger = fit_tagger(tagged)
    examples = skill_examples(index, tagger, [*linked, *plain], numbers, progress)
    features, figures = fit_features(examples, index.encoder.name)
    report: dict[str, object] = {
        "tagged sentences": len(tagged),
        "linked sentences": len(linked),
        "sentences without a span": len(plain),
        "held out at the threshold": figures,
    }
    return SkillModel(tagger, features), report


def fit_tagger(sentences: Sequence[TaggedSentence]) -> SpanTagger:
    """Fit both logistic regressions of the tagger on sentences."""
    from sklearn.linear_model import LogisticRegression  # the import takes a second

    rows, tags = [], []
    for sentence in sentences:
        words, places = _words(sentence)
        rows += [hashed_features(words, place) for place in range(len(words))]
        tags += [(sentence.skill[place], sentence.knowledge[place]) for place in places]
    ends = np.cumsum([0, *map(len, rows)])
    matrix = csr_matrix((np.ones(ends[-1]), np.concatenate(rows), ends), shape=(len(rows), N_FEATURES))
    right = np.array(tags)
    fits = [LogisticRegression(C=_TAGGER_C, solver="liblinear").fit(matrix, right[:, kind]) for kind in range(2)]
    weights = np.stack([fit.coef_[0] for fit in fits], axis=1).astype(np.float16).astype(np.float32)  # as stored
    return SpanTagger(weights, np.array([fit.intercept_[0] for fit in fits], dtype=np.float32))


def skill_examples(
    index: SkillIndex,
    tagger: SpanTagger,
    sentences: Sequence[LinkedSentence],
    numbers: dict[str, int],
    progress: Progress = no_progress,
) -> SkillExamples:
    """Return the candidates of sentences.

    Args:
        numbers: preferred English name -> number in the taxonomy.
    """
    features, right, missed = [], [], 0
    for done, (sentence, wanted) in enumerate(zip(sentences, right_skills(sentences, numbers), strict=True), start=1):
        candidates = sentence_skills(index, tagger, sentence.text)
        is_right = np.isin(index.numbers[candidates.skills], list(wanted))
        features.append(candidates.features)
        right.append(is_right)
        missed += len(wanted) - int(is_right.sum())
        progress(done, len(sentences))
    return SkillExamples(features, right, missed)


def fit_features(examples: SkillExamples, encoder: str) -> tuple[FeatureWeights, dict[str, float]]:
    """Fit the weights, with a threshold for `PRECISION` of cross-validated probabilities, and return its figures."""
    order = np.random.default_rng(0).permutation(len(examples.features)) % _FOLDS
    held_out: list[NDArray[np.float64]] = [np.empty(0)] * len(order)
    for fold in range(_FOLDS):
        weights, bias = _fitted(examples, np.flatnonzero(order != fold))
        for place in np.flatnonzero(order == fold).tolist():
            held_out[place] = 1 / (1 + np.exp(-(examples.features[place] @ weights + bias)))
    right = np.concatenate(examples.right)
    threshold, figures = _threshold(np.concatenate(held_out), right, int(right.sum()) + examples.missed)
    weights, bias = _fitted(examples, np.arange(len(order)))
    by_name = dict(zip(FEATURES, weights.tolist(), strict=True))
    return FeatureWeights(by_name, bias, threshold, encoder), figures


# sentences without a span, evenly drawn, in their proportion to those with one
def _plain(sentences: Sequence[TaggedSentence], n_linked: int, test: set[str]) -> list[LinkedSentence]:
    usable = [sentence for sentence in without_spans(sentences) if sentence.text not in test]
    n_spans = sum(sentence.has_span for sentence in sentences)
    most = round(n_linked * (len(sentences) - n_spans) / max(n_spans, 1))
    drawn = np.linspace(0, len(usable) - 1, min(most, len(usable))).astype(np.intp)
    return [usable[place] for place in drawn]


def _words(sentence: TaggedSentence) -> tuple[list[str], list[int]]:
    words = [words_of(token) for token in sentence.tokens]
    places = [place for place, token_words in enumerate(words) if token_words]
    return [words[place][0].text for place in places], places


# weights of the features as they are, and the bias
def _fitted(examples: SkillExamples, places: NDArray[np.intp]) -> tuple[NDArray[np.float64], float]:
    from sklearn.linear_model import LogisticRegression

    features = np.concatenate([examples.features[place] for place in places]).astype(np.float64)
    right = np.concatenate([examples.right[place] for place in places])
    mean, deviation = features.mean(axis=0), features.std(axis=0) + 1e-6
    fit = LogisticRegression(C=_FEATURES_C, max_iter=_ITERATIONS).fit((features - mean) / deviation, right)
    weights = fit.coef_[0] / deviation
    return weights, float(fit.intercept_[0] - mean @ weights)


# the lowest threshold that reaches the precision, else that of the highest precision; recall is over all right skills
def _threshold(
    probabilities: NDArray[np.float64], right: NDArray[np.bool_], n_right: int
) -> tuple[float, dict[str, float]]:
    order = np.argsort(-probabilities, kind="stable")
    hits, n_found = np.cumsum(right[order]), np.arange(1, len(order) + 1)
    precise = np.flatnonzero(hits >= PRECISION * n_found)
    last = int(precise[-1]) if len(precise) else int(np.argmax(hits / n_found))
    figures = {"precision": float(hits[last] / n_found[last]), "recall": float(hits[last] / max(n_right, 1))}
    return float(probabilities[order[last]]), figures
