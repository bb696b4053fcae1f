"""The shipped title encoder by itself, as a bi-encoder."""

from dataclasses import dataclass

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.systems.bi_encoder import BiEncoder
from jobmatch_core.benchmarks.systems.linker_system import note_on
from jobmatch_core.benchmarks.systems.system import Ranker
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.entities import Progress


@dataclass(frozen=True, slots=True)
class TitleEncoderSystem:
    """Ranks by the cosine of the shipped encoder's vectors; nothing else."""

    name: str = "title_encoder"

    @property
    def version(self) -> str:
        """The encoder's digest."""
        return shipped_encoder().name

    @property
    def size_mb(self) -> float | None:
        """Size of the encoder on disk."""
        return shipped_encoder().size_mb

    def note(self, dataset: RankingDataset) -> str:
        """Say where O*NET was seen."""
        return note_on(dataset)

    def prepare(self, dataset: RankingDataset, *, progress: Progress) -> Ranker:
        """Encode the corpus."""
        return BiEncoder(shipped_encoder()).prepare(dataset, progress=progress)
