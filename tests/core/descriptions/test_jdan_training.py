"""Training of titles and descriptions end to end on made-up postings; that stopping changes nothing."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sentence_transformers import SentenceTransformer

from jobmatch_core.descriptions.aggregators import VARIANTS, NetworkConfig
from jobmatch_core.descriptions.description_model import DescriptionModel
from jobmatch_core.descriptions.jdan_recipe import JdanData, TitleRetrieval
from jobmatch_core.descriptions.jdan_training import title_retrieval, train_jdan
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.encoders.loading import load_encoder
from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import ModelError, SettingsError
from jobmatch_core.titles.ngrams import NgramVocabulary
from jobmatch_core.titles.subword import SubwordBag, pack_own
from tests.core.descriptions.made_postings import BOILERPLATE, JOBS, WordEncoder
from tests.core.descriptions.made_recipe import POSTINGS, RECIPE, SHORT
from tests.core.training.stopping import Stopped, stop_at


def vectors(folder: Path) -> np.ndarray:
    """Return what a model makes of all postings."""
    return DescriptionModel.load(folder, WordEncoder()).encode_postings(POSTINGS)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recipe's model, trained without a stop."""
    out = tmp_path_factory.mktemp("models") / "tiny"
    train_jdan(RECIPE, POSTINGS, out, encoder=WordEncoder())
    return out


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny title encoder of ours, packed."""
    texts = [*"|".join([*JOBS, *JOBS.values()]).split("|"), *BOILERPLATE]
    bag = SubwordBag.untrained(NgramVocabulary.from_texts(texts, least=1, most=5000), 16, seed=1)
    model = SentenceTransformer(modules=[bag], device="cpu")
    pack_own(model)
    folder = tmp_path_factory.mktemp("own") / "own"
    model.save_pretrained(str(folder), create_model_card=False)
    return folder


def test_the_report(whole: Path) -> None:
    """It says how the model came to be; what says nothing was left out."""
    report = json.loads((whole / "report.json").read_text("utf-8"))
    assert report["backbone"] == "words"
    assert sum(report["postings"]) == 90
    assert report["untrained"]["titles"] == report["trained"]["titles"] == round(18 * 0.25)
    assert len(report["epochs"]) == RECIPE.training.epochs
    assert report["texts"] == 18 + 24 + 6
    assert report["weights"] > 1000


def test_the_loss_falls(whole: Path) -> None:
    """Of the postings that are trained on; the titles left out have words that were never seen."""
    losses = [epoch["loss"] for epoch in json.loads((whole / "report.json").read_text("utf-8"))["epochs"]]
    assert losses[-1] < 0.6 * losses[0]


def test_descriptions_find_the_titles_that_were_trained_on(tmp_path: Path) -> None:
    """Among all of them; before, the encoder has never met their words together.

    Sixteen numbers are too few to tell 42 random sentences apart in some steps, so words have 64 here.
    """
    recipe = replace(RECIPE, training=replace(RECIPE.training, epochs=12, learning_rate=0.003))
    train_jdan(recipe, POSTINGS, tmp_path / "m", encoder=WordEncoder(64))
    model = DescriptionModel.load(tmp_path / "m", WordEncoder(64))
    jobs = [set(titles.split("|")) for titles in JOBS]
    titles = sorted(set.union(*jobs))
    nearest = (model.encode_postings(POSTINGS[:90]) @ model.encode_titles(titles).T).argmax(axis=1)
    found = [titles[place] for place in nearest]
    right = [any({title, each.title} <= job for job in jobs) for title, each in zip(found, POSTINGS[:90], strict=True)]
    assert np.mean(right) > 0.7  # by chance 1 in 6; a quarter of the titles is left out


@pytest.mark.first_case
@pytest.mark.parametrize("variant", list(VARIANTS))
def test_every_variant_with_a_trained_backbone(own: Path, tmp_path: Path, variant: str) -> None:
    """The backbone lies in the model's folder, and the figures are those of the model as it was saved."""
    recipe = replace(RECIPE, backbone=str(own), train_backbone=True, variant=variant)
    recipe = replace(recipe, training=replace(RECIPE.training, epochs=2, backbone_learning_rate=0.02))
    report = train_jdan(recipe, POSTINGS, tmp_path / "m")
    model = DescriptionModel.load(tmp_path / "m")
    assert (model.variant, model.dimension, model.backbone) == (variant, 16, "")
    assert np.isfinite(model.encode_postings(POSTINGS)).all()
    assert all(np.isfinite(epoch.loss) for epoch in report.epochs)
    assert report.epochs[-1].loss < report.epochs[0].loss
    assert report.trained is not None
    titles = ["nurse", "baker"]
    assert np.abs(model.encode_titles(titles) - load_encoder(str(own)).encode(titles)).max() > 0.01


