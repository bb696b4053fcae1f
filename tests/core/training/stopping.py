"""A training that is killed, as it were."""

from collections.abc import Callable


class Stopped(Exception):
    """The process is killed, as it were."""


def stop_at(step: int) -> Callable[[int, int], None]:
    """Return a progress callback that stops the training at a step."""

    def stop(done: int, total: int) -> None:
        if done == step:
            raise Stopped

    return stop
