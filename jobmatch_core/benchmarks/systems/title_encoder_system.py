"""The shipped title encoder by itself, as a bi-encoder, and what every system over it says of itself."""

from dataclasses import dataclass

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.systems.bi_encoder import BiEncoder
from jobmatch_core.benchmarks.systems.system import Ranker
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.entities import Progress

VOCABULARY_SEEN = "vocabulary seen: O*NET's alternate titles are in the encoder's training data"


class OverTitleEncoder:
    """Base of the systems that rank with the shipped title encoder."""

    __slots__ = ()

    @property
    def size_mb(self) -> float | None:
        """Size of the encoder on disk."""
        return shipped_encoder().size_mb

    def note(self, dataset: RankingDataset) -> str:
        """Return the note beside the figures: the encoder has seen O*NET."""
        return VOCABULARY_SEEN if dataset.task == "melo" and dataset.name.startswith("usa_") else ""


@dataclass(frozen=True, slots=True)
class TitleEncoderSystem(OverTitleEncoder):
    """The shipped title encoder as a bi-encoder."""

    name: str = "title_encoder"

    @property
    def version(self) -> str:
        """The encoder's digest."""
        return shipped_encoder().name

    def prepare(self, dataset: RankingDataset, *, progress: Progress) -> Ranker:
        """Encode the corpus."""
        return BiEncoder(shipped_encoder()).prepare(dataset, progress=progress)
