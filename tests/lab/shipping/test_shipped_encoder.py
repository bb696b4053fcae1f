"""From the publishers' files to the shipped encoder and its calibration, in miniature."""

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from sentence_transformers import SentenceTransformer

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import DataFileError, JobMatchError
from jobmatch_core.linking import calibration as calibration_module
from jobmatch_core.linking.calibration import Calibration, drawn_titles
from jobmatch_core.linking.candidates import feature_names
from jobmatch_core.linking.encoder_scorer import ConceptHead
from jobmatch_core.linking.examples import twins
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.taxonomy.lexicon import LexiconTitle, with_lexicon
from jobmatch_core.text.folding import fold
from jobmatch_core.titles.encoder import TitleEncoder, is_title_encoder
from jobmatch_core.titles.gendered_words import EndingChange, GenderedWords
from lab.shipping import shipped_encoder
from lab.shipping.concept_training import ConceptRecipe, TrainedBag, train_bag
from lab.shipping.shipped_encoder import ShippedReport, train_shipped_encoder
from lab.shipping.training_texts import NONE, TrainingTexts
from tests.sampled import sampled

pytestmark = pytest.mark.thorough  # each part of the training has tests of its own

RECIPE = ConceptRecipe(dimension=8, least_texts=1, epochs=3, batch_size=32)
GENDERED = GenderedWords({"rin": EndingChange(2, "")})  # the tiny data have too few names to learn any
GROUPS = ConceptRecipe(dimension=8, least_texts=1, epochs=30, batch_size=8, rate=0.1, head_rate=0.05)
URI = "http://data.europa.eu/esco/occupation/"
# coded titles that are held out with `chef`, which the first qualifies, and with `boulangère`, a form of the others
HELD_OUT_BESIDE = {"chef head pub", "boulanger", "boulanger boulangere"}
HELD_OUT = ["Oberkoch", "Care Home Chef", "Scrub Nurse"]  # the last is a coded title
LEXICON = [
    LexiconTitle("de", "Oberkoch", "5120", f"{URI}cook", ""),
    LexiconTitle("en", "Care Home Chef", "5120", "", f"{URI}cook"),
    LexiconTitle("en", "Head Baker", "7512", f"{URI}baker", ""),
    LexiconTitle("en", "Ward Angel", "2221", f"{URI}nurse", ""),
    LexiconTitle("en", "Wall Artist", "7112", f"{URI}mason", ""),
    LexiconTitle("en", "Locum Doctor", "2211", f"{URI}doctor", ""),
]


class Teacher:
    """Knows English by the letters that a text has, and remembers what it was asked."""

    name = "letters"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Count 16 kinds of letters, and normalise."""
        self.seen += texts
        counts = np.array([[sum(ord(c) % 16 == kind for c in text) for kind in range(16)] for text in texts])
        return (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)


class Trained(NamedTuple):
    """What a run left behind, and what it was seen to do."""

    report: ShippedReport
    folder: Path
    calibration: Path
    store: TaxonomyStore
    teacher: Teacher
    texts: list[TrainingTexts]
    notes: list[str]
    steps: list[tuple[int, int]]


@pytest.fixture(scope="module", autouse=True)
def _few_titles() -> Iterator[None]:
    """Give six titles in place of the lexicon, which would take long to learn."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(shipped_encoder, "lexicon_titles", lambda: iter(LEXICON))
        yield


def run(data: Path, place: Path, recipe: ConceptRecipe = RECIPE, start: Path | None = None) -> Trained:
    """Train with a teacher, or go on from *start*, and watch the texts that each of both encoders is given."""
    seen: list[TrainingTexts] = []

    def watched(texts: TrainingTexts, *args: object, **options: object) -> TrainedBag:
        seen.append(texts)
        return train_bag(texts, *args, **options)  # type: ignore[arg-type]

    store, teacher = TaxonomyStore.open(Settings(place / "home")), Teacher()
    folder, calibration = place / "titles", place / "calibration.json"
    notes: list[str] = []
    steps: list[tuple[int, int]] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(shipped_encoder, "train_bag", watched)
        patched.setattr(shipped_encoder, "shipped_folder", lambda: start)
        patched.setattr(shipped_encoder, "learned_gendered_words", lambda taxonomies: GENDERED)
        report = train_shipped_encoder(
            data,
            folder,
            calibration,
            store,
            teacher=None if start else teacher,
            recipe=recipe,
            group_recipe=GROUPS,
            note=notes.append,
            progress=lambda *step: steps.append(step),
        )
    return Trained(report, folder, calibration, store, teacher, seen, notes, steps)


