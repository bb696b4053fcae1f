"""Closed tours: a file under `JOBMATCH_HOME/tours` for each person who closed the tour, one for all without sign-in."""

from pathlib import Path

from jobmatch_core.errors import SettingsError
from jobmatch_core.io.folders import make_folder
from jobmatch_core.settings import Settings

_EVERYBODY = "everybody"


def is_tour_closed(settings: Settings, person: str = "") -> bool:
    """Return whether a person closed the tour; '' for everybody where nobody signs in."""
    return _file(settings, person).exists()


def close_tour(settings: Settings, person: str = "") -> None:
    """Store that a person closed the tour; '' for everybody where nobody signs in.

    Raises SettingsError if the disk refuses.
    """
    try:
        make_folder(settings.tours)
        _file(settings, person).touch()
    except OSError as error:
        raise SettingsError(
            f"It could not be stored in {settings.tours} that the tour is closed ({error.strerror or error}), so it "
            "shows again at the next visit. Free some disk space, or correct the folder's permissions."
        ) from error


def _file(settings: Settings, person: str) -> Path:
    return settings.tours / (person or _EVERYBODY)
