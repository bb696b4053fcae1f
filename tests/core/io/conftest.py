"""Fixtures: files with given content, and immediate detection of files left open."""

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


@pytest.fixture
def nothing_left_open() -> Iterator[None]:
    """Make pytest report files that a test leaves open in that test, not in a later one."""
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
