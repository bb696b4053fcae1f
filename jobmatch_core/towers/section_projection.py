"""Section-S-BERT with a frozen backbone and a trained projection of each kind of document.

Paper: Jouanneau et al. (2024), sections 4.1 and 4.3, without warm-up, clipping and validation. The paper leaves the
projection open; here it is an affine map of the mean of the sections' vectors, which starts as the identity. Vectors
are L2-normalised, so that the Euclidean distance and the cosine give the same ranking.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from jobmatch_core.entities import Encoder, FloatArray, Progress, no_progress
from jobmatch_core.towers.document_pairs import DocumentPairs
from jobmatch_core.towers.documents import Document, Kind, section_vectors
from jobmatch_core.towers.dual_losses import LOSSES
from jobmatch_core.towers.sampling import (
    PAPER_INFO_NCE,
    PAPER_TRIPLETS,
    Batch,
    Rows,
    Sampling,
    freelancer_freelancer,
    project_freelancer,
    with_weak_negatives,
)
from jobmatch_core.vectors import normalised


@dataclass(frozen=True, slots=True)
class SectionProjectionSetting:
    """Settings of a projection's training."""

    loss: str  # a key of `LOSSES`: dual A-triplet (11), or dual A-InfoNCE (14)
    epochs: int  # passes over all projects
    sampling: Sampling  # composition of the batches
    # Adam's learning rate; the default has the best MAP of 1e-5 to 1e-3 on later projects of a demo marketplace's
    # training part, under both losses
    learning_rate: float = 3e-5
    margin: float = 1.0  # triplet margin; 1 as in Reimers and Gurevych (2019), section 3
    temperature: float = 0.1  # InfoNCE temperature


# epochs and batches of section 4.3
TRIPLET = SectionProjectionSetting("triplet", epochs=10, sampling=PAPER_TRIPLETS)
INFO_NCE = SectionProjectionSetting("infonce", epochs=2, sampling=PAPER_INFO_NCE)


@dataclass(frozen=True)
class Affine:
    """An affine map of vectors; *weights* have the shape (dimension, dimension), *shift* (dimension,)."""

    weights: FloatArray
    shift: FloatArray

    def __call__(self, vectors: FloatArray) -> FloatArray:
        """Return the mapped row vectors, L2-normalised."""
        return normalised(vectors @ self.weights.T + self.shift)


@dataclass(frozen=True)
class ProjectedSections:
    """A frozen section encoder with trained projections."""

    name: str
    encoder: Encoder
    maps: dict[Kind, Affine]

    def encode(self, documents: Sequence[Document]) -> FloatArray:
        """Return L2-normalised row vectors of documents of one kind, shape (document, dimension)."""
        return self.maps[documents[0].kind](_pooled(documents, self.encoder))


def train_projection(
    encoder: Encoder,
    pairs: DocumentPairs,
    setting: SectionProjectionSetting,
    *,
    seed: int,
    progress: Progress = no_progress,
) -> ProjectedSections:
    """Train the two projections; *seed* is that of the batches, *progress* is called with batches done and in total."""
    sampler = pairs.sampler(setting.sampling)
    vectors = [torch.from_numpy(_pooled(kind, encoder)) for kind in (pairs.projects, pairs.freelancers)]
    maps = nn.ModuleList(_identity(pooled.shape[1]) for pooled in vectors)
    optimiser = torch.optim.Adam(maps.parameters(), lr=setting.learning_rate)
    done, total = 0, setting.epochs * len(sampler)
    for epoch in range(setting.epochs):
        for batch in sampler.batches((seed, epoch)):
            rows = (batch.projects, batch.freelancers)
            projects, freelancers = map(_mapped, maps, vectors, rows)
            optimiser.zero_grad()
            _loss(projects, freelancers, batch, pairs, setting).backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            done += 1
            progress(done, total)
    project_map, freelancer_map = map(_affine, maps)
    name = f"section-sbert+projection-{setting.loss}"
    return ProjectedSections(name, encoder, {"project": project_map, "freelancer": freelancer_map})


def _mapped(layer: nn.Module, vectors: Tensor, rows: Rows) -> Tensor:
    return functional.normalize(layer(vectors[torch.from_numpy(rows)]), dim=-1)


def _loss(
    projects: Tensor, freelancers: Tensor, batch: Batch, pairs: DocumentPairs, setting: SectionProjectionSetting
) -> Tensor:
    to_freelancers = project_freelancer(pairs.interactions, batch.projects, batch.freelancers)
    among = freelancer_freelancer(to_freelancers)
    if setting.sampling.weak_negatives:
        among = with_weak_negatives(among, [pairs.freelancers[row].category for row in batch.freelancers])
    relations = (torch.from_numpy(to_freelancers), torch.from_numpy(among))
    return LOSSES[setting.loss](projects, freelancers, *relations, setting)


def _pooled(documents: Sequence[Document], encoder: Encoder) -> FloatArray:
    means: FloatArray = section_vectors(documents, encoder).mean(axis=1)
    return means


def _identity(dimension: int) -> nn.Linear:
    layer = nn.Linear(dimension, dimension)
    nn.init.eye_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


def _affine(layer: nn.Module) -> Affine:
    weights, shift = (parameter.detach().numpy() for parameter in layer.parameters())
    return Affine(weights, shift)