def test_any_model_of_sentence_transformers(backbone: Path, tmp_path: Path) -> None:
    """Trained whole, and stopped: the same comes out."""
    recipe = replace(SHORT, backbone=str(backbone), train_backbone=True)
    train_jdan(recipe, POSTINGS, tmp_path / "a")
    with pytest.raises(Stopped):
        train_jdan(recipe, POSTINGS, tmp_path / "b", progress=stop_at(9))
    train_jdan(recipe, POSTINGS, tmp_path / "b")
    one, other = (DescriptionModel.load(tmp_path / name).encode_postings(POSTINGS) for name in "ab")
    assert np.array_equal(one, other)


@pytest.mark.first_case
@pytest.mark.parametrize("variant", ["jdan", "document"])
def test_titles_alone_train_the_encoder(own: Path, tmp_path: Path, variant: str) -> None:
    """The vectors of parts are those at the start of an epoch; one that is stopped and resumed has the same ones."""
    training = replace(SHORT.training, gradients="titles", backbone_learning_rate=0.02)
    recipe = replace(SHORT, backbone=str(own), train_backbone=True, variant=variant, training=training)
    report = train_jdan(recipe, POSTINGS, tmp_path / "a")
    assert report.epochs[-1].loss < report.epochs[0].loss
    with pytest.raises(Stopped):
        train_jdan(recipe, POSTINGS, tmp_path / "b", progress=stop_at(9))
    train_jdan(recipe, POSTINGS, tmp_path / "b")
    one, other = (DescriptionModel.load(tmp_path / name) for name in "ab")
    assert np.array_equal(one.encode_titles(["nurse"]), other.encode_titles(["nurse"]))
    assert np.array_equal(one.encode_postings(POSTINGS), other.encode_postings(POSTINGS))
    both = replace(recipe, training=replace(training, gradients="all"))
    train_jdan(both, POSTINGS, tmp_path / "c")
    assert not np.array_equal(
        DescriptionModel.load(tmp_path / "c").encode_titles(["nurse"]), one.encode_titles(["nurse"])
    )


def test_names_of_occupations_are_learned(own: Path, tmp_path: Path) -> None:
    """Titles come nearer to them than without; one that is stopped and resumed is the same."""
    names = {"Bäcker": "breadwright", "Pflegekraft": "carer", "Schweißer": "joiner of metals"}
    postings = [replace(each, occupation_name=names.get(each.title, "")) for each in POSTINGS]
    training = replace(SHORT.training, backbone_learning_rate=0.02)
    plain = replace(SHORT, backbone=str(own), train_backbone=True, training=training, data=JdanData(taxonomy="x"))
    named = replace(plain, training=replace(training, name_weight=1.0))
    train_jdan(plain, postings, tmp_path / "plain")
    train_jdan(named, postings, tmp_path / "named")
    with pytest.raises(Stopped):
        train_jdan(named, postings, tmp_path / "again", progress=stop_at(9))
    train_jdan(named, postings, tmp_path / "again")

    def likeness(folder: str) -> float:
        model = DescriptionModel.load(tmp_path / folder)
        vectors = model.encode_titles([*names, *names.values()])
        return float(np.einsum("nd,nd->n", vectors[:3], vectors[3:]).mean())

    assert likeness("named") > likeness("plain") + 0.1
    assert likeness("again") == likeness("named")


