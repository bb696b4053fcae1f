"""The linker as a system: which taxonomy it links to, its order by occupation, its scores by name."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from jobmatch_core import __version__
from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.datasets.melo import read_melo
from jobmatch_core.benchmarks.scoreboard.run import DescribedSystem, evaluate
from jobmatch_core.benchmarks.systems import linker_system
from jobmatch_core.benchmarks.systems.linker_system import (
    LinkerRanker,
    LinkerSystem,
    MeaningRanker,
    taxonomy_of,
)
from jobmatch_core.benchmarks.systems.system import VOCABULARY_SEEN, OccupationRanker
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.entities import no_progress
from jobmatch_core.errors import TaxonomyError
from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.linking.calibration import SHIPPED_CALIBRATION, Calibration
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.linking.scorers import TfidfVectorizer
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.text.folding import fold
from tests.made_results import write_melo

# the dataset's occupations, one more, and German names, which the dataset's corpus has not
TINY = """concept_id,language,preferred,alternatives,parent,description
uri:cook,en,cook,chef,,
uri:cook,de,Koch,Küchenchef,,
uri:nurse,en,nurse,,,
uri:nurse,de,Krankenpfleger,Krankenschwester,,
uri:driver,en,bus driver,,,
uri:driver,de,Busfahrer,,,
uri:judge,en,judge,,,
"""
QUERIES = ["cook", "Krankenschwester", "driver of a bus", "", "xyz"]
ISCO = "http://data.europa.eu/esco/isco/C"


@pytest.fixture
def dataset(tmp_path: Path) -> RankingDataset:
    """Three queries, four English names of three occupations."""
    return read_melo(write_melo(tmp_path / "datasets"))


@pytest.fixture
def settings(jobmatch_home: Path) -> Settings:
    """A home in which only the bundled taxonomy is."""
    return Settings(jobmatch_home)


@pytest.fixture
def installed(settings: Settings, tmp_path: Path) -> Settings:
    """A home with a taxonomy that knows all of the dataset's concepts."""
    (tmp_path / "tiny.csv").write_text(TINY, "utf-8")
    TaxonomyStore.open(settings).import_from(tmp_path / "tiny.csv")
    return settings


def prepared(system: LinkerSystem, dataset: RankingDataset) -> LinkerRanker:
    """Prepare it."""
    ranker = system.prepare(dataset, progress=no_progress)
    assert isinstance(ranker, LinkerRanker)
    return ranker


def order_of(scores: np.ndarray, dataset: RankingDataset) -> list[str]:
    """Return the concepts, best first."""
    return [dataset.concepts[concept] for concept in np.argsort(-scores, kind="stable")]


def test_it_is_a_system(dataset: RankingDataset, settings: Settings) -> None:
    """One that scores occupations itself and says what it is."""
    system = LinkerSystem(settings)
    assert isinstance(system, DescribedSystem)
    assert isinstance(prepared(system, dataset), OccupationRanker)
    assert (system.name, LinkerSystem(settings, "esco-1").name) == ("linker", "linker:esco-1")
    assert system.size_mb == shipped_encoder().size_mb


def test_its_version_tells_encoder_and_taxonomies(settings: Settings, tmp_path: Path) -> None:
    """What is installed decides what is linked to, so that figures of before do not stand for those of after."""
    store = TaxonomyStore.open(settings)
    before = LinkerSystem(settings).version
    assert before.startswith(f"{__version__} {shipped_encoder().name} ")
    assert before.endswith(f" isco-08@{store.manifest('isco-08').source_hash[:8]}")
    (tmp_path / "tiny.csv").write_text(TINY, "utf-8")
    tiny = store.import_from(tmp_path / "tiny.csv")
    assert LinkerSystem(settings).version == f"{before},tiny-1@{tiny.source_hash[:8]}"
    assert LinkerSystem(settings, "tiny-1").version.endswith(f" tiny-1@{tiny.source_hash[:8]}")


def test_another_taxonomy_of_the_same_id_is_another_version(installed: Settings, tmp_path: Path) -> None:
    """A name more, imported in its place; the same file again is the same."""
    store, before = TaxonomyStore.open(installed), LinkerSystem(installed).version
    store.import_from(tmp_path / "tiny.csv", replace=True)
    assert LinkerSystem(installed).version == before
    (tmp_path / "tiny.csv").write_text(f"{TINY}uri:pilot,en,pilot,,,\n", "utf-8")
    store.import_from(tmp_path / "tiny.csv", replace=True)
    assert LinkerSystem(installed).version != before


