"""Relations by hand: by an equal name, then by how many concepts a source code has and codes a concept has."""

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.crosswalks.mapping import BROADER, CLOSE, EXACT, NARROWER, PREDICTED
from jobmatch_core.crosswalks.relation_features import FEATURES
from jobmatch_core.entities import FloatArray

_EXACT, _NARROWER, _BROADER, _CLOSE = (PREDICTED.index(relation) for relation in (EXACT, NARROWER, BROADER, CLOSE))


def ruled(features: FloatArray) -> NDArray[np.intp]:
    """Return the number of each pair's relation in `PREDICTED`, from (pair, feature) values."""
    column = {name: features[:, place] for place, name in enumerate(FEATURES)}
    targets, sources = column["targets of the source"], column["sources of the target"]
    relations = np.full(len(features), _CLOSE, np.intp)
    relations[targets > sources] = _BROADER
    relations[sources > targets] = _NARROWER
    relations[((targets == 0) & (sources == 0)) | (column["equals a name"] > 0)] = _EXACT
    return relations
