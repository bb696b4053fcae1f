"""Training of the shipped model of relations between a source code and a concept, on lists simulated from ESCO."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from sklearn.ensemble import HistGradientBoostingClassifier

from jobmatch_core.crosswalks import relation_model
from jobmatch_core.crosswalks.boosted_trees import BoostedTrees, Tree
from jobmatch_core.crosswalks.relation_features import FEATURES, relation_features
from jobmatch_core.crosswalks.relation_model import FORMAT, RelationModel
from jobmatch_core.entities import Encoder, FloatArray, Progress, no_progress
from jobmatch_core.taxonomy import Taxonomy
from lab.shipping.simulated_lists import esco_in, simulated_pairs

LANGUAGES = ("en", "fr", "pl", "es", "hu", "da", "nl", "cs", "bg", "lt")
_SEEDS = (1, 2)  # of the lists that are trained on; one more list a language calibrates
_TREES = {"max_iter": 60, "max_leaf_nodes": 6, "learning_rate": 0.1, "random_state": 0}
_DECIMALS = 5


@dataclass(frozen=True)
class _Examples:
    features: FloatArray  # of right pairs
    relations: NDArray[np.intp]


def train_relation_model(
    target: Taxonomy,
    later: Taxonomy,
    encoder: Encoder,
    languages: Sequence[str] = LANGUAGES,
    *,
    progress: Progress = no_progress,
) -> RelationModel:
    """Train and calibrate the model of relations.

    Args:
        target: ESCO with names in all languages.
        later: a later release of ESCO, with codes that show its hierarchy.
        encoder: of titles.
        languages: a list of each is simulated with each seed.
    """
    parts: dict[int, list[_Examples]] = {}
    seeds = (*_SEEDS, max(_SEEDS) + 1)
    for number, language in enumerate(languages):
        esco = esco_in(language, target, later)
        for seed in seeds:
            pairs, relations = simulated_pairs(esco, 100 * number + seed)
            parts.setdefault(seed, []).append(_Examples(relation_features(pairs, encoder), relations))
            progress(number * len(seeds) + seed, len(languages) * len(seeds))
    fitted = _joined([part for seed in _SEEDS for part in parts[seed]])
    held_out = _joined(parts[seeds[-1]])
    return RelationModel(
        FORMAT, FEATURES, _fitted(fitted.features, fitted.relations, held_out.features, held_out.relations)
    )


def _joined(parts: Sequence[_Examples]) -> _Examples:
    return _Examples(
        np.concatenate([part.features for part in parts]), np.concatenate([part.relations for part in parts])
    )


def _fitted(
    features: FloatArray, classes: NDArray[np.intp], held_out: FloatArray, held_out_classes: NDArray[np.intp]
) -> BoostedTrees:
    # not weighted by class: rare relations would be found too often, and the probabilities too far from shares
    model = HistGradientBoostingClassifier(**_TREES, early_stopping=False)
    model.fit(features, classes)
    trees = _read_trees(model, 1.0)

    def loss(temperature: float) -> float:
        shares = BoostedTrees(trees.base, temperature, trees.trees).probabilities(held_out)
        logs = np.log(np.maximum(shares[np.arange(len(shares)), held_out_classes], 1e-12))
        return float(-logs.mean())

    best = minimize_scalar(loss, bounds=(0.3, 3.0), method="bounded", options={"maxiter": 12})
    return BoostedTrees(trees.base, round(float(best.x), 3), trees.trees)


def _read_trees(model: Any, temperature: float) -> BoostedTrees:  # noqa: ANN401  # scikit-learn's own
    base = tuple(float(round(value, _DECIMALS)) for value in np.ravel(model._baseline_prediction))
    trees = [_tree(predictor.nodes, number) for step in model._predictors for number, predictor in enumerate(step)]
    return BoostedTrees(base, temperature, tuple(trees))


def _tree(nodes: NDArray[np.void], number: int) -> Tree:
    inner = nodes["is_leaf"] == 0
    return Tree(
        number,
        tuple(np.where(inner, nodes["feature_idx"], -1).tolist()),
        tuple(round(float(value), _DECIMALS) for value in np.where(inner, nodes["num_threshold"], 0)),
        tuple(np.where(inner, nodes["left"], 0).tolist()),
        tuple(np.where(inner, nodes["right"], 0).tolist()),
        tuple(round(float(value), _DECIMALS) for value in np.where(inner, 0, nodes["value"])),
    )


def shipped_relation_file() -> Path:
    """Return the file of the shipped model."""
    return Path(relation_model.__file__).with_name("relation_weights.json")
