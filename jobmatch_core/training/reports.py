"""Reports of trainings: the versions of what a model depends on."""

import sys
from importlib.metadata import version

from jobmatch_core import __version__

_PACKAGES = ("sentence-transformers", "transformers", "torch", "numpy", "gensim")


def current_versions() -> dict[str, str]:
    """Return the versions of what a model depends on."""
    python = ".".join(map(str, sys.version_info[:3]))
    return {"jobmatch": __version__, "python": python} | {package: version(package) for package in _PACKAGES}
