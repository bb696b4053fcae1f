"""Check that nobody who uses or ships jobmatch is bound by a licence of another: .ci/licences.py REQUIREMENTS FOLDER.

Looks at what the installed packages that REQUIREMENTS needs say of themselves, directly or through others, and at the
beginnings of the files under FOLDER that git knows.

A licence binds users where it reaches beyond the licensed files: GPL, LGPL, AGPL, SSPL, EUPL, OSL, licences for
non-commercial use or with share-alike, and source-available ones. A licence of single files, such as the MPL, does not.
A package without a word on its licence fails, too.
"""

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

# Linked unmodified from Python, which leaves both the caller's code and whoever ships it free (LGPL, section 4 or 6).
ALLOWED = {
    "psycopg": "LGPL-3.0: imported unmodified as a driver, replaceable by its user, never copied into our files",
    "psycopg-binary": "LGPL-3.0: psycopg's compiled part, the same",
    "gensim": "LGPL-2.1: imported unmodified by one recipe's first stage, replaceable by its user",
}
_BINDING = re.compile(
    r"\b(?:A|L)?GPL|GNU (?:Affero |Lesser |Library )?General Public|\bSSPL|Server Side Public|\bEUPL|\bOSL-|\bCPAL"
    r"|\bRPL-|\bBUSL|Business Source|Commons Clause|Elastic(?: License|-2)|\bCC[ -]BY(?:[ -]\w+)*[ -](?:NC|SA)\b"
    r"|Non-?Commercial|Share-?Alike",
    re.IGNORECASE,
)
# in a file's beginning only the sentences by which a licence is granted: our own texts name others' licences
_GRANTED = re.compile(
    r"SPDX-License-Identifier:[\w .()+-]*(?:GPL|SSPL|EUPL|BUSL|CC-BY\S*-(?:NC|SA))"
    r"|under the terms of the (?:GNU|Server Side)|GNU (?:AFFERO |LESSER |LIBRARY )?GENERAL PUBLIC LICENSE\s+Version",
    re.IGNORECASE,
)
_HEAD = 4096  # bytes in which a file says its licence
_QUOTING = (".ci/licences.py", "tests/ci/test_licences.py")  # these name the sentences that are looked for


def needed(lines: Iterable[str]) -> Iterator[Distribution]:
    """Yield the installed packages that requirements ask for, and those that these need in turn."""
    wanted = [Requirement(text) for line in lines if (text := line.partition("#")[0].strip())]
    seen: set[tuple[str, str]] = set()
    while wanted:
        requirement = wanted.pop()
        name = canonicalize_name(requirement.name)
        for extra in {"", *requirement.extras}:
            if (name, extra) in seen:
                continue
            seen.add((name, extra))
            try:
                found = distribution(requirement.name)
            except PackageNotFoundError:  # needed elsewhere only, on another system for one
                continue
            if not extra:
                yield found
            further = (Requirement(text) for text in found.requires or ())
            wanted += [each for each in further if each.marker is None or each.marker.evaluate({"extra": extra})]


def licence(package: Distribution) -> str:
    """Return what a package says of its licence, '' where it says nothing."""
    said = package.metadata
    if expression := said.get("License-Expression"):
        return str(expression)
    classifiers = [each for each in said.get_all("Classifier") or () if each.startswith("License ::")]
    first_line = (said.get("License") or "").strip().partition("\n")[0]
    return "; ".join(filter(None, [*(each.rpartition(" :: ")[2] for each in classifiers), first_line]))


def binds(words: str) -> bool:
    """Return whether a licence binds users; of several to choose from (OR) one that does not is enough."""
    return all(_BINDING.search(choice) for choice in re.split(r"\bOR\b", words))


def package_faults(packages: Iterable[Distribution]) -> list[str]:
    """Say which packages have a licence that binds users, or none that is told."""
    faults = []
    for package in packages:
        name, words = canonicalize_name(package.metadata["Name"]), licence(package)
        if name not in ALLOWED and (not words or binds(words)):
            faults.append(f"{name} {package.version}: {words or 'says nothing of its licence'}")
    return faults


def file_faults(files: Iterable[Path]) -> list[str]:
    """Say which files begin with a licence that binds users."""
    faults = []
    for path in files:
        with path.open("rb") as file:
            head = file.read(_HEAD).decode("utf-8", "replace")
        if granted := _GRANTED.search(head):
            faults.append(f"{path}: {' '.join(granted.group().split())}")
    return faults


def tracked(folder: Path) -> list[Path]:
    """Return the files under a folder that git knows, but for those that quote licences to find them."""
    command = ["git", "-C", str(folder), "ls-files", "-z"]  # git is found where the machine keeps it
    names = subprocess.run(command, capture_output=True, check=True, text=True).stdout.split("\0")
    return [path for name in names if name and name not in _QUOTING and (path := folder / name).is_file()]


def main(requirements: str, folder: str) -> int:
    """Print what was found, and return the exit code."""
    packages = list(needed(Path(requirements).read_text("utf-8").splitlines()))
    files = tracked(Path(folder))
    faults = package_faults(packages) + file_faults(files)
    if faults:
        sys.stdout.write("\n".join(["Licences that bind users, or are not told:", *faults]) + "\n")
        return 1
    allowed = sum(canonicalize_name(each.metadata["Name"]) in ALLOWED for each in packages)
    sys.stdout.write(
        f"No licence binds users: {len(packages)} packages ({allowed} allowed by name), {len(files)} files.\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
