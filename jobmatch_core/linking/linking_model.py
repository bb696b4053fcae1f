"""A linking model, fitted on judged titles: weights of the fusion, thresholds, and moves of the concept head.

The moves are relevance feedback by Rocchio's (1971) method, with the occupation in place of the query: the vectors
of judged occupations move towards accepted titles and away from rejected ones.
"""

# config.json         the features' names, the encoder, the thresholds, the occupations with moved vectors
# model.safetensors   the weights, the utility of 'none of these', the moves of the concept head
# report.json         how it was fitted, and the effect

import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Self

import numpy as np
from safetensors.numpy import load_file, save_file

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import ModelError
from jobmatch_core.io.records import read_record
from jobmatch_core.linking.calibration import SURE, Calibration
from jobmatch_core.linking.corrections import AWAY
from jobmatch_core.linking.equal_names import NameTrust
from jobmatch_core.metrics.calibration import PrecisionPoint
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import BUILT_IN, Registry
from jobmatch_core.model_store.saved_model import CONFIG_FILE, WEIGHTS_FILE, as_model_error, model_written, read_weights
from jobmatch_core.settings import Settings

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class HeadMoves:
    """Moves of the concept head's vectors, added before they are normalised again."""

    uris: tuple[str, ...]  # distinct URIs of the moved occupations, which stay the same in other releases of a taxonomy
    vectors: FloatArray  # (uri, dimension) moves

    @classmethod
    def of(
        cls, toward: Mapping[str, FloatArray], away: Mapping[str, FloatArray], strength: float, dimension: int
    ) -> Self:
        """Return moves towards the mean of accepted titles minus `AWAY` times that of rejected ones.

        Args:
            toward: URI -> (title, dimension) vectors of the titles accepted for the occupation.
            away: URI -> (title, dimension) vectors of the rejected titles.
            strength: length of the move by many accepted titles; an occupation's vector has length 1.
            dimension: number of columns of the vectors.
        """
        uris = tuple(dict.fromkeys([*toward, *away]))
        moves = [strength * (_shrunk_mean(toward.get(uri)) - AWAY * _shrunk_mean(away.get(uri))) for uri in uris]
        return cls(uris, np.array(moves, dtype=np.float32).reshape(-1, dimension))

    @cached_property
    def digest(self) -> str:
        """Hash of the moves, eight hexadecimal digits."""
        return hashlib.sha256(repr(self.uris).encode() + self.vectors.tobytes()).hexdigest()[:8]

    def by_concept(self, uris: Sequence[str]) -> FloatArray:
        """Return the moves of the concepts with these URIs, (concept, dimension), zeros for unmoved ones."""
        concepts = {uri: concept for concept, uri in enumerate(uris)}
        moves = np.zeros((len(uris), self.vectors.shape[1]), dtype=np.float32)
        for uri, vector in zip(self.uris, self.vectors, strict=True):
            if uri in concepts:
                moves[concepts[uri]] = vector
        return moves


# the mean with one zero vector added: a single title may be an exception
def _shrunk_mean(vectors: FloatArray | None) -> FloatArray | float:
    return 0.0 if vectors is None else vectors.sum(axis=0) / (len(vectors) + 1)


@dataclass(frozen=True, slots=True)
class LinkingModel:
    """Calibration of the fusion, and moves of the concept head, None if it is unchanged."""

    calibration: Calibration
    moves: HeadMoves | None = None


@dataclass(frozen=True, slots=True)
class _Config:
    features: tuple[str, ...]
    encoder: str
    threshold: float
    held_out: dict[str, float]
    moved: tuple[str, ...] = ()  # URIs
    unit_threshold: float = SURE
    curve: tuple[PrecisionPoint, ...] = ()
    unit_curve: tuple[PrecisionPoint, ...] = ()
    exact_name: float | None = None
    name_trust: NameTrust | None = None
    classifier: str | None = None


def save_linking_model(folder: Path, model: LinkingModel, encoder: str, report: Mapping[str, object]) -> None:
    """Write the folder of a model; raises OSError if the folder exists or cannot be written."""
    calibration, moves = model.calibration, model.moves
    config = _Config(
        features=calibration.features,
        encoder=encoder,
        threshold=calibration.threshold,
        held_out=calibration.held_out,
        moved=moves.uris if moves else (),
        unit_threshold=calibration.unit_threshold,
        curve=calibration.curve,
        unit_curve=calibration.unit_curve,
        exact_name=calibration.exact_name,
        name_trust=calibration.name_trust,
        classifier=calibration.classifier,
    )
    weights = {"weights": np.array(calibration.weights), "none": np.array([calibration.none])}
    if moves:
        weights["moves"] = moves.vectors
    with model_written(folder, asdict(config), report) as temporary:
        save_file(weights, temporary / WEIGHTS_FILE)


def load_linking_model(folder: Path, encoder: str, features: tuple[str, ...]) -> LinkingModel:
    """Read the folder of a model that is fitted for an encoder, '' for none, and the names of features.

    Raises ModelError if the model is missing or damaged, or was fitted for another encoder or other features.
    """
    with as_model_error(f"The linking model {folder.name} cannot be used here", "Train a new one, or roll back."):
        config = read_record(folder / CONFIG_FILE, _Config)
        if (config.features, config.encoder) != (features, encoder):
            raise ValueError(f"it was fitted for {config.encoder or 'letters and words alone'}")
        tensors = read_weights(folder / WEIGHTS_FILE, load_file)
        calibration = Calibration(
            features=features,
            weights=tuple(float(weight) for weight in tensors["weights"]),
            none=float(tensors["none"][0]),
            threshold=config.threshold,
            held_out=config.held_out,
            unit_threshold=config.unit_threshold,
            curve=config.curve,
            unit_curve=config.unit_curve,
            exact_name=config.exact_name,
            name_trust=config.name_trust,
            classifier=config.classifier,
        )
        vectors = tensors.get("moves")
        if vectors is not None and vectors.shape[:1] != (len(config.moved),):
            raise ValueError("the vectors in the file do not match its list of occupations")
        return LinkingModel(calibration, None if vectors is None else HeadMoves(config.moved, vectors))


def promoted_model(features: tuple[str, ...], encoder: str, settings: Settings) -> LinkingModel | None:
    """Return the promoted model if it fits these features and this encoder, else None.

    Raises ModelError if the history of promotions is damaged.
    """
    registry = Registry(settings)
    name = registry.promoted(ModelKind.LINKING)
    if name in ("", BUILT_IN[ModelKind.LINKING]):
        return None
    try:
        return load_linking_model(registry.folder(name), encoder, features)
    except ModelError as error:
        _log.warning("%s The index's own calibration is used instead.", error)
        return None


def linking_model_in_use(features: tuple[str, ...], encoder: str, settings: Settings) -> str:
    """Return the name of the promoted model if it fits, see `promoted_model`; else that of the shipped one."""
    model = promoted_model(features, encoder, settings)
    return Registry(settings).promoted(ModelKind.LINKING) if model else BUILT_IN[ModelKind.LINKING]
