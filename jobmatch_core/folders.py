"""Folders that appear whole or not at all."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_whole(folder: Path) -> Iterator[Path]:
    """Give a temporary folder to write to; rename it to *folder* when the block ends well.

    An older folder of that name is replaced only then. If the block fails, or the process is killed,
    the older one stays and the temporary one is thrown away (at the latest by `sweep`).
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        yield temporary
        if folder.exists():
            retired = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
            folder.rename(retired / "old")
            temporary.rename(folder)
            shutil.rmtree(retired)
        else:
            temporary.rename(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
