"""What tests of sessions share: a label store, and the secret that signs cookies."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit import config as streamlit_config

from db.label_store import LabelStore
from tests.jobmatch.access.made_sessions import SECRET


@pytest.fixture
def cookie_secret() -> Iterator[None]:
    """What signs cookies."""
    before = streamlit_config.get_option("server.cookieSecret")
    streamlit_config.set_option("server.cookieSecret", SECRET)
    yield
    streamlit_config.set_option("server.cookieSecret", before)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LabelStore]:
    """A label store without people and keys."""
    with LabelStore.open(tmp_path / "jobmatch.db") as opened:
        yield opened
