"""The release of ESCO that answers a request."""

import pytest
from starlette.exceptions import HTTPException

from jobmatch.serve.esco.esco_releases import Release, choose_release
from jobmatch_core.taxonomy import Manifest
from jobmatch_core.taxonomy.esco import ATTRIBUTION

INSTALLED = (
    ("1.0.3", ("de", "en", "fr"), 0, 0),
    ("1.1.0", ("en",), 9, 5),
    ("1.1.1", ("en", "fr"), 9, 0),
    ("1.10.0", ("en",), 0, 0),
)  # version, languages, skills, skill groups


def _manifests() -> list[Manifest]:
    return [
        Manifest(
            id=f"esco-{version}",
            name="ESCO",
            version=version,
            languages=languages,
            source_hash="",
            created="",
            counts={"skills": skills, "skill groups": groups} if skills else {},
            attribution=ATTRIBUTION,
        )
        for version, languages, skills, groups in INSTALLED
    ]


@pytest.mark.parametrize(
    ("version", "kinds", "language", "chosen"),
    [
        pytest.param("", [], "en", "1.10.0", id="the newest, by number"),
        pytest.param("", ["skill"], "en", "1.1.1", id="the newest with skills"),
        pytest.param("", ["skill", "skill group"], "en", "1.1.0", id="the newest with skill groups"),
        pytest.param("", ["occupation"], "de", "1.0.3", id="the newest with the language"),
        pytest.param("", ["skill"], "de", "1.1.1", id="skills count more than the language"),
        pytest.param("", [], "is", "1.10.0", id="a language that none has"),
        pytest.param("1.1", [], "en", "1.1.1", id="the newest of a minor version"),
        pytest.param("1.1", ["skill group"], "en", "1.1.0", id="of a minor version, the one that has it"),
        pytest.param("1.10.0", ["skill"], "de", "1.10.0", id="a version that is imported is never changed"),
    ],
)
def test_chosen(version: str, kinds: list[str], language: str, chosen: str) -> None:
    """The release has the requested kinds and language."""
    assert choose_release(_manifests(), version, kinds, language) == Release(f"esco-{chosen}", chosen)


@pytest.mark.parametrize(("version", "chosen"), [("1.1.2", "1.1.1"), ("1.0.9", "1.0.3"), ("1.10.4", "1.10.0")])
def test_another_release_of_the_same_minor_version(version: str, chosen: str) -> None:
    """It replaces one that is not imported, and says so."""
    assert choose_release(_manifests(), version) == Release(f"esco-{chosen}", chosen, missing=version)


@pytest.mark.parametrize("version", ["1.2.0", "1.2", "2", "1.1.1.1", "1.", "x", "..", "1.1.1-beta"])
def test_versions_that_there_are_not(version: str) -> None:
    """The error lists the imported versions in order."""
    with pytest.raises(HTTPException, match=r"imported are v1\.0\.3, v1\.1\.0, v1\.1\.1, v1\.10\.0\."):
        choose_release(_manifests(), version)
