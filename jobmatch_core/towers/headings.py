"""Headings of projects and profiles in nine languages, by the section that they begin: `headings.toml`."""

import tomllib
from functools import cache
from importlib.resources import files

from jobmatch_core.text.folding import fold
from jobmatch_core.towers.documents import Kind


@cache
def known_headings(kind: Kind, sections: tuple[str, ...]) -> dict[str, str]:
    """Return a map from folded heading to section.

    Args:
        kind: kind of document.
        sections: sections of the file to use; a heading of two of them begins the first.
    """
    found: dict[str, str] = {}
    for section in sections:
        for headings in _tables()[kind][section].values():
            for heading in headings:
                found.setdefault(fold(heading), section)
    return found


@cache
def _tables() -> dict[str, dict[str, dict[str, list[str]]]]:
    """Return kind -> section -> language -> headings."""
    return tomllib.loads((files("jobmatch_core.towers") / "headings.toml").read_text("utf-8"))
