"""Settings come from the environment, and create nothing on disk."""

from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from jobmatch_core.errors import SettingsError
from jobmatch_core.settings import Settings


def test_home_is_taken_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`JOBMATCH_HOME` is the folder of all files."""
    monkeypatch.setenv("JOBMATCH_HOME", str(tmp_path / "here"))
    settings = Settings.from_environment()
    assert settings.home == tmp_path / "here"
    assert settings.taxonomies == tmp_path / "here" / "taxonomies"
    assert settings.indexes == tmp_path / "here" / "indexes"
    assert settings.caches == tmp_path / "here" / "caches"


@pytest.mark.parametrize("value", [None, ""], ids=["not set", "empty"])
def test_home_is_var_in_the_working_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, value: str | None) -> None:
    """A checkout uses `./var` by default, as an absolute path."""
    monkeypatch.chdir(tmp_path)
    if value is None:
        monkeypatch.delenv("JOBMATCH_HOME", raising=False)
    else:
        monkeypatch.setenv("JOBMATCH_HOME", value)
    assert Settings.from_environment().home == tmp_path / "var"


def test_the_home_of_an_installed_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is in the user's home, whatever the working folder."""
    monkeypatch.setattr("jobmatch_core.settings._CHECKOUT", tmp_path / "site-packages")
    monkeypatch.delenv("JOBMATCH_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Settings.from_environment().home == tmp_path / ".jobmatch"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("data", "work/data", id="relative"),
        pytest.param("../data", "data", id="upwards"),
        pytest.param("~/jobmatch", "home/jobmatch", id="tilde"),
    ],
)
def test_home_becomes_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, value: str, expected: str) -> None:
    """Relative paths start at the working folder, `~` at the user's home."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("JOBMATCH_HOME", value)
    assert Settings.from_environment().home == tmp_path / expected


def test_home_of_an_unknown_user_is_a_settings_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """`~nobody-of-that-name` raises the project's own error."""
    monkeypatch.setenv("JOBMATCH_HOME", "~nobody-of-that-name/jobmatch")
    with pytest.raises(SettingsError, match="JOBMATCH_HOME"):
        Settings.from_environment()


def test_asking_makes_no_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Folders are created at the first write."""
    monkeypatch.setenv("JOBMATCH_HOME", str(tmp_path / "home"))
    settings = Settings.from_environment()
    assert not settings.taxonomies.exists()
    assert list(tmp_path.iterdir()) == []


def test_settings_are_frozen(tmp_path: Path) -> None:
    """The home cannot change while the app runs."""
    with pytest.raises(FrozenInstanceError):
        Settings(home=tmp_path).home = tmp_path / "other"  # type: ignore[misc]


def test_vectors_lie_at_home_or_on_a_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`JOBMATCH_VECTOR_URL` and its key, which `repr` does not show."""
    monkeypatch.setenv("JOBMATCH_HOME", str(tmp_path))
    monkeypatch.delenv("JOBMATCH_VECTOR_URL", raising=False)
    assert Settings.from_environment() == Settings(tmp_path)
    assert Settings(tmp_path).vectors == tmp_path / "vectors"
    monkeypatch.setenv("JOBMATCH_VECTOR_URL", "postgresql://me@vectors.example/jobmatch")
    monkeypatch.setenv("JOBMATCH_VECTOR_KEY", "secret")
    settings = Settings.from_environment()
    assert (settings.vector_url, settings.vector_key) == ("postgresql://me@vectors.example/jobmatch", "secret")
    assert "secret" not in repr(settings)


@pytest.mark.parametrize("url", ["localhost:6333", "://localhost", "http://"])
def test_a_server_without_a_url_is_a_settings_error(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """Neither a host nor a scheme alone is a URL."""
    monkeypatch.setenv("JOBMATCH_VECTOR_URL", url)
    with pytest.raises(SettingsError, match=f"JOBMATCH_VECTOR_URL is '{url}', which is not the URL"):
        Settings.from_environment()


def test_labels_lie_at_home_or_in_a_database(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`JOBMATCH_DB` may hold a password, which `repr` does not show."""
    monkeypatch.setenv("JOBMATCH_HOME", str(tmp_path))
    monkeypatch.delenv("JOBMATCH_DB", raising=False)
    assert Settings.from_environment().label_store == tmp_path / "jobmatch.db"
    monkeypatch.setenv("JOBMATCH_DB", "postgresql+psycopg://me:secret@host/labels")
    settings = Settings.from_environment()
    assert settings.label_store == "postgresql+psycopg://me:secret@host/labels"
    assert "secret" not in repr(settings)


def test_whether_there_may_be_labels(tmp_path: Path) -> None:
    """True for an existing file, which is not created, and always for a database."""
    settings = Settings(tmp_path / "home")
    assert not settings.may_have_labels
    assert not settings.home.exists()
    settings.home.mkdir()
    (settings.home / "jobmatch.db").touch()
    assert settings.may_have_labels
    assert not Settings(tmp_path, database=str(tmp_path / "another.db")).may_have_labels
    assert Settings(tmp_path, database="postgresql+psycopg://me@host/labels").may_have_labels


def test_which_encoder_searches_beside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The multilingual one by default; none if the variable is empty."""
    monkeypatch.setenv("JOBMATCH_HOME", str(tmp_path))
    monkeypatch.delenv("JOBMATCH_SEARCH_BESIDE", raising=False)
    assert Settings.from_environment().search_beside == Settings(tmp_path).search_beside == "use-multilingual"
    for word in ("", "titles"):
        monkeypatch.setenv("JOBMATCH_SEARCH_BESIDE", word)
        assert Settings.from_environment().search_beside == word


def test_how_long_lists_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """90 days by default; invalid numbers of days are refused."""
    monkeypatch.setenv("JOBMATCH_HOME", str(tmp_path))
    monkeypatch.delenv("JOBMATCH_KEEP_DAYS", raising=False)
    assert Settings.from_environment().keep_days == 90
    monkeypatch.setenv("JOBMATCH_KEEP_DAYS", "0")
    assert Settings.from_environment().keep_days == 0
    monkeypatch.setenv("JOBMATCH_KEEP_DAYS", "a month")
    with pytest.raises(SettingsError, match="JOBMATCH_KEEP_DAYS is 'a month', which is not a number of days"):
        Settings.from_environment()
