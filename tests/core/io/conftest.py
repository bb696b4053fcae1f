"""Files given by their content, and files left open that are noticed at once."""

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


@pytest.fixture
def nothing_left_open() -> Iterator[None]:
    """Make pytest see at once what a test's error left open; the warning would else fall on a later test."""
    yield
    gc.collect()


@pytest.fixture
def given_file(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write a file with this name and content."""

    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write
