"""Denials: why somebody does not get what they ask for, and what to do."""

from jobmatch_core.errors import JobMatchError

UNKNOWN, FORBIDDEN, TOO_MANY, UNAVAILABLE = 401, 403, 429, 503  # statuses of HTTP


class Denial(JobMatchError):
    """Somebody is not known, may not do it, or cannot be checked.

    Attributes:
        status: status of HTTP.
        title: the reason in some words.
        wait: seconds until it is worth trying again; 0 where waiting does not help.
    """

    def __init__(self, status: int, title: str, remedy: str, *, wait: int = 0) -> None:
        """Set the reason and the remedy, which is the rest of the message."""
        super().__init__(f"{title}. {remedy}")
        self.status = status
        self.title = title
        self.wait = wait
