"""What of a developer's environment no test sees."""

from collections.abc import Iterator

import pytest

from jobmatch_core.settings import Settings


@pytest.fixture(autouse=True, scope="module")
def developer() -> Iterator[None]:
    """Stand for somebody who works with a vector server; set before any test's own fixtures."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("JOBMATCH_VECTOR_URL", "https://vectors.example:6333")
        environment.setenv("JOBMATCH_VECTOR_KEY", "secret")
        yield


def test_no_test_writes_to_a_developers_vector_server() -> None:
    """Vectors are kept in the test's own home."""
    settings = Settings.from_environment()
    assert (settings.vector_url, settings.vector_key) == ("", "")
