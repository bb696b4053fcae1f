"""Calibration of an index: fit of the fusion and the abstention threshold, and measurement on held-out titles."""

from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import LinkingError
from jobmatch_core.io.records import record_of
from jobmatch_core.io.text_files import json_text, read_json
from jobmatch_core.linking.candidates import Candidates, feature_names, pool, score_names
from jobmatch_core.linking.fusion import ConditionalLogit
from jobmatch_core.linking.heldout import HeldOut, held_out_titles, leave_out
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.linking.scorers import Indices
from jobmatch_core.metrics.calibration import expected_calibration_error
from jobmatch_core.model_store.weights import check_finite

N_TITLES = 6000
MIN_ENTRIES = 2000  # fewer names cannot say how titles differ from them; the bundled weights serve then
MIN_THRESHOLD = 1 / 3  # a link twice as likely wrong as right is never given, whatever the F-measure says
SHIPPED_CALIBRATION = "shipped_calibration.json"
_BLOCK = 1000
_SEED = 20
_BETA = 0.5


@dataclass(frozen=True, slots=True)
class Calibration:
    """Fitted weights and threshold of an index, and figures on held-out titles.

    Attributes:
        features: names of the weights, in order.
        weights: weights of the conditional logit.
        none: the utility of 'none of these'.
        threshold: the probability under which the linker abstains; best F0.5 on held-out titles, but at least
            MIN_THRESHOLD.
        held_out: figures on titles that it was not fitted on: `titles`, `accuracy`, `ece`, `f0.5` (of the best
            threshold, even if MIN_THRESHOLD is higher).
    """

    features: tuple[str, ...]
    weights: tuple[float, ...]
    none: float
    threshold: float
    held_out: dict[str, float]

    @property
    def logit(self) -> ConditionalLogit:
        """The fitted model."""
        return ConditionalLogit(np.array(self.weights), self.none)

    def __post_init__(self) -> None:
        """Raise ValueError for weights that are not finite or do not match the features."""
        check_finite({"calibration": [*self.weights, self.none, self.threshold]})
        if len(self.weights) != len(self.features):
            raise ValueError("its weights are not those of its features")

    @classmethod
    def fit(cls, index: NameIndex, *, n_titles: int = N_TITLES, progress: Progress = no_progress) -> Self:
        """Fit on half of the held-out titles, choose the threshold and measure on the other half."""
        to_fit_on, to_check_on = drawn_titles(index, n_titles)
        fitted_on = examples(index, to_fit_on, lambda done, total: progress(done, 2 * total))
        logit = ConditionalLogit.fit(*fitted_on.arguments)
        checked_on = examples(index, to_check_on, lambda done, total: progress(total + done, 2 * total))
        top, correct = _top(logit, checked_on)
        answerable = int((checked_on.held_out.answers >= 0).sum())
        threshold, f_measure = best_threshold(top, correct, answerable)
        threshold = max(threshold, MIN_THRESHOLD)
        return cls(
            features=tuple(feature_names(list(index.scorers))),
            weights=tuple(float(weight) for weight in logit.weights),
            none=logit.none,
            threshold=threshold,
            held_out={
                "titles": float(len(top)),
                "accuracy": float(correct.mean()),
                "ece": expected_calibration_error(top, correct),
                "f0.5": f_measure,
            },
        )

    def save_for(self, encoder: str, path: Path) -> None:
        """Write it to a file of its own, to be shipped with an encoder."""
        path.write_text(json_text({"encoder": encoder, **asdict(self)}, indent=2) + "\n", "utf-8")

    def save(self, folder: Path) -> None:
        """Write `calibration.json`."""
        (folder / "calibration.json").write_text(json_text(asdict(self), indent=2), "utf-8")

    @classmethod
    def shipped_for(cls, encoder: str) -> Self | None:
        """Return the calibration that comes with jobmatch for an encoder, if there is one."""
        path = Path(str(files("jobmatch_core.linking") / SHIPPED_CALIBRATION))
        return cls.load(path) if read_json(path)["encoder"] == encoder else None

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the file that `save` or `save_for` wrote.

        Raises:
            LinkingError: the file is missing or damaged.
        """
        try:
            table = read_json(path)
            if isinstance(table, dict):
                table.pop("encoder", None)  # of the file that is shipped with an encoder
            return record_of(cls, table, path.name)
        except (OSError, ValueError) as error:
            raise LinkingError(f"The index in {path.parent.name} is damaged ({error}); build it again.") from error


def drawn_titles(index: NameIndex, n_titles: int = N_TITLES) -> list[HeldOut]:
    """Return the titles that `fit` draws from an index: those to fit on, and those to check on."""
    return [held_out_titles(index, n_titles // 2, seed) for seed in (_SEED, _SEED + 1)]


def best_threshold(top: NDArray[np.float64], correct: NDArray[np.bool_], answerable: int) -> tuple[float, float]:
    """Return the threshold on the top probability with the best F-measure, and that measure.

    Precision is over the titles that are linked, recall over those that have an answer. Precision
    counts double (F0.5), because a wrong link costs a recruiter more than one that is set aside.
    """
    order = np.argsort(-top)
    hits = np.cumsum(correct[order])
    linked = np.arange(1, len(top) + 1)
    f_measure = (1 + _BETA**2) * hits / (linked + _BETA**2 * max(answerable, 1))
    f_measure[:-1][top[order][:-1] == top[order][1:]] = 0.0  # a threshold cannot part equal probabilities
    best = int(np.argmax(f_measure))
    return float(top[order[best]]), float(f_measure[best])


@dataclass(frozen=True, slots=True)
class Examples:
    """Held-out titles with their candidates.

    Attributes:
        held_out: the titles.
        candidates: candidates of the titles, without the names that were held out.
        right: (candidate,) true if it is the title's own occupation.
    """

    held_out: HeldOut
    candidates: Candidates
    right: NDArray[np.bool_]

    @property
    def arguments(self) -> tuple[Indices, NDArray[np.float32], NDArray[np.bool_], int]:
        """The arguments of `ConditionalLogit.fit`."""
        return self.candidates.queries, self.candidates.features, self.right, len(self.held_out.titles)


def examples(index: NameIndex, held_out: HeldOut, progress: Progress = no_progress) -> Examples:
    """Find the candidates of held-out titles as if their names were not in the index."""
    parts = []
    for start in range(0, len(held_out.titles), _BLOCK):
        progress(start, len(held_out.titles))
        block = slice(start, start + _BLOCK)
        part = HeldOut(
            held_out.titles[block], held_out.names[block],
            held_out.answers[block], held_out.owners[block], held_out.kept[block],
        )  # fmt: skip
        found = pool(index, leave_out(index, part, score_names(index, part.titles)))
        parts.append(Candidates(found.queries + start, found.concepts, found.entries, found.features))
    candidates = Candidates(*(np.concatenate([getattr(part, name) for part in parts]) for name in Candidates.__slots__))
    right = candidates.concepts == held_out.answers[candidates.queries]
    return Examples(held_out, candidates, right)


def _top(logit: ConditionalLogit, examples: Examples) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return each title's highest probability, and whether it is the right candidate's."""
    queries, features, right, n = examples.arguments
    probabilities = logit.probabilities(queries, logit.utilities(features), n)
    top = np.zeros(n)
    np.maximum.at(top, queries, probabilities)
    correct = np.zeros(n, dtype=bool)
    correct[queries[right & (probabilities == top[queries])]] = True
    return top, correct
