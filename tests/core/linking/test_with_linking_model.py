"""A linker with another linking model, over the same index."""

from dataclasses import replace

import numpy as np

from jobmatch_core.linking import Linker
from jobmatch_core.linking.linking_model import HeadMoves, LinkingModel
from jobmatch_core.linking.store import with_linking_model

TITLE = "Krankenschwester"


def test_moves_of_the_model_before_are_taken_back(bundled: Linker) -> None:
    """There and back again, answers are those of the first linker; names stay trusted as the taxonomy's are."""
    uri = bundled.link(TITLE).candidates[0].uri
    vectors = np.full((1, bundled.index.encoder.encode([TITLE]).shape[1]), 0.5, dtype=np.float32)  # type: ignore[union-attr]
    moved = with_linking_model(
        bundled, LinkingModel(replace(bundled.calibration, name_trust=None), HeadMoves((uri,), vectors))
    )
    assert moved.version != bundled.version
    assert moved.calibration.name_trust == bundled.calibration.name_trust
    back = with_linking_model(moved, LinkingModel(bundled.calibration))
    assert back.version == bundled.version
    assert back.link("Pflegerin im Krankenhaus") == bundled.link("Pflegerin im Krankenhaus")
