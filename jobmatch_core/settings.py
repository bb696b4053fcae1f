"""Where things are kept and how large they may be. Read from the environment, never written."""

import os
from dataclasses import dataclass
from pathlib import Path

DEFAULT_HOME = Path("var")
UPLOAD_LIMIT_MB = 200  # also in .streamlit/config.toml, which Streamlit reads by itself


@dataclass(frozen=True, slots=True)
class Settings:
    """Folders under `JOBMATCH_HOME`; each is made when it is first written to."""

    home: Path

    @classmethod
    def from_environment(cls) -> "Settings":
        """Take `JOBMATCH_HOME`, or `./var` where it is not set."""
        return cls(home=Path(os.environ.get("JOBMATCH_HOME") or DEFAULT_HOME).expanduser().resolve())

    @property
    def taxonomies(self) -> Path:
        """One folder a taxonomy."""
        return self.home / "taxonomies"

    @property
    def indexes(self) -> Path:
        """One folder an index; each can be rebuilt from its taxonomy."""
        return self.home / "indexes"
