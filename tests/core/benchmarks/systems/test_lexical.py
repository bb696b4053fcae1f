"""The lexical baselines: scores by hand, how texts are read, and equal to naive loops over other packages."""

import unicodedata
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi
from rapidfuzz import fuzz
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.systems.lexical import BM25, EditDistance, TfIdf, lemmatise
from jobmatch_core.benchmarks.systems.system import System
from jobmatch_core.entities import FloatArray, no_progress
from jobmatch_core.errors import SettingsError

ALL = [
    EditDistance("edit"),
    TfIdf("words", "word"),
    TfIdf("word lemmas", "word", lemmas=True),
    TfIdf("chars", "char"),
    TfIdf("char lemmas", "char", lemmas=True),
    BM25("bm25"),
    BM25("bm25 lemmas", lemmas=True),
]
titles = st.lists(st.text("aBé -ß", min_size=1, max_size=8), min_size=1, max_size=70)


def dataset(elements: Sequence[str], language: str = "en", element_language: str | None = None) -> RankingDataset:
    """Make a corpus; a lexical system looks at nothing else."""
    spoken = element_language or language
    return RankingDataset(
        name="tiny",
        task="melo",
        query_language=language,
        corpus_languages=(spoken,),
        query_ids=[],
        queries=[],
        element_ids=[f"C{number}" for number in range(len(elements))],
        elements=list(elements),
        element_languages=[spoken] * len(elements),
        concepts=[],
        element_concepts=np.arange(len(elements), dtype=np.int32),
        relevant=csr_matrix((0, len(elements)), dtype=bool),
        data_hash="",
    )


def scores(system: System, corpus: RankingDataset, *queries: str) -> FloatArray:
    """Prepare and score."""
    return system.prepare(corpus, progress=no_progress).scores(queries)


def plain(text: str) -> str:
    """Lower-case and fold as MELO's own code does."""
    return unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()


def test_edit_distance_by_hand() -> None:
    """`cook` in `Cooks`: 1 - 1 insertion / (4 + 5) letters; `cook` and `COOK` are equal."""
    [row] = scores(EditDistance("edit"), dataset(["Cooks", "COOK", "xyz"]), "cook")
    assert row.tolist() == pytest.approx([100 * 8 / 9, 100, 0], abs=1e-4)


def test_edit_distance_keeps_accents() -> None:
    """It only lowers case: one of eight letters is replaced, which is one removed and one added."""
    assert scores(EditDistance("edit"), dataset(["café"]), "cafe")[0, 0] == pytest.approx(75)


def test_word_tf_idf_by_hand() -> None:
    """`bread baker`, `pastry baker`: idf(baker) = 1 + ln(3 / 3) = 1, idf(bread) = 1 + ln(3 / 2) = i.

    With l = sqrt(1 + i * i), the query `baker` has the cosine 1 / l with both, and `bread` has i / l and 0.
    """
    rows = scores(TfIdf("words", "word"), dataset(["bread baker", "pastry baker"]), "Baker", "BREAD")
    idf = 1 + np.log(1.5)
    length = np.hypot(1, idf)
    assert rows == pytest.approx(np.array([[1 / length, 1 / length], [idf / length, 0]]), abs=1e-6)


@settings(deadline=None, max_examples=30)
@given(elements=titles, queries=titles)
def test_edit_distance_equals_a_loop(elements: list[str], queries: list[str]) -> None:
    """Over RapidFuzz's ratio."""
    expected = [[fuzz.ratio(query.lower(), element.lower()) for element in elements] for query in queries]
    assert scores(EditDistance("edit"), dataset(elements), *queries) == pytest.approx(np.array(expected), abs=1e-4)


@settings(deadline=None, max_examples=30)
@given(elements=titles, queries=titles)
def test_bm25_equals_a_loop(elements: list[str], queries: list[str]) -> None:
    """Over rank_bm25's scores; words are what stands between two spaces, be it nothing."""
    package = BM25Okapi([plain(element).split(" ") for element in elements])
    expected = np.array([package.get_scores(plain(query).split(" ")) for query in queries])
    assert scores(BM25("bm25"), dataset(elements), *queries) == pytest.approx(expected, abs=1e-5)


@settings(deadline=None, max_examples=30)
@given(elements=titles, queries=titles)
def test_char_tf_idf_equals_a_loop(elements: list[str], queries: list[str]) -> None:
    """Over scikit-learn's cosines, also in corpora of more queries than are multiplied at a time."""
    elements = ["cook", *elements]
    vectorizer = TfidfVectorizer(analyzer="char", ngram_range=(1, 3))
    corpus = vectorizer.fit_transform([plain(element) for element in elements])
    expected = [cosine_similarity(vectorizer.transform([plain(query)]), corpus)[0] for query in queries]
    assert scores(TfIdf("chars", "char"), dataset(elements), *queries) == pytest.approx(np.array(expected), abs=1e-5)


