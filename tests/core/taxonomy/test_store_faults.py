"""The store when something goes wrong: imports are whole or not at all, and damage is told."""

import errno
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError, TaxonomyError
from jobmatch_core.taxonomy import BUNDLED_ID, Manifest, TaxonomyStore
from jobmatch_core.taxonomy.tables import TaxonomyTables
from tests.core.taxonomy.made_stores import ESCO_ID, NEW, OLD, FolderOf, ids, nurse, snapshot

ROOT = Path(__file__).parents[3]
_IMPORT_AND_DIE = """
import os, signal, sys
from pathlib import Path
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.taxonomy.readers import READERS
from jobmatch_core.taxonomy.tables import TaxonomyTables

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def save_half(self, folder):
    (folder / "concepts.parquet").write_bytes(b"PAR1 half")
    die()

rename = Path.rename
def rename_and_die(self, target):
    rename(self, target)
    die()

store, source, moment = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
if moment == "reading":
    TaxonomyStore(store).import_from(source, replace=True, progress=die)
elif moment == "saving":
    TaxonomyTables.save = save_half
elif moment == "renaming":
    Path.rename = rename_and_die
TaxonomyStore(store).import_from(source, replace=True)
"""


def _zip_of(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("occupations_en.csv", OLD["occupations_en.csv"])
    return path


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        pytest.param(lambda folder: folder / "gone", "there is no such file or folder", id="missing"),
        pytest.param(lambda folder: folder, "no taxonomy is recognised .*, or one table", id="empty folder"),
        pytest.param(lambda folder: _zip_of(folder / "esco.zip"), "this is a zip archive; unpack it", id="zip"),
        pytest.param(lambda folder: _zip_of(folder / "jobs.csv"), "this is a zip archive", id="zip called csv"),
    ],
)
@pytest.mark.parametrize("replace", [True, False])
def test_unusable_source(
    store: TaxonomyStore, tmp_path: Path, home: Path, make: Callable[[Path], Path], problem: str, replace: bool
) -> None:
    """A source that is not what was expected leaves no trace."""
    (tmp_path / "source").mkdir()
    with pytest.raises(DataFileError, match=problem):
        store.import_from(make(tmp_path / "source"), replace=replace)
    assert not home.exists()


def test_damaged_source_keeps_the_installed_one(with_old: TaxonomyStore, folder_of: FolderOf, home: Path) -> None:
    """A replacement that cannot be read replaces nothing."""
    before = snapshot(home)
    with pytest.raises(DataFileError, match="cut short"):
        with_old.import_from(folder_of({"occupations_en.csv": NEW["occupations_en.csv"][:-8]}), replace=True)
    assert snapshot(home) == before


@pytest.mark.parametrize("older", [True, False], ids=["replacing", "new"])
@pytest.mark.parametrize("victim", ["tables", "manifest"])
def test_full_disk(
    with_old: TaxonomyStore, folder_of: FolderOf, home: Path, monkeypatch: pytest.MonkeyPatch, older: bool, victim: str
) -> None:
    """The error says so, and nothing is changed: no half taxonomy, the older one whole."""
    if not older:
        with_old.remove(ESCO_ID)
    before = snapshot(home)

    def fill_up(_: object, folder: Path) -> None:
        (folder / "half").write_bytes(b"x")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(TaxonomyTables if victim == "tables" else Manifest, "save", fill_up)
    with pytest.raises(
        TaxonomyError, match=r"could not be stored in .* \(No space left on device\); nothing was changed"
    ):
        with_old.import_from(folder_of(NEW), replace=older)
    monkeypatch.undo()
    assert snapshot(home) == before
    assert sorted(path.name for path in home.iterdir()) == ([ESCO_ID, BUNDLED_ID] if older else [BUNDLED_ID])


