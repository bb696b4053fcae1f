"""What the aggregation network is made of, without torch, so that a recipe is read at once."""

from dataclasses import dataclass
from typing import Literal

Pooling = Literal["cls", "mean"]


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """The architecture.

    Attributes:
        layers: of the transformer: 1, 2 or 4 in the paper (appendix B), which takes 4.
        heads: of each layer.
        feedforward: the transformer's inner width, in dimensions.
        dropout: the share in the transformer.
        pooling: what the MLP is given: d_CLS, or the mean of d_1 to d_n.
    """

    layers: int = 4
    heads: int = 8
    feedforward: int = 4
    dropout: float = 0.1
    pooling: Pooling = "cls"
