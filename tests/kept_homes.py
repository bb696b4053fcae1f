"""Homes that take seconds to build, kept between runs for as long as nothing changes that they are built from.

What tests read from copies of them is read once, too, as long as the copies share the files.
"""

import hashlib
import shutil
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from stat import S_ISREG
from typing import Any

from jobmatch_core.io.folders import locked

ROOT = Path(__file__).parents[1]
_KEPT = ROOT / ".pytest_cache" / "d" / "homes"  # `pytest --cache-clear` removes it


def sources_digest(folder: Path) -> str:
    """Return a digest of every file of a folder, this file, Python and the versions of all installed packages."""
    digest = hashlib.blake2b(sys.version.encode(), digest_size=16)
    for package in sorted(path.name for path in Path(sysconfig.get_path("purelib")).glob("*.dist-info")):
        digest.update(f"\n{package}".encode())
    for path in (Path(__file__), *sorted(folder.rglob("*"))):
        if path.is_file() and path.parent.name != "__pycache__":
            digest.update(f"\n{path.relative_to(ROOT if path == Path(__file__) else folder)} ".encode())
            digest.update(hashlib.blake2b(path.read_bytes()).digest())
    return digest.hexdigest()


def copy_kept_home(
    name: str,
    build: Callable[[Path], object],
    home: Path,
    *,
    sources: Path = ROOT / "jobmatch_core",
    kept: Path = _KEPT,
) -> Path:
    """Copy a home that was built before, or build it first; what is kept is never handed out itself.

    Args:
        name: name of the home.
        build: builds it in a folder that does not exist yet.
        home: folder to copy to, which does not exist yet.
        sources: folder of all the files that the home is built from; a change of any builds it anew.
        kept: folder of the kept homes.
    """
    with locked(kept):  # the other workers wait instead of building it, too
        current = kept / sources_digest(sources)
        for old in kept.iterdir():
            if old.is_dir() and old != current:
                shutil.rmtree(old)
        if not (current / name).exists():
            unfinished = current / f"{name}.unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)  # of a run that was cut off
            build(unfinished)
            unfinished.rename(current / name)
        shutil.copytree(current / name, home)
    return home


class ReadOnce:
    """What was read from folders, for tests whose homes share files: opened anew, it takes longer than most tests.

    A file that was replaced or written to is another one, so that a changed or damaged folder is read.
    """

    def __init__(self, read: Callable[..., Any], most: int = 6) -> None:
        """Read by a function of a folder, and perhaps of an object that counts by its identity."""
        self._read, self._most = read, most
        self._kept: dict[object, tuple[Any, object]] = {}

    def __call__(self, folder: Path, by: object = None) -> Any:
        """Return what was read before from the same files, or read it."""
        given = (folder,) if by is None else (folder, by)
        try:
            key = (id(by), *_identities(folder))
        except FileNotFoundError:  # it is being replaced
            return self._read(*given)
        if key not in self._kept:
            found = self._read(*given)
            if len(self._kept) == self._most:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = found, by  # an object that is kept alive keeps its identity
        return self._kept[key][0]


def _identities(folder: Path) -> list[tuple[str, int, int, int, int]]:
    """Return what tells files apart: hard links of one have the same."""
    found = ((path.relative_to(folder).as_posix(), path.stat()) for path in sorted(folder.rglob("*")))
    return [(name, at.st_dev, at.st_ino, at.st_mtime_ns, at.st_size) for name, at in found if S_ISREG(at.st_mode)]
