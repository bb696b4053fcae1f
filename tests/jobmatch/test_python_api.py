"""The Python API: its names stay, load late, are documented with an example each, and answer mistakes with a remedy."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import jobmatch
from jobmatch_core.errors import SettingsError
from jobmatch_core.settings import Settings
from tests.documented_commands import ROOT, blocks

PAGE = (ROOT / "docs" / "python.md").read_text("utf-8")
# what programs of users rely on; a change is a line under 'Do this when you upgrade' in the changelog
NAMES = {
    "JobMatchError",
    "MarketplaceStore",
    "Posting",
    "ProjectReader",
    "Settings",
    "TaxonomyStore",
    "evaluate",
    "import_marketplace",
    "judge_title",
    "load_encoder",
    "open_describer",
    "open_finder",
    "open_labels",
    "open_linker",
    "open_search",
}


def test_the_names_stay() -> None:
    """All fifteen, offered to who asks for the names of the module."""
    assert set(jobmatch.__all__) == NAMES
    assert set(dir(jobmatch)) >= NAMES
    assert len(NAMES) == 15


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_name_can_be_used(name: str) -> None:
    """It says what it is, and is the same whenever it is asked for."""
    value = getattr(jobmatch, name)
    assert value.__doc__.strip()
    assert getattr(jobmatch, name) is value


def test_another_name_is_not_there() -> None:
    """As of any module."""
    with pytest.raises(AttributeError, match=r"docs/python\.md"):
        jobmatch.open_everything  # type: ignore[attr-defined]  # noqa: B018
    assert not hasattr(jobmatch, "open_everything")


def test_importing_it_is_light() -> None:
    """No library is loaded, and none of the parts, before a name is used."""
    code = "import jobmatch, sys, json; print(json.dumps([*sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stdout))
    assert "jobmatch" in loaded
    assert {name for name in loaded if name.startswith(("jobmatch.", "jobmatch_core", "db", "numpy", "torch"))} == set()


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_name_is_documented(name: str) -> None:
    """With a part of the page, an example that uses it, and a line of the table."""
    examples = blocks("python.md", name, language="python")
    assert any(f"jobmatch.{name}" in example for example in examples)
    assert f"[`{name}`](#{name.lower()})" in PAGE


def test_the_page_names_nothing_else() -> None:
    """A part for each name, and an example only of names that stay."""
    assert set(re.findall(r"^## (\w+)$", PAGE, re.MULTILINE)) == NAMES
    assert set(re.findall(r"\bjobmatch\.([A-Za-z_]\w*)", "".join(blocks("python.md", language="python")))) <= NAMES


def test_mistakes_are_answered(tmp_path: Path) -> None:
    """With the words that there are."""
    settings = Settings(tmp_path)
    with pytest.raises(SettingsError, match="occupations, freelancers, projects"):
        jobmatch.open_search("jobs", settings=settings)
    with pytest.raises(SettingsError, match="melo"):
        jobmatch.evaluate("char_tf_idf", "meloo", tmp_path, settings=settings)
    with pytest.raises(SettingsError, match="positive, negative"):
        jobmatch.judge_title(None, None, "cook", None, "Ada", verdict="yes")  # type: ignore[arg-type]
