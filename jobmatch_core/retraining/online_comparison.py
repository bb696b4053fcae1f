"""The online comparison of a home: two search models, or two towers, whose results are interleaved, one at a time.

JOBMATCH_HOME/promoted/online-comparison.json   the latest one; it ends when it is stopped, or another model is promoted
"""

from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from jobmatch_core.errors import ModelError
from jobmatch_core.io.folders import write_text_whole
from jobmatch_core.io.records import read_record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.retrieval.match_models import load_match_model, model_in_use
from jobmatch_core.search.search_models import load_search_encoder, search_model_in_use
from jobmatch_core.settings import Settings

FORMAT = 1
_FILE = "online-comparison.json"


@dataclass(frozen=True, slots=True)
class OnlineComparison:
    """Two models of a kind that are compared by what people open."""

    format: int  # format of the file
    # in_use, candidate: names of the models in the registry
    in_use: str
    candidate: str
    # names with a digest of both, which the search log stores; they change when a model is trained again
    encoders: tuple[str, str]
    started: str  # UTC time, ISO 8601
    who: str  # name of the person who started it
    stopped: str = ""  # UTC time, ISO 8601; '' until somebody stops it
    kind: ModelKind = ModelKind.SEARCH  # search models, or towers


def start_comparison(kind: ModelKind, candidate: str, settings: Settings, *, who: str) -> OnlineComparison:
    """Start comparing the model in use with a candidate; a comparison that runs is replaced.

    Raises ModelError if a model is missing or damaged, the candidate is the one in use, or the file cannot be written.
    """
    load = load_match_model if kind is ModelKind.TOWERS else load_search_encoder
    encoders = load("", settings).name, load(candidate, settings).name
    if len(set(encoders)) < len(encoders):
        raise ModelError(f"{candidate} is the model in use. Name another one: `jobmatch models list`.")
    comparison = OnlineComparison(FORMAT, _in_use(kind, settings), candidate, encoders, _now(), who, kind=kind)
    _write(comparison, settings)
    return comparison


def stop_comparison(settings: Settings) -> OnlineComparison:
    """Stop the comparison that runs; what has been logged stays.

    Raises ModelError if none runs, or the file cannot be read or written.
    """
    comparison = running_comparison(settings)
    if comparison is None:
        raise ModelError("No online comparison runs. Start one: `jobmatch search-log compare MODEL`.")
    stopped = replace(comparison, stopped=_now())
    _write(stopped, settings)
    return stopped


def latest_comparison(settings: Settings) -> OnlineComparison | None:
    """Return the latest comparison, running or not; raises ModelError if its file is damaged."""
    path = _path(settings)
    try:
        return read_record(path, OnlineComparison, formats=(FORMAT,))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise ModelError(
            f"The online comparison cannot be read ({error}); remove {path}, and start it again. "
            "The search log has what was shown and opened."
        ) from error


def running_comparison(settings: Settings) -> OnlineComparison | None:
    """Return the comparison that runs, or None; raises ModelError if its file is damaged."""
    comparison = latest_comparison(settings)
    return comparison if comparison and is_running(comparison, settings) else None


def is_running(comparison: OnlineComparison, settings: Settings) -> bool:
    """Return whether a comparison was not stopped, and its model in use still is."""
    return not comparison.stopped and comparison.in_use == _in_use(comparison.kind, settings)


def _in_use(kind: ModelKind, settings: Settings) -> str:
    return model_in_use(settings) if kind is ModelKind.TOWERS else search_model_in_use(settings)


def _write(comparison: OnlineComparison, settings: Settings) -> None:
    path = _path(settings)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text_whole(path, json_text(asdict(comparison), ensure_ascii=False, indent=2))
    except OSError as error:
        raise ModelError(
            f"The online comparison cannot be stored in {path} ({error.strerror or error}). "
            "Set JOBMATCH_HOME to a writable folder on a disk with free space."
        ) from error


def _path(settings: Settings) -> Path:
    return settings.promoted / _FILE


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
