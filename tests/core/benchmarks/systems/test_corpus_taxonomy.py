"""A dataset's corpus as a taxonomy."""

import numpy as np
from scipy.sparse import csr_matrix

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.systems.corpus_taxonomy import taxonomy_of
from jobmatch_core.linking.index import NameIndex

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


def test_it_can_be_indexed() -> None:
    """As any taxonomy; no ISCO code is needed."""
    index = NameIndex.build(taxonomy_of(DATASET))
    assert sorted(index.texts) == ["chef", "cook", "koch", "kochin", "nurse"]
