"""Whole files: other paths than files, and too large or deeply nested files, raise the expected errors."""

import json
import os
import tomllib
from pathlib import Path

import pytest

from jobmatch_core.io import text_files
from jobmatch_core.io.text_files import (
    check_regular,
    hash_files,
    is_regular,
    json_text,
    read_json,
    read_text,
    read_toml,
)
from tests.hostile_files import DEEP, PATHS, Maker

NO_FILES = {name: maker for name, maker in PATHS.items() if name not in ("no permission", "a name that is no text")}


@pytest.mark.parametrize("maker", NO_FILES.values(), ids=NO_FILES)
def test_what_is_no_file_is_told_at_once(maker: Maker, tmp_path: Path) -> None:
    """Pipes without a writer, and devices, are refused without reading."""
    path = maker(tmp_path / "a.json")
    assert not is_regular(path)
    for read in (check_regular, read_text, read_json, read_toml):
        with pytest.raises(OSError, match=r"."):
            read(path)


def test_nesting_without_end(tmp_path: Path) -> None:
    """Deep nesting is a format error."""
    (tmp_path / "a").write_text("[" * DEEP, "utf-8")
    with pytest.raises(json.JSONDecodeError, match="nested too deeply"):
        read_json(tmp_path / "a")
    for content in ("a = " + "[" * DEEP + "]" * DEEP, ".".join("a" * DEEP) + " = 1", f"[{' . '.join('a' * DEEP)}]"):
        (tmp_path / "a").write_text(content, "utf-8")
        with pytest.raises(tomllib.TOMLDecodeError, match="nested too deeply"):
            read_toml(tmp_path / "a")
    (tmp_path / "a").write_text("[a.b.c]\nd = 'www.a.example: 1.2.3 ......'", "utf-8")
    assert read_toml(tmp_path / "a") == {"a": {"b": {"c": {"d": "www.a.example: 1.2.3 ......"}}}}


def test_numbers_without_end(tmp_path: Path) -> None:
    """Numbers with more digits than Python reads are a format error."""
    (tmp_path / "a").write_text("9" * 5000, "utf-8")
    with pytest.raises(json.JSONDecodeError, match="digits"):
        read_json(tmp_path / "a")
    (tmp_path / "a").write_text(f"a = {'9' * 5000}", "utf-8")
    with pytest.raises(tomllib.TOMLDecodeError, match="digits"):
        read_toml(tmp_path / "a")


def test_files_that_are_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are refused without reading."""
    monkeypatch.setattr(text_files, "LARGEST", 1 << 20)
    with (tmp_path / "a").open("wb") as file:
        os.truncate(file.fileno(), (1 << 20) + 1)
    with pytest.raises(OSError, match="larger than 1 MB"):
        read_text(tmp_path / "a")


def test_what_is_read(tmp_path: Path) -> None:
    """Line ends are normalised."""
    (tmp_path / "a").write_bytes(b'\xef\xbb\xbf{"a": "K\xc3\xb6chin"}\r\n\r')
    assert read_text(tmp_path / "a", "utf-8-sig") == '{"a": "Köchin"}\n\n'
    (tmp_path / "a").write_bytes(b'{"a": [1, 2]}')
    assert read_json(tmp_path / "a") == {"a": [1, 2]}
    (tmp_path / "a").write_bytes(b"a = [1, 2]")
    assert read_toml(tmp_path / "a") == {"a": [1, 2]}


@pytest.mark.parametrize("word", ["nan", "inf", "-inf", "1e999"])
def test_numbers_that_are_none(tmp_path: Path, word: str) -> None:
    """NaN and infinity are refused in TOML, and become null in JSON."""
    (tmp_path / "a").write_text(f"a = {word}", "utf-8")
    with pytest.raises(tomllib.TOMLDecodeError, match=f"{word} is not a finite number"):
        read_toml(tmp_path / "a")
    value = {"a": [1.5, float(word), {"b": (float(word), "NaN", None, 3)}]}
    text = json_text(value, indent=1)
    assert json.loads(text, parse_constant=pytest.fail) == {"a": [1.5, None, {"b": [None, "NaN", None, 3]}]}
    (tmp_path / "a").write_text("[NaN, Infinity, -Infinity, 1.5]", "utf-8")
    assert read_json(tmp_path / "a") == [None, None, None, 1.5]


def test_a_hash_changes_with_the_name_and_the_content(tmp_path: Path) -> None:
    """Equal files have equal hashes; another byte or another name gives another hash."""
    for name, content in (("a", "one"), ("b", "one"), ("c", "two")):
        (tmp_path / name).write_text(content)
    first = hash_files([tmp_path / "a"])
    assert hash_files([tmp_path / "a"]) == first
    assert len({first, hash_files([tmp_path / "b"]), hash_files([tmp_path / "c"])}) == 3
    assert len(first) == 64
