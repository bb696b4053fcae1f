"""Settings from the environment: locations of stored files, and their limits."""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from jobmatch_core.errors import SettingsError

_CHECKOUT = Path(__file__).parents[1]  # in an installation, the folder of all packages
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://.")  # `vector_stores/stores.py` checks the scheme
KEEP_DAYS = 90
SEARCH_BESIDE = "use-multilingual"  # a `model_spec` word
UPLOAD_LIMIT_MB = 200  # the same as in .streamlit/config.toml, which Streamlit reads


class _Folder:
    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, instance: "Settings", _: type) -> Path:
        return instance.home / self._name


@dataclass(frozen=True, slots=True)
class Settings:
    """Folders under `JOBMATCH_HOME`, created at the first write, and addresses of the vector and label stores."""

    home: Path  # `JOBMATCH_HOME`
    vector_url: str = ""  # `JOBMATCH_VECTOR_URL`, URL of a PostgreSQL with pgvector; '' to store vectors under *home*
    # `JOBMATCH_VECTOR_KEY`, API key or password of that server; '' for none
    vector_key: str = field(default="", repr=False)
    # `JOBMATCH_DB`, URL of the label store's database; '' for a file under *home*
    database: str = field(default="", repr=False)  # a password may be part of it
    # `JOBMATCH_KEEP_DAYS`, days without use after which lists and texts are removed; 0 for never
    keep_days: int = KEEP_DAYS
    # `JOBMATCH_SEARCH_BESIDE`, encoder that ranks occupations beside the search encoder in use; '' for none
    search_beside: str = SEARCH_BESIDE

    models = _Folder("models")  # a folder per trained model
    taxonomies = _Folder("taxonomies")  # a folder per taxonomy
    indexes = _Folder("indexes")  # a folder per index, which can be rebuilt from its taxonomy
    marketplaces = _Folder("marketplaces")  # a folder per marketplace of projects and freelancers
    benchmarks = _Folder("benchmarks")  # users' datasets: a folder per task, with a folder per dataset
    evaluations = _Folder("evaluations")  # results: a folder per task, with folders per dataset and system
    vectors = _Folder("vectors")  # freelancers' vectors: a folder per marketplace and model, which can be rebuilt
    lists = _Folder("lists")  # a folder per list of titles, with its links and the decisions on them
    crosswalks = _Folder("crosswalks")  # a folder per crosswalk, with its codes, proposals and decisions
    jobs = _Folder("jobs")  # a folder per file that the server links, with its result
    training = _Folder("training")  # a folder per training, with its request, progress and output
    snapshots = _Folder("snapshots")  # a folder per snapshot of frozen labels
    promoted = _Folder("promoted")  # the history of promotions, which determines the models in use
    texts = _Folder("texts")  # a folder per kind of text, with a file per pasted text
    tours = _Folder("tours")  # an empty file per person who closed the tour
    caches = _Folder("caches")  # files that can be computed again, and may be deleted at any time
    demo = _Folder("demo.json")  # a file, in the home of a demo alone

    @classmethod
    def from_environment(cls) -> "Settings":
        """Read the variables above; `JOBMATCH_HOME` has a default.

        Raises SettingsError if `JOBMATCH_HOME` is not a usable path, the URL is invalid, or `JOBMATCH_KEEP_DAYS` is not
        a number of days.
        """
        vector_url = os.environ.get("JOBMATCH_VECTOR_URL", "")
        if vector_url and not _URL.match(vector_url):
            raise SettingsError(
                f"JOBMATCH_VECTOR_URL is '{vector_url}', which is not the URL of a vector store, such as "
                "postgresql://user@host/database; correct it, or unset it to store vectors under JOBMATCH_HOME."
            )
        in_checkout = (_CHECKOUT / "pyproject.toml").is_file()
        home = Path(os.environ.get("JOBMATCH_HOME") or ("var" if in_checkout else "~/.jobmatch"))
        try:
            home = home.expanduser().resolve()
        except (RuntimeError, OSError) as error:
            problem = f"JOBMATCH_HOME is '{home}', which is not a usable path ({error})"
            raise SettingsError(f"{problem}; correct it.") from error
        key, database = os.environ.get("JOBMATCH_VECTOR_KEY", ""), os.environ.get("JOBMATCH_DB", "")
        days = _days(os.environ.get("JOBMATCH_KEEP_DAYS", ""))
        beside = os.environ.get("JOBMATCH_SEARCH_BESIDE", SEARCH_BESIDE).strip()
        return cls(home, vector_url, key, database, days, beside)

    @property
    def label_store(self) -> Path | str:
        """The label store: a file, or the URL of a database."""
        return self.database or self.home / "jobmatch.db"

    @property
    def may_have_labels(self) -> bool:
        """True if the label store is an existing file, or a database elsewhere."""
        return "://" in str(self.label_store) or Path(self.label_store).exists()


def _days(text: str) -> int:
    if text and not (text.isascii() and text.isdigit()):
        raise SettingsError(
            f"JOBMATCH_KEEP_DAYS is '{text}', which is not a number of days; give one such as {KEEP_DAYS}, or 0 to "
            "keep lists and pasted texts for ever."
        )
    return int(text or KEEP_DAYS)
