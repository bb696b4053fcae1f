"""Where things are kept and how large they may be. Read from the environment, never written."""

import os
from dataclasses import dataclass
from pathlib import Path

from jobmatch_core.errors import SettingsError

DEFAULT_HOME = Path("var")
UPLOAD_LIMIT_MB = 200  # also in .streamlit/config.toml, which Streamlit reads by itself


@dataclass(frozen=True, slots=True)
class Settings:
    """Folders under `JOBMATCH_HOME`; each is made when it is first written to."""

    home: Path

    @classmethod
    def from_environment(cls) -> "Settings":
        """Take `JOBMATCH_HOME`, or `./var` where it is not set.

        Raises:
            SettingsError: `JOBMATCH_HOME` begins with the `~` of an unknown user, or is a circle of links.
        """
        home = Path(os.environ.get("JOBMATCH_HOME") or DEFAULT_HOME)
        try:
            return cls(home=home.expanduser().resolve())
        except (RuntimeError, OSError) as error:
            raise SettingsError(f"JOBMATCH_HOME is '{home}', which is no usable path ({error}); mend it.") from error

    @property
    def taxonomies(self) -> Path:
        """One folder a taxonomy."""
        return self.home / "taxonomies"

    @property
    def indexes(self) -> Path:
        """One folder an index; each can be rebuilt from its taxonomy."""
        return self.home / "indexes"

    @property
    def benchmarks(self) -> Path:
        """Where users put datasets to be measured on: one folder a task, in it one a dataset."""
        return self.home / "benchmarks"

    @property
    def evaluations(self) -> Path:
        """What evaluations left: one folder a task, in it one a dataset, in it one a system."""
        return self.home / "evaluations"

    @property
    def caches(self) -> Path:
        """What can be computed again; may be deleted at any time."""
        return self.home / "caches"
