"""Errors that users can act on.

Pages and the command line catch `JobMatchError` and show its text; any other exception is a bug and stays visible.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path


class JobMatchError(Exception):
    """Base of all errors with a text for the user: what happened, why, and what to do."""


class DataFileError(JobMatchError):
    """An input file is not what was expected."""

    def __init__(self, path: Path | str, problem: str, *, line: int | None = None) -> None:
        """Compose the message from the file, the line (1 is the header) and the problem."""
        name = Path(path).name or str(path)
        place = f"{name}, line {line}" if line is not None else name
        super().__init__(f"{place}: {problem}")
        self.path = Path(path)
        self.problem = problem
        self.line = line

    def __reduce__(self) -> tuple[Callable[..., "DataFileError"], tuple[Path, str]]:
        # so that the error can be pickled for another process
        return partial(DataFileError, line=self.line), (self.path, self.problem)


class TaxonomyError(JobMatchError):
    """A taxonomy is missing, damaged or cannot be stored."""


class LinkingError(JobMatchError):
    """Titles cannot be linked as requested."""


class EngineError(JobMatchError):
    """An engine lost a process that worked for it, or cannot be reached."""


class MatchingError(JobMatchError):
    """Freelancers cannot be found as requested, or cannot be stored."""


class ModelError(JobMatchError):
    """A model folder is missing, damaged or of another kind than requested."""


class MarketplaceError(JobMatchError):
    """A marketplace is missing, damaged, cannot be made or stored."""


class LabellingError(JobMatchError):
    """Labels cannot be queued, exported, frozen, loaded or split as requested."""


class LabelStoreError(JobMatchError):
    """The label store cannot be used, or cannot store a record."""


class LabelStoreUnavailableError(LabelStoreError):
    """The label store cannot be used at present."""


class TextError(JobMatchError):
    """A pasted text cannot be stored, or no longer exists."""


class CrosswalkError(JobMatchError):
    """A crosswalk cannot be stored, or no longer exists."""


class SearchError(JobMatchError):
    """Nothing can be searched as requested, or an index of a search cannot be stored."""


class MapError(JobMatchError):
    """A map cannot be computed, measured or drawn as requested."""


class SettingsError(JobMatchError):
    """An environment variable or option has a value that cannot be used."""
