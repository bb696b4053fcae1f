"""Which licences stop the check, and that none of them is among what jobmatch needs or holds."""

from email.message import Message
from importlib.machinery import SourceFileLoader
from importlib.metadata import Distribution
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def script(name: str) -> ModuleType:
    """Load a script of the continuous integration."""
    spec = spec_from_loader(name, SourceFileLoader(name, str(ROOT / ".ci" / f"{name}.py")))
    assert spec is not None
    module = module_from_spec(spec)
    assert spec.loader is not None
    spec.loader.exec_module(module)
    return module


licences = script("licences")


class Package(Distribution):
    """A package that says this of itself."""

    def __init__(self, *fields: tuple[str, str]) -> None:
        self._said = Message()
        for name, value in (("Name", "made-up"), ("Version", "1"), *fields):
            self._said[name] = value

    @property
    def metadata(self) -> Any:
        """What it says."""
        return self._said

    def read_text(self, filename: str) -> str | None:
        """It has no files."""
        return None

    def locate_file(self, path: Any) -> Any:
        """It has no place."""
        return Path(path)


@pytest.mark.parametrize(
    "words",
    [
        "GPL-3.0-only",
        "LGPL-2.1-only",
        "AGPL-3.0-or-later",
        "MIT AND GPL-2.0",
        "GNU Affero General Public License v3",
        "GNU Lesser General Public License v3 (LGPLv3)",
        "SSPL-1.0",
        "Server Side Public License",
        "EUPL-1.2",
        "BUSL-1.1",
        "Elastic-2.0",
        "CC BY-NC 4.0",
        "CC-BY-NC-SA-4.0",
        "CC BY-SA 4.0",
        "Free for non-commercial use",
        "Apache-2.0 with Commons Clause",
    ],
)
def test_licences_that_bind_users(words: str) -> None:
    """Wherever their words come from."""
    assert licences.binds(words)
    assert licences.package_faults([Package(("License-Expression", words))]) == [f"made-up 1: {words}"]
    assert licences.package_faults([Package(("License", words))]) == [f"made-up 1: {words}"]


@pytest.mark.parametrize(
    "words",
    [
        "MIT",
        "BSD-3-Clause",
        "Apache-2.0 WITH LLVM-exception",
        "MPL-2.0 AND MIT",
        "PSF-2.0",
        "ISC License (ISCL)",
        "Zlib AND CC0-1.0",
        "CC BY 4.0",
        "CNRI-Python",
        "GPL-2.0-only OR MIT",
    ],
)
def test_licences_that_do_not(words: str) -> None:
    """Of two to choose from, one is enough."""
    assert not licences.binds(words)
    assert licences.package_faults([Package(("License-Expression", words))]) == []


def test_a_package_that_does_not_say() -> None:
    """Nobody may ship it; a classifier is enough of an answer."""
    assert licences.package_faults([Package()]) == ["made-up 1: says nothing of its licence"]
    assert licences.package_faults([Package(("Classifier", "License :: OSI Approved :: MIT License"))]) == []


def test_files_that_begin_with_such_a_licence(tmp_path: Path) -> None:
    """A text that only names one is none; the words here are put together, for this file is looked at, too."""
    contents = {
        "gpl.py": f"# This file is distributed under {'the'} terms of the GNU General Public License.\n",
        "spdx.js": f"// SPDX-{'License'}-Identifier: (MIT AND AGPL-3.0-only)\n",
        "COPYING": "                    GNU GENERAL PUBLIC LICENSE\n                       Version 3, 29 June 2007\n",
        "mit.py": "# SPDX-License-Identifier: MIT\n",
        "notes.md": "Data: Tatoeba, CC BY-SA; psycopg is under the LGPL.\n",
    }
    for name, text in contents.items():
        (tmp_path / name).write_text(text, "utf-8")
    found = licences.file_faults(sorted(tmp_path.iterdir()))
    assert [fault.partition(": ")[0].rpartition("/")[2] for fault in found] == ["COPYING", "gpl.py", "spdx.js"]


def test_what_jobmatch_needs_and_holds(capsys: pytest.CaptureFixture[str]) -> None:
    """The check that runs with every change; packages are found through others, too."""
    names = {package.metadata["Name"] for package in licences.needed(["streamlit", "psycopg[binary]", "nowhere"])}
    assert {"streamlit", "Jinja2", "MarkupSafe", "psycopg", "psycopg-binary"} <= names
    assert licences.main(str(ROOT / "requirements.txt"), str(ROOT)) == 0
    assert capsys.readouterr().out.startswith("No licence binds users: ")
