"""An encoder being added in the background, with its stage and time."""

import time
from collections.abc import Callable

from jobmatch.services.background_call import Background
from jobmatch_core.encoders.added_encoder import LOADING, Stage
from jobmatch_core.entities import Progress
from jobmatch_core.model_store.model_spec import ModelSpec


class EncoderAddition:
    """A call of `add_encoder` or `add_packed_encoder` in the background."""

    def __init__(self, name: str, add: Callable[[Stage, Progress], ModelSpec]) -> None:
        """Start *add*, which is called with the receivers of its stages and of its progress in bytes."""
        # stage: current stage, '' before the first
        self.name, self.stage = name, ""
        self._begun = time.monotonic()
        self.background = Background(lambda progress: add(self._enter, progress))

    @property
    def share(self) -> float:
        """Share of the bytes that are written; 1 while the encoder is loaded."""
        work = self.background
        return 1.0 if self.stage == LOADING else min(work.done / work.total, 1.0) if work.total else 0.0

    @property
    def seconds(self) -> float:
        """Seconds since the current stage began."""
        return time.monotonic() - self._begun

    def _enter(self, stage: str) -> None:
        self.stage, self._begun = stage, time.monotonic()
