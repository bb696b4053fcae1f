"""Who sends a request, as far as it is known."""

from starlette.requests import Request


def caller_id(request: Request) -> str:
    """Return the id of who was recognised by `access`; '' where nobody signs in."""
    principal = getattr(request.state, "principal", None)
    return str(getattr(principal, "id", ""))
