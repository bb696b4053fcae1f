"""The two towers, M_P(x) = M(W_P, x) and M_F(x) = M(W_F, x) (Jouanneau et al. 2024, section 3.1), and their folder.

config.json         the backbone and the architecture
model.safetensors   W_P and W_F, without the backbone
report.json         report of the training
ranker.json         the second stage, if one was fitted to the marketplace; see `ranking/ranker.py`
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Self

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from jobmatch_core.encoders.loading import load_token_encoder
from jobmatch_core.entities import FloatArray, Freelancer, Progress, Project, no_progress
from jobmatch_core.io.records import record_of
from jobmatch_core.io.text_files import read_json
from jobmatch_core.model_store.model_spec import stored_word
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
from jobmatch_core.token_vectors import TokenEncoder
from jobmatch_core.towers.documents import SECTIONS, Document, Kind, freelancer_document, project_document
from jobmatch_core.towers.tower import SHORTEST, DocumentBatch, Tower, document_batch
from jobmatch_core.towers.tower_recipe import TowerConfig

_BATCH = 64  # documents


class TwoTowers:
    """A tower for projects and one for freelancers over the same frozen backbone."""

    def __init__(
        self, encoder: TokenEncoder, backbone: str, config: TowerConfig, *, seed: int = 1, name: str = ""
    ) -> None:
        """Initialise untrained towers, which are nearly the backbone pooled by section; its name is the default name.

        Raises ValueError if the architecture does not match the backbone.
        """
        self.encoder = encoder  # the backbone
        self.backbone = backbone  # the backbone's name for `load_token_encoder`
        self.config = config
        # name of the folder with a digest of weights and architecture, or the given name
        self.name = name or encoder.name
        self.dimension = encoder.dimension
        with torch.random.fork_rng(devices=[]):  # leaves the global seed unchanged
            torch.manual_seed(seed)
            self.towers = _towers(config, encoder.dimension)  # towers by kind of document
        # both towers as one module, in evaluation mode except during training
        self.module = _module(self.towers).eval()

    def encode_projects(self, projects: Sequence[Project], *, progress: Progress = no_progress) -> FloatArray:
        """Return L2-normalised row vectors, shape (len(projects), dimension)."""
        return self.encode([*map(project_document, projects)], progress=progress)

    def encode_freelancers(self, freelancers: Sequence[Freelancer], *, progress: Progress = no_progress) -> FloatArray:
        """Return L2-normalised row vectors, shape (len(freelancers), dimension)."""
        return self.encode([*map(freelancer_document, freelancers)], progress=progress)

    def encode(self, documents: Sequence[Document], *, progress: Progress = no_progress) -> FloatArray:
        """Return L2-normalised row vectors of documents of one kind, shape (len(documents), dimension)."""
        sums = self.section_vectors(documents, progress=progress).sum(axis=1)
        return np.asarray(sums, dtype=np.float32)

    def section_vectors(self, documents: Sequence[Document], *, progress: Progress = no_progress) -> FloatArray:
        """Return each section's contribution to its document's vector, shape (document, section, dimension).

        They add up to the vector of `encode`, so a score is the sum of products of sections.

        Raises ValueError if the documents are of two kinds.
        """
        if not documents:
            return np.empty((0, 0, self.dimension), dtype=np.float32)
        if len({document.kind for document in documents}) > 1:
            raise ValueError("expected documents of one kind")
        # documents of similar length together, because padding costs as much as tokens
        order = sorted(range(len(documents)), key=lambda number: len(documents[number].whole))
        parts = np.empty((len(documents), len(SECTIONS[documents[0].kind]), self.dimension), dtype=np.float32)
        for start in range(0, len(order), _BATCH):
            rows = order[start : start + _BATCH]
            parts[rows] = self._parts([documents[row] for row in rows])
            progress(start + len(rows), len(documents))
        return parts

    def _parts(self, documents: Sequence[Document]) -> FloatArray:
        with torch.inference_mode():
            vectors = self.towers[documents[0].kind].section_vectors(self.batch(documents))
            lengths = vectors.sum(dim=1, keepdim=True).norm(dim=-1, keepdim=True)
            return np.asarray((vectors / lengths.clamp(min=SHORTEST)).cpu().numpy(), dtype=np.float32)

    def batch(self, documents: Sequence[Document]) -> DocumentBatch:
        """Return documents of one kind as a batch for their tower, on its device."""
        batch = document_batch(documents, self.encoder, self.config.max_tokens)
        return batch.to(self.towers[documents[0].kind].empty.device)

    def save(
        self,
        folder: Path,
        report: Mapping[str, object],
        *,
        replace: bool = False,
        write: Callable[[Path], None] | None = None,
    ) -> None:
        """Write a complete folder with the report of the training; *write* adds further files to it.

        Raises OSError if the disk cannot be written, or the folder exists and *replace* is false.
        """
        config = {
            "backbone": self.backbone,
            "backbone_name": self.encoder.name,
            "dimension": self.dimension,
            "sections": SECTIONS,
            "tower": asdict(self.config),
        }
        with model_written(folder, config, report, replace=replace) as temporary:
            save_file(self.weights(), temporary / WEIGHTS_FILE)
            if write is not None:
                write(temporary)

    def weights(self) -> dict[str, Tensor]:
        """Return the weights of both towers by name, on the CPU."""
        return {name: weight.detach().cpu().contiguous() for name, weight in self.module.state_dict().items()}

    @classmethod
    def load(cls, folder: Path, encoder: TokenEncoder | None = None, settings: Settings | None = None) -> Self:
        """Read a folder of `save`; *encoder* is the backbone if it is loaded already.

        Raises ModelError if the towers are missing or damaged, or their backbone differs from the one in training, or
        cannot be loaded from this machine.
        """
        with as_model_error(
            f"{folder} holds no towers that can be used",
            "Expected a folder written by `jobmatch train towers`; train them again.",
        ):
            config = read_json(folder / CONFIG_FILE)
            if config["sections"] != {kind: list(names) for kind, names in SECTIONS.items()}:
                raise ValueError("they were trained on documents with other sections")
            word, name, dimension = config["backbone"], config["backbone_name"], config["dimension"]
            tower = record_of(TowerConfig, config["tower"], "[tower]")
            weights = read_weights(folder / WEIGHTS_FILE, load_file)
            shape = json.dumps(config["tower"], sort_keys=True).encode()  # the same weights give other vectors
            encoder = encoder or load_token_encoder(stored_word(word, settings), settings)
            if (encoder.name, encoder.dimension) != (name, dimension):
                raise ValueError(f"they were trained over {name}, and {encoder.name} gives other vectors")
            check_shapes(weights, tower.layers if tower.head else 0, lambda: _module(_towers(tower, dimension)))
            towers = cls(encoder, word, tower, name=f"{folder.name}-{weights_digest(folder, before=shape)}")
            towers.module.load_state_dict(weights)
        return towers


def _towers(config: TowerConfig, dimension: int) -> dict[Kind, Tower]:
    return {kind: Tower(config, len(sections), dimension) for kind, sections in SECTIONS.items()}


def _module(towers: Mapping[Kind, Tower]) -> nn.ModuleDict:
    return nn.ModuleDict({str(kind): tower for kind, tower in towers.items()})
