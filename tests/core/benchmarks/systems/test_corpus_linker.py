"""The linker over a dataset's texts alone: what it must not know, its order by occupation, its scores by name."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.datasets.melo import read_melo
from jobmatch_core.benchmarks.scoreboard.run import DescribedSystem, evaluate
from jobmatch_core.benchmarks.systems.corpus_linker import CorpusLinker, CorpusRanker, taxonomy_of
from jobmatch_core.benchmarks.systems.linker_system import shipped_calibration_digest
from jobmatch_core.benchmarks.systems.system import VOCABULARY_SEEN, Digests, OccupationRanker
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.entities import no_progress
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.linking.scorers import TfidfVectorizer
from jobmatch_core.settings import Settings
from jobmatch_core.text.folding import fold
from tests.made_results import write_melo

COOK = "http://data.europa.eu/esco/occupation/90f75f67-495d-49fa-ab57-2f320e251d7e"  # ESCO's cook, which was trained on


@pytest.fixture
def dataset(tmp_path: Path) -> RankingDataset:
    """Three queries, four English names of three occupations."""
    return read_melo(write_melo(tmp_path / "datasets"))


def prepared(dataset: RankingDataset) -> CorpusRanker:
    """Prepare it."""
    ranker = CorpusLinker().prepare(dataset, progress=no_progress)
    assert isinstance(ranker, CorpusRanker)
    return ranker


def test_it_is_a_system(dataset: RankingDataset) -> None:
    """Of the shipped encoder and calibration, and of no taxonomy."""
    system, encoder = CorpusLinker(), shipped_encoder()
    assert isinstance(system, DescribedSystem)
    assert isinstance(prepared(dataset), OccupationRanker)
    assert system.digests(dataset) == Digests(encoder.name, shipped_calibration_digest(encoder.name))
    assert system.note(replace(dataset, name="usa_q_en_c_en")) == VOCABULARY_SEEN
    by_name, by_occupation = evaluate(system, dataset)
    assert (by_name.system, by_name.note, by_occupation.values["accuracy_at_1"]) == ("linker:corpus", "", 1)


@pytest.mark.thorough
def test_occupations_are_those_of_the_corpus(dataset: RankingDataset) -> None:
    """Its names are found; the calibration is the shipped one, whatever was promoted here."""
    ranker = prepared(dataset)
    linker = ranker._candidates._linker
    assert linker.calibration == Calibration.shipped_for(shipped_encoder().name)
    assert sorted(linker.index.texts) == ["bus driver", "chef", "cook", "nurse"]
    scores = ranker.occupation_scores(["cook", "nurses", "driver of a bus"])
    assert [dataset.concepts[row.argmax()] for row in scores] == ["uri:cook", "uri:nurse", "uri:driver"]
    assert np.isfinite(scores).all()


def test_no_other_name_is_known(dataset: RankingDataset) -> None:
    """Neither the lexicon's nor the taxonomy's in other languages: there are no texts but the corpus's."""
    strange = replace(dataset, elements=["aaa", "bbb", "ccc", "ddd"])
    index = prepared(strange)._candidates._linker.index
    assert sorted(index.texts) == ["aaa", "bbb", "ccc", "ddd"]
    assert index.known_words == {"aaa", "bbb", "ccc", "ddd"}


def test_what_was_learned_of_an_occupation_is_not_looked_up(dataset: RankingDataset) -> None:
    """Under its URI the encoder has a vector of ESCO's cook; here the head is the mean of the corpus's names."""
    esco = replace(dataset, concepts=[COOK, *dataset.concepts[1:]])
    assert shipped_encoder().concept_vectors([COOK]).any()
    heads = [prepared(each)._candidates._linker.index.encoder for each in (dataset, esco)]
    vectors = [np.sort(head.head.vectors.sum(axis=1)) for head in heads if head is not None]
    np.testing.assert_array_equal(*vectors)


def test_by_name_every_text_is_scored_by_itself(dataset: RankingDataset) -> None:
    """The cosine of the vectors and a hundredth of the letters'; whose name it is changes nothing."""
    queries = ["cook", "Krankenschwester", "driver of a bus", "", "xyz"]
    scores = prepared(dataset).scores(queries)
    folded, names = [fold(query) for query in queries], [fold(name) for name in dataset.elements]
    cosines = shipped_encoder().encode(folded) @ shipped_encoder().encode(names).T
    vectorizer, matrix = TfidfVectorizer.fit("char", names)
    letters = (vectorizer.transform(folded) @ matrix.T).toarray()
    np.testing.assert_allclose(scores, cosines + 0.01 * letters, rtol=1e-5, atol=1e-6)
    others = replace(dataset, element_concepts=np.array([0, 1, 2, 1], dtype=np.int32))
    np.testing.assert_array_equal(prepared(others).scores(queries), scores)


def test_nothing_has_to_be_installed(dataset: RankingDataset, jobmatch_home: Path) -> None:
    """Without an installed taxonomy the linker ranks, and writes nothing."""
    prepared(replace(dataset, query_language="no", taxonomy="esco-1.0.3")).scores(["kokk"])
    assert not Settings(jobmatch_home).indexes.exists()


DATASET = RankingDataset(
    name="tst_q_en_c_de_en",
    task="melo",
    query_language="en",
    corpus_languages=("de", "en"),
    query_ids=[],
    queries=[],
    element_ids=["1", "2", "3", "4", "5"],
    elements=["Koch", "cook", "chef", "nurse", "Köchin"],
    element_languages=["de", "en", "en", "en", "de"],
    concepts=["uri:nurse", "uri:cook"],
    element_concepts=np.array([1, 1, 1, 0, 1], dtype=np.int32),
    relevant=csr_matrix((0, 5), dtype=bool),
    data_hash="abc",
)


def test_concepts_become_occupations() -> None:
    """Each under its URI, with all of its elements in their languages, the first of each preferred."""
    taxonomy = taxonomy_of(DATASET)
    assert sorted(taxonomy.uris[number] for number in taxonomy.occupation_numbers) == ["uri:cook", "uri:nurse"]
    names = {
        (taxonomy.uris[concept], language, text): bool(preferred)
        for concept, language, text, preferred in taxonomy.tables.names.itertuples(index=False)
    }
    assert names == {
        ("uri:cook", "de", "Koch"): True,
        ("uri:cook", "de", "Köchin"): False,
        ("uri:cook", "en", "cook"): True,
        ("uri:cook", "en", "chef"): False,
        ("uri:nurse", "en", "nurse"): True,
    }


def test_it_says_what_it_is_of() -> None:
    """Languages for the linker, the data's hash for its index."""
    manifest = taxonomy_of(DATASET).manifest
    assert (manifest.id, manifest.languages, manifest.source_hash) == ("corpus-tst_q_en_c_de_en", ("de", "en"), "abc")


@pytest.mark.thorough
def test_it_can_be_indexed() -> None:
    """As any taxonomy; no ISCO code is needed."""
    index = NameIndex.build(taxonomy_of(DATASET))
    assert sorted(index.texts) == ["chef", "cook", "koch", "kochin", "nurse"]
