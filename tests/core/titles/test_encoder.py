"""The title encoder for use: the same vectors as its sentence-transformers model, and the vectors of concepts."""

import json
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import Normalize

from jobmatch_core.entities import ConceptEncoder, FloatArray
from jobmatch_core.errors import ModelError
from jobmatch_core.titles import encoder as module
from jobmatch_core.titles.encoder import CONCEPTS_FILE, ConceptTable, TitleEncoder, is_title_encoder, shipped_encoder
from jobmatch_core.titles.gendered_words import GENDERED_FILE, EndingChange, GenderedWords
from jobmatch_core.titles.ngrams import NgramVocabulary
from jobmatch_core.titles.subword import SubwordBag

TITLES = [
    "head cook",
    "Koch/Köchin (m/w/d)",
    "registered nurse, night shift",
    "料理人",
    "간호사",
    "повар",
    "طباخ ماهر",
    "พ่อครัว",
    "C++ developer",
    "developer developer",
    "",
    " ",
    "🍳",
    "👩‍⚕️ nurse",
    "Äpfel",
    "zzzz",
    "x" * 5000,
    "word " * 500,
]


def written(
    folder: Path, texts: list[str], *, bits: int = 4, dimension: int = 8, gendered_words: GenderedWords | None = None
) -> Path:
    """Write a model of random vectors that knows the features of some texts."""
    vocabulary = NgramVocabulary.from_texts(texts, least=1, most=10_000)
    weights = np.random.default_rng(1).normal(size=(len(vocabulary), dimension)).astype(np.float32)
    bag = SubwordBag(vocabulary.hashes, weights, bits=bits, gendered_words=gendered_words)
    model = SentenceTransformer(modules=[bag, Normalize()], device="cpu")
    model.save_pretrained(str(folder), create_model_card=False)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that knows most of the titles; only to be read or copied."""
    return written(tmp_path_factory.mktemp("models") / "titles", [title for title in TITLES if title != "zzzz"])


@pytest.fixture
def copied(folder: Path, tmp_path: Path) -> Path:
    """A copy of the model, to be damaged."""
    return Path(shutil.copytree(folder, tmp_path / "titles"))


@pytest.fixture(scope="module")
def encoder(folder: Path) -> TitleEncoder:
    """The model for use."""
    return TitleEncoder.load(folder)


@pytest.fixture(scope="module")
def reference(folder: Path) -> SentenceTransformer:
    """The same files, read by sentence-transformers."""
    return SentenceTransformer(str(folder), device="cpu", trust_remote_code=True)


def test_vectors_equal_sentence_transformers(encoder: TitleEncoder, reference: SentenceTransformer) -> None:
    """They are equal for texts of all scripts, for empty and for very long ones."""
    vectors = encoder.encode(TITLES)
    assert (vectors.shape, vectors.dtype) == ((len(TITLES), 8), np.float32)
    np.testing.assert_allclose(vectors, reference.encode(TITLES), atol=1e-5)


def test_gendered_words_are_read_as_one(tmp_path: Path) -> None:
    """In vectors and tokens, by sentence-transformers, too, which also saves the rules; they are part of the name."""
    words = GenderedWords({"in": EndingChange(2, "")})
    folder = written(tmp_path / "titles", ["Leiter Bau", "Leiterin Bau"], gendered_words=words)
    encoder = TitleEncoder.load(folder)
    feminine, masculine = encoder.encode(["Leiterin Bau", "Leiter Bau"])
    np.testing.assert_array_equal(feminine, masculine)
    tokens = encoder.encode_tokens(["Leiterin Bau", "Leiter Bau"]).vectors
    np.testing.assert_array_equal(tokens[0], tokens[1])
    model = SentenceTransformer(str(folder), device="cpu", trust_remote_code=True)
    np.testing.assert_allclose(model.encode(["Leiterin Bau"])[0], masculine, atol=1e-5)
    model.save_pretrained(str(tmp_path / "again"), create_model_card=False)
    assert GenderedWords.load(tmp_path / "again" / GENDERED_FILE).endings == words.endings
    (folder / GENDERED_FILE).unlink()
    without = TitleEncoder.load(folder)
    assert without.name != encoder.name
    assert without.encode(["Leiterin Bau"])[0].tolist() != masculine.tolist()


@pytest.mark.parametrize("content", ["", '{"endings": 3}'])
def test_damaged_rules_of_gendered_words(copied: Path, content: str) -> None:
    """Damaged rules are reported as a damaged model."""
    (copied / GENDERED_FILE).write_text(content, "utf-8")
    with pytest.raises(ModelError, match="no title encoder that can be read"):
        TitleEncoder.load(copied)


@given(st.lists(st.one_of(st.text(max_size=30), st.sampled_from(TITLES)), max_size=5))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_texts_equal_sentence_transformers(
    encoder: TitleEncoder, reference: SentenceTransformer, texts: list[str]
) -> None:
    """Unit vectors, or zeros where nothing is known."""
    vectors = encoder.encode(texts)
    if texts:
        np.testing.assert_allclose(vectors, reference.encode(texts), atol=1e-5)
    norms = np.linalg.norm(vectors, axis=1)
    assert ((np.abs(norms - 1) < 1e-5) | (norms == 0)).all()


def test_what_is_unknown_is_zero(encoder: TitleEncoder) -> None:
    """Texts without letters or known features have zero vectors; no texts give no rows of the same width."""
    assert not encoder.encode(["", " ", "🍳", "zzzz"]).any()
    assert encoder.encode([]).shape == (0, 8)


def test_case_accents_and_punctuation_do_not_matter(encoder: TitleEncoder) -> None:
    """Folded texts have the same vectors."""
    first, *others = encoder.encode(["head cook", "HEAD COOK", "Head, Cook!", "héad cöok"])
    assert all(np.array_equal(first, other) for other in others)
    assert not np.allclose(first, encoder.encode(["cook head"])[0])


def test_more_texts_than_a_block(encoder: TitleEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    """18 titles, seven at once."""
    expected = encoder.encode(TITLES)
    monkeypatch.setattr(module, "_BATCH", 7)
    np.testing.assert_array_equal(encoder.encode(TITLES), expected)


def test_more_words_than_are_kept(
    folder: Path, encoder: TitleEncoder, reference: SentenceTransformer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cache starts anew, also within one call, and no vector is another."""
    monkeypatch.setattr(module, "_MOST_WORDS", 3)
    monkeypatch.setattr(module, "_BATCH", 2)
    small = TitleEncoder.load(folder)
    for _ in range(2):
        np.testing.assert_array_equal(small.encode(TITLES), encoder.encode(TITLES))
    np.testing.assert_allclose(small.encode(TITLES), reference.encode(TITLES), atol=1e-5)


