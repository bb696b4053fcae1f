"""Features of titles: by hand, against slow loops, and for every script."""

from itertools import pairwise
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobmatch_core.titles.ngrams import FeatureRows, NgramVocabulary, pair_hashes, word_hashes, words_of

TITLES = [
    "Koch",
    "Koch (m/w/d)",
    "head cook",
    "Head Cook, night shift",
    "料理人",
    "Köchin",
    "",
    "🍳",
    "طباخ",
    "cook cook",
]


def hashed(*grams: str) -> list[int]:
    """Return the CRC-32 of texts."""
    return [crc32(gram.encode()) for gram in grams]


def naive_features(vocabulary: NgramVocabulary, text: str) -> list[int]:
    """Return a text's rows, word by word and n-gram by n-gram."""
    row_of = {hash_: row for row, hash_ in enumerate(vocabulary.hashes.tolist())}
    words = words_of(text)
    wanted = [hash_ for word in words for hash_ in word_hashes(word)]
    wanted += [crc32(f"{left}_{right}".encode()) for left, right in pairwise(words)]
    return [row_of[hash_] for hash_ in wanted if hash_ in row_of]


@pytest.fixture(scope="module")
def vocabulary() -> NgramVocabulary:
    """Every second feature of some titles, so that some are known and some are not."""
    everything = NgramVocabulary.from_texts(TITLES, least=1, most=10_000)
    return NgramVocabulary(everything.hashes[::2])


def test_a_short_word_by_hand() -> None:
    """`cook` with its borders, then its n-grams of 3 to 5; the one of 6 is the bordered word itself."""
    expected = hashed("<cook>", "<co", "coo", "ook", "ok>", "<coo", "cook", "ook>", "<cook", "cook>")
    assert word_hashes("cook") == expected


@pytest.mark.parametrize(
    ("word", "grams"),
    [
        ("a", ["<a>"]),
        ("it", ["<it>", "<it", "it>"]),
        ("aaa", ["<aaa>", "<aa", "aaa", "aa>", "<aaa", "aaa>"]),
        ("aaaa", ["<aaaa>", "<aa", "aaa", "aa>", "<aaa", "aaaa", "aaa>", "<aaaa", "aaaa>"]),
    ],
)
def test_each_ngram_once(word: str, grams: list[str]) -> None:
    """However often it occurs; a word as short as an n-gram is not counted twice."""
    assert sorted(word_hashes(word)) == sorted(hashed(*grams))


def test_a_long_word_has_ngrams_of_six_at_most() -> None:
    """`baecker`: with borders 9 letters, so 7 + 6 + 5 + 4 n-grams and itself."""
    assert len(word_hashes("baecker")) == 1 + 7 + 6 + 5 + 4
    assert crc32(b"<baeck") in word_hashes("baecker")
    assert crc32(b"<baecke") not in word_hashes("baecker")


def test_scripts_without_spaces_have_shorter_ngrams() -> None:
    """A single sign of 看護師 (nurse) means something: 1 to 4, borders among them."""
    grams = [
        "<看護師>",
        "<",
        "看",
        "護",
        "師",
        ">",
        "<看",
        "看護",
        "護師",
        "師>",
        "<看護",
        "看護師",
        "護師>",
        "<看護師",
        "看護師>",
    ]
    assert word_hashes("看護師") == hashed(*grams)


@pytest.mark.parametrize("word", ["か", "カメラ", "간호사", "医"])
def test_kana_and_hangul_are_of_these_scripts(word: str) -> None:
    """Their first letter is a feature by itself."""
    assert crc32(word[0].encode()) in word_hashes(word)


@pytest.mark.parametrize("word", ["повар", "μάγειρας", "طباخ", "พ่อครัว", "cook"])
def test_other_scripts_are_not(word: str) -> None:
    """A single letter of other scripts is no feature."""
    assert crc32(word[0].encode()) not in word_hashes(word)


def test_pairs_are_of_neighbours() -> None:
    """In order; a single word has none."""
    assert pair_hashes(["head", "cook", "night"]) == hashed("head_cook", "cook_night")
    assert pair_hashes(["cook"]) == pair_hashes([]) == []
    assert pair_hashes(["a", "b"]) != pair_hashes(["b", "a"])


def test_words_are_folded_and_bounded() -> None:
    """A pasted page does not take minutes: 64 words of 64 letters at most."""
    assert words_of("Köche & Köchinnen (C++)") == ["koche", "kochinnen", "cplusplus"]
    assert words_of("") == words_of("🍳 — !") == []
    assert len(words_of("word " * 10_000)) == 64
    assert [len(word) for word in words_of("x" * 100_000)] == [64]


@given(st.text(max_size=40))
@settings(max_examples=200, deadline=None)
def test_any_text_has_features_or_none(text: str) -> None:
    """Whatever Unicode has, lone surrogates included; each word's features are distinct."""
    for word in words_of(text):
        hashes = word_hashes(word)
        assert len(hashes)
        assert len(np.unique(hashes)) >= len(hashes) - 1  # two grams may share a CRC-32, once in a blue moon
        assert max(hashes) < 2**32


