"""Models in ZIP files: unpacked from any depth, and refused if they are not what they should be."""

import io
import stat
import struct
from collections.abc import Callable
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np
import pytest

from jobmatch_core.encoders import packed_model
from jobmatch_core.encoders.added_encoder import LOADING, UNPACKING, add_packed_encoder
from jobmatch_core.encoders.loading import load_encoder
from jobmatch_core.errors import ModelError
from jobmatch_core.settings import Settings
from tests.tiny_transformer import save_transformer

TEXTS = ["cook", "nurse"]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A transformer's folder."""
    return save_transformer(tmp_path_factory.mktemp("model") / "ours")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A home without models."""
    return Settings(tmp_path / "home")


def packed(files: dict[str, bytes]) -> io.BytesIO:
    """Return a ZIP file."""
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file


def files_of(model: Path, under: str = "") -> dict[str, bytes]:
    """Return the files of a folder by their names in a ZIP file."""
    paths = (path for path in sorted(model.rglob("*")) if path.is_file())
    return {f"{under}{path.relative_to(model).as_posix()}": path.read_bytes() for path in paths}


@pytest.mark.parametrize("under", ["", "ours/", "some/where/ours/"])
def test_a_packed_encoder_works_by_its_name(model: Path, settings: Settings, under: str) -> None:
    """With the vectors of the folder, wherever that is in the ZIP file; stages and bytes are reported."""
    stages: list[str] = []
    reports: list[tuple[int, int]] = []
    file = packed(files_of(model, under) | {"__MACOSX/ours/._config.json": b"x", f"{under}.DS_Store": b"x"})
    add_packed_encoder(
        "ours", file, "ours.zip", settings, stage=stages.append, progress=lambda *report: reports.append(report)
    )
    np.testing.assert_array_equal(
        load_encoder("ours", settings).encode(TEXTS), load_encoder(str(model)).encode(TEXTS), strict=True
    )
    assert stages == [UNPACKING, LOADING]
    total = sum(len(content) for name, content in files_of(model).items())
    assert reports[-1] == (total, total)
    assert not list((settings.models / "ours").rglob(".*"))


def test_code_and_pickles_stay_packed(model: Path, settings: Settings) -> None:
    """What is not needed is not written."""
    file = packed(files_of(model) | {"modeling_ours.py": b"print('run')", "pytorch_model.bin": b"pickle"})
    add_packed_encoder("ours", file, "ours.zip", settings)
    written = {path.suffix for path in (settings.models / "ours").rglob("*") if path.is_file()}
    assert written <= {".json", ".txt", ".safetensors", ".md"}


def _link(model: Path) -> io.BytesIO:
    file = packed(files_of(model))
    info = ZipInfo("vocab.txt")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with ZipFile(file, "a") as archive:
        archive.writestr(info, "/etc/passwd")
    return file


def _encrypted(model: Path) -> io.BytesIO:
    content = bytearray(packed({"config.json": (model / "config.json").read_bytes()}).getvalue())
    content[content.index(b"PK\x01\x02") + 8] |= 1  # flag in the directory
    return io.BytesIO(bytes(content))


def _cut_short(model: Path) -> io.BytesIO:
    content = packed(files_of(model)).getvalue()
    return io.BytesIO(content[: len(content) // 2])


def _torn(model: Path) -> io.BytesIO:
    content = bytearray(packed(files_of(model)).getvalue())
    at = content.index(b"model.safetensors") + 100
    content[at : at + 200] = bytes(200)
    return io.BytesIO(bytes(content))


def _without_weights(model: Path) -> dict[str, bytes]:
    return {name: content for name, content in files_of(model).items() if not name.endswith(".safetensors")}


REFUSED: dict[str, tuple[Callable[[Path], io.BytesIO], str]] = {
    "a path that climbs": (lambda model: packed(files_of(model) | {"../../outside.json": b"{}"}), "outside its folder"),
    "a path from the root": (
        lambda model: packed(files_of(model) | {"/etc/outside.json": b"{}"}),
        "outside its folder",
    ),
    "a path of Windows": (lambda model: packed(files_of(model) | {"..\\outside.json": b"{}"}), "outside its folder"),
    "a drive": (lambda model: packed(files_of(model) | {"C:outside.json": b"{}"}), "outside its folder"),
    "a link": (_link, "link"),
    "a password": (_encrypted, "encrypted"),
    "nothing": (lambda model: io.BytesIO(), "damaged"),
    "no ZIP": (lambda model: io.BytesIO(b"\x7fELF" + bytes(100)), "damaged"),
    "half a file": (_cut_short, "damaged"),
    "a torn file": (_torn, "damaged"),
    "no model": (lambda model: packed({"readme.md": b"x"}), "no encoder"),
    "two models": (lambda model: packed(files_of(model, "a/") | files_of(model, "b/")), "several models"),
    "a pickle alone": (lambda model: packed(_without_weights(model) | {"pytorch_model.bin": b"x"}), "run code"),
    "no weights": (lambda model: packed(_without_weights(model)), "cannot be used"),
    "another kind": (lambda model: packed({"config.json": b'{"tower": 1}'}), "no encoder"),
    "too many files": (lambda model: packed({f"{n}.json": b"" for n in range(packed_model.MOST_FILES + 1)}), "at most"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_files_leave_nothing(model: Path, settings: Settings, tmp_path: Path, case: str) -> None:
    """The message says why, and neither the home nor a place outside has a new file."""
    make, problem = REFUSED[case]
    with pytest.raises(ModelError, match=problem) as caught:
        add_packed_encoder("ours", make(model), "ours.zip", settings)
    assert ".tmp-" not in str(caught.value)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.parametrize("lies", [False, True])
def test_bombs_are_refused_by_what_is_unpacked(
    model: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch, *, lies: bool
) -> None:
    """Also where the declared size is small: reading ends at it, or at the limit."""
    monkeypatch.setattr(packed_model, "MOST_UNPACKED", 2**21)
    content = packed({"config.json": b'{"model_type": "bert"}', "model.safetensors": b" " * 2**23}).getvalue()
    if lies:
        content = content.replace(struct.pack("<I", 2**23), struct.pack("<I", 100))
    with pytest.raises(ModelError, match="damaged" if lies else "more than"):
        add_packed_encoder("ours", io.BytesIO(content), "bomb.zip", settings)
    assert not (settings.models / "ours").exists()


def test_a_file_of_the_same_name_twice(model: Path, settings: Settings) -> None:
    """Which of the two counts would be a guess."""
    file = packed(files_of(model))
    with ZipFile(file, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("config.json", "{}")
    with pytest.raises(ModelError, match="two files"):
        add_packed_encoder("ours", file, "ours.zip", settings)