def test_another_calibration_is_another_version(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that comes with the encoder, another one, or none."""
    versions = {LinkerSystem(settings).version}
    (tmp_path / SHIPPED_CALIBRATION).write_text("another", "utf-8")
    monkeypatch.setattr(linker_system, "files", lambda package: tmp_path)
    versions.add(LinkerSystem(settings).version)
    monkeypatch.setattr(Calibration, "shipped_for", lambda encoder: None)
    versions.add(LinkerSystem(settings).version)
    assert len(versions) == 3


@pytest.mark.parametrize(
    ("task", "name", "note"),
    [
        ("melo", "usa_q_en_c_en", VOCABULARY_SEEN),
        ("melo", "deu_q_de_c_de", ""),
        ("title-similarity", "usa_q_en_c_en", ""),
    ],
)
def test_seen_vocabulary_is_noted(dataset: RankingDataset, settings: Settings, task: str, name: str, note: str) -> None:
    """The queries of MELO's American datasets are O*NET's titles."""
    assert LinkerSystem(settings).note(replace(dataset, task=task, name=name)) == note


def test_candidates_come_first_in_the_linkers_order(dataset: RankingDataset, installed: Settings) -> None:
    """Then the others, by the concept head; the judge is no occupation of the dataset, and is passed over.

    The linker is told that queries are English, as users can tell it.
    """
    linker = open_linker("tiny-1", settings=installed)
    head = linker.index.encoder
    assert head is not None
    scores = prepared(LinkerSystem(installed), dataset).occupation_scores(QUERIES)
    assert scores.shape == (len(QUERIES), 3)
    by_head = head.occupation_scores(head.encode([fold(query) for query in QUERIES]))
    for query, row in enumerate(scores):
        ranked = [
            linker.taxonomy.uris[concept] for concept in linker.rank([QUERIES[query]], languages=["en"])[0].concepts
        ]
        candidates = [uri for uri in ranked if uri in dataset.concepts]
        assert order_of(row, dataset)[: len(candidates)] == candidates
        others = [uri for uri in dataset.concepts if uri not in candidates]
        for uri in others:
            column = head.columns(np.array([linker.taxonomy.number(uri)]))[0]
            assert row[dataset.concepts.index(uri)] == pytest.approx(by_head[query, column], abs=1e-6)
    assert [order_of(row, dataset)[0] for row in scores[:3]] == ["uri:cook", "uri:nurse", "uri:driver"]


def test_it_links_to_the_best_known_taxonomy(dataset: RankingDataset, installed: Settings) -> None:
    """Half of the concepts are enough."""
    assert prepared(LinkerSystem(installed), dataset)._linker.taxonomy.id == "tiny-1"
    half = replace(dataset, concepts=[*dataset.concepts, "uri:a", "uri:b", "uri:c"])
    assert prepared(LinkerSystem(installed), half)._linker.taxonomy.id == "tiny-1"


def test_one_that_is_little_known_is_not_linked_to(dataset: RankingDataset, installed: Settings) -> None:
    """Three of seven concepts: it is another version, or another taxonomy."""
    little = replace(dataset, concepts=[*dataset.concepts, "uri:a", "uri:b", "uri:c", "uri:d"])
    ranker = prepared(LinkerSystem(installed), little)
    assert ranker._linker.taxonomy.id == "corpus-tst_q_en_c_en"
    scores = ranker.occupation_scores(["cook"])
    assert order_of(scores[0], little)[0] == "uri:cook"
    assert scores[0, 3:].tolist() == [-np.inf] * 4


def test_of_several_the_best_known_and_then_that_of_most_languages(
    dataset: RankingDataset, installed: Settings, tmp_path: Path
) -> None:
    """One that lacks an occupation comes after, one with fewer languages too."""
    (tmp_path / "part.csv").write_text(TINY.replace("uri:driver", "uri:pilot"), "utf-8")
    english = "\n".join(line for line in TINY.splitlines() if ",de," not in line) + "\n"
    (tmp_path / "english.csv").write_text(english, "utf-8")
    for name in ("part", "english"):
        TaxonomyStore.open(installed).import_from(tmp_path / f"{name}.csv")
    assert prepared(LinkerSystem(installed), dataset)._linker.taxonomy.id == "tiny-1"


def test_without_one_the_corpus_is_the_taxonomy(dataset: RankingDataset, settings: Settings) -> None:
    """Its names are found; the calibration is the shipped one."""
    ranker = prepared(LinkerSystem(settings), dataset)
    assert ranker._linker.calibration == Calibration.shipped_for(shipped_encoder().name)
    scores = ranker.occupation_scores(["cook", "nurses", "driver of a bus"])
    assert [order_of(row, dataset)[0] for row in scores] == ["uri:cook", "uri:nurse", "uri:driver"]
    assert np.isfinite(scores).all()


def test_a_taxonomy_that_is_asked_for(dataset: RankingDataset, installed: Settings) -> None:
    """It is linked to, however little it knows; one that is not installed is an error."""
    strange = replace(dataset, concepts=["uri:a", "uri:nurse", "uri:b"])
    ranker = prepared(LinkerSystem(installed, "tiny-1"), strange)
    assert ranker._linker.taxonomy.id == "tiny-1"
    scores = ranker.occupation_scores(["nurse"])
    assert order_of(scores[0], strange)[0] == "uri:nurse"
    assert scores[0, [0, 2]].tolist() == [-np.inf, -np.inf]
    with pytest.raises(TaxonomyError, match="no taxonomy 'nope'"):
        LinkerSystem(installed, "nope").prepare(dataset, progress=no_progress)


def test_by_name_each_name_is_scored_by_its_text_and_what_it_names(
    dataset: RankingDataset, installed: Settings
) -> None:
    """By hand: the mean of the two texts' cosine and the head's score of what the text names, and a little by letters.

    All four names are known to the taxonomy, each of one occupation.
    """
    ranker = prepared(LinkerSystem(installed), dataset)
    scores = ranker.scores(QUERIES)
    assert (scores.shape, scores.dtype) == ((len(QUERIES), 4), np.float32)
    folded, names = [fold(query) for query in QUERIES], [fold(name) for name in dataset.elements]
    cosines = shipped_encoder().encode(folded) @ shipped_encoder().encode(names).T
    linker = open_linker("tiny-1", settings=installed)
    head = linker.index.encoder
    assert head is not None
    known = [linker.index.concepts[linker.index.texts.index(name)] for name in names]
    by_head = head.occupation_scores(head.encode(folded))[:, head.columns(np.array(known))]
    vectorizer, matrix = TfidfVectorizer.fit("char", names)
    letters = (vectorizer.transform(folded) @ matrix.T).toarray()
    np.testing.assert_allclose(scores, (cosines + by_head) / 2 + 0.01 * letters, rtol=1e-4, atol=1e-4)
    assert scores[0].argmax() == dataset.elements.index("cook")


def test_by_name_the_nearest_occupation_that_bears_a_name_counts(dataset: RankingDataset, installed: Settings) -> None:
    """A chef is a cook, and here a judge too, whatever the dataset says; a pilot is nobody, and goes by the text."""
    taxonomy = installed.home / "two.csv"
    taxonomy.write_text(TINY.replace("uri:judge,en,judge,,,", "uri:judge,en,judge,chef,,"), "utf-8")
    TaxonomyStore.open(installed).import_from(taxonomy)
    strange = replace(dataset, elements=["cook", "chef", "nurse", "pilot"])
    ranker = prepared(LinkerSystem(installed, "two-1"), strange)
    encode = shipped_encoder().encode
    cosines = encode(["judge of a court"]) @ encode(["chef", "pilot"]).T
    head = ranker._linker.index.encoder
    assert head is not None
    numbers = [ranker._linker.taxonomy.number(uri) for uri in ("uri:cook", "uri:judge")]
    [by_head] = head.occupation_scores(encode(["judge of a court"]))[:, head.columns(np.array(numbers))]
    [scores] = ranker.scores(["judge of a court"])
    assert by_head[1] > by_head[0]
    assert scores[1] == pytest.approx((cosines[0, 0] + by_head[1]) / 2, abs=1e-3)
    assert scores[3] == pytest.approx(cosines[0, 1], abs=1e-6)


def test_by_name_both_forms_of_a_gendered_name_are_told_apart_by_letters(
    dataset: RankingDataset, installed: Settings
) -> None:
    """To the encoder they are one text; whoever asks for one form gets that first."""
    strange = replace(dataset, elements=["Maurer", "Maurerin", "nurse", "pilot"])
    by_form = prepared(LinkerSystem(installed), strange).scores(["Maurer", "Maurerin"])[:, :2]
    assert by_form.argmax(axis=1).tolist() == [0, 1]
    assert shipped_encoder().encode(["Maurer"]).tolist() == shipped_encoder().encode(["Maurerin"]).tolist()


def test_by_name_the_lexicon_names_nobody(dataset: RankingDataset, installed: Settings) -> None:
    """It has a `barista`, a title of the tiny taxonomy's cook here, whom the taxonomy itself does not call so."""
    linker = open_linker("tiny-1", settings=installed)
    further = linker.taxonomy.tables.names.iloc[[0]].assign(text="barista", preferred=False)
    taxonomy = linker.taxonomy.with_names(further)
    told = Linker(taxonomy, NameIndex.build(taxonomy, shipped_encoder()), linker.calibration)
    ranker = LinkerRanker(told, shipped_encoder(), replace(dataset, elements=["cook", "barista", "nurse", "chef"]))
    encode = shipped_encoder().encode
    [scores] = ranker.scores(["coffee maker"])
    assert scores[1] == pytest.approx((encode(["coffee maker"]) @ encode(["barista"]).T)[0, 0], abs=1e-6)


@pytest.mark.parametrize(("asked", "linked"), [("", "wide-1"), ("tiny-1", "tiny-1")])
def test_similar_titles_are_compared_by_what_they_mean(
    dataset: RankingDataset, installed: Settings, tmp_path: Path, asked: str, linked: str
) -> None:
    """To the taxonomy asked for, else the one with the most names of those in the titles' language."""
    (tmp_path / "wide.csv").write_text(f"{TINY}uri:pilot,en,pilot,aviator,,\n", "utf-8")
    french = "".join(f"uri:{number},fr,métier {number},,,\n" for number in range(20))
    (tmp_path / "french.csv").write_text(f"{TINY.splitlines()[0]}\n{french}", "utf-8")
    store = TaxonomyStore.open(installed)
    for name in ("wide", "french"):
        store.import_from(tmp_path / f"{name}.csv")
    store_of_three = [store.manifest(each) for each in ("tiny-1", "wide-1", "french-1")]
    titles = replace(dataset, task="title-similarity")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TaxonomyStore, "installed", lambda self: store_of_three)
        ranker = LinkerSystem(installed, asked).prepare(titles, progress=no_progress)
    assert isinstance(ranker, MeaningRanker)
    assert ranker._linker.taxonomy.id == linked
    assert not isinstance(ranker, OccupationRanker)