@pytest.fixture(scope="module")
def trained(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """Run once; a model card written by hand lies in the folder already, and a file of an older model."""
    place = tmp_path_factory.mktemp("shipped")
    (place / "titles").mkdir()
    (place / "titles" / "README.md").write_text("# Our card", "utf-8")
    (place / "titles" / "older.bin").write_text("gone", "utf-8")
    return run(data_folder, place)


@pytest.mark.long
def test_the_model_is_one_of_ours(trained: Trained) -> None:
    """Packed, the same for use and in sentence-transformers, which has no code to run in the folder."""
    assert is_title_encoder(trained.folder)
    encoder = TitleEncoder.load(trained.folder)
    titles = ["head nurse", "Bäcker", "パン屋", "", "xyz"]
    model = SentenceTransformer(str(trained.folder), device="cpu", trust_remote_code=True)
    np.testing.assert_allclose(encoder.encode(titles), model.encode(titles), atol=1e-5)
    assert encoder.dimension == 8
    assert encoder.encode(["nurse"]).any()


@pytest.mark.long
def test_it_reads_gendered_words_by_the_rules_that_were_learned(trained: Trained) -> None:
    """They are kept beside it."""
    vectors = TitleEncoder.load(trained.folder).encode(["Bäckerin", "Bäcker"])
    assert vectors[0].any()
    assert vectors[0].tolist() == vectors[1].tolist()
    assert trained.report.gendered_endings == 1


def test_it_has_a_classifier_of_unit_groups(trained: Trained) -> None:
    """It finds the groups of coded titles and of the lexicon, those that were held out from the first one, too."""
    classifier = TitleEncoder.load(trained.folder).group_classifier
    assert classifier is not None
    titles = {"Wall Artist": 7112, "Scrub Nurse": 2221, "Care Home Chef": 5120, "Head Baker": 7512}
    shares = classifier.probabilities(list(titles))
    assert classifier.codes[shares.argmax(axis=1)].tolist() == list(titles.values())
    german, sentence = classifier.probabilities(["Krankenschwester", "the baker"])
    assert classifier.codes[german.argmax()] == 2221
    assert sentence.sum() < 0.5 < shares.sum(axis=1).min()
    assert trained.report.group_titles > len(LEXICON)


def test_it_knows_the_occupations(trained: Trained) -> None:
    """Unit vectors for those that it was trained with, zeros for others; linking starts from them."""
    encoder = TitleEncoder.load(trained.folder)
    names = trained.store.load("esco-1.0.3")
    vectors = encoder.concept_vectors(names.uris)
    occupations = np.isin(np.arange(len(names.uris)), names.occupation_numbers)
    norms = np.linalg.norm(vectors, axis=1)
    assert norms[occupations] == pytest.approx(np.ones(occupations.sum()), abs=1e-5)
    assert not norms[~occupations].any()
    index = NameIndex.build(names, encoder)
    assert index.encoder is not None
    head = ConceptHead.fit(encoder.encode(index.texts), index.concepts, vectors)
    np.testing.assert_allclose(index.encoder.head.vectors, head.vectors, atol=1e-3)


def test_nothing_else_is_left(trained: Trained) -> None:
    """The card is kept, the older model is not, and the encoder that was calibrated with is gone."""
    assert sorted(path.name for path in trained.folder.iterdir()) == [
        "1_Normalize",
        "README.md",
        "concepts.safetensors",
        "config.json",
        "config_sentence_transformers.json",
        "gendered_words.json",
        "groups.safetensors",
        "model.safetensors",
        "modules.json",
        "report.json",
    ]
    assert (trained.folder / "README.md").read_text("utf-8") == "# Our card"
    assert sorted(path.name for path in trained.folder.parent.iterdir()) == ["calibration.json", "home", "titles"]


def test_the_calibration_is_read_back_for_this_encoder(trained: Trained, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the name under which the encoder is loaded; a weight a feature."""
    monkeypatch.setattr(calibration_module, "files", lambda package: trained.calibration.parent)
    monkeypatch.setattr(calibration_module, "SHIPPED_CALIBRATION", trained.calibration.name)
    found = Calibration.shipped_for(TitleEncoder.load(trained.folder).name)
    assert found is not None
    assert list(found.features) == feature_names(["char", "word", "encoder"])
    assert len(found.weights) == len(found.features)
    assert found.held_out == trained.report.calibration


@pytest.mark.thorough
def test_what_is_calibrated_on_was_not_seen(trained: Trained) -> None:
    """Of each drawn name neither itself nor a twin is a text of its occupation; all of it is in the shipped one.

    Names that stay in the index may be seen, as they are by the shipped encoder. The titles held out are not seen.
    """
    blind, shipped = trained.texts
    names = trained.store.load("esco-1.0.3")
    known = [each for each in LEXICON if each.title not in HELD_OUT]
    index = NameIndex.build(with_lexicon(names, known), groups=True)
    numbers = {uri: number for number, uri in enumerate(names.uris[n] for n in names.occupation_numbers.tolist())}
    seen = set(zip(blind.texts, blind.occupations.tolist(), strict=True))
    all_of_them = set(zip(shipped.texts, shipped.occupations.tolist(), strict=True))
    left_out = {
        (index.texts[entry], numbers.get(names.uris[owner], NONE))  # a group's name is no occupation's
        for titles in drawn_titles(index)
        for name, owner, kept in zip(titles.names, titles.owners.tolist(), titles.name_kept.tolist(), strict=True)
        if name and not kept
        for entry in twins(index, name, owner)
    }
    held_out = {fold(title) for title in HELD_OUT}
    assert left_out
    # groups of two levels may have one name, of which one alone is drawn
    assert {each for each in left_out & seen if each[1] != NONE} == set()
    assert held_out & set(blind.texts) == set()
    assert held_out <= set(shipped.texts)
    assert {(text, occupation) for text, occupation in left_out if occupation != NONE} <= all_of_them
    missing = {each for each in all_of_them - seen if not shipped_encoder.is_held_out(each[0])}
    beside = {(text, NONE) for text in HELD_OUT_BESIDE}
    assert beside <= missing
    missing -= beside
    assert missing <= left_out
    assert trained.report.left_out >= len(left_out)  # it counts a text of two groups twice


def test_half_of_what_is_held_out_is_calibrated_on() -> None:
    """By the folded text, whether it is held out or not."""
    titles = [f"title {number}" for number in range(1000)]
    assert 450 < sum(map(shipped_encoder.is_calibrated_on, titles)) < 550
    assert shipped_encoder.is_calibrated_on("Title  7") == shipped_encoder.is_calibrated_on("title 7")
    both = sum(shipped_encoder.is_held_out(title) and shipped_encoder.is_calibrated_on(title) for title in titles)
    assert 60 < both < 140


def test_a_title_is_held_out_by_its_folded_text() -> None:
    """Those of the lexicon and the coded ones alike, however they are written; about a fifth of many."""
    titles = [*(each.title for each in LEXICON), "Scrub Nurse", "Chef head pub"]
    assert [title for title in titles if shipped_encoder.is_held_out(title)] == HELD_OUT
    assert shipped_encoder.is_held_out("SCRUB  nurse")
    assert shipped_encoder.is_held_out("Chef")
    assert 150 < sum(shipped_encoder.is_held_out(f"title {number}") for number in range(1000)) < 250


@pytest.mark.long
def test_going_on_from_the_shipped_encoder(trained: Trained, data_folder: Path, tmp_path: Path) -> None:
    """With a rate of about nothing it stays as it is: that is where the training starts.

    It is its own teacher, so that it is not held to what it says of new titles; names need not be left out.
    """
    start = TitleEncoder.load(trained.folder)
    still = replace(RECIPE, epochs=1, rate=1e-9, head_rate=1e-9)
    again = run(data_folder, tmp_path, still, trained.folder)
    encoder = TitleEncoder.load(again.folder)
    titles = ["head nurse", "Bäcker", "パン屋", "wall builder", "Ward Angel"]
    assert (encoder.encode(titles) * start.encode(titles)).sum(axis=1) == pytest.approx(np.ones(5), abs=0.02)
    uris = [each.esco for each in LEXICON if each.esco]
    np.testing.assert_allclose(encoder.concept_vectors(uris), start.concept_vectors(uris), atol=0.01)
    assert (again.report.start, again.report.teacher, again.report.left_out) == (start.name, "", 0)
    assert again.teacher.seen == []
    assert "Choosing names to leave out" not in again.notes
    blind, shipped = again.texts
    missing = set(shipped.texts) - set(blind.texts)
    assert {fold(title) for title in HELD_OUT} <= missing
    assert all(shipped_encoder.is_held_out(text) for text in missing - HELD_OUT_BESIDE)
    assert not {"ward angel", "chef head pub"} & set(shipped.teacher_texts)
    assert {"ward angel", "chef head pub"} <= set(trained.texts[1].teacher_texts)
    assert shipped.targets[shipped.texts.index("chef head pub")] == NONE


def test_all_sources_are_learned_from(trained: Trained) -> None:
    """Names, the index of ISCO, titles of O*NET, skills in four languages, sentences, lexicon, codes."""
    texts = trained.texts[1].texts
    wanted = {
        "ward carer",
        "schwester",
        "night nurse",
        "line cook",
        "staff nurse",
        "cuidado",
        "soins",
        "料理人",
        "care",
        "head baker",
        "oberkoch",
        "chef head pub",
        "carer of animals",
        "wall renderer",
        "vetkoek baker",
    }
    assert wanted <= set(texts)
    assert trained.report.texts == len(texts)
    assert trained.texts[1].n_families == 2


def test_the_teacher_is_asked_once_for_each_english_text(trained: Trained) -> None:
    """For both trainings together, the shortest first."""
    seen = trained.teacher.seen
    assert len(seen) == len(set(seen))
    assert set(seen) == set(trained.texts[1].teacher_texts)
    assert [len(text) for text in seen] == sorted(map(len, seen))
    assert "the baker bakes" in seen
    assert not {"schwester", "パン屋"} & set(seen)


def test_the_report(trained: Trained) -> None:
    """What was trained, on what; the same in the folder."""
    report = trained.report
    assert (report.recipe, report.teacher, report.start) == (RECIPE, "letters", "")
    assert {name: len(losses) for name, losses in report.losses.items()} == {
        "blind": 3,
        "shipped": 3,
        "blind groups": 30,
        "shipped groups": 30,
    }
    assert report.losses["shipped"][-1] < report.losses["shipped"][0]
    assert TitleEncoder.load(trained.folder).size_mb == pytest.approx(report.features * (4 + 2 + 8 / 2) / 1e6)
    assert report.seconds > 0
    assert report.peak_memory_mb > 10
    assert {"jobmatch", "torch", "numpy"} <= set(report.versions)
    written = json.loads((trained.folder / "report.json").read_text("utf-8"))
    assert written["recipe"]["dimension"] == 8
    assert written["texts"] == report.texts
    assert len(written["data_hash"]) == 64


def test_it_says_what_it_does(trained: Trained) -> None:
    """In order; every step is told with how many there are."""
    assert trained.notes == [
        "Importing the taxonomies",
        "Choosing names to leave out",
        "Encoding with the teacher",
        "Training without the titles held out",
        "Calibrating",
        "Training with all titles",
    ]
    assert all(0 <= done <= total for done, total in trained.steps)
    assert trained.steps[-1][0] == trained.steps[-1][1]


@pytest.mark.long
def test_the_same_data_and_seed_give_the_same_encoder(trained: Trained, data_folder: Path, tmp_path: Path) -> None:
    """To the last bit, so that its name is the same."""
    again = run(data_folder, tmp_path / "again")
    assert TitleEncoder.load(again.folder).name == TitleEncoder.load(trained.folder).name
    assert again.calibration.read_bytes() == trained.calibration.read_bytes()
    assert not (again.folder / "README.md").exists()


_NEEDED = (
    "esco/labels_v1.0.3",
    "isco/isco08_index_en.tsv",
    "onet/Alternate Titles.txt",
    "parallel/tatoeba/tatoeba.jpn-eng.jpn",
    "titles_coded/uk_soc2020.tsv",
    "titles_coded_2/es_mexico_sinco.tsv",
)


@pytest.mark.long
@pytest.mark.parametrize("missing", sampled({name: name for name in _NEEDED}, every=5))
def test_missing_data_is_told_before_the_teacher_works(data_folder: Path, tmp_path: Path, missing: str) -> None:
    """By its name; nothing is written, and an older model stays."""
    data = Path(shutil.copytree(data_folder, tmp_path / "data"))
    gone = data / missing
    shutil.rmtree(gone) if gone.is_dir() else gone.unlink()
    out = tmp_path / "titles"
    out.mkdir()
    (out / "config.json").write_text("older", "utf-8")
    teacher = Teacher()
    store = TaxonomyStore.open(Settings(tmp_path / "home"))
    with pytest.raises(JobMatchError) as caught:
        train_shipped_encoder(data, out, tmp_path / "calibration.json", store, teacher=teacher, recipe=RECIPE)
    assert isinstance(caught.value, DataFileError)
    assert gone.name in str(caught.value)
    assert teacher.seen == []
    assert [path.name for path in out.iterdir()] == ["config.json"]
    assert not (tmp_path / "calibration.json").exists()


def test_where_the_shipped_ones_lie() -> None:
    """Both files are there, and fit each other."""
    folder, calibration = shipped_encoder.shipped_paths()
    assert is_title_encoder(folder)
    assert json.loads(calibration.read_text("utf-8"))["encoder"] == TitleEncoder.load(folder).name