@given(st.lists(st.text(min_size=1, max_size=12), max_size=6))
@settings(max_examples=100, deadline=None)
def test_words_together_have_the_rows_of_each(texts: list[str]) -> None:
    """One look-up for few or many words finds what one for each would."""
    words = [word for text in texts for word in words_of(text)]
    vocabulary = NgramVocabulary(np.unique(np.array([h for word in words for h in word_hashes(word)[::2]], np.uint32)))
    for some in (words, 50 * words):
        together = vocabulary.rows_of_words(some)
        assert len(together) == len(some)
        for word, start, end in zip(some, together.starts[:-1], together.starts[1:], strict=True):
            assert together.rows[start:end].tolist() == vocabulary.find(np.array(word_hashes(word), np.uint32)).tolist()


def test_a_vocabulary_keeps_what_is_frequent() -> None:
    """Counted by texts, not by occurrences: `cook` is in two texts, `baker` in one, thrice."""
    vocabulary = NgramVocabulary.from_texts(["cook", "a cook", "baker baker baker"], least=2, most=100)
    assert vocabulary.hashes.tolist() == sorted(word_hashes("cook"))
    assert len(vocabulary) == 10


def test_a_vocabulary_has_at_most_so_many() -> None:
    """The features of most texts are kept: `a` is in three texts, `b` in two, `c` in one."""
    vocabulary = NgramVocabulary.from_texts(["a", "a", "a", "b", "b", "c"], least=1, most=2)
    assert vocabulary.hashes.tolist() == sorted(hashed("<a>", "<b>"))


def test_pairs_are_features_too() -> None:
    """`a b` and `b a` share words, and no pair."""
    vocabulary = NgramVocabulary.from_texts(["a b", "b a"], least=1, most=100)
    assert vocabulary.hashes.tolist() == sorted(hashed("<a>", "<b>", "a_b", "b_a"))


@pytest.mark.parametrize("texts", [[], ["", "🍳"], ["cook"]], ids=["none", "no words", "all too rare"])
def test_an_empty_vocabulary_finds_nothing(texts: list[str]) -> None:
    """The look-up returns no rows."""
    vocabulary = NgramVocabulary.from_texts(texts, least=2, most=100)
    assert len(vocabulary) == 0
    features = vocabulary.features(["cook", "head cook"])
    assert (features.rows.tolist(), features.starts.tolist()) == ([], [0, 0, 0])


def test_rows_are_places_in_the_vocabulary() -> None:
    """Of 10, 20 and 4,000,000,000, the second and third are asked for, and two that are not there."""
    vocabulary = NgramVocabulary(np.array([10, 20, 4_000_000_000], dtype=np.uint32))
    asked = np.array([4_000_000_000, 15, 20, 4_294_967_295], dtype=np.uint32)
    assert vocabulary.find(asked).tolist() == [2, 1]
    assert vocabulary.find(asked).dtype == np.int32
    rows, known = vocabulary.look_up(asked)
    assert known.tolist() == [True, False, True, False]
    assert rows[known].tolist() == [2, 1]


def test_features_equal_the_slow_loop(vocabulary: NgramVocabulary) -> None:
    """In the same order, text by text, also where a word occurs twice."""
    features = vocabulary.features(TITLES)
    assert len(features) == len(TITLES)
    bounds = pairwise(features.starts.tolist())
    assert [features.rows[a:b].tolist() for a, b in bounds] == [naive_features(vocabulary, text) for text in TITLES]
    assert len(features.rows) > 20


def test_no_texts_have_no_features(vocabulary: NgramVocabulary) -> None:
    """The only start is 0, where the features of a first text would begin."""
    features = vocabulary.features([])
    assert (len(features), features.rows.tolist(), features.starts.tolist()) == (0, [], [0])


@st.composite
def feature_rows(draw: st.DrawFn) -> FeatureRows:
    """Texts of 0 to 4 features."""
    parts = draw(st.lists(st.lists(st.integers(0, 99), max_size=4), max_size=8))
    starts = np.cumsum([0, *map(len, parts)])
    return FeatureRows(np.array([row for part in parts for row in part], dtype=np.int32), starts.astype(np.int64))


def split(features: FeatureRows) -> list[list[int]]:
    """Return the rows of each text."""
    return [features.rows[a:b].tolist() for a, b in pairwise(features.starts.tolist())]


@given(feature_rows(), st.data())
@settings(max_examples=100, deadline=None)
def test_take_equals_the_slow_loop(features: FeatureRows, data: st.DataObject) -> None:
    """Any texts in any order, also twice, also none."""
    texts = data.draw(st.lists(st.integers(0, len(features) - 1), max_size=10) if len(features) else st.just([]))
    taken = features.take(np.array(texts, dtype=np.intp))
    assert split(taken) == [split(features)[text] for text in texts]


@given(feature_rows(), st.floats(0, 1), st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_dropping_keeps_texts_and_order(features: FeatureRows, share: float, seed: int) -> None:
    """The features that remain keep their text and order; the same seed drops the same ones."""
    left = features.dropped(share, np.random.default_rng(seed))
    kept = np.random.default_rng(seed).random(len(features.rows), dtype=np.float32) >= share
    texts = np.repeat(np.arange(len(features)), np.diff(features.starts))
    assert split(left) == [features.rows[kept & (texts == text)].tolist() for text in range(len(features))]


def test_the_share_is_dropped() -> None:
    """A share of a third drops a third of 100,000 features, within 0.5%; a share of 0 drops none."""
    features = FeatureRows(np.arange(100_000, dtype=np.int32), np.array([0, 40_000, 100_000]))
    left = features.dropped(1 / 3, np.random.default_rng(1))
    assert len(left.rows) == pytest.approx(66_667, abs=500)
    assert split(features.dropped(0.0, np.random.default_rng(1))) == split(features)
