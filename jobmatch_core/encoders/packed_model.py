"""A model's folder in a ZIP file: its names are checked before anything is written, and what is unpacked is counted."""

import stat
import zlib
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import BinaryIO
from zipfile import BadZipFile, LargeZipFile, ZipFile, ZipInfo

from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import ModelError
from jobmatch_core.model_store.model_spec import MODULES_FILE
from jobmatch_core.model_store.saved_model import CONFIG_FILE

MOST_UNPACKED = 2 * 2**30  # bytes; weights hardly shrink, so an upload of the usual size stays far below
MOST_FILES = 2000
_BLOCK = 2**20  # bytes
_ENCRYPTED = 1  # bit of the flags
_HIDDEN = "__MACOSX"  # besides names with a leading dot


def unpack_model(
    file: BinaryIO, folder: Path, suffixes: Collection[str], *, progress: Progress = no_progress
) -> list[str]:
    """Unpack the folder of the one model in a ZIP file; return the names of all its files, also of those left out.

    Args:
        file: the ZIP file; the model may be in a folder of any depth in it.
        folder: existing folder to unpack to.
        suffixes: endings of the files to unpack; others, such as pickles and code, are not read.

    Raises:
        ModelError: the file is damaged, encrypted or too large, has links or names outside the folder, or holds no
            model or several.
        OSError: the disk refuses.
    """
    try:
        with ZipFile(file) as archive:
            members = _members(archive.infolist())
            root = _root(members)
            inside = {path.relative_to(root): info for path, info in members.items() if path.is_relative_to(root)}
            chosen = {path: info for path, info in inside.items() if path.suffix in suffixes}
            _write(archive, chosen, folder, progress)
            return [path.name for path in inside]
    except (BadZipFile, LargeZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        raise ModelError(
            f"The file is damaged, or no ZIP file that can be read here ({error}). Pack the model's folder as a ZIP "
            "file again."
        ) from error


def _members(infos: Sequence[ZipInfo]) -> dict[PurePosixPath, ZipInfo]:
    files = [info for info in infos if not info.is_dir()]
    if len(files) > MOST_FILES:
        raise ModelError(f"The ZIP file has {len(files):,} files, at most {MOST_FILES:,} are read. Pack one model.")
    members = {}
    for info in files:
        path = _checked(info)
        if any(part.startswith(".") or part == _HIDDEN for part in path.parts):
            continue
        if path in members:
            raise ModelError(f"The ZIP file has two files {info.filename!r}. Pack the model's folder again.")
        members[path] = info
    return members


def _checked(info: ZipInfo) -> PurePosixPath:
    name, path = info.filename, PurePosixPath(info.filename)
    if path.is_absolute() or ".." in path.parts or "\\" in name or PureWindowsPath(name).drive or "\0" in name:
        raise ModelError(f"The ZIP file names a place outside its folder ({name!r}), so it was refused. Pack it again.")
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise ModelError(
            f"The ZIP file has a link or a device ({name!r}), so it was refused. Pack the files themselves: zip -r "
            "follows links, zip -ry does not."
        )
    if info.flag_bits & _ENCRYPTED:
        raise ModelError("The ZIP file is encrypted. Pack the model's folder without a password.")
    return path


# the shallowest folder with the file that every model has: modules.json, or config.json of a bare transformer
def _root(paths: Iterable[PurePosixPath]) -> PurePosixPath:
    paths = list(paths)
    for marker in (MODULES_FILE, CONFIG_FILE):
        places = sorted((path.parent for path in paths if path.name == marker), key=lambda place: len(place.parts))
        if len(places) > 1 and len(places[0].parts) == len(places[1].parts):
            names = f"{str(places[0])!r} and {str(places[1])!r}"
            raise ModelError(f"The ZIP file holds several models, such as {names}. Pack the folder of one.")
        if places:
            return places[0]
    raise ModelError(
        f"The ZIP file holds no encoder: it has neither {MODULES_FILE} nor the {CONFIG_FILE} of a transformer. Pack "
        "the folder that model.save_pretrained(FOLDER) of sentence-transformers writes."
    )


def _write(archive: ZipFile, members: dict[PurePosixPath, ZipInfo], folder: Path, progress: Progress) -> None:
    # the sizes that the file declares may lie: they are only good for the progress
    total = sum(info.file_size for info in members.values())
    if total > MOST_UNPACKED:
        raise _too_large()
    done = 0
    for path, info in members.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(info) as packed, target.open("xb") as unpacked:
            while block := packed.read(_BLOCK):
                done += len(block)
                if done > MOST_UNPACKED:
                    with suppress(OSError):
                        target.unlink()
                    raise _too_large()
                unpacked.write(block)
                progress(min(done, total), total)


def _too_large() -> ModelError:
    return ModelError(
        f"Unpacked, the ZIP file has more than {MOST_UNPACKED // 2**30} GB, so it was refused. Larger models are added "
        "on the server, with `jobmatch models add`."
    )
