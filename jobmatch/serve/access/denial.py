"""Denials: why somebody does not get what they ask for, and what to do."""

from jobmatch_core.errors import JobMatchError

UNKNOWN, FORBIDDEN, UNAVAILABLE = 401, 403, 503  # statuses of HTTP


class Denial(JobMatchError):
    """Somebody is not known, may not do it, or cannot be checked.

    Attributes:
        status: status of HTTP.
        title: the reason in some words.
    """

    def __init__(self, status: int, title: str, remedy: str) -> None:
        """Set the reason and the remedy, which is the rest of the message."""
        super().__init__(f"{title}. {remedy}")
        self.status = status
        self.title = title
