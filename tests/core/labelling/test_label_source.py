"""Whether there is a label store; opening it is tested where it is used, in tests/core/cli/test_labels.py."""

from pathlib import Path

from jobmatch_core.labelling.label_source import is_there, opened_labels
from jobmatch_core.settings import Settings


def test_a_file_is_there_once_it_was_opened(tmp_path: Path) -> None:
    """Asking alone makes none."""
    settings = Settings(tmp_path / "home")
    assert not is_there(settings)
    assert not settings.home.exists()
    with opened_labels(settings) as source:
        assert list(source.as_recorded()) == []
    assert is_there(settings)
    assert not is_there(Settings(tmp_path, database=str(tmp_path / "another.db")))


def test_a_database_may_always_be_there(tmp_path: Path) -> None:
    """Only opening it tells."""
    assert is_there(Settings(tmp_path, database="postgresql+psycopg://me@host/labels"))
