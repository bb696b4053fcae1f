"""Denials of requests, with reason and remedy."""

from jobmatch_core.errors import JobMatchError

UNKNOWN, FORBIDDEN, TOO_MANY, UNAVAILABLE = 401, 403, 429, 503  # HTTP statuses
SESSION_OVER_HEADER = "x-jobmatch-session-over"  # set by the server for pages; its value is the reason


class Denial(JobMatchError):
    """A request is refused: its sender is unknown, not permitted, or cannot be checked."""

    def __init__(self, status: int, title: str, remedy: str, *, wait: int = 0) -> None:
        super().__init__(f"{title}. {remedy}")
        self.status = status  # HTTP status
        self.title = title  # the reason in a few words
        self.wait = wait  # seconds to wait before another try; 0 if waiting does not help
