"""The wheel of this checkout."""

import subprocess
import sys
from pathlib import Path


def built_wheel(folder: Path) -> Path:
    """Build the wheel in a folder, and return it."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=Path(__file__).parents[1], check=True, capture_output=True, timeout=120)
    [wheel] = folder.glob("*.whl")
    return wheel
