"""Problems as answers: what may pass says when to try again."""

from starlette.responses import Response

from jobmatch.serve.access.middleware import answer_denial
from jobmatch.serve.access.principal import UNAVAILABLE, Denial
from jobmatch.serve.problems import problem


def waits(*answers: Response) -> list[str | None]:
    """Return when each answer says to try again."""
    return [answer.headers.get("retry-after") for answer in answers]


def test_when_to_try_again() -> None:
    """Each 503 says it, whoever answers; a longer wait stays."""
    denials = [Denial(UNAVAILABLE, "Nobody is known", "Try again."), Denial(UNAVAILABLE, "Busy", "Try again.", wait=60)]
    assert waits(problem(503, "busy"), problem(503, "busy", {"Retry-After": "9"})) == ["5", "9"]
    assert waits(*map(answer_denial, denials)) == ["5", "60"]
    assert waits(problem(400, "wrong"), problem(500, "bug"), problem(403, "no", {"X": "y"})) == [None] * 3