def test_several_encoders_side_by_side(own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The network is as wide as all of them, and the model finds them again from any folder."""
    monkeypatch.chdir(own.parent)
    train_jdan(replace(SHORT, backbone=f"{own}+{own.name}"), POSTINGS, tmp_path / "m")
    monkeypatch.chdir("/")
    model = DescriptionModel.load(tmp_path / "m")
    assert model.dimension == 32
    titles = ["nurse", "baker"]
    cosines = model.encode_titles(titles) @ model.encode_titles(titles).T
    alone = load_encoder(str(own)).encode(titles)
    assert cosines == pytest.approx(alone @ alone.T, abs=1e-6)


def test_without_validation(tmp_path: Path) -> None:
    """All postings are trained on, and nothing is measured."""
    recipe = replace(RECIPE, training=replace(RECIPE.training, validation=0, warmup=0, epochs=1))
    report = train_jdan(recipe, POSTINGS, tmp_path / "m", encoder=WordEncoder())
    assert (report.postings, report.before, report.untrained, report.trained) == ((90, 0), None, None, None)
    assert report.epochs[0].validation_loss is None


def test_what_is_refused(tmp_path: Path) -> None:
    """Nothing to train on; heads that do not fit; a backbone that is not there."""
    with pytest.raises(SettingsError, match="at least two postings"):
        train_jdan(RECIPE, POSTINGS[-2:], tmp_path / "m", encoder=WordEncoder())
    with pytest.raises(SettingsError, match="3 heads cannot divide"):
        train_jdan(replace(RECIPE, network=NetworkConfig(heads=3)), POSTINGS, tmp_path / "m", encoder=WordEncoder())
    gone = replace(RECIPE, backbone=str(tmp_path / "gone"), train_backbone=True)
    with pytest.raises(SettingsError, match="could not be loaded"):
        train_jdan(gone, POSTINGS, tmp_path / "m", encoder=WordEncoder())
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_model_is_refused(own: Path, tmp_path: Path) -> None:
    """Also where its backbone is."""
    recipe = replace(RECIPE, backbone=str(own), train_backbone=True)
    train_jdan(replace(recipe, training=replace(RECIPE.training, epochs=1)), POSTINGS, tmp_path / "m")
    (tmp_path / "m" / "encoder" / "model.safetensors").write_bytes(b"x")
    with pytest.raises(ModelError, match="no model of descriptions that can be used"):
        DescriptionModel.load(tmp_path / "m")


class Angles:
    """Titles and descriptions that are angles in degrees."""

    name, dimension = "angles", 2

    def encode_titles(self, titles: Sequence[str]) -> FloatArray:
        """Return points on the circle."""
        angles = np.radians([float(title) for title in titles])
        return np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32)

    def encode_postings(self, postings: Sequence[Posting]) -> FloatArray:
        """Return those of the descriptions."""
        return self.encode_titles([posting.description for posting in postings])


def test_by_hand() -> None:
    """10 is nearest to 0, right; 50 is nearest to 60, but is 0's: rank 2; 61 is 60's: rank 1. MRR (1 + 1/2 + 1) / 3."""
    postings = [Posting("", "0", "10"), Posting("", "0", "50"), Posting("", "60", "61"), Posting("", "180", "180")][:3]
    assert title_retrieval(Angles(), postings) == TitleRetrieval(
        3, 2, pytest.approx(2 / 3), 1.0, pytest.approx(2.5 / 3)
    )


def test_nothing_to_measure_and_nothing_said() -> None:
    """No posting; one whose vector is zero counts the right title last."""
    assert title_retrieval(Angles(), []) is None
    model = DescriptionModel(WordEncoder(), "words", "sentence-mean")
    found = title_retrieval(model, [Posting("", "baker", ""), Posting("", "nurse", "")])
    assert found == TitleRetrieval(2, 2, 0.0, 1.0, 0.5)
