"""The imported releases of ESCO, and the choice of one for a request."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from jobmatch.serve.esco.esco_kinds import SKILL_GROUP
from jobmatch.serve.esco.esco_query import SKILL
from jobmatch.serve.operations import not_found
from jobmatch_core.taxonomy import Manifest
from jobmatch_core.taxonomy.esco import is_release

_FULL = re.compile(r"(?P<minor>\d+\.\d+)\.\d+")
_PREFIX = "esco-"  # of the ids of imported releases
_COUNTS = {SKILL: "skills", SKILL_GROUP: "skill groups"}  # kinds that a release may lack -> key in a manifest's counts
_IMPORT = (
    "Download ESCO's CSV files from https://esco.ec.europa.eu/en/use-esco/download, and import the folder on the "
    "server with `jobmatch taxonomy import FOLDER`, or on the page 'Taxonomies'"
)


@dataclass(frozen=True, slots=True)
class Release:
    """An imported release of ESCO; *missing* is the requested version if this one replaces it, otherwise ''."""

    id: str
    version: str
    missing: str = ""


def choose_release(
    installed: Iterable[Manifest], version: str, kinds: Collection[str] = (), language: str = ""
) -> Release:
    """Return the newest release of a version that has the requested kinds and language; kinds count more.

    A version is such as `1.2.1`, which another release of 1.2 may replace; `1.2`; or '' for any.

    Raises HTTPException if no release has that version.
    """
    releases = {manifest.id.removeprefix(_PREFIX): manifest for manifest in installed if is_release(manifest)}
    if not releases:
        raise not_found(f"No ESCO is imported. {_IMPORT}.")
    missing, allowed = "", _matching(releases, version)
    if not allowed and (full := _FULL.fullmatch(version)):
        missing, allowed = version, _matching(releases, full["minor"])
    if not allowed:
        imported = ", ".join(f"v{release}" for release in sorted(releases, key=_order))
        raise not_found(f"ESCO v{version} is not imported; imported are {imported}. {_IMPORT}.")
    wanted = [_COUNTS[kind] for kind in kinds if kind in _COUNTS]

    def fitness(candidate: str) -> tuple[int, bool, "_Order"]:
        manifest = releases[candidate]
        held = sum(manifest.counts.get(count, 0) > 0 for count in wanted)
        return held, language in manifest.languages, _order(candidate)

    best = max(allowed, key=fitness)
    return Release(releases[best].id, best, missing)


def _matching(versions: Iterable[str], version: str) -> Sequence[str]:
    return [candidate for candidate in versions if version in ("", candidate) or candidate.startswith(f"{version}.")]


_Order = tuple[tuple[bool, int, str], ...]


def _order(version: str) -> _Order:
    """Return the sort key of a version: 1.10.0 follows 1.9.0."""
    return tuple((part.isdigit(), int(part) if part.isdigit() else 0, part) for part in version.split("."))
