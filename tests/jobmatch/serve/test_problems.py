"""Problems as answers: what may pass says when to try again."""

import errno
import logging

import pytest
from psycopg import errors as postgres
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from jobmatch.access.denials import UNAVAILABLE, Denial
from jobmatch.serve.access_middleware import answer_denial
from jobmatch.serve.esco.esco_calls import ESCO_HANDLERS
from jobmatch.serve.problems import PROBLEM_HANDLERS, is_disk_full, problem, problems_answered
from jobmatch_core.errors import JobMatchError, LabelStoreUnavailableError, LinkingError
from tests.full_disk import sqlite_is_full

FULL = [
    OSError(errno.ENOSPC, "No space left on device", "/srv/secret"),
    OSError(errno.EDQUOT, "Quota exceeded"),
    sqlite_is_full(),
    postgres.DiskFull("full"),
]


def waits(*answers: Response) -> list[str | None]:
    """Return each answer's `Retry-After`."""
    return [answer.headers.get("retry-after") for answer in answers]


def test_when_to_try_again() -> None:
    """Each 503 says it; a longer wait stays."""
    denials = [Denial(UNAVAILABLE, "Nobody is known", "Try again."), Denial(UNAVAILABLE, "Busy", "Try again.", wait=60)]
    assert waits(problem(503, "busy"), problem(503, "busy", {"Retry-After": "9"})) == ["5", "9"]
    assert waits(*map(answer_denial, denials)) == ["5", "60"]
    assert waits(problem(400, "wrong"), problem(500, "bug"), problem(403, "no", {"X": "y"})) == [None] * 3


def raised(kind: type[JobMatchError], cause: Exception) -> Exception:
    """Return a user error with another error as its cause."""
    error = kind("The file '/srv/secret' cannot be stored.")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize("cause", FULL, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("handlers", [PROBLEM_HANDLERS, ESCO_HANDLERS], ids=["problems", "esco"])
def test_a_full_disk(cause: Exception, handlers: object, caplog: pytest.LogCaptureFixture) -> None:
    """507 for each library's error and any error made of it, with `Retry-After`; only the log names folders."""
    for error in (cause, raised(LinkingError, cause), raised(LabelStoreUnavailableError, cause)):

        def fail(_request: Request, error: Exception = error) -> Response:
            raise error

        app = Starlette(routes=[Route("/", fail)], middleware=[problems_answered(handlers)])  # type: ignore[arg-type]
        answer = TestClient(app).get("/")
        assert (answer.status_code, answer.headers["retry-after"]) == (507, "60")
        assert "secret" not in answer.text
    assert [record.levelno for record in caplog.records if record.name.startswith("jobmatch")] == [logging.ERROR] * 3


@pytest.mark.parametrize("other", [OSError(errno.EACCES, "no"), OSError("short write"), ValueError("x"), None])
def test_other_errors(other: Exception | None) -> None:
    """They are not taken for a full disk."""
    assert not is_disk_full(other)
    assert not is_disk_full(raised(LinkingError, other) if other else None)
