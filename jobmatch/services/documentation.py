"""The built documentation site, which the server shows and the page 'Help' links to."""

import os
from pathlib import Path

PATH = "/docs"  # where the server shows it
VARIABLE = "JOBMATCH_DOCS"
START = "index.html"
_CHECKOUT = Path(__file__).parents[2]  # in an installation, the folder of all packages
_BUILT = Path("build") / "docs" / "site"  # where `make docs` builds it


def documentation_folder() -> Path | None:
    """Return the folder of the site: the one that `JOBMATCH_DOCS` names, else the checkout's; None if none is built."""
    named = os.environ.get(VARIABLE)
    if not named and not (_CHECKOUT / "pyproject.toml").is_file():
        return None
    try:
        folder = Path(named).expanduser() if named else _CHECKOUT / _BUILT
        return folder.resolve() if (folder / START).is_file() else None
    except (OSError, RuntimeError, ValueError):  # a folder that may not be read, or a `~` of nobody
        return None
