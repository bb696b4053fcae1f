"""Architecture of the aggregation network, without torch, so that recipes load fast."""

from dataclasses import dataclass
from typing import Literal

Pooling = Literal["cls", "mean"]


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """The architecture.

    Attributes:
        layers: number of layers of the transformer: 1, 2 or 4 in the paper (appendix B), which chooses 4.
        heads: number of heads of each layer.
        feedforward: inner width of the transformer, as a multiple of the dimension.
        dropout: dropout rate of the transformer.
        pooling: input of the MLP: d_CLS, or the mean of d_1 to d_n.
    """

    layers: int = 4
    heads: int = 8
    feedforward: int = 4
    dropout: float = 0.1
    pooling: Pooling = "cls"
