"""The linker as a system: which taxonomy it links to, its order by occupation, its scores by name."""

from dataclasses import astuple, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.datasets.melo import read_melo
from jobmatch_core.benchmarks.scoreboard.run import DescribedSystem, evaluate
from jobmatch_core.benchmarks.systems import linker_system
from jobmatch_core.benchmarks.systems.linker_system import ALL_NAMES, LinkerRanker, LinkerSystem, MeaningRanker
from jobmatch_core.benchmarks.systems.system import VOCABULARY_SEEN, OccupationRanker
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.entities import no_progress
from jobmatch_core.errors import SettingsError, TaxonomyError
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
    return replace(read_melo(write_melo(tmp_path / "datasets")), taxonomy="tiny-1")


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


def test_it_is_a_system(dataset: RankingDataset, installed: Settings) -> None:
    """One that scores occupations itself and says what it is."""
    system = LinkerSystem(installed)
    assert isinstance(system, DescribedSystem)
    assert isinstance(prepared(system, dataset), OccupationRanker)
    assert (system.name, LinkerSystem(settings, "esco-1").name) == ("linker", "linker:esco-1")
    assert system.size_mb == shipped_encoder().size_mb


def test_its_digests_tell_encoder_calibration_and_taxonomy(
    dataset: RankingDataset, installed: Settings, tmp_path: Path
) -> None:
    """What else is installed changes nothing; another taxonomy of the same id does."""
    store, system = TaxonomyStore.open(installed), LinkerSystem(installed)
    before = system.digests(dataset)
    assert before.encoder == shipped_encoder().name
    assert before.taxonomy == f"tiny-1@{store.manifest('tiny-1').source_hash[:8]}"
    (tmp_path / "other.csv").write_text(f"{TINY}uri:pilot,en,pilot,,,\n", "utf-8")
    store.import_from(tmp_path / "other.csv")
    assert system.digests(dataset) == before
    (tmp_path / "tiny.csv").write_text(f"{TINY}uri:pilot,en,pilot,,,\n", "utf-8")
    store.import_from(tmp_path / "tiny.csv", replace=True)
    assert system.digests(dataset) != before


