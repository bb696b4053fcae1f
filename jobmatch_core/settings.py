"""Settings: locations of stored files and their size limits. Read from the environment, never written."""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from jobmatch_core.errors import SettingsError

_CHECKOUT = Path(__file__).parents[1]  # or the folder of all installed packages
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://.")  # `vector_stores/stores.py` knows which schemes there are
KEEP_DAYS = 90
UPLOAD_LIMIT_MB = 200  # also in .streamlit/config.toml, which Streamlit reads by itself


@dataclass(frozen=True, slots=True)
class Settings:
    """Folders under `JOBMATCH_HOME`, each created at the first write, and addresses of the vector and label stores.

    Attributes:
        home: `JOBMATCH_HOME`.
        vector_url: `JOBMATCH_VECTOR_URL`, URL of a PostgreSQL with pgvector; '' to
            store vectors under *home*.
        vector_key: `JOBMATCH_VECTOR_KEY`, API key or password of that server; '' for none.
        database: `JOBMATCH_DB`, URL of the label store's database; '' for a file under *home*.
        keep_days: `JOBMATCH_KEEP_DAYS`, days without use after which lists and texts are removed; 0 for never.
    """

    home: Path
    vector_url: str = ""
    vector_key: str = field(default="", repr=False)
    database: str = field(default="", repr=False)  # a password may be part of it
    keep_days: int = KEEP_DAYS

    @classmethod
    def from_environment(cls) -> "Settings":
        """Take `JOBMATCH_HOME`, or the default where it is not set, and the other variables above.

        Raises:
            SettingsError: `JOBMATCH_HOME` begins with the `~` of an unknown user, or is a loop of links; the URL is not
                one; `JOBMATCH_KEEP_DAYS` is not a number of days.
        """
        vector_url = os.environ.get("JOBMATCH_VECTOR_URL", "")
        if vector_url and not _URL.match(vector_url):
            raise SettingsError(
                f"JOBMATCH_VECTOR_URL is '{vector_url}', which is not the URL of a vector store, such as "
                "postgresql://user@host/database; correct it, or unset it to store vectors under JOBMATCH_HOME."
            )
        home = Path(os.environ.get("JOBMATCH_HOME") or _default_home())
        try:
            home = home.expanduser().resolve()
        except (RuntimeError, OSError) as error:
            problem = f"JOBMATCH_HOME is '{home}', which is not a usable path ({error})"
            raise SettingsError(f"{problem}; correct it.") from error
        key, database = os.environ.get("JOBMATCH_VECTOR_KEY", ""), os.environ.get("JOBMATCH_DB", "")
        return cls(home, vector_url, key, database, _days(os.environ.get("JOBMATCH_KEEP_DAYS", "")))

    @property
    def models(self) -> Path:
        """One folder a trained model."""
        return self.home / "models"

    @property
    def taxonomies(self) -> Path:
        """One folder a taxonomy."""
        return self.home / "taxonomies"

    @property
    def indexes(self) -> Path:
        """One folder an index; each can be rebuilt from its taxonomy."""
        return self.home / "indexes"

    @property
    def marketplaces(self) -> Path:
        """One folder a marketplace of projects and freelancers."""
        return self.home / "marketplaces"

    @property
    def benchmarks(self) -> Path:
        """Users' benchmark datasets: one folder per task, in it one per dataset."""
        return self.home / "benchmarks"

    @property
    def evaluations(self) -> Path:
        """Results of evaluations: one folder per task, in it one per dataset, in it one per system."""
        return self.home / "evaluations"

    @property
    def vectors(self) -> Path:
        """One folder a marketplace and a model, with the freelancers' vectors; each can be filled again."""
        return self.home / "vectors"

    @property
    def lists(self) -> Path:
        """One folder a list of titles, with its links and the decisions on them."""
        return self.home / "lists"

    @property
    def jobs(self) -> Path:
        """One folder a file that the server links, with its result."""
        return self.home / "jobs"

    @property
    def training(self) -> Path:
        """One folder a training, with its request, its progress and its output."""
        return self.home / "training"

    @property
    def snapshots(self) -> Path:
        """One folder a snapshot of frozen labels."""
        return self.home / "snapshots"

    @property
    def promoted(self) -> Path:
        """The history of promotions, which says what models are in use."""
        return self.home / "promoted"

    @property
    def texts(self) -> Path:
        """One folder a kind of text, in it one file a text that somebody pasted."""
        return self.home / "texts"

    @property
    def label_store(self) -> Path | str:
        """The label store: a file, or the URL of a PostgreSQL database."""
        return self.database or self.home / "jobmatch.db"

    @property
    def may_have_labels(self) -> bool:
        """True if the label store's file exists, or it is a database elsewhere, which only opening it tells."""
        return "://" in str(self.label_store) or Path(self.label_store).exists()

    @property
    def caches(self) -> Path:
        """Files that can be computed again; may be deleted at any time."""
        return self.home / "caches"


def _default_home() -> Path:
    """Return `./var` in a checkout; a folder of the user's where the package was installed."""
    return Path("var") if (_CHECKOUT / "pyproject.toml").is_file() else Path("~/.jobmatch")


def _days(text: str) -> int:
    if text and not (text.isascii() and text.isdigit()):
        raise SettingsError(
            f"JOBMATCH_KEEP_DAYS is '{text}', which is not a number of days; give one such as {KEEP_DAYS}, or 0 to "
            "keep lists and pasted texts for ever."
        )
    return int(text or KEEP_DAYS)
