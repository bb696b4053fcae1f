"""Posting models by their words: the shipped one, trained ones, and one that no longer fits."""

import json
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.descriptions import posting_models
from jobmatch_core.descriptions.description_model import DescriptionModel
from jobmatch_core.descriptions.posting_models import load_posting_model, shipped_fits, shipped_folder
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.errors import LinkingError, ModelError
from jobmatch_core.titles.encoder import shipped_folder as shipped_folder_of_titles

NURSE = "You care for patients on the ward.\nYou give medicine and dress wounds.\nFree parking.\nApply by Friday."
BAKER = "You bake bread and rolls.\nYou knead dough and mind the oven.\nFree parking.\nApply by Friday."


def test_the_shipped_model_knows_one_job_from_another() -> None:
    """It fits the title encoder, is small, and has a report."""
    assert shipped_fits()
    model = load_posting_model()
    assert model.variant == "jdan"
    vectors = model.encode_descriptions([NURSE, BAKER])
    scores = vectors @ model.encode_titles(["nurse", "baker"]).T
    assert scores.argmax(axis=1).tolist() == [0, 1]
    size = sum(path.stat().st_size for path in shipped_folder().iterdir())
    assert size < 5_000_000
    report = json.loads((shipped_folder() / "report.json").read_text("utf-8"))
    assert report["backbone"] == shipped_encoder().name
    assert report["trained"]["mrr"] > report["untrained"]["mrr"]
    assert (shipped_folder() / "README.md").is_file()


def test_another_title_encoder_makes_it_the_mean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The shipped model is not offered, and the mean of the sentences replaces it."""
    monkeypatch.setattr(posting_models, "shipped_folder", lambda: tmp_path)
    assert not shipped_fits()
    (tmp_path / "config.json").write_text(json.dumps({"backbone_name": "another"}), "utf-8")
    assert not shipped_fits()
    assert load_posting_model().variant == "sentence-mean"
    assert posting_models.posting_models() == ["mean", "max", "document"]


def test_trained_ones_by_name_and_folder(jobmatch_home: Path) -> None:
    """Those of the home, latest first, without models of other kinds."""
    folder = jobmatch_home / "models" / "mine"
    DescriptionModel(shipped_encoder(), "titles", "sentence-max").save(folder, {})
    other = jobmatch_home / "models" / "towers"
    other.mkdir()
    (other / "config.json").write_text(json.dumps({"tower": {}}), "utf-8")
    (other / "model.safetensors").write_bytes(b"")
    assert posting_models.posting_models() == ["jdan", "mine", "mean", "max", "document"]
    for word in ("mine", str(folder)):
        model = load_posting_model(word)
        expected = load_posting_model("max").encode_postings([Posting("", "", NURSE)])
        assert np.array_equal(model.encode_descriptions([NURSE]), expected)
    for word, problem in (("towers", "of kind towers, not descriptions or"), ("gone", "There is no model 'gone'")):
        with pytest.raises(ModelError, match=rf"{problem}.*Models: jdan, mean, max, document, titles, mine, a folder"):
            load_posting_model(word)


def test_encoders_untrained(tmp_path: Path) -> None:
    """One or several encoders give the mean of the sentences; other models are refused."""
    folder = str(shipped_folder_of_titles())
    alone = load_posting_model(folder)
    assert alone.variant == "sentence-mean"
    postings = [Posting("", "", NURSE)]
    assert np.array_equal(alone.encode_postings(postings), load_posting_model("mean").encode_postings(postings))
    both = load_posting_model(f"titles+{folder}")
    assert both.dimension == 2 * alone.dimension
    cosines = both.encode_postings(postings) @ both.encode_titles(["nurse"]).T
    assert cosines == pytest.approx(alone.encode_postings(postings) @ alone.encode_titles(["nurse"]).T, abs=1e-5)
    for word in (str(tmp_path), f"titles+{tmp_path}", "titles+", "c++", "titles+hub/name"):
        with pytest.raises(ModelError, match="There is no model"):
            load_posting_model(word)
    (tmp_path / "modules.json").write_text("[", "utf-8")
    with pytest.raises(LinkingError, match="could not be loaded"):
        load_posting_model(f"titles+{tmp_path}")
