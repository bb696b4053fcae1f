"""Transformer search encoder: its first layers, mean pooling, and a projection.

Paper: Hajiaghayi et al. (2021), sections II and V-A. The folder is that of `search_encoder`, with the transformer in
`document/` (and `query/` for a second tower) and the projections in `model.safetensors`.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from jobmatch_core.entities import FloatArray
from jobmatch_core.io.text_files import read_json
from jobmatch_core.model_store.model_folder import folder_digest
from jobmatch_core.model_store.saved_model import (
    CONFIG_FILE,
    WEIGHTS_FILE,
    as_model_error,
    model_written,
    read_weights,
)
from jobmatch_core.model_store.transformer_models import load_transformer
from jobmatch_core.search.search_encoder import (
    DOCUMENT,
    QUERY,
    REMEDY,
    TRANSFORMER,
    TrainedSearchEncoder,
    stored_lengths,
)

_BATCH = 128  # texts of similar length, since padding costs as much as tokens


class TransformerTower(nn.Module):
    """The first layers of a transformer with a projection."""

    def __init__(self, tokenizer: Any, model: Any, dimension: int) -> None:  # noqa: ANN401  # they are not typed
        super().__init__()
        self.tokenizer = tokenizer
        self.model = model
        self.projection = nn.Linear(model.config.hidden_size, dimension, bias=False)

    def token_ids(self, texts: Sequence[str], most: int) -> list[list[int]]:
        """Return the token ids of each text, at most `most`."""
        ids: list[list[int]] = self.tokenizer(list(texts), truncation=True, max_length=most)["input_ids"]
        return ids

    def forward(self, token_ids: Sequence[Sequence[int]]) -> Tensor:
        """Return L2-normalised vectors, shape (text, dimension)."""
        order = sorted(range(len(token_ids)), key=lambda row: len(token_ids[row]))
        blocks = [order[start : start + _BATCH] for start in range(0, len(order), _BATCH)]
        parts = [self._encoded([token_ids[row] for row in block]) for block in blocks]
        return torch.cat(parts)[torch.tensor(order).argsort()]

    def _encoded(self, token_ids: list[Sequence[int]]) -> Tensor:
        lengths = torch.tensor([len(ids_of_text) for ids_of_text in token_ids])
        mask = torch.arange(int(lengths.max())) < lengths[:, None]
        padding = self.tokenizer.pad_token_id or 0
        ids = torch.full(mask.shape, padding, dtype=torch.long)
        ids[mask] = torch.tensor([number for ids_of_text in token_ids for number in ids_of_text], dtype=torch.long)
        device = self.projection.weight.device
        ids, mask = ids.to(device), mask.to(device)
        with torch.autocast(device.type, torch.bfloat16, enabled=multiplies_bfloat16(device.type)):
            states = self.model(input_ids=ids, attention_mask=mask.long()).last_hidden_state
        weights = mask[..., None].float()
        means = (states.float() * weights).sum(dim=1) / weights.sum(dim=1).clamp_min(1)
        return functional.normalize(self.projection(means), dim=1)


@cache
def multiplies_bfloat16(device: str) -> bool:
    """Return whether a device multiplies bfloat16 matrices in hardware: a GPU, or a CPU with AMX (2.9x as fast)."""
    return device == "cuda" or bool(torch.cpu.get_capabilities().get("amx_bf16"))


def keep_layers(model: nn.Module, layers: int) -> None:
    """Remove all but the first layers of a transformer, in place; a shorter one stays as it is.

    Raises ValueError if the stack of layers is ambiguous.
    """
    config: Any = model.config
    count = int(config.num_hidden_layers)
    stacks = [
        (parent, name)
        for parent in model.modules()
        for name, child in parent.named_children()
        if isinstance(child, nn.ModuleList) and len(child) == count
    ]
    if len(stacks) != 1:
        raise ValueError(f"expected one stack of {count} layers, found {len(stacks)}")
    parent, name = stacks[0]
    first_layers = nn.ModuleList(list(getattr(parent, name))[:layers])
    setattr(parent, name, first_layers)
    config.num_hidden_layers = len(first_layers)
    if getattr(config, "layer_types", None):
        config.layer_types = list(config.layer_types)[: len(first_layers)]


class TransformerSearchEncoder(TrainedSearchEncoder):
    """A search encoder over a transformer."""

    kind = TRANSFORMER

    def __init__(
        self, towers: Mapping[str, TransformerTower], *, query_tokens: int, document_tokens: int, name: str
    ) -> None:
        dimension = int(towers[DOCUMENT].projection.out_features)
        super().__init__(dimension, query_tokens=query_tokens, document_tokens=document_tokens, name=name)
        # the tower of documents, and that of queries if they have their own; in evaluation mode
        self.towers = {side: tower.eval() for side, tower in towers.items()}

    def _encoded(self, texts: Sequence[str], side: str, most: int) -> FloatArray:
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        tower = self.towers.get(side, self.towers[DOCUMENT])
        with torch.inference_mode():
            vectors = tower(tower.token_ids(texts, most))
        return np.asarray(vectors.cpu().numpy(), dtype=np.float32)

    def save(self, folder: Path, report: Mapping[str, object], *, replace: bool = False) -> None:
        """Write a complete folder; see `TrainedSearchEncoder.save`."""
        with model_written(folder, self._config(), report, replace=replace) as temporary:
            for side, tower in self.towers.items():
                tower.model.save_pretrained(temporary / side)
                tower.tokenizer.save_pretrained(temporary / side)
            weights = {side: tower.projection.weight.detach().cpu() for side, tower in self.towers.items()}
            save_file(weights, temporary / WEIGHTS_FILE)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the folder that `save` wrote; raises ModelError if it holds no such model, or a damaged one."""
        with as_model_error(f"{folder} holds no search encoder that can be used", REMEDY):
            config = read_json(folder / CONFIG_FILE)
            projections = read_weights(folder / WEIGHTS_FILE, load_file)
            towers = {}
            for side in (DOCUMENT, *([QUERY] if QUERY in projections else [])):
                tower = TransformerTower(*load_transformer((folder / side).resolve()), int(config["dimension"]))
                tower.projection.load_state_dict({"weight": projections[side]})
                towers[side] = tower
            return cls(towers, **stored_lengths(config), name=f"{folder.name}-{folder_digest(folder)}")
