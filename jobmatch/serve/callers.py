"""Callers: the senders of requests."""

from starlette.requests import Request

from jobmatch.serve.access.principal import LOCAL, Principal, PrincipalKind
from jobmatch.serve.operations import bad_request


def caller(request: Request) -> Principal:
    """Return who was recognised by `access`; the user of this machine where nobody is asked."""
    found = getattr(request.state, "principal", LOCAL)
    return found if isinstance(found, Principal) else LOCAL


def annotator_of(request: Request, typed: str) -> str:
    """Return whose verdicts a request brings: who sends it or, where nobody is asked, the typed name.

    Raises:
        HTTPException: nobody is asked, and no name is typed.
    """
    who = caller(request)
    annotator = typed if who.kind is PrincipalKind.LOCAL else who.id
    if not annotator.strip():
        raise bad_request("Say in annotator whose verdict it is.")
    return annotator