def test_more_words_than_the_first_room(encoder: TitleEncoder, reference: SentenceTransformer) -> None:
    """The cache grows: 3,000 words, of which parts are known."""
    texts = [f"cook{number:x} nurse{number:x}" for number in range(1500)]
    np.testing.assert_allclose(encoder.encode(texts), reference.encode(texts), atol=1e-5)


def test_threads_share_an_encoder(folder: Path, encoder: TitleEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight at once, while the cache grows and is emptied."""
    monkeypatch.setattr(module, "_MOST_WORDS", 500)
    lists = [[f"cook{number:x} of {thread}" for number in range(200)] for thread in range(8)] * 3
    expected = [encoder.encode(texts) for texts in lists]
    shared = TitleEncoder.load(folder)
    with ThreadPoolExecutor(8) as pool:
        for found, right in zip(pool.map(shared.encode, lists), expected, strict=True):
            np.testing.assert_array_equal(found, right)


def test_a_model_that_knows_nothing(tmp_path: Path) -> None:
    """Trained on too few texts: all vectors are zeros."""
    encoder = TitleEncoder.load(written(tmp_path / "nothing", []))
    assert encoder.encode(["head cook", ""]).tolist() == [[0.0] * 8] * 2


def test_the_name_is_the_folders_and_a_digest(folder: Path, encoder: TitleEncoder, tmp_path: Path) -> None:
    """A copy has the same name, other weights another."""
    assert re.fullmatch(r"titles-[0-9a-f]{8}", encoder.name)
    assert TitleEncoder.load(Path(shutil.copytree(folder, tmp_path / "titles"))).name == encoder.name
    other = TitleEncoder.load(written(tmp_path / "other" / "titles", ["head cook"]))
    assert other.name != encoder.name


def test_its_size_is_that_of_its_weights(folder: Path, encoder: TitleEncoder) -> None:
    """A hash of 4 bytes, a scale of 2 and half a byte a dimension; the file has a header besides."""
    n_rows = len(SubwordBag.load(str(folder)).vocabulary)
    assert encoder.size_mb == pytest.approx(n_rows * (4 + 2 + 8 / 2) / 1e6)
    assert 0 < (folder / "model.safetensors").stat().st_size / 1e6 - encoder.size_mb < 0.001
    assert encoder.dimension == 8


@pytest.mark.parametrize("file", ["model.safetensors", "config.json"])
def test_a_missing_file(copied: Path, file: str) -> None:
    """The error names the missing file."""
    (copied / file).unlink()
    with pytest.raises(ModelError, match=rf"titles holds no title encoder that can be read .*{file}"):
        TitleEncoder.load(copied)


@pytest.mark.parametrize("length", [0, 4, 100, -1], ids=["empty", "no header", "half a header", "a byte too few"])
def test_truncated_weights(copied: Path, length: int) -> None:
    """Weights that are cut at any place are an error."""
    path = copied / "model.safetensors"
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(ModelError, match="jobmatch train"):
        TitleEncoder.load(copied)


@pytest.mark.parametrize(
    "config",
    [
        "{",
        "",
        "[]",
        "{}",
        "null",
        '{"bits": 4}',
        '{"bits": 4, "dimension": "8"}',
        '{"bits": 4, "dimension": 10}',
        "\xff",
    ],
)
def test_a_damaged_config(copied: Path, config: str) -> None:
    """No JSON, no object, something missing, or another model's."""
    (copied / "config.json").write_bytes(config.encode("latin-1"))
    with pytest.raises(ModelError, match="titles holds no title encoder that can be read"):
        TitleEncoder.load(copied)


def test_unpacked_weights_are_not_for_use(tmp_path: Path) -> None:
    """A model that is still trained has 32 bits."""
    with pytest.raises(ModelError, match="32 bits, not 4"):
        TitleEncoder.load(written(tmp_path / "trained", TITLES, bits=32))


def test_weights_of_another_model(copied: Path, tmp_path: Path) -> None:
    """One file of two models: 8 dimensions promised, 6 there."""
    other = written(tmp_path / "other", ["cook"], dimension=6)
    shutil.copy(other / "model.safetensors", copied)
    with pytest.raises(ModelError, match="do not fit together"):
        TitleEncoder.load(copied)


def test_no_folder_at_all(tmp_path: Path) -> None:
    """Neither a folder nor a file is taken for one."""
    (tmp_path / "file").write_text("no model", "utf-8")
    for path in (tmp_path / "nowhere", tmp_path / "file", tmp_path):
        with pytest.raises(ModelError, match="Expected a folder with"):
            TitleEncoder.load(path)


def test_concepts_that_it_was_trained_with(copied: Path) -> None:
    """Their vectors are read from their file; without it all are zeros; a damaged file is an error."""
    plain = TitleEncoder.load(copied)
    assert isinstance(plain, ConceptEncoder)
    assert plain.concept_vectors(["uri:1", "uri:2"]).tolist() == [[0.0] * 8] * 2
    ConceptTable.of(["uri:2"], np.full((1, 8), 3, dtype=np.float32)).save(copied)
    vectors = TitleEncoder.load(copied).concept_vectors(["uri:1", "uri:2"])
    np.testing.assert_allclose(vectors, [[0] * 8, [8**-0.5] * 8], rtol=1e-3)
    path = copied / CONCEPTS_FILE
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ModelError, match="titles holds no title encoder that can be read"):
        TitleEncoder.load(copied)


