"""Adverts and CVs: figures by hand, and which models there are."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import DataFileError, ModelError
from jobmatch_core.towers.documents import SECTIONS, Document, Kind
from lab.experiments.advert_ranking import evaluate_adverts, open_matcher
from lab.experiments.adverts import AdvertSet
from tests.made_marketplace import WordVectors


def document(kind: Kind, key: str, text: str = "") -> Document:
    """Return a document whose description is all there is."""
    texts = tuple(text if section == "description" else "" for section in SECTIONS[kind])
    return Document(key, kind, "en", "", texts, frozenset())


def adverts(relevant: list[list[int]], texts: Sequence[str] = ("", "", "")) -> AdvertSet:
    """Return three CVs, and an advert a row of judgments that wants statistics."""
    return AdvertSet(
        name="toy",
        language="en",
        adverts=tuple(document("project", f"a{row}", "statistics") for row in range(len(relevant))),
        profiles=tuple(document("freelancer", f"c{row}", text) for row, text in enumerate(texts)),
        relevant=csr_matrix(np.array(relevant, dtype=np.bool_)),
        data_hash="",
    )


@dataclass
class Written:
    """Scores as written."""

    rows: list[list[float]]
    name: str = "written"

    def scores(self, projects: Sequence[Document], freelancers: Sequence[Document]) -> FloatArray:
        """Return them."""
        return np.array(self.rows, dtype=np.float32)


def test_figures_by_hand() -> None:
    """First advert: c0 and c2 at ranks 1 and 3: AP (1 + 2/3) / 2; second: c1 second: 1/2; the third says nothing.

    MAP = (5/6 + 1/2) / 2 = 2/3; MRR = 3/4; of ten places two and one are taken rightly: 0.15.
    """
    scores = Written([[3, 2, 1], [3, 2, 1], [1, 2, 3]])
    seen: list[tuple[int, int]] = []
    [figures] = evaluate_adverts(
        adverts([[1, 0, 1], [0, 1, 0], [0, 0, 0]]), [scores], progress=lambda done, total: seen.append((done, total))
    )
    assert (figures.model, figures.adverts, figures.profiles) == ("written", 2, 3)
    assert figures.map == pytest.approx(2 / 3)
    assert figures.map_low <= figures.map <= figures.map_high
    assert (figures.mrr, figures.precision_at_10) == (pytest.approx(0.75), pytest.approx(0.15))
    first = (1 + 1 / 2) / (1 + 0.63093)
    assert figures.ndcg_at_10 == pytest.approx((first + 0.63093) / 2, abs=1e-5)
    assert seen == [(1, 1)]


@pytest.mark.parametrize("name", ["bm25", "section-sbert", "concatenated-text", "untrained"])
def test_models_that_need_no_training(name: str) -> None:
    """The CV with the advert's word is first."""
    matcher = open_matcher(name, WordVectors())
    [figures] = evaluate_adverts(
        adverts([[0, 1, 0]], ("drawing", "senior statistics", "javascript editing")), [matcher]
    )
    assert figures.model.startswith(name)
    assert figures.map == 1


def test_no_such_model() -> None:
    """The message names what there is."""
    with pytest.raises(ModelError, match="untrained"):
        open_matcher("nothing", WordVectors())


def test_nothing_relevant_is_an_error() -> None:
    """A mean of nothing is no figure."""
    with pytest.raises(DataFileError, match="no CV is relevant"):
        evaluate_adverts(adverts([[0, 0, 0]]), [open_matcher("bm25", WordVectors())])
