"""What a tower is made of, without torch, so that a recipe is read at once."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TowerConfig:
    """The architecture, part by part.

    Attributes:
        section_embeddings: add a learned vector of its section to each token (equation 2).
        head: a transformer over all tokens of the document (equation 3).
        skip: add the backbone's vectors to the head's (equation 4); without a head there is nothing to skip.
        weighted_pooling: weigh tokens inversely to their section's length (equation 4), or all alike.
        layers, heads: of the transformer.
        width: of the transformer; the tokens' own where 0, else they are projected.
        feedforward: the transformer's inner width, in widths.
        dropout: the share in the transformer.
        max_tokens: the most of a section; those behind are not read.
    """

    section_embeddings: bool = True
    head: bool = True
    skip: bool = True
    weighted_pooling: bool = True
    layers: int = 1
    heads: int = 4
    width: int = 0
    feedforward: int = 2
    dropout: float = 0.1
    max_tokens: int = 48
