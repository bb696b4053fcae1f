"""Models of titles and descriptions: every variant, and folders that are whole, damaged or another's."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from jobmatch_core.descriptions.aggregators import VARIANTS, NetworkConfig, PostingReading
from jobmatch_core.descriptions.attention import summary_means
from jobmatch_core.descriptions.description_model import DescriptionModel, rounded
from jobmatch_core.descriptions.network import AggregationNetwork
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.encoders.loading import load_encoder, shipped_encoder
from jobmatch_core.errors import ModelError
from jobmatch_core.settings import Settings
from tests.core.descriptions.made_postings import WordEncoder, made_postings

POSTINGS = [*made_postings(9), Posting("empty", "Baker", "", ())]


def network(dimension: int = 16) -> AggregationNetwork:
    """Return a network with random weights, rounded as they are saved."""
    torch.manual_seed(1)
    return rounded(AggregationNetwork(NetworkConfig(layers=2, heads=2), dimension))


def model_of(variant: str, encoder: WordEncoder | None = None) -> DescriptionModel:
    """Return a model of a variant."""
    needed = network() if VARIANTS[variant].summary == "network" else None
    return DescriptionModel(encoder or WordEncoder(), "words", variant, network=needed)


@pytest.mark.parametrize("variant", ["jdan", "sentence-mean"])
def test_vectors_that_are_kept(variant: str, tmp_path: Path) -> None:
    """The same ones under the same name, encoded once; the model itself keeps nothing."""
    encoder = WordEncoder()
    model = model_of(variant, encoder)
    expected = model.encode_postings(POSTINGS)
    assert not list(tmp_path.iterdir())
    for _ in range(2):
        encoder.encoded = 0
        kept = model.keeping_vectors(Settings(tmp_path))
        assert kept.name == model.name
        assert np.array_equal(kept.encode_postings(POSTINGS), expected)
    assert encoder.encoded == 0


@pytest.mark.parametrize("variant", list(VARIANTS))
def test_every_variant(variant: str) -> None:
    """Vectors of one length, the same whatever else is in the batch, and other ones for other postings."""
    model = model_of(variant)
    vectors = model.encode_postings(POSTINGS)
    assert (vectors.shape, vectors.dtype) == ((10, 16), np.float32)
    assert np.linalg.norm(vectors[:9], axis=1) == pytest.approx(1, abs=1e-5)
    assert np.linalg.norm(vectors[9]) == pytest.approx(float(variant == "jdan"), abs=1e-5)
    for row, posting in enumerate(POSTINGS):
        assert model.encode_postings([posting])[0] == pytest.approx(vectors[row], abs=1e-5)
    assert np.abs(vectors[0] - vectors[1]).max() > 0.01
    assert model.encode_postings([]).shape == (0, 16)
    assert model.encode_titles(["baker"]) == pytest.approx(WordEncoder().encode(["baker"]))
    assert model.name == f"words/{variant}"


def test_means_maxima_and_documents_by_hand() -> None:
    """Of the sentences' vectors, made one long; the document is what the encoder makes of all of it."""
    posting = Posting("1", "Baker", "You bake bread. Apply!", ("bake", "apply"))
    words = WordEncoder().encode(["You bake bread.", "Apply!", posting.description, "bake, apply"])
    means = words[:2].mean(axis=0)
    maxima = words[:2].max(axis=0)
    for variant, expected in (
        ("sentence-mean", means / np.linalg.norm(means)),
        ("sentence-max", maxima / np.linalg.norm(maxima)),
        ("document", words[2]),
        ("skill-concat", words[3]),
    ):
        assert model_of(variant).encode_postings([posting])[0] == pytest.approx(expected, abs=1e-5)


def test_describe() -> None:
    """The sentences that were read, the vector, and the attention that made it."""
    model = model_of("jdan")
    for posting in POSTINGS:
        found = model.describe(posting)
        assert [each.content for each in found.segments] == posting.description.split("\n") * bool(posting.description)
        assert found.vector == pytest.approx(model.encode_postings([posting])[0], abs=1e-5)
        assert found.sentences.shape == (len(found.segments), 16)
        assert found.attention is not None
        assert found.attention.weights.shape == (2, 2, len(found.segments) + 1, len(found.segments) + 1)
        assert summary_means(found.attention).shape == (2, len(found.segments))
    mean = model_of("sentence-mean").describe(POSTINGS[0])
    assert mean.attention is None
    assert mean.vector == pytest.approx(model_of("sentence-mean").encode_postings(POSTINGS[:1])[0])


def test_no_more_sentences_than_are_read() -> None:
    """Those behind change nothing."""
    model = DescriptionModel(
        WordEncoder(), "words", "jdan", reading=PostingReading("sentences", most=2), network=network()
    )
    found = model.describe(Posting("1", "", "One.\nTwo.\nThree."))
    assert [each.content for each in found.segments] == ["One.", "Two."]
    assert found.vector == pytest.approx(model.describe(Posting("1", "", "One.\nTwo.")).vector)


