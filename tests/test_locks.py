"""The locks: every package that is installed, with its version and its hashes."""

import re
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]


def asked(name: str) -> dict[str, Requirement]:
    """Return what a file of requirements asks for, without the files that it names."""
    lines = (line.partition("#")[0].strip() for line in (ROOT / name).read_text("utf-8").splitlines())
    found = [Requirement(line) for line in lines if line and not line.startswith("-r ")]
    assert found
    return {canonicalize_name(each.name): each for each in found}


def locked(name: str) -> dict[str, tuple[Version, int]]:
    """Return what a lock holds: of each package the version, and how many hashes."""
    text = re.sub(r"\s*#.*", "", (ROOT / name).read_text("utf-8")).replace("\\\n", " ")
    packages: dict[str, tuple[Version, int]] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        package, *hashes = line.split()
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", each) for each in hashes), line
        requirement = Requirement(package)
        [pin] = requirement.specifier
        assert pin.operator == "==", line
        packages[canonicalize_name(requirement.name)] = (Version(pin.version), len(hashes))
    return packages


@pytest.mark.parametrize(
    ("lock", "files"),
    [
        ("requirements.lock", ["requirements.txt", "requirements-build.txt"]),
        ("requirements-dev.lock", ["requirements.txt", "requirements-dev.txt", "requirements-build.txt"]),
    ],
)
def test_what_is_asked_for_is_locked(lock: str, files: list[str]) -> None:
    """In the version asked for; nothing is without a hash. After a change of requirements: `make lock`."""
    held = locked(lock)
    wanted = [each for file in files for each in asked(file).items()]
    assert [str(each) for name, each in wanted if name not in held or not each.specifier.contains(held[name][0])] == []
    assert [name for name, (_, hashes) in held.items() if hashes == 0] == []
    assert len(held) > len(wanted)


def test_the_locks_agree() -> None:
    """A test sees the versions that a user has."""
    used, tested = locked("requirements.lock"), locked("requirements-dev.lock")
    assert {name: pin for name, pin in used.items() if tested.get(name) != pin} == {}


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_no_gpu_build_is_locked(lock: str) -> None:
    """The locks hold torch's CPU build, without the gigabytes of packages that others need."""
    held = locked(lock)
    assert held["torch"][0].local == "cpu"
    assert [name for name in held if name.startswith(("nvidia-", "cuda-", "triton"))] == []


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_names_no_place(lock: str) -> None:
    """Packages come from whatever index pip is set up with."""
    text = (ROOT / lock).read_text("utf-8")
    assert re.findall(r"https?:|file:|--index|--extra|--find|--trusted| @ ", text) == []