def test_disk_error_without_a_number(
    store: TaxonomyStore, folder_of: FolderOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Arrow raises OSErrors that have a text but no errno; their text is shown, not 'None'."""

    def fail(_: object, folder: Path) -> None:
        raise OSError("Error writing bytes to file")

    monkeypatch.setattr(TaxonomyTables, "save", fail)
    with pytest.raises(TaxonomyError, match="Error writing bytes to file"):
        store.import_from(folder_of(OLD))


def test_home_that_is_a_file(tmp_path: Path, folder_of: FolderOf) -> None:
    """A store that cannot be made is told, and the file stays."""
    (tmp_path / "file").write_text("mine")
    for action in (
        lambda: TaxonomyStore(tmp_path / "file").import_from(folder_of(OLD)),
        lambda: TaxonomyStore(tmp_path / "file").installed(),
    ):
        with pytest.raises(TaxonomyError, match="could not be stored"):
            action()
    assert (tmp_path / "file").read_text() == "mine"


def test_interrupted_import_changes_nothing(
    with_old: TaxonomyStore, folder_of: FolderOf, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C comes through, and the older taxonomy stays."""
    before = snapshot(home)

    def interrupt(_: object, folder: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(TaxonomyTables, "save", interrupt)
    with pytest.raises(KeyboardInterrupt):
        with_old.import_from(folder_of(NEW), replace=True)
    assert snapshot(home) == before


@pytest.mark.first_case
@pytest.mark.parametrize("moment", ["reading", "saving", "renaming"])
def test_killed_while_replacing(with_old: TaxonomyStore, folder_of: FolderOf, home: Path, moment: str) -> None:
    """After a SIGKILL at any moment the taxonomy is there, old or new but whole, and can be replaced."""
    _killed(home, folder_of(NEW), moment)
    assert nurse(with_old) == "old nurse"
    assert ids(with_old) == [ESCO_ID, BUNDLED_ID]
    with_old.import_from(folder_of(NEW), replace=True)
    assert nurse(with_old) == "new nurse"


@pytest.mark.first_case
@pytest.mark.parametrize("moment", ["reading", "saving"])
def test_killed_while_importing(store: TaxonomyStore, folder_of: FolderOf, home: Path, moment: str) -> None:
    """After a SIGKILL nothing half done is listed, and the import can be done again."""
    _killed(home, folder_of(NEW), moment)
    assert ids(store) == [BUNDLED_ID]
    store.import_from(folder_of(NEW))
    assert nurse(store) == "new nurse"


def _killed(home: Path, source: Path, moment: str) -> None:
    command = [sys.executable, "-c", _IMPORT_AND_DIE, str(home), str(source), moment]
    killed = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()


def test_removal_that_fails_half_way(with_old: TaxonomyStore, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A removal that the disk refuses is a TaxonomyError, and the other taxonomies can still be listed."""

    def remove_half(folder: Path, **_: object) -> None:
        next(path for path in Path(folder).rglob("manifest.json")).unlink()
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(shutil, "rmtree", remove_half)
    with pytest.raises(TaxonomyError, match="Permission denied"):
        with_old.remove(ESCO_ID)
    monkeypatch.undo()
    assert BUNDLED_ID in ids(with_old)


@pytest.mark.parametrize("name", [f"{table}.parquet" for table in TaxonomyTables.__slots__])
@pytest.mark.parametrize("damage", ["gone", "empty", "cut short", "junk"])
def test_damaged_table(with_old: TaxonomyStore, home: Path, name: str, damage: str) -> None:
    """Garbage on disk is told with the taxonomy's name and what to do; removing it works."""
    path = home / ESCO_ID / name
    content = {"empty": b"", "cut short": path.read_bytes()[:-20], "junk": b"junk" * 50}.get(damage)
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(
        TaxonomyError, match=r"^The taxonomy in esco-1\.1\.1 is damaged .*; remove it and import it again"
    ):
        with_old.load(ESCO_ID)
    with_old.remove(ESCO_ID)
    assert ids(with_old) == [BUNDLED_ID]


def test_table_in_another_tables_place(with_old: TaxonomyStore, home: Path) -> None:
    """A table that lacks its columns is damage, not a bug that shows up later."""
    shutil.copy(home / ESCO_ID / "skills.parquet", home / ESCO_ID / "names.parquet")
    with pytest.raises(TaxonomyError, match="is damaged"):
        with_old.load(ESCO_ID)


def test_damaged_manifest(with_old: TaxonomyStore, home: Path) -> None:
    """It is told at loading; a new import mends it."""
    (home / ESCO_ID / "manifest.json").write_text("{")
    with pytest.raises(TaxonomyError, match=r"^The taxonomy in esco-1\.1\.1 is damaged"):
        with_old.load(ESCO_ID)
    assert len(with_old.load().occupation_numbers) == 436


def test_damaged_one_can_be_replaced(with_old: TaxonomyStore, home: Path, folder_of: FolderOf) -> None:
    """Damage does not stand in the way of the replacement."""
    (home / ESCO_ID / "manifest.json").write_text("{")
    with_old.import_from(folder_of(NEW), replace=True)
    assert nurse(with_old) == "new nurse"


def test_damaged_one_does_not_hide_the_others(with_old: TaxonomyStore, home: Path, folder_of: FolderOf) -> None:
    """With one taxonomy damaged, an unknown id still gets the list of those that can be used."""
    with_old.import_from(folder_of(NEW, "v1.2.0"))
    (home / ESCO_ID / "manifest.json").write_text("{")
    with pytest.raises(TaxonomyError, match=r"There is no taxonomy 'x'; installed are: .*esco-1\.2\.0, isco-08"):
        with_old.load("x")


@pytest.mark.parametrize("damage", ["manifest damaged", "half removed", "copied"])
def test_what_cannot_be_used_is_left_out(
    with_old: TaxonomyStore, home: Path, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    """It is not listed, and the log says why."""
    folder = shutil.copytree(home / ESCO_ID, home / "copy")
    if damage == "manifest damaged":
        (folder / "manifest.json").write_text("{")
    elif damage == "half removed":
        (folder / "manifest.json").unlink()
    assert ids(with_old) == [ESCO_ID, BUNDLED_ID]
    assert "copy is not listed" in caplog.text


@pytest.mark.parametrize("name", ["notes.txt", ".DS_Store", "Thumbs.db", "backup.zip"])
def test_stray_file_is_no_taxonomy(with_old: TaxonomyStore, home: Path, name: str) -> None:
    """Files that an operating system or a user leaves in the folder are not listed."""
    (home / name).write_text("x")
    assert ids(with_old) == [ESCO_ID, BUNDLED_ID]