def test_aggregate_takes_what_is_encoded_already() -> None:
    """As the check of faithfulness does, many postings at once, of any length, in their order."""
    model = model_of("jdan")
    sentences = [WordEncoder().encode(["a", "b", "c"][:n]) for n in (2, 0, 3, 1)]
    vectors = model.aggregate(sentences)
    for row, each in enumerate(sentences):
        assert model.aggregate([each])[0] == pytest.approx(vectors[row], abs=1e-5)


@pytest.mark.parametrize("variant", ["jdan", "sentence-max", "skill-concat"])
def test_save_and_load(tmp_path: Path, variant: str) -> None:
    """The same vectors come out; the name tells the folder and the weights."""
    model = model_of(variant)
    model.save(tmp_path / "mine", {"loss": 1.5})
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == [
        "config.json",
        "model.safetensors",
        "report.json",
    ]
    loaded = DescriptionModel.load(tmp_path / "mine", WordEncoder())
    assert np.array_equal(loaded.encode_postings(POSTINGS), model.encode_postings(POSTINGS))
    assert (loaded.variant, loaded.reading) == (model.variant, model.reading)
    assert loaded.name.startswith("mine-")
    assert json.loads((tmp_path / "mine" / "report.json").read_text("utf-8")) == {"loss": 1.5}
    with pytest.raises(OSError, match="mine"):
        model.save(tmp_path / "mine", {})


def test_the_shipped_encoder_is_found_by_its_word(tmp_path: Path) -> None:
    """Also when the model is loaded."""
    assert load_encoder("titles") is shipped_encoder()
    model = DescriptionModel(shipped_encoder(), "titles", "jdan", network=network(256))
    model.save(tmp_path / "m", {})
    vectors = DescriptionModel.load(tmp_path / "m").encode_postings(POSTINGS[:2])
    assert np.array_equal(vectors, model.encode_postings(POSTINGS[:2]))


def test_another_backbone_is_refused(tmp_path: Path) -> None:
    """Its vectors would mean something else."""
    model_of("jdan").save(tmp_path / "m", {})
    with pytest.raises(ModelError, match="trained over words, and others gives other vectors"):
        DescriptionModel.load(tmp_path / "m", WordEncoder(name="others"))
    model_of("document").save(tmp_path / "d", {})
    with pytest.raises(ModelError, match="dimension was 16, and that of words is 8"):
        DescriptionModel.load(tmp_path / "d", WordEncoder(8))


@pytest.mark.parametrize(
    "damage",
    [
        {"config.json": b"{"},
        {"config.json": b"[]"},
        {"config.json": b"{}"},
        {"model.safetensors": b"x"},
        {"config.json": {"variant": "other"}},
        {"config.json": {"variant": "document"}},
        {"config.json": {"network": None}},
        {"config.json": {"network": {"layers": 1}}},
        {"config.json": {"network": {"heads": 0}}},
        {"config.json": {"network": {"width": 3}}},
        {"config.json": {"reading": {"most": 3}}},
        {"config.json": {"dimension": 8}},
        {"config.json": {"backbone": "", "backbone_name": ""}},
        {"config.json": None},
        {"model.safetensors": None},
    ],
    ids=str,
)
def test_damaged_folders_are_refused(tmp_path: Path, damage: dict[str, object]) -> None:
    """With one error that says what to do."""
    folder = tmp_path / "m"
    model_of("jdan").save(folder, {})
    for name, content in damage.items():
        if content is None:
            (folder / name).unlink()
        elif isinstance(content, bytes):
            (folder / name).write_bytes(content)
        else:
            config = json.loads((folder / name).read_text("utf-8"))
            (folder / name).write_text(json.dumps(config | content), "utf-8")  # type: ignore[operator]
    encoder = None if damage.get("config.json") == {"backbone": "", "backbone_name": ""} else WordEncoder()
    with pytest.raises(ModelError, match=r"no model of descriptions that can be used .* train it again"):
        DescriptionModel.load(folder, encoder)


def test_weights_of_another_network_are_refused(tmp_path: Path) -> None:
    """Too few of them."""
    model_of("jdan").save(tmp_path / "m", {})
    save_file({"cls": torch.zeros(16)}, tmp_path / "m" / "model.safetensors")
    with pytest.raises(ModelError, match="its weights do not match"):
        DescriptionModel.load(tmp_path / "m", WordEncoder())


def test_variants_and_networks_that_do_not_go_together() -> None:
    """An unknown variant; a network too many or too few."""
    with pytest.raises(ValueError, match="expected one of jdan, document"):
        DescriptionModel(WordEncoder(), "words", "median")
    with pytest.raises(ValueError, match="jdan needs a network"):
        DescriptionModel(WordEncoder(), "words", "jdan")
    with pytest.raises(ValueError, match="document needs no network"):
        DescriptionModel(WordEncoder(), "words", "document", network=network())
