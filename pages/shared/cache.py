"""Bounded cache shared by all sessions: the only module that calls Streamlit's caches."""

from collections.abc import Callable
from contextlib import nullcontext
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

import streamlit as st
from streamlit.runtime.caching.cache_utils import CachedFunc

from jobmatch.services.background_call import Background
from jobmatch_core.settings import Settings
from pages.shared.language import _

P = ParamSpec("P")
T = TypeVar("T")


class Cached(Generic[P, T]):
    """Function whose results all sessions share, separately for each `JOBMATCH_HOME`."""

    def __init__(
        self,
        function: Callable[P, T],
        key: Callable[..., object],
        results: CachedFunc[[Settings, str, Callable[[], T]], T],
        spinner: str,
    ) -> None:
        """Wrap *function*; *results* is Streamlit's cache, called with the settings, the key and the computation."""
        self._function, self._key, self._results, self._spinner = function, key, results, spinner
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the cached result, or compute it. A background call that failed is started again."""
        entry = Settings.from_environment(), repr(self._key(*args, **kwargs)), lambda: self._function(*args, **kwargs)
        with st.spinner(_(self._spinner), show_time=False) if self._spinner else nullcontext():
            result = self._results(*entry)
        if isinstance(result, Background) and result.failed:
            self._results.clear(*entry)
            result = self._results(*entry)
        return result

    def clear(self) -> None:
        """Remove all results."""
        self._results.clear()


def cached(
    key: Callable[..., object],
    *,
    most: int,
    seconds: float | None = None,
    spinner: str = "",
    on_release: Callable[[Any], None] | None = None,
) -> Callable[[Callable[P, T]], Cached[P, T]]:
    """Cache a function's results for all sessions.

    Args:
        key: Returns everything that the result depends on from the function's arguments; compared by `repr`.
        most: Maximum number of results; the least recently used are removed.
        seconds: Lifetime of a result; None for unlimited.
        spinner: Text shown while a result is computed, a constant; '' for none.
        on_release: Called with each removed result.
    """

    def decorate(function: Callable[P, T]) -> Cached[P, T]:
        def results(settings: Settings, key: str, _compute: Callable[[], T]) -> T:
            return _compute()

        # Streamlit identifies a cache by the function's name, which is the same for all of these
        results.__module__, results.__qualname__ = function.__module__, function.__qualname__
        cache = st.cache_resource(max_entries=most, ttl=seconds, show_spinner=False, on_release=on_release)
        return Cached(function, key, cache(results), spinner)

    return decorate
