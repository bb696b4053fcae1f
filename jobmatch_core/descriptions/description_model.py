"""A model of titles and descriptions: one sentence encoder for both, and a variant's pooling.

Paper: Laosaengpha et al. (2024), sections 2.1 and 2.2: a dual encoder with shared weights; only the description's side
has an aggregator. A model is a folder:

    config.json         backbone, variant, reading settings, network architecture
    model.safetensors   the network in half precision; empty for a variant without one
    encoder/            the backbone, if it was trained; otherwise it is found by its name
    report.json         training report
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from jobmatch_core.descriptions.aggregators import VARIANTS, NetworkConfig, PostingReading
from jobmatch_core.descriptions.attention import Attention
from jobmatch_core.descriptions.network import (
    AggregationNetwork,
    SentenceBatch,
    attention_of,
    max_of,
    mean_of,
    rows_of_like_length,
    sentence_batch,
)
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.descriptions.segments import Segment, segments
from jobmatch_core.encoders.loading import joint_words, kept_on_disk, load_encoder
from jobmatch_core.entities import Encoder, FloatArray
from jobmatch_core.io.records import record_of
from jobmatch_core.io.text_files import read_json
from jobmatch_core.model_store.model_spec import lasting_word, stored_word
from jobmatch_core.model_store.saved_model import (
    CONFIG_FILE,
    WEIGHTS_FILE,
    as_model_error,
    check_shapes,
    model_written,
    read_weights,
    weights_digest,
)
from jobmatch_core.settings import Settings
from jobmatch_core.vectors import normalised

ENCODER_FOLDER = "encoder"
_BATCH = 256  # postings whose sentences are encoded together


@dataclass(frozen=True, slots=True)
class Description:
    """A model's reading of one posting."""

    segments: tuple[Segment, ...]  # the sentences that were read, in order
    sentences: FloatArray  # (sentence, dimension), L2-normalised
    vector: FloatArray  # (dimension,), L2-normalised
    attention: Attention | None  # attention of every layer and head, or None without a network