def test_another_calibration_has_another_digest(
    dataset: RankingDataset, installed: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that comes with the encoder, another one, none, or that of a model that was promoted here."""
    system, found = LinkerSystem(installed), set()
    found.add(system.digests(dataset).calibration)
    shipped = Calibration.shipped_for(shipped_encoder().name)
    assert shipped is not None
    with monkeypatch.context() as patch:
        model = SimpleNamespace(calibration=replace(shipped, none=shipped.none + 1), moves=None)
        patch.setattr(linker_system, "promoted_model", lambda *_: model)
        found.add(system.digests(dataset).calibration)
    (tmp_path / SHIPPED_CALIBRATION).write_text("another", "utf-8")
    monkeypatch.setattr(linker_system, "files", lambda package: tmp_path)
    found.add(system.digests(dataset).calibration)
    monkeypatch.setattr(Calibration, "shipped_for", lambda encoder: None)
    found.add(system.digests(dataset).calibration)
    assert len(found) == 4


def test_names_in_the_queries_language_are_noted(dataset: RankingDataset, installed: Settings) -> None:
    """Across languages that is what its figures are of."""
    crossed = replace(dataset, query_language="de")
    assert LinkerSystem(installed).note(crossed) == ALL_NAMES
    assert LinkerSystem(installed).note(dataset) == ""


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


def test_it_links_to_the_taxonomy_that_the_dataset_names(
    dataset: RankingDataset, installed: Settings, tmp_path: Path
) -> None:
    """Whatever else is installed: one with more of the occupations, more languages and more names."""
    scores = prepared(LinkerSystem(installed), dataset).occupation_scores(QUERIES)
    more = f"{TINY}uri:cook,fr,cuisinier,,,\nuri:nurse,fr,infirmier,,,\n"
    (tmp_path / "more.csv").write_text(more, "utf-8")
    TaxonomyStore.open(installed).import_from(tmp_path / "more.csv")
    ranker = prepared(LinkerSystem(installed), dataset)
    assert ranker._linker.taxonomy.id == "tiny-1"
    np.testing.assert_array_equal(ranker.occupation_scores(QUERIES), scores)


def test_a_dataset_that_names_none_is_refused(dataset: RankingDataset, installed: Settings) -> None:
    """Nothing is guessed."""
    with pytest.raises(SettingsError, match="does not say which taxonomy it was made of"):
        LinkerSystem(installed).prepare(replace(dataset, taxonomy=""), progress=no_progress)


@pytest.mark.first_case
@pytest.mark.parametrize(
    "languages", [("no", ("en",)), ("en", ("no",)), ("en", ("en", "no"))], ids=["queries", "corpus", "one of them"]
)
def test_a_taxonomy_without_the_language_is_refused(
    dataset: RankingDataset, installed: Settings, languages: tuple[str, tuple[str, ...]]
) -> None:
    """Its figure would be another one than with the language; the language is named."""
    strange = replace(dataset, query_language=languages[0], corpus_languages=languages[1])
    for system in (LinkerSystem(installed), LinkerSystem(installed, "tiny-1")):
        with pytest.raises(TaxonomyError, match="tiny-1, which has no names in Norwegian; import"):
            system.prepare(strange, progress=no_progress)


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


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_by_name_both_forms_of_a_gendered_name_are_told_apart_by_letters(
    dataset: RankingDataset, installed: Settings
) -> None:
    """To the encoder they are one text; whoever asks for one form gets that first."""
    strange = replace(dataset, elements=["Maurer", "Maurerin", "nurse", "pilot"])
    by_form = prepared(LinkerSystem(installed), strange).scores(["Maurer", "Maurerin"])[:, :2]
    assert by_form.argmax(axis=1).tolist() == [0, 1]
    assert shipped_encoder().encode(["Maurer"]).tolist() == shipped_encoder().encode(["Maurerin"]).tolist()


@pytest.mark.thorough
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


@pytest.mark.first_case
@pytest.mark.parametrize(("asked", "linked"), [("", "wide-1"), ("tiny-1", "tiny-1")])
def test_similar_titles_are_compared_by_what_they_mean(
    dataset: RankingDataset, installed: Settings, tmp_path: Path, asked: str, linked: str
) -> None:
    """By occupations of the taxonomy asked for, else of the one that the benchmark names."""
    (tmp_path / "wide.csv").write_text(f"{TINY}uri:pilot,en,pilot,aviator,,\n", "utf-8")
    TaxonomyStore.open(installed).import_from(tmp_path / "wide.csv")
    titles = replace(dataset, ranks_titles=True, taxonomy="wide-1")
    ranker = LinkerSystem(installed, asked).prepare(titles, progress=no_progress)
    assert isinstance(ranker, MeaningRanker)
    assert ranker._linker.taxonomy.id == linked
    assert not isinstance(ranker, OccupationRanker)


def test_japanese_titles_need_english_names(dataset: RankingDataset, installed: Settings) -> None:
    """They are read by their English gloss; other languages have to be in the taxonomy."""
    titles = replace(dataset, ranks_titles=True, query_language="ja", corpus_languages=("ja",))
    assert LinkerSystem(installed).digests(titles).taxonomy.startswith("tiny-1@")


@pytest.mark.thorough
def test_names_of_one_text_have_one_score(dataset: RankingDataset, installed: Settings) -> None:
    """Whatever occupation they are of."""
    twice = replace(
        dataset,
        elements=[*dataset.elements[:3], "Cook"],
        element_concepts=np.array([0, 0, 1, 2], dtype=np.int32),
    )
    scores = prepared(LinkerSystem(installed), twice).scores(["cook", "nurse"])
    np.testing.assert_allclose(scores[:, 0], scores[:, 3], rtol=1e-6)


def test_it_can_be_evaluated(dataset: RankingDataset, installed: Settings) -> None:
    """Both rankings, with what it is; all three first by occupation."""
    told: list[tuple[int, int]] = []
    by_name, by_occupation = evaluate(LinkerSystem(installed), dataset, progress=lambda *step: told.append(step))
    assert by_occupation.values["accuracy_at_1"] == 1
    assert 0 < by_name.values["mrr"] <= 1
    assert (by_name.system, by_name.size_mb) == ("linker", shipped_encoder().size_mb)
    digests = LinkerSystem(installed).digests(dataset)
    assert (by_name.encoder, by_name.calibration, by_name.taxonomy) == astuple(digests)
    assert by_name.versions["system"].split()[1:] == list(astuple(digests))
    assert told[-1] == (7, 7)


@pytest.mark.usefixtures("use_linker_home")
def test_the_bundled_taxonomy_is_one_of_them(linker_home: Path) -> None:
    """Job normalization on ISCO's groups needs no import."""
    dataset = RankingDataset(
        name="titles",
        task="job-normalization",
        query_language="en",
        corpus_languages=("en",),
        query_ids=["1"],
        queries=["cook"],
        element_ids=["a", "b"],
        elements=["Cooks", "Bakers"],
        element_languages=["en", "en"],
        concepts=[f"{ISCO}5120", f"{ISCO}7512"],
        element_concepts=np.array([0, 1], dtype=np.int32),
        relevant=csr_matrix(np.array([[True, False]])),
        data_hash="",
        taxonomy="isco-08",
    )
    ranker = prepared(LinkerSystem(Settings(linker_home)), dataset)
    assert ranker._linker.taxonomy.id == "isco-08"
    assert ranker.occupation_scores(["Koch", "boulanger"]).argmax(axis=1).tolist() == [0, 1]
