"""Who sends a request."""

from starlette.requests import Request

from jobmatch.serve.access.principal import LOCAL, Principal


def caller(request: Request) -> Principal:
    """Return who was recognised by `access`; the user of this machine where nobody is asked."""
    found = getattr(request.state, "principal", LOCAL)
    return found if isinstance(found, Principal) else LOCAL
