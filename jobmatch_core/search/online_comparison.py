"""The online comparison of a home: two search models whose results are interleaved, one at a time.

JOBMATCH_HOME/promoted/online-comparison.json   the latest one; it ends when it is stopped, or another model is promoted
"""

from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from jobmatch_core.errors import SearchError
from jobmatch_core.io.folders import write_text_whole
from jobmatch_core.io.records import read_record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.search.search_models import load_search_encoder, search_model_in_use
from jobmatch_core.settings import Settings

FORMAT = 1
_FILE = "online-comparison.json"


@dataclass(frozen=True, slots=True)
class OnlineComparison:
    """Two search models that are compared by what people open.

    Attributes:
        format: format of the file.
        in_use, candidate: names of the models in the registry.
        encoders: names of their encoders, which the search log stores; they change when a model is trained again.
        started: UTC time, ISO 8601.
        who: name of the person who started it.
        stopped: UTC time, ISO 8601; '' until somebody stops it.
    """

    format: int
    in_use: str
    candidate: str
    encoders: tuple[str, str]
    started: str
    who: str
    stopped: str = ""


def start_comparison(candidate: str, settings: Settings, *, who: str) -> OnlineComparison:
    """Start comparing the model in use with a candidate; a comparison that runs is replaced.

    Raises:
        ModelError: a model is missing or damaged.
        SearchError: the candidate is the model in use, or the file cannot be written.
    """
    in_use = search_model_in_use(settings)
    encoders = load_search_encoder("", settings).name, load_search_encoder(candidate, settings).name
    if len(set(encoders)) < len(encoders):
        raise SearchError(f"{candidate} is the search model in use. Name another one: `jobmatch models list`.")
    comparison = OnlineComparison(FORMAT, in_use, candidate, encoders, _now(), who)
    _write(comparison, settings)
    return comparison


def stop_comparison(settings: Settings) -> OnlineComparison:
    """Stop the comparison that runs; what has been logged stays.

    Raises:
        SearchError: none runs, or the file cannot be read or written.
    """
    comparison = running_comparison(settings)
    if comparison is None:
        raise SearchError("No online comparison runs. Start one: `jobmatch search-log compare MODEL`.")
    stopped = replace(comparison, stopped=_now())
    _write(stopped, settings)
    return stopped


def latest_comparison(settings: Settings) -> OnlineComparison | None:
    """Return the latest comparison, running or not; raises SearchError if its file is damaged."""
    path = _path(settings)
    try:
        return read_record(path, OnlineComparison, formats=(FORMAT,))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise SearchError(
            f"The online comparison cannot be read ({error}); remove {path}, and start it again. "
            "The search log has what was shown and opened."
        ) from error


def running_comparison(settings: Settings) -> OnlineComparison | None:
    """Return the comparison that runs, or None; raises SearchError if its file is damaged."""
    comparison = latest_comparison(settings)
    return comparison if comparison and is_running(comparison, settings) else None


def is_running(comparison: OnlineComparison, settings: Settings) -> bool:
    """Return whether a comparison was not stopped, and its model in use still is."""
    return not comparison.stopped and comparison.in_use == search_model_in_use(settings)


def _write(comparison: OnlineComparison, settings: Settings) -> None:
    path = _path(settings)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text_whole(path, json_text(asdict(comparison), ensure_ascii=False, indent=2))
    except OSError as error:
        raise SearchError(
            f"The online comparison cannot be stored in {path} ({error.strerror or error}). "
            "Set JOBMATCH_HOME to a writable folder on a disk with free space."
        ) from error


def _path(settings: Settings) -> Path:
    return settings.promoted / _FILE


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
