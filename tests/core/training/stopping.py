"""A training that stops as if its process were killed."""

from collections.abc import Callable


class Stopped(Exception):
    """Stands for the end of a killed process."""


def stop_at(step: int) -> Callable[[int, int], None]:
    """Return a progress callback that stops the training at a step."""

    def stop(done: int, total: int) -> None:
        if done == step:
            raise Stopped

    return stop