class DescriptionModel:
    """A `PostingEncoder`; without a network it needs no training."""

    def __init__(
        self,
        encoder: Encoder,
        backbone: str,
        variant: str,
        *,
        reading: PostingReading | None = None,
        network: AggregationNetwork | None = None,
        name: str = "",
    ) -> None:
        """Combine the parts of a model; `reading` and `name` default to those of the variant.

        Raises ValueError if the variant is unknown, or the network is missing or superfluous.
        """
        if variant not in VARIANTS:
            raise ValueError(f"the variant is {variant!r}; expected one of {', '.join(VARIANTS)}")
        if (network is None) == (VARIANTS[variant].summary == "network"):
            raise ValueError(f"the variant {variant} needs {'a' if network is None else 'no'} network")
        self.encoder = encoder  # encoder of titles and of the parts of postings
        self.backbone = backbone  # the backbone's word for `load_encoder`, or '' if it is saved with the model
        self.variant = variant  # name of the variant in `VARIANTS`
        self.reading = reading or PostingReading(VARIANTS[variant].parts)  # settings for reading postings
        # network of the variant `jdan`, in evaluation mode; None for others
        self.network = network.eval() if network else None
        self._name = name or f"{encoder.name}/{variant}"
        self._dimension = int(encoder.encode([]).shape[1])

    @property
    def name(self) -> str:
        """The folder's name and a digest of the weights, or the given name if untrained."""
        return self._name

    @property
    def dimension(self) -> int:
        """The length of the vectors."""
        return self._dimension

    def keeping_vectors(self, settings: Settings) -> "DescriptionModel":
        """Return the same model with a disk cache of its encoder's vectors: for a taxonomy's texts, not users'."""
        return DescriptionModel(
            kept_on_disk(self.encoder, settings),
            self.backbone,
            self.variant,
            reading=self.reading,
            network=self.network,
            name=self.name,
        )

    def encode_titles(self, titles: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors, shape (title, dimension)."""
        return self.encoder.encode(titles)

    def encode_postings(self, postings: Sequence[Posting]) -> FloatArray:
        """Return L2-normalised row vectors, shape (posting, dimension); zeros without text, unless a network pools."""
        blocks = [self._encode_block(postings[start : start + _BATCH]) for start in range(0, len(postings), _BATCH)]
        return np.concatenate(blocks) if blocks else np.empty((0, self.dimension), np.float32)

    def encode_descriptions(self, descriptions: Sequence[str]) -> FloatArray:
        """Return the vectors of `encode_postings` for postings with these descriptions."""
        return self.encode_postings([Posting("", "", description) for description in descriptions])

    def aggregate(self, postings: Sequence[FloatArray]) -> FloatArray:
        """Return L2-normalised vectors of postings, shape (posting, dimension), from the (part, dimension) of each."""
        vectors = np.empty((len(postings), self.dimension), dtype=np.float32)
        for rows in rows_of_like_length([len(posting) for posting in postings]):
            with torch.inference_mode():
                vectors[rows] = self._summary(sentence_batch([postings[row] for row in rows])).numpy()
        return normalised(vectors)

    def describe(self, posting: Posting) -> Description:
        """Return a posting's sentences, its vector, and the network's attention."""
        read = tuple(segment for segment in segments(posting.description) if segment.content)[: self.reading.most]
        sentences = self.encoder.encode([segment.content for segment in read])
        if self.network is None:
            return Description(read, sentences, self.encode_postings([posting])[0], None)
        with torch.inference_mode():
            aggregated = self.network(sentence_batch([sentences]), attention=True)
        vector = normalised(aggregated.vectors.numpy())[0]
        return Description(read, sentences, vector, attention_of(aggregated, 0, len(read)))

    def _encode_block(self, postings: Sequence[Posting]) -> FloatArray:
        numbers: dict[str, int] = {}  # many postings share skills and closing words
        parts = [
            np.array([numbers.setdefault(text, len(numbers)) for text in self.reading.texts(posting)], dtype=np.intp)
            for posting in postings
        ]
        encoded = self.encoder.encode(list(numbers))
        return self.aggregate([encoded[places] for places in parts])

    def _summary(self, batch: SentenceBatch) -> Tensor:
        if self.network is not None:
            vectors: Tensor = self.network(batch).vectors
            return vectors
        return (max_of if VARIANTS[self.variant].summary == "max" else mean_of)(batch.vectors, batch.mask)

    def save(
        self,
        folder: Path,
        report: Mapping[str, object],
        *,
        save_encoder: Callable[[Path], None] | None = None,
        replace: bool = False,
    ) -> None:
        """Write a complete folder; the network is rounded to half precision, as by `rounded`.

        Raises OSError if the folder cannot be written, or exists and may not be replaced.
        """
        config = {
            "backbone": "" if save_encoder else lasting_word(self.backbone),
            "backbone_name": "" if save_encoder else self.encoder.name,
            "dimension": self.dimension,
            "variant": self.variant,
            "reading": asdict(self.reading),
            "network": asdict(self.network.config) if self.network else None,
        }
        weights = self.network.state_dict() if self.network else {}
        with model_written(folder, config, report, replace=replace) as temporary:
            save_file(
                {key: weight.detach().cpu().half().contiguous() for key, weight in weights.items()},
                temporary / WEIGHTS_FILE,
            )
            if save_encoder:
                save_encoder(temporary / ENCODER_FOLDER)

    @classmethod
    def load(cls, folder: Path, encoder: Encoder | None = None, settings: Settings | None = None) -> Self:
        """Read the folder that `save` wrote.

        Raises ModelError if no such model, a damaged one, or its backbone has changed or cannot be loaded from this
        machine.
        """
        with as_model_error(
            f"{folder} holds no model of descriptions that can be used",
            "Expected a folder written by `jobmatch train jdan`; train it again.",
        ):
            config = read_json(folder / CONFIG_FILE)
            encoder = encoder or _backbone(folder, config["backbone"], settings)
            if config["backbone_name"] not in ("", encoder.name):
                raise ValueError(
                    f"it was trained over {config['backbone_name']}, and {encoder.name} gives other vectors"
                )
            weights = read_weights(folder / WEIGHTS_FILE, load_file)
            model = cls(
                encoder,
                config["backbone"],
                config["variant"],
                reading=record_of(PostingReading, config["reading"], "[reading]"),
                network=_network(config["network"], config["dimension"], weights),
                name=f"{folder.name}-{weights_digest(folder, after=encoder.name.encode())}",
            )
            if model.dimension != config["dimension"]:
                raise ValueError(
                    f"its dimension was {config['dimension']}, and that of {encoder.name} is {model.dimension}"
                )
        return model


def rounded(network: AggregationNetwork) -> AggregationNetwork:
    """Round a network's weights, in place, to their saved precision, so that it is evaluated as it will be used."""
    return network.half().float()


def _backbone(folder: Path, word: str, settings: Settings | None) -> Encoder:
    if not word and not (folder / ENCODER_FOLDER).is_dir():
        raise FileNotFoundError(f"its folder {ENCODER_FOLDER} is missing")
    if word:
        return load_encoder("+".join(stored_word(part, settings) for part in joint_words(word)), settings)
    return load_encoder(str((folder / ENCODER_FOLDER).resolve()), settings)


def _network(config: dict[str, object] | None, dimension: int, weights: dict[str, Tensor]) -> AggregationNetwork | None:
    if config is None:
        return None
    settings = record_of(NetworkConfig, config, "[network]")
    check_shapes(weights, settings.layers, lambda: AggregationNetwork(settings, dimension))
    network = AggregationNetwork(settings, dimension)
    network.load_state_dict(weights)
    return network
