"""Weights of models that no program should choke on: empty, of a wrong shape, with a header that lies."""

import json
import struct
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from tests.hostile_files import RANDOM, Maker, written

NO_WEIGHTS = (2).to_bytes(8, "little") + b"{}"  # a whole file of safetensors with nothing in it


def tensors_of_a_wrong_shape(path: Path) -> Path:
    """Write a safetensors file with names that any model may ask for, all of one number."""
    save_file({name: np.zeros(1, dtype=np.float32) for name in ("weight", "embeddings", "head", "bias")}, path)
    return path


def tensors_that_lie(path: Path) -> Path:
    """Write a safetensors file whose header claims far more than there is."""
    header = json.dumps({"weight": {"dtype": "F32", "shape": [2**40], "data_offsets": [0, 2**42]}}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + bytes(16))
    return path


def tensors_with_a_long_header(path: Path) -> Path:
    """Write a safetensors file whose header would be longer than any memory."""
    path.write_bytes(struct.pack("<Q", 2**62) + b"{}")
    return path


SAFETENSORS: dict[str, Maker] = {
    "nothing": written(b""),
    "random bytes": written(RANDOM),
    "of a wrong shape": tensors_of_a_wrong_shape,
    "that lie": tensors_that_lie,
    "with a long header": tensors_with_a_long_header,
}
