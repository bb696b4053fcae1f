"""The wheel holds all that is needed: the packages, the app and the recipes, whole as git tracks them."""

import subprocess
import zipfile
from pathlib import Path

import pytest

from jobmatch_core import __version__
from tests.built_wheel import built_wheel

ROOT = Path(__file__).parents[1]
PACKAGES = ("jobmatch", "jobmatch_core", "db")
APP = ("app.py", "pages", ".streamlit", "recipes")


def tracked(*paths: str) -> set[str]:
    """Return the files under these paths that git knows."""
    command = ["git", "ls-files", "-z", "--", *paths]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    return {name for name in names if name and (ROOT / name).is_file()}


@pytest.mark.thorough
def test_the_wheel_is_whole(tmp_path: Path) -> None:
    """Every tracked file of the packages and the app is in it under its place, to the byte, and nothing else is."""
    wheel = built_wheel(tmp_path)
    assert wheel.name == f"jobmatch-{__version__}-py3-none-any.whl"
    wanted = {name: name for name in tracked(*PACKAGES)} | {f"jobmatch/_app/{name}": name for name in tracked(*APP)}
    assert {"jobmatch/_app/app.py", "jobmatch/_app/pages/theme.css", "jobmatch/_app/.streamlit/config.toml"} <= set(
        wanted
    )
    with zipfile.ZipFile(wheel) as packed:
        found = {name for name in packed.namelist() if ".dist-info/" not in name}
        assert found == set(wanted)
        assert [name for name in wanted if packed.read(name) != (ROOT / wanted[name]).read_bytes()] == []
