"""Denials: why a request is refused, and what to do about it."""

from jobmatch_core.errors import JobMatchError

UNKNOWN, FORBIDDEN, TOO_MANY, UNAVAILABLE = 401, 403, 429, 503  # statuses of HTTP
SESSION_OVER_HEADER = "x-jobmatch-session-over"  # the server sets it for pages: the reason


class Denial(JobMatchError):
    """A request is refused: its sender is unknown, not permitted, or cannot be checked.

    Attributes:
        status: status of HTTP.
        title: the reason in a few words.
        wait: seconds to wait before another try; 0 where waiting does not help.
    """

    def __init__(self, status: int, title: str, remedy: str, *, wait: int = 0) -> None:
        """Set the reason and the remedy, which is the rest of the message."""
        super().__init__(f"{title}. {remedy}")
        self.status = status
        self.title = title
        self.wait = wait
