"""An oracle: an annotator who knows the hidden truth of a generated marketplace."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

import numpy as np

from jobmatch_core.entities import Judgment, Pair, Provenance, Verdict
from jobmatch_core.errors import MarketplaceError
from jobmatch_core.labelling.candidates import code_of
from jobmatch_core.marketplace.marketplace import Marketplace

FITS = 0.5  # of the project's skills, mandatory ones counting twice; two answers in three of the demo part there
_SECONDS = 8  # a judgment
_NAME = "oracle"


class Oracle:
    """Judges pairs of one marketplace by how much of what the project needs the freelancer truly masters."""

    def __init__(self, marketplace: Marketplace) -> None:
        """Take a marketplace; raises MarketplaceError if it is a real one, without ground truth."""
        if marketplace.truth is None:
            raise MarketplaceError(
                f"{marketplace.name} has no hidden truth; generate one with `jobmatch marketplace generate`."
            )
        self._marketplace = marketplace
        self._truth = marketplace.truth

    def judgments(self, pairs: Iterable[tuple[Pair, Provenance]], since: datetime) -> list[Judgment]:
        """Judge pairs one after the other, eight seconds each; the same pair gets the same verdict and id each time.

        Args:
            pairs: of the marketplace, with how they came to be judged.
            since: when the first is judged.
        """
        candidates = list(pairs)
        market = self._marketplace
        projects = np.array([market.project_rows[pair.left] for pair, _ in candidates], dtype=np.int32)
        freelancers = np.array([market.freelancer_rows[pair.right] for pair, _ in candidates], dtype=np.int32)
        fits = self._truth.coverage_of_pairs(projects, freelancers) >= FITS
        return [
            Judgment(
                id=_id(pair),
                pair=pair,
                verdict=Verdict.POSITIVE if fit else Verdict.NEGATIVE,
                annotator=_NAME,
                at=since + timedelta(seconds=_SECONDS * number),
                provenance=provenance,
                seconds=float(_SECONDS),
            )
            for number, ((pair, provenance), fit) in enumerate(zip(candidates, fits.tolist(), strict=True))
        ]


def _id(pair: Pair) -> str:
    parts = (code_of(half, _NAME, pair.kind, pair.source, pair.left, pair.right) for half in ("first", "second"))
    first, second = parts
    return str(UUID(int=first << 64 | second, version=4))
