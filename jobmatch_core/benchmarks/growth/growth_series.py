"""Series: what is prepared at each of several sizes, and the steps that are measured there."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jobmatch_core.errors import SettingsError
from jobmatch_core.taxonomy import BUNDLED_ID

FACTOR = 3  # between neighbouring sizes
_FEWEST = 2  # sizes that a line is fitted to


@dataclass(frozen=True, slots=True)
class Series:
    """Steps measured over growing data. What is named here travels to another process, so that it can be pickled.

    Attributes:
        name: what grows, in the title of the picture.
        unit: what the sizes count.
        sizes: ascending.
        prepare: (size, an empty folder) -> what the steps work on, for the length of a block; not measured.
        steps: name -> measured function of what was prepared; in this order, each several times where it is short.
        by_wall: fit wall time, since processes work side by side; elsewhere processor time, which other programs
            disturb less.
    """

    name: str
    unit: str
    sizes: tuple[int, ...]
    prepare: Callable[[int, Path], AbstractContextManager[Any]]
    steps: Mapping[str, Callable[[Any], object]]
    by_wall: bool = False


@dataclass(frozen=True, slots=True)
class GrowthSetting:
    """A measurement to make.

    Attributes:
        taxonomy: id of the taxonomy whose names are linked to.
        share: share of the usual sizes, above 0 and at most 1.

    Raises:
        SettingsError: the share is another number.
    """

    taxonomy: str = BUNDLED_ID
    share: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise SettingsError(f"The share of the sizes is above 0 and at most 1, not {self.share:g}.")

    def sizes(self, largest: int, count: int = 5) -> tuple[int, ...]:
        """Return up to so many ascending sizes, each three times the one before, the share included.

        Raises:
            SettingsError: fewer than two are left.
        """
        return sizes_up_to(round(largest * self.share), count)


def sizes_up_to(largest: int, count: int = 5) -> tuple[int, ...]:
    """Return up to so many ascending sizes, each three times the one before.

    Raises:
        SettingsError: fewer than two are above 0.
    """
    sizes = [largest // FACTOR**step for step in reversed(range(count)) if largest // FACTOR**step]
    if len(sizes) < _FEWEST:
        raise SettingsError(f"Growth cannot be seen up to a size of {largest}; give a larger --share.")
    return tuple(sizes)
