"""Calibration of an index: fit of the fusion and the abstention threshold, and measurement on held-out titles."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.errors import LinkingError
from jobmatch_core.io.records import record_of
from jobmatch_core.io.text_files import json_text, read_json
from jobmatch_core.linking.candidates import OCCUPATION, feature_names
from jobmatch_core.linking.equal_names import NameTrust
from jobmatch_core.linking.examples import (
    CodedTitle,
    Examples,
    HeldOut,
    coded_examples,
    examples,
    held_out_titles,
    top_candidates,
    top_units,
)
from jobmatch_core.linking.fusion import ConditionalLogit
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.metrics.calibration import (
    PrecisionPoint,
    expected_calibration_error,
    precision_curve,
    threshold_for,
)
from jobmatch_core.model_store.saved_model import check_finite

N_TITLES = 6000
MIN_ENTRIES = 2000  # fewer names cannot say how titles differ from them; the bundled weights serve then
MIN_THRESHOLD = 1 / 3  # a link twice as likely wrong as right is never given, whatever the curves show
PRECISION = 0.9  # target precision by default
SURE = 0.99  # threshold where none reaches the target precision
SHIPPED_CALIBRATION = "shipped_calibration.json"
_SEED = 20


@dataclass(frozen=True)
class Calibration:
    """Fitted weights and thresholds of an index, and figures on held-out titles."""

    features: tuple[str, ...]  # (feature,) names
    weights: tuple[float, ...]  # (feature,) weights of the conditional logit
    none: float  # utility of 'none of these'
    threshold: float  # lowest probability of a link to an occupation
    # figures on titles that it was not fitted on: `titles`, `accuracy` and `ece` of occupations, `unit_accuracy` and
    # `unit_ece` of unit groups
    held_out: dict[str, float]
    unit_threshold: float = SURE  # lowest probability of a link to a unit group, where no occupation is linked
    # precision of links to occupations by threshold, on titles whose occupation is known
    curve: tuple[PrecisionPoint, ...] = ()
    unit_curve: tuple[PrecisionPoint, ...] = ()  # precision of links to unit groups by threshold
    exact_name: float | None = None  # probability of an equal name by judged titles, see `ConditionalLogit`
    name_trust: NameTrust | None = None  # fitted trust in equal names, see `ConditionalLogit`
    # digest of the shipped classifier of unit groups, in the calibration that is shipped with it
    classifier: str | None = None
    precision: float = PRECISION  # target precision of the thresholds

    @property
    def logit(self) -> ConditionalLogit:
        """The fitted model."""
        return ConditionalLogit(np.array(self.weights), self.none, self.exact_name, self.name_trust)

    @cached_property
    def scorers(self) -> tuple[str, ...]:
        """Names of the scorers that give evidence for a candidate; a scorer may have two features."""
        return tuple(self._features_of_scorers)

    # not `occupation`, which all candidates share
    @cached_property
    def _features_of_scorers(self) -> dict[str, list[int]]:
        numbers: dict[str, list[int]] = {}
        for number, feature in enumerate(self.features):
            if feature != OCCUPATION:
                numbers.setdefault(feature.removesuffix("_many").removesuffix("_sure"), []).append(number)
        return numbers

    def scorer_shares(self, features: FloatArray) -> NDArray[np.float64]:
        """Return each scorer's share of the utilities of (candidate, feature): (candidate, scorer), four decimals."""
        # the concept head's cosine may be negative, and then has no share
        contributions = np.maximum(features * np.array(self.weights), 0.0)
        numbers = self._features_of_scorers.values()
        sums = np.stack([contributions[:, of_scorer].sum(axis=1) for of_scorer in numbers], axis=1)
        totals = sums.sum(axis=1, keepdims=True)
        return np.asarray(np.round(sums / np.where(totals > 0, totals, 1.0), 4))

    def __post_init__(self) -> None:
        """Raise ValueError for weights that are not finite or do not match the features, or a false probability."""
        check_finite({"calibration": [*self.weights, self.none, self.threshold]})
        if len(self.weights) != len(self.features):
            raise ValueError("its weights are not those of its features")
        if self.exact_name is not None and not 0 <= self.exact_name <= 1:
            raise ValueError(f"an equal name has a probability of {self.exact_name}")

    @classmethod
    def fit(
        cls,
        index: NameIndex,
        *,
        coded: Sequence[CodedTitle] = (),
        named: Sequence[CodedTitle] = (),
        names_seen: bool = False,
        n_titles: int = N_TITLES,
        progress: Progress = no_progress,
    ) -> Self:
        """Fit on half of the held-out names and coded titles; measure, and choose the thresholds, on the others.

        Args:
            coded: further titles that the encoder has not seen.
            named: titles that neither the index nor the encoder has seen, on which the trust in equal names is fitted;
                without right and wrong ones among them an equal name has `EXACT_NAME`.
            names_seen: true if the encoder was trained on the names. They cannot be held out then, and only those count
                that stay in the index, or whose occupation is left out.
            progress: called with titles done and titles in total.
        """
        drawn = drawn_titles(index, n_titles)
        to_fit_on, to_check_on = (
            titles.chosen(titles.name_kept | (titles.answers < 0)) if names_seen else titles for titles in drawn
        )
        fitted_on = [examples(index, to_fit_on, lambda done, total: progress(done, 2 * total))]
        checked_on = [examples(index, to_check_on, lambda done, total: progress(total + done, 2 * total))]
        if len(coded) > 1:  # one cannot be on both sides
            fitted_on.append(coded_examples(index, coded[::2]))
            checked_on.append(coded_examples(index, coded[1::2]))
        logit = ConditionalLogit.fit(*Examples.joined(fitted_on).arguments)
        if named:
            logit = replace(logit, name_trust=coded_examples(index, named).name_trust(logit))
        return cls.measured(
            tuple(feature_names(list(index.scorers))), logit, checked_on[0], Examples.joined(checked_on)
        )

    @classmethod
    def measured(
        cls, features: tuple[str, ...], logit: ConditionalLogit, named: Examples, everything: Examples
    ) -> Self:
        """Measure weights, and choose the thresholds for `PRECISION`.

        Args:
            features: (feature,) names.
            named: titles whose occupation is known.
            everything: these, and those whose unit groups are known.
        """
        (top, correct), (unit_top, unit_correct) = top_candidates(logit, named), top_units(logit, everything)
        return cls(
            features=features,
            weights=tuple(float(weight) for weight in logit.weights),
            none=logit.none,
            name_trust=logit.name_trust,
            threshold=1.0,
            held_out={
                "titles": float(everything.n_titles),
                "accuracy": float(correct.mean()),
                "ece": expected_calibration_error(top, correct),
                "unit_accuracy": float(unit_correct.mean()),
                "unit_ece": expected_calibration_error(unit_top, unit_correct),
            },
            curve=precision_curve(top, correct),
            unit_curve=precision_curve(unit_top, unit_correct),
        ).at_precision(PRECISION)

    def at_precision(self, precision: float) -> Self:
        """Return the calibration with the thresholds for a target precision on held-out titles.

        Where no threshold of a curve reaches it, the threshold is `SURE`.

        Raises LinkingError if the precision is not between 0 and 1, or this calibration has no curves.
        """
        if not 0 < precision < 1:
            raise LinkingError(f"The target precision must be between 0 and 1, such as 0.9; it is {precision}.")
        if not self.curve:
            raise LinkingError("An older version fitted these weights; train them again to set a target precision.")
        points = (threshold_for(curve, precision) for curve in (self.curve, self.unit_curve))
        threshold, unit_threshold = (max(point.threshold, MIN_THRESHOLD) if point else SURE for point in points)
        return replace(self, threshold=threshold, unit_threshold=unit_threshold, precision=precision)

    @property
    def coverage(self) -> float:
        """Share of the held-out titles that are linked to an occupation or a unit group; 0 without a curve."""
        linked = (point.coverage for point in self.unit_curve if point.threshold >= self.unit_threshold)
        return max(linked, default=0.0)

    def save_for(self, encoder: str, path: Path) -> None:
        """Write a file that is shipped with an encoder."""
        path.write_text(json_text({"encoder": encoder, **asdict(self)}, indent=2) + "\n", "utf-8")

    def save(self, folder: Path) -> None:
        """Write `calibration.json`."""
        (folder / "calibration.json").write_text(json_text(asdict(self), indent=2), "utf-8")

    @classmethod
    def shipped_for(cls, encoder: str) -> Self | None:
        """Return the calibration that is shipped for an encoder, None without one."""
        path = Path(str(files("jobmatch_core.linking") / SHIPPED_CALIBRATION))
        return cls.load(path) if read_json(path)["encoder"] == encoder else None

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the file that `save` or `save_for` wrote; raises LinkingError if the file is missing or damaged."""
        try:
            table = read_json(path)
            if isinstance(table, dict):
                table.pop("encoder", None)  # of the file that is shipped with an encoder
            return record_of(cls, table, path.name)
        except (OSError, ValueError) as error:
            raise LinkingError(f"The index in {path.parent.name} is damaged ({error}); build it again.") from error


def drawn_titles(index: NameIndex, n_titles: int = N_TITLES) -> list[HeldOut]:
    """Return the titles that `Calibration.fit` draws from an index: those to fit on, and those to check on."""
    return [held_out_titles(index, n_titles // 2, seed) for seed in (_SEED, _SEED + 1)]
