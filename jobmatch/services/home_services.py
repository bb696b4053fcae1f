"""The services over one home: what one of them has loaded serves the pages and the API of a process."""

from functools import lru_cache
from threading import Lock

from jobmatch.services.describing import DescribingService
from jobmatch.services.linking import LinkingService, linking_service
from jobmatch.services.matching import MatchingService
from jobmatch.services.searching import SearchingService

_one_at_a_time = Lock()


class HomeServices:
    """A service for each slice: linking, describing, matching and searching."""

    def __init__(self, linking: LinkingService) -> None:
        """Give *linking* and the other services its settings."""
        self.linking = linking
        self.describing = DescribingService(linking.settings)
        self.matching = MatchingService(linking)
        self.searching = SearchingService(linking.settings)


_over = lru_cache(maxsize=1)(HomeServices)


def home_services() -> HomeServices:
    """Return the shared services of this process, for the folders of its current environment."""
    with _one_at_a_time:
        return _over(linking_service())
