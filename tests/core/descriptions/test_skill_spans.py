"""Spans of sentences: words with true positions, phrases that end at commas, the most probable spans."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.descriptions.skill_spans import N_FEATURES, SpanTagger, hashed_features, words_of


def tagger_of(*words: str) -> SpanTagger:
    """Return a tagger for which these words are knowledge, and no word is a skill."""
    weights = np.zeros((N_FEATURES, 2), dtype=np.float32)
    for word in words:
        weights[hashed_features([word], 0)[1], 1] = 8.0
    return SpanTagger(weights, np.array([-9.0, -4.0], dtype=np.float32))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("You know Java, C# and .NET.", [("You", 0), ("know", 0), ("Java", 1), ("C#", 0), ("and", 0), (".NET", 0)]),
        ("(SQL) - fast!", [("SQL", 0), ("fast", 1)]),
        ("", []),
    ],
)
def test_words(sentence: str, expected: list[tuple[str, int]]) -> None:
    """Punctuation at the edges is left out; a comma or an exclamation mark ends a phrase."""
    assert [(word.text, int(word.ends_phrase)) for word in words_of(sentence)] == expected


def test_probabilities_by_hand() -> None:
    """A word with weight 8 and bias -4 is knowledge with the probability 1 / (1 + exp(-4)), another with exp(4)."""
    found = tagger_of("java").probabilities(["Java", "tea"])
    assert found[:, 1] == pytest.approx([1 / (1 + np.exp(-4)), 1 / (1 + np.exp(4))], abs=1e-6)
    assert found[:, 0] == pytest.approx([1 / (1 + np.exp(9))] * 2, abs=1e-6)


def test_spans_end_at_commas_and_do_not_begin_with_articles() -> None:
    """Of 'the Java, tea' there are the spans 'Java' and 'tea'; the probable word is Java."""
    read = tagger_of("java").read("the Java, tea")
    assert [(span.text, span.start) for span in read.spans] == [("Java", 4), ("tea", 10)]
    assert read.probable == "Java"
    assert read.spans[0].either > 0.98 > read.spans[1].either


@given(st.text(alphabet="ab ,.#\u00e9", max_size=80))
def test_spans_are_parts_of_the_sentence(sentence: str) -> None:
    """At most 24, in order, each with the text at its position."""
    spans = tagger_of("ab").read(sentence).spans
    assert len(spans) <= 24
    assert [span.text for span in spans] == [sentence[span.start : span.end] for span in spans]
    assert [(span.start, span.end) for span in spans] == sorted({(span.start, span.end) for span in spans})
