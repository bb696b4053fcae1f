"""Thresholds by hand, the fit on an index, and the file."""

import dataclasses
import json
from pathlib import Path

import pytest

from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.errors import LinkingError
from jobmatch_core.linking import Linker, calibration
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.linking.candidates import feature_names
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.metrics.calibration import PrecisionPoint
from jobmatch_core.model_store.saved_model import weights_digest
from jobmatch_core.titles.encoder import shipped_folder
from jobmatch_core.titles.group_classifier import GROUPS_FILE

CALIBRATION = Calibration(("char", "names"), (1.5, 0.25), 2.0, 0.4, {"titles": 10.0, "accuracy": 0.5})


def test_the_fit_of_the_bundled_taxonomy(lexical: Linker) -> None:
    """One non-negative weight per feature, and at least the figures below, without an encoder."""
    fitted = lexical.calibration
    assert list(fitted.features) == feature_names(["char", "word"])
    assert len(fitted.weights) == len(fitted.features)
    assert min(fitted.weights) >= 0
    assert max(fitted.weights) > 1
    assert 0.1 < fitted.threshold < 0.9
    assert fitted.held_out["titles"] == 3300
    assert fitted.held_out["accuracy"] > 0.18
    assert fitted.held_out["unit_accuracy"] >= fitted.held_out["accuracy"]
    assert fitted.held_out["ece"] < 0.07


def test_fit_is_deterministic_and_reports_its_progress(tiny_index: NameIndex) -> None:
    """Two fits agree; progress grows and never exceeds its total."""
    steps: list[tuple[int, int]] = []
    first = Calibration.fit(tiny_index, progress=lambda done, total: steps.append((done, total)))
    assert first == Calibration.fit(tiny_index)
    assert steps == sorted(steps)
    assert all(done < total for done, total in steps)


@pytest.mark.parametrize("share", [-0.1, 1.5, float("nan")])
def test_an_equal_name_has_a_probability(share: float) -> None:
    """A damaged or forged file may have another value."""
    with pytest.raises(ValueError, match="an equal name has a probability of"):
        Calibration(("a",), (1.0,), 0.0, 0.5, {}, exact_name=share)


def test_the_logit_has_the_fitted_weights() -> None:
    """Weights in order, and the utility of none."""
    assert CALIBRATION.logit.weights.tolist() == [1.5, 0.25]
    assert CALIBRATION.logit.none == 2.0


def test_saved_and_loaded_it_is_the_same(tmp_path: Path) -> None:
    """Tuples stay tuples; the file is plain JSON."""
    calibrated = dataclasses.replace(
        CALIBRATION, unit_threshold=0.3, curve=curve((0.9, 1.0)), unit_curve=curve((0.4, 0.5))
    )
    calibrated.save(tmp_path)
    assert Calibration.load(tmp_path / "calibration.json") == calibrated
    assert json.loads((tmp_path / "calibration.json").read_text("utf-8"))["threshold"] == 0.4


def test_a_file_for_an_encoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is stored with the encoder's name, and shipped for that encoder only."""
    path = tmp_path / "shipped.json"
    CALIBRATION.save_for("titles-0123abcd", path)
    assert Calibration.load(path) == CALIBRATION
    monkeypatch.setattr(calibration, "files", lambda package: tmp_path)
    monkeypatch.setattr(calibration, "SHIPPED_CALIBRATION", "shipped.json")
    assert Calibration.shipped_for("titles-0123abcd") == CALIBRATION
    assert Calibration.shipped_for("titles-ffffffff") is None
    assert Calibration.shipped_for("") is None


def test_the_shipped_calibration_is_for_the_shipped_encoder() -> None:
    """Otherwise the index would be calibrated on names that the encoder has seen; and for its classifier."""
    fitted = Calibration.shipped_for(shipped_encoder().name)
    assert fitted is not None
    assert fitted.classifier == weights_digest(shipped_folder(), GROUPS_FILE)
    assert list(fitted.features) == feature_names(["char", "word", "encoder"])
    assert len(fitted.weights) == len(fitted.features)
    assert min(fitted.weights) >= 0
    assert calibration.MIN_THRESHOLD <= fitted.threshold < 1
    assert calibration.MIN_THRESHOLD <= fitted.unit_threshold < 1
    assert set(fitted.held_out) == {"titles", "accuracy", "ece", "unit_accuracy", "unit_ece"}
    assert fitted == fitted.at_precision(calibration.PRECISION)


