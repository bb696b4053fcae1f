"""The variants that JDAN is compared with, and the architecture of its aggregation network; without torch.

Paper: Laosaengpha et al. (2024), tables 1, 2, 5 and 8; table 9 (pooling of tokens) is in `jdan_backbones`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.descriptions.segments import segments
from jobmatch_core.entities import FloatArray

Pooling = Literal["cls", "mean"]
Parts = Literal["document", "sentences", "skills", "skill-list"]
Summary = Literal["network", "mean", "max"]
Objective = Literal["contrastive", "skip-gram", "doc2vec"]


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """Architecture of the aggregation network."""

    layers: int = 4  # layers of the transformer: 1, 2 or 4 in the paper (appendix B), which chooses 4
    heads: int = 8  # heads of each layer
    feedforward: int = 4  # inner width of the transformer, as a multiple of the dimension
    dropout: float = 0.1  # dropout rate of the transformer
    pooling: Pooling = "cls"  # input of the MLP: d_CLS, or the mean of d_1 to d_n


class PostingEncoder(Protocol):
    """An encoder of titles and postings into one space, of any variant."""

    @property
    def name(self) -> str:
        """The model's name, for reports and cache keys."""

    @property
    def dimension(self) -> int:
        """The length of the vectors."""

    def encode_titles(self, titles: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors, shape (title, dimension)."""

    def encode_postings(self, postings: Sequence[Posting]) -> FloatArray:
        """Return L2-normalised row vectors of descriptions or skills, without the titles: (posting, dimension)."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to compute one vector of a posting, and to train it."""

    # the texts that are encoded: the whole description, its sentences, its skills, or all skills as one text
    parts: Parts
    summary: Summary  # pooling of the parts' vectors into one
    # equation 2, or that of a baseline, which trains on titles alone; a description's vector is then the mean of its
    # encoded skills
    objective: Objective = "contrastive"


VARIANTS: dict[str, Variant] = {
    "jdan": Variant("sentences", "network"),  # tables 1, 2, 5
    "document": Variant("document", "mean"),  # tables 5, 9; the mean of one is itself
    "sentence-mean": Variant("sentences", "mean"),  # table 5
    "sentence-max": Variant("sentences", "max"),
    "skill-concat": Variant("skill-list", "mean"),  # tables 1, 2, 8: 'Keyword Skill (ours)'
    "skill-mean": Variant("skills", "mean"),  # table 8
    "skill-max": Variant("skills", "max"),
    "jobbert": Variant("skills", "mean", "skip-gram"),  # table 1; appendix D.3
    "doc2vec-skill": Variant("skills", "mean", "doc2vec"),
}


@dataclass(frozen=True, slots=True)
class PostingReading:
    """Settings for reading a posting."""

    parts: Parts  # kind of texts, see `Variant`
    most: int = 256  # maximum number of sentences or skills
    # text between the skills of one text: the backbone's separator token (section 3.1), if it has one
    separator: str = ", "

    def texts(self, posting: Posting) -> tuple[str, ...]:
        """Return the texts of a posting to encode; none if it is empty."""
        if self.parts == "sentences":
            return tuple(segment.content for segment in segments(posting.description) if segment.content)[: self.most]
        if self.parts == "document":
            return (posting.description,) if posting.description.strip() else ()
        skills = posting.skills[: self.most]
        return skills if self.parts == "skills" else (self.separator.join(skills),) if skills else ()
