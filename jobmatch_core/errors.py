"""Everything that can go wrong in a way that the user can mend.

    JobMatchError
    ├── DataFileError        a file that was given is not what was expected (file, line, what to do)
    ├── TaxonomyError        a taxonomy is missing, damaged or cannot be stored
    ├── LinkingError         titles cannot be linked with what was asked for
    ├── MatchingError        freelancers cannot be found with what was asked for, or cannot be stored
    ├── ModelError           a model folder is missing, damaged or of another kind than was asked for
    ├── MarketplaceError     a marketplace is missing, damaged, cannot be made or stored
    ├── LabellingError       labels cannot be queued, exported, frozen, loaded or split as was asked for
    ├── LabelStoreError      the label store cannot be used, or cannot keep what it was given
    ├── TextError            a pasted text cannot be kept, or is not there any more
    ├── MapError             a map cannot be made, measured or drawn of what was asked for
    └── SettingsError        an environment variable or option has a value that cannot be used

Pages and the command line catch `JobMatchError` and show its text; any other exception is a bug and
stays visible.

    try:
        linker.link("Krankenschwester")
    except JobMatchError as error:
        print(error)
"""

from pathlib import Path


class JobMatchError(Exception):
    """Base of all errors whose text is written for the user: what happened and what to do."""


class DataFileError(JobMatchError):
    """A file that was given is not what was expected."""

    def __init__(self, path: Path | str, problem: str, *, line: int | None = None) -> None:
        """Say which file, which line (1 is the header) and what was expected."""
        name = Path(path).name or str(path)
        place = f"{name}, line {line}" if line is not None else name
        super().__init__(f"{place}: {problem}")
        self.path = Path(path)
        self.problem = problem
        self.line = line


class TaxonomyError(JobMatchError):
    """A taxonomy is missing, damaged or cannot be stored."""


class LinkingError(JobMatchError):
    """Titles cannot be linked with what was asked for."""


class MatchingError(JobMatchError):
    """Freelancers cannot be found with what was asked for, or cannot be stored."""


class ModelError(JobMatchError):
    """A model folder is missing, damaged or of another kind than was asked for."""


class MarketplaceError(JobMatchError):
    """A marketplace is missing, damaged, cannot be made or stored."""


class LabellingError(JobMatchError):
    """Labels cannot be queued, exported, frozen, loaded or split as was asked for."""


class LabelStoreError(JobMatchError):
    """The label store cannot be used, or cannot keep what it was given."""


class TextError(JobMatchError):
    """A pasted text cannot be kept, or is not there any more."""


class MapError(JobMatchError):
    """A map cannot be made, measured or drawn of what was asked for."""


class SettingsError(JobMatchError):
    """An environment variable or option has a value that cannot be used."""