def curve(*points: tuple[float, float]) -> tuple[PrecisionPoint, ...]:
    """Return points of (threshold, precision), each linking a tenth more than the last."""
    return tuple(
        PrecisionPoint(threshold, precision, (number + 1) / 10) for number, (threshold, precision) in enumerate(points)
    )


def test_thresholds_for_a_precision() -> None:
    """The point with the most links that reaches the precision; at least 1/3, else `SURE`.

    Occupations reach 0.9 from 0.8 on, and 0.7 from 0.2 on, which is too low; unit groups never reach 0.99.
    """
    calibrated = dataclasses.replace(
        CALIBRATION, curve=curve((0.95, 1.0), (0.8, 0.9), (0.6, 0.85), (0.2, 0.7)), unit_curve=curve((0.7, 0.95))
    )
    at_precisions = [calibrated.at_precision(precision) for precision in (0.9, 0.85, 0.7, 0.99)]
    assert [chosen.threshold for chosen in at_precisions] == [0.8, 0.6, calibration.MIN_THRESHOLD, 0.95]
    assert [chosen.unit_threshold for chosen in at_precisions] == [0.7, 0.7, 0.7, calibration.SURE]
    assert [chosen.precision for chosen in at_precisions] == [0.9, 0.85, 0.7, 0.99]
    assert dataclasses.replace(at_precisions[0], threshold=0.4, unit_threshold=calibration.SURE) == calibrated


@pytest.mark.parametrize("precision", [0.0, 1.0, -0.5, 1.5, float("nan")])
def test_a_precision_that_cannot_be_reached(precision: float) -> None:
    """The message gives the range."""
    calibrated = dataclasses.replace(CALIBRATION, curve=curve((0.9, 1.0)))
    with pytest.raises(LinkingError, match="target precision must be between 0 and 1"):
        calibrated.at_precision(precision)


def test_a_precision_without_curves() -> None:
    """Weights of an older version link as before; the message says what to do."""
    with pytest.raises(LinkingError, match=r"An older version fitted these weights; train them again"):
        CALIBRATION.at_precision(0.9)


def test_a_file_of_an_older_version(tmp_path: Path) -> None:
    """Without curves and a threshold for unit groups, the latter is `SURE`."""
    old = {name: value for name, value in dataclasses.asdict(CALIBRATION).items() if "curve" not in name}
    del old["unit_threshold"]
    (tmp_path / "calibration.json").write_text(json.dumps(old), "utf-8")
    assert Calibration.load(tmp_path / "calibration.json") == CALIBRATION
    assert (CALIBRATION.unit_threshold, CALIBRATION.curve) == (calibration.SURE, ())


def test_the_titles_that_are_drawn_are_those_that_are_fitted_on(tiny_index: NameIndex) -> None:
    """Half to fit, half to check, always the same."""
    first, second = calibration.drawn_titles(tiny_index, 40)
    again, _ = calibration.drawn_titles(tiny_index, 40)
    assert first.titles == again.titles
    assert len(first.names) == len(second.names) == 20 + 2
    assert first.names != second.names
    assert Calibration.fit(tiny_index, n_titles=40).held_out["titles"] == len(second.titles)


@pytest.mark.parametrize("text", [None, "", "{", "{}", '{"features": []}'], ids=repr)
def test_a_missing_or_damaged_file(tmp_path: Path, text: str | None) -> None:
    """The message names the index and says what to do."""
    path = tmp_path / "esco-1" / "calibration.json"
    path.parent.mkdir()
    if text is not None:
        path.write_text(text, "utf-8")
    with pytest.raises(LinkingError, match=r"index in esco-1 is damaged .*; build it again"):
        Calibration.load(path)


@pytest.mark.parametrize("text", ["[]", "null", '{"features": 1}'])
def test_a_file_of_another_shape(tmp_path: Path, text: str) -> None:
    """JSON, but not an object with these fields."""
    (tmp_path / "calibration.json").write_text(text, "utf-8")
    with pytest.raises(LinkingError):
        Calibration.load(tmp_path / "calibration.json")
