"""A small disk in memory, which can be full or only be read; only root may mount it."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


class Disk:
    """A disk of its own, mounted on a folder."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        self.folder = folder
        self._megabytes = megabytes

    def mount(self, *options: str) -> None:
        """Mount it, or mount it anew with other options."""
        how = ",".join((f"size={self._megabytes}m", *options))
        command = ["mount", "-t", "tmpfs", "-o", how, "tmpfs", str(self.folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")

    @contextmanager
    def full(self) -> Iterator[None]:
        """Leave no room for a while."""
        filler = self.folder / "filler"
        with filler.open("wb", buffering=0) as file:
            for size in (1 << 20, 4096):
                while _written(file, size):
                    pass
        try:
            yield
        finally:
            filler.unlink()

    @contextmanager
    def read_only(self) -> Iterator[None]:
        """Let nobody write for a while; this binds root, too."""
        self.mount("remount", "ro")
        try:
            yield
        finally:
            self.mount("remount", "rw")


def _written(file: Any, size: int) -> bool:
    try:
        return bool(file.write(bytes(size)) == size)
    except OSError:
        return False


@contextmanager
def mounted(folder: Path, megabytes: int) -> Iterator[Disk]:
    """Mount a disk on a new folder for a while; skips the test where that is not possible."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a disk")
    folder.mkdir()
    disk = Disk(folder, megabytes)
    disk.mount()
    try:
        yield disk
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
