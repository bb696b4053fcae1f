"""Kept homes: built once, built anew after any change of what they are built from, and never half."""

import os
from pathlib import Path

import pytest

from tests.kept_homes import ReadOnce, copy_kept_home


class Builder:
    """Writes a home of one file, and counts."""

    def __init__(self) -> None:
        self.n_built = 0

    def __call__(self, home: Path) -> None:
        """Write it."""
        self.n_built += 1
        home.mkdir(parents=True)
        (home / "file").write_text(f"built {self.n_built}", "utf-8")


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Give a folder with two sources."""
    folder = tmp_path / "sources"
    (folder / "part").mkdir(parents=True)
    (folder / "a.py").write_text("1", "utf-8")
    (folder / "part" / "weights").write_bytes(b"2")
    return folder


def copied(build: Builder, sources: Path, to: str, name: str = "home") -> str:
    """Copy the home and return what is in it."""
    kept = sources.parent / "kept"
    return (copy_kept_home(name, build, sources.parent / to, sources=sources, kept=kept) / "file").read_text("utf-8")


def test_built_once_and_never_handed_out(tmp_path: Path, sources: Path) -> None:
    """Whoever writes into a copy changes no other."""
    build = Builder()
    assert copied(build, sources, "first") == "built 1"
    (tmp_path / "first" / "file").write_text("spoiled", "utf-8")
    assert copied(build, sources, "second") == "built 1"
    assert copied(build, sources, "another", "another") == "built 2"
    assert build.n_built == 2


@pytest.mark.parametrize("change", ["content", "name", "new file", "removed file"])
def test_a_change_of_the_sources_builds_it_anew(sources: Path, change: str) -> None:
    """Of any file in any folder; what was kept before is removed."""
    build = Builder()
    copied(build, sources, "first")
    weights = sources / "part" / "weights"
    match change:
        case "content":
            weights.write_bytes(b"3")
        case "name":
            weights.rename(weights.with_name("others"))
        case "new file":
            (sources / "b.py").write_text("", "utf-8")
        case "removed file":
            weights.unlink()
    assert copied(build, sources, "second") == "built 2"
    assert sum(each.is_dir() for each in (sources.parent / "kept").iterdir()) == 1


def test_bytecode_is_no_source(sources: Path) -> None:
    """Python writes it while it runs."""
    build = Builder()
    copied(build, sources, "first")
    (sources / "__pycache__").mkdir()
    (sources / "__pycache__" / "a.pyc").write_bytes(b"4")
    assert copied(build, sources, "second") == "built 1"


def test_a_build_that_was_cut_off_is_not_taken(sources: Path) -> None:
    """It is begun again."""
    build = Builder()

    def cut_off(home: Path) -> None:
        build(home)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy_kept_home("home", cut_off, sources.parent / "none", sources=sources, kept=sources.parent / "kept")
    assert copied(build, sources, "first") == "built 2"


def test_what_shares_its_files_is_read_once(tmp_path: Path) -> None:
    """By each reader; a file that is written to or replaced is read, and so is one that is gone."""
    first, second, read = tmp_path / "first", tmp_path / "second", []
    for folder in (first, second):
        (folder / "in").mkdir(parents=True)
    (first / "in" / "a").write_text("1", "utf-8")
    os.link(first / "in" / "a", second / "in" / "a")

    def content(folder: Path, *by: object) -> str:
        read.append((folder.name, *by))
        return "".join(path.read_text("utf-8") for path in (folder / "in").iterdir())

    once, reader = ReadOnce(content, most=2), object()
    assert [once(first), once(second), once(second, reader), once(first, reader)] == ["1"] * 4
    assert read == [("first",), ("second", reader)]
    (second / "in" / "a").unlink()
    assert once(second) == ""
    (second / "in" / "a").write_text("2", "utf-8")
    assert [once(second), once(first)] == ["2", "1"]
    (first / "in" / "a").write_text("1+", "utf-8")
    assert once(first) == "1+"