def test_names_of_one_text_have_one_score(dataset: RankingDataset, settings: Settings) -> None:
    """Whatever occupation they are of."""
    twice = replace(
        dataset,
        elements=[*dataset.elements[:3], "Cook"],
        element_concepts=np.array([0, 0, 1, 2], dtype=np.int32),
    )
    scores = prepared(LinkerSystem(settings), twice).scores(["cook", "nurse"])
    np.testing.assert_allclose(scores[:, 0], scores[:, 3], rtol=1e-6)


def test_it_can_be_evaluated(dataset: RankingDataset, installed: Settings) -> None:
    """Both rankings, with what it is; all three first by occupation."""
    told: list[tuple[int, int]] = []
    by_name, by_occupation = evaluate(LinkerSystem(installed), dataset, progress=lambda *step: told.append(step))
    assert by_occupation.values["accuracy_at_1"] == 1
    assert 0 < by_name.values["mrr"] <= 1
    assert (by_name.system, by_name.size_mb) == ("linker", shipped_encoder().size_mb)
    assert by_name.versions["system"] == LinkerSystem(installed).version
    assert told[-1] == (7, 7)


@pytest.mark.usefixtures("use_linker_home")
def test_the_bundled_taxonomy_is_one_of_them(linker_home: Path) -> None:
    """Job normalization on ISCO's groups needs no import."""
    dataset = RankingDataset(
        name="titles", task="job-normalization", query_language="en", corpus_languages=("en",), query_ids=["1"],
        queries=["cook"], element_ids=["a", "b"], elements=["Cooks", "Bakers"], element_languages=["en", "en"],
        concepts=[f"{ISCO}5120", f"{ISCO}7512"], element_concepts=np.array([0, 1], dtype=np.int32),
        relevant=csr_matrix(np.array([[True, False]])), data_hash="",
    )  # fmt: skip
    ranker = prepared(LinkerSystem(Settings(linker_home)), dataset)
    assert ranker._linker.taxonomy.id == "isco-08"
    assert ranker.occupation_scores(["Koch", "boulanger"]).argmax(axis=1).tolist() == [0, 1]


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
