"""Configuration of the server: `serve.toml`."""

import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path

from jobmatch.access.access_config import AccessConfig, checked
from jobmatch_core.errors import SettingsError
from jobmatch_core.io.records import record_of
from jobmatch_core.io.text_files import read_toml
from jobmatch_core.settings import UPLOAD_LIMIT_MB
from jobmatch_core.taxonomy import BUNDLED_ID
from jobmatch_core.taxonomy.store import is_taxonomy_id


@dataclass(frozen=True, slots=True)
class Limits:
    """The table `[limits]`."""

    body_mb: int = 5  # maximum size of a request's body, in megabytes
    file_mb: int = UPLOAD_LIMIT_MB  # maximum size of a job's file, in megabytes
    # maximum time from a request, or the last piece of its file, to its answer; then it is cancelled
    seconds: float = 30.0
    # requests per minute and caller (key, person or address), and refused ones per address; all of them may come at
    # once. 0 for no limit.
    requests_a_minute: int = 6000
    running_calls: int = 32  # concurrent requests per caller
    # waiting and running jobs per key or person; of all users together without keys and sign-in
    unfinished_jobs: int = 10


@dataclass(frozen=True, slots=True)
class ServeConfig:
    """The server's configuration."""

    # names under which the server is reached; requests under any other are refused. By default those of this machine
    hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "::1")
    taxonomies: tuple[str, ...] = (BUNDLED_ID,)  # ids of the taxonomies whose linkers are loaded at the start
    # ids of taxonomies that pages of other sites may read, beside the bundled one and ESCO
    open_taxonomies: tuple[str, ...] = ()
    log_texts: bool = False  # write titles and queries to the log
    limits: Limits = field(default_factory=Limits)  # limits of requests
    access: AccessConfig = field(default_factory=AccessConfig)  # who may do what


def read_config(path: Path) -> ServeConfig:
    """Read a configuration; raises SettingsError if the file cannot be read, or a field is unknown or out of range."""
    try:
        config = record_of(ServeConfig, read_toml(path), path.name, lone_values=True)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValueError) as error:
        raise SettingsError(f"{path} is not a valid server configuration: {error}.") from error
    limits = config.limits
    whole_numbers = (limits.body_mb, limits.file_mb, limits.running_calls, limits.unfinished_jobs)
    if min(whole_numbers) < 1 or limits.seconds <= 0 or limits.requests_a_minute < 0:
        raise SettingsError(
            f"A limit in {path} is too low; the lowest are 1 MB, 1 call, 1 job, and seconds above 0; "
            "requests_a_minute may be 0, for no limit."
        )
    for taxonomy in config.open_taxonomies:
        if not is_taxonomy_id(taxonomy):
            raise SettingsError(
                f"open_taxonomies in {path} has {taxonomy!r}, which is no taxonomy's id; give ids as "
                "`jobmatch taxonomy list` shows them."
            )
    return replace(config, access=checked(config.access))
