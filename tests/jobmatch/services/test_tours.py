"""Closed tours: for one person, or for everybody; a disk that refuses."""

from pathlib import Path

import pytest

from jobmatch.services.tours import close_tour, is_tour_closed
from jobmatch_core.errors import SettingsError
from jobmatch_core.settings import Settings


def test_a_tour_is_closed_for_one_person_alone(tmp_path: Path) -> None:
    """Without a name it is closed for everybody who does not sign in; closing twice changes nothing."""
    settings = Settings(tmp_path / "home")
    assert not is_tour_closed(settings, "person-1")
    close_tour(settings, "person-1")
    close_tour(settings, "person-1")
    assert is_tour_closed(settings, "person-1")
    assert not is_tour_closed(settings, "person-2")
    assert not is_tour_closed(settings)
    close_tour(settings)
    assert is_tour_closed(settings)


def test_a_disk_that_refuses_is_named(tmp_path: Path) -> None:
    """The error says what was not stored, and what to do."""
    (tmp_path / "tours").write_text("not a folder", "utf-8")
    with pytest.raises(SettingsError, match=r"that the tour is closed .* Free some disk space"):
        close_tour(Settings(tmp_path))