def test_which_folders_are_ours(copied: Path, tmp_path: Path) -> None:
    """By the class in modules.json; damaged weights do not make it another's."""
    assert is_title_encoder(copied)
    (copied / "model.safetensors").unlink()
    assert is_title_encoder(copied)
    assert not is_title_encoder(tmp_path)
    assert not is_title_encoder(tmp_path / "nowhere")
    for other in ("{", "[]", "{}", "null", '[{"type": "sentence_transformers.models.Transformer"}]', "[1]"):
        (copied / "modules.json").write_text(other, "utf-8")
        assert not is_title_encoder(copied)


def test_the_shipped_encoder() -> None:
    """It is there, it is read once, and its folder is ours; it has no pickle and no code."""
    encoder = shipped_encoder()
    assert encoder is shipped_encoder()
    assert encoder.name.startswith("jobmatch-titles-")
    folder = Path(module.__file__).parent / "jobmatch-titles"
    assert is_title_encoder(folder)
    assert {path.suffix for path in folder.rglob("*") if path.is_file()} <= {".json", ".safetensors", ".md"}
    assert json.loads((folder / "config.json").read_text("utf-8")) == {"bits": 4, "dimension": encoder.dimension}
    assert np.linalg.norm(encoder.encode(["nurse", "Koch"]), axis=1) == pytest.approx(np.ones(2), abs=1e-5)


URIS = [f"http://example.org/occupation/{number}" for number in range(20)]


def _vectors() -> FloatArray:
    vectors = np.random.default_rng(5).normal(size=(20, 64)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_known_concepts_have_their_vectors() -> None:
    """They come in the requested order, nearly as they were trained, and at length one."""
    vectors = _vectors()
    table = ConceptTable.of(URIS, vectors)
    found = table.vectors([URIS[7], URIS[0], URIS[19]])
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    assert (found * vectors[[7, 0, 19]]).sum(axis=1).min() > 0.98


def test_unknown_concepts_have_zeros() -> None:
    """Also where all are unknown, and where none is asked for."""
    table = ConceptTable.of(URIS, _vectors())
    found = table.vectors(["nothing", URIS[3], "zzz"])
    assert np.array_equal(np.flatnonzero(found.any(axis=1)), [1])
    assert table.vectors([]).shape == (0, 64)


def test_saved_and_loaded_it_is_the_same(tmp_path: Path) -> None:
    """A saved and loaded encoder has the same vectors, bit for bit."""
    table = ConceptTable.of(URIS, _vectors())
    table.save(tmp_path)
    again = ConceptTable.load(tmp_path / CONCEPTS_FILE)
    assert np.array_equal(again.vectors(URIS), table.vectors(URIS))
