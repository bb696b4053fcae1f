"""Architecture of a tower, without torch, so that recipes load fast."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TowerConfig:
    """Architecture of a tower, part by part.

    Attributes:
        section_embeddings: add a learned vector of its section to each token (equation 2).
        head: a transformer over all tokens of the document (equation 3).
        skip: add the backbone's vectors to the head's (equation 4); without a head it has no effect.
        weighted_pooling: weight tokens inversely to their section's length (equation 4), or all alike.
        layers, heads: numbers of layers and heads of the transformer.
        width: width of the transformer; 0 for the tokens' own, else they are projected.
        feedforward: inner width of the transformer, as a multiple of its width.
        dropout: dropout rate of the transformer.
        max_tokens: maximum number of tokens of a section; the rest is not read.
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