@pytest.mark.parametrize("system", ALL, ids=lambda system: system.name)
def test_shape_and_precision(system: System) -> None:
    """A row a query, a column an element, in single precision; also for no queries and for one without letters."""
    ranker = system.prepare(dataset(["cook", "bread baker", "driver"]), progress=no_progress)
    assert (ranker.scores([]).shape, ranker.scores([]).dtype) == ((0, 3), np.float32)
    assert (ranker.scores(["", "?"]).shape, ranker.scores(["cook"]).dtype) == ((2, 3), np.float32)


@pytest.mark.parametrize("system", ALL, ids=lambda system: system.name)
def test_the_same_name_is_the_best_and_copies_tie(system: System) -> None:
    """Whatever a system likes in a name, nothing has more of it; equal elements have equal scores."""
    [row] = scores(system, dataset(["truck driver", "bread baker", "waiter", "Bread Baker", "cook"]), "bread baker")
    assert row[1] == row[3] > max(row[0], row[2])


@pytest.mark.parametrize("system", ALL, ids=lambda system: system.name)
def test_a_block_of_queries_is_scored_as_each_alone(system: System) -> None:
    """Also where there are more than are multiplied at a time."""
    ranker = system.prepare(dataset(["cook", "bread baker", "driver"]), progress=no_progress)
    queries = ["cook", "baker", "bus driver"] * 50
    alone = np.concatenate([ranker.scores([query]) for query in queries[:3]])
    assert np.array_equal(ranker.scores(queries), np.tile(alone, (50, 1)))


@pytest.mark.parametrize("system", [TfIdf("words", "word"), TfIdf("chars", "char"), BM25("bm25")], ids=lambda s: s.name)
def test_accents_do_not_matter(system: System) -> None:
    """In Latin script, texts are folded to ASCII."""
    corpus = dataset(["kuchař", "řidič", "zubař"], "cs")
    assert np.array_equal(scores(system, corpus, "kuchař"), scores(system, corpus, "KUCHAR"))


@pytest.mark.parametrize("system", ALL, ids=lambda system: system.name)
@pytest.mark.parametrize("language", ["bg", "el", "ja"])
def test_other_scripts_are_kept(system: System, language: str) -> None:
    """Folding would empty the texts, and all would be equally near."""
    names = {
        "bg": ["готвач", "пекар", "шофьор"],
        "el": ["μάγειρας", "οδηγός", "φούρναρης"],
        "ja": ["料理人", "運転手", "教師"],
    }
    own = names[language]
    rows = scores(system, dataset(own, language), *own)
    assert rows.argmax(axis=1).tolist() == [0, 1, 2]
    assert (rows.max(axis=1) > 0).all()


def test_the_queries_language_decides_about_folding() -> None:
    """As in MELO's own code: with Bulgarian queries, an English corpus keeps its accents too."""
    system = TfIdf("words", "word")
    assert scores(system, dataset(["café", "bar"], "bg", "en"), "cafe").max() == 0
    assert scores(system, dataset(["café", "bar"], "fr", "en"), "cafe").max() > 0


def test_each_text_is_lemmatised_in_its_own_language() -> None:
    """French `conducteurs` is a word of the queries, English `drivers` one of the corpus."""
    system = BM25("bm25", lemmas=True)
    corpus = dataset(["driver", "cook", "conducteur"], "fr", "en")
    assert scores(system, corpus, "conducteurs")[0].argmax() == 2
    corpus = dataset(["drivers", "cooks", "waiters"], "fr", "en")
    assert scores(system, corpus, "driver")[0].argmax() == 0
    assert scores(BM25("bm25"), corpus, "driver").max() == 0


def test_a_corpus_without_words() -> None:
    """The user is told what else to take."""
    with pytest.raises(SettingsError, match=r"words cannot rank tiny: none of its 2 elements.*another system"):
        scores(TfIdf("words", "word"), dataset(["a", "?"]), "a")


@pytest.mark.parametrize("system", ALL, ids=lambda system: system.name)
def test_progress_ends_with_all_elements(system: System) -> None:
    """Progress never goes back."""
    steps: list[tuple[int, int]] = []
    system.prepare(dataset(["cook", "baker"] * 600), progress=lambda *step: steps.append(step))
    assert steps[-1] == (1200, 1200)
    assert steps == sorted(steps)


@pytest.mark.parametrize(
    ("language", "text", "lemmas"),
    [
        ("en", "Managers, operating boats", "manager operate boat"),
        ("fr", "infirmières", "infirmier"),
        ("no", "sykepleiere", "sykepleier"),
        ("bg", "шофьори", "шофьор"),
    ],
)
def test_lemmas_in_lower_case_without_punctuation(language: str, text: str, lemmas: str) -> None:
    """One space apart; Norwegian under its own code."""
    assert lemmatise(text, language) == lemmas


@pytest.mark.parametrize("language", ["ja", "mt", "xx"])
def test_words_of_a_language_without_a_dictionary_stay(language: str) -> None:
    """Only case and punctuation go."""
    assert lemmatise("Managers, boats", language) == "managers boats"


def test_nothing_to_lemmatise() -> None:
    """A text without words gives an empty text."""
    assert lemmatise(" - ", "en") == ""
