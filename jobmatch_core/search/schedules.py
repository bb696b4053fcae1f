"""Schedules of several tasks: the order in which their batches are read in one epoch.

Paper: Hajiaghayi et al. (2021), section III-B and figure 3. Every schedule reads every batch of every task once; only
the order differs. sentence-transformers has two samplers for several data sets: its proportional one draws as ours
does, its round robin stops at the smallest one; the other two are missing there.
"""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

ScheduleName = Literal["sequential", "random", "proportional"]
Schedule = Callable[[Sequence[int], np.random.Generator], list[int]]


def sequential(batches: Sequence[int], random: np.random.Generator) -> list[int]:
    """Return all of the first task, then all of the second, and so on.

    Args:
        batches: number of batches of each task.
        random: unused.

    Returns:
        The number of a task for each step.
    """
    return [task for task, count in enumerate(batches) for _ in range(count)]


def random_read(batches: Sequence[int], random: np.random.Generator) -> list[int]:
    """Return tasks drawn with equal chances among those with batches left, so that the largest remain at the end.

    Arguments and result are as of `sequential`.
    """
    left = list(batches)
    order = []
    while open_tasks := [task for task, count in enumerate(left) if count]:
        task = open_tasks[int(random.integers(len(open_tasks)))]
        left[task] -= 1
        order.append(task)
    return order


def proportional(batches: Sequence[int], random: np.random.Generator) -> list[int]:
    """Return tasks drawn in proportion to their size, so that all end together.

    Each task's batches lie at even distances over the epoch, from a random start. Arguments and result are as of
    `sequential`.
    """
    places = [
        ((number + start) / count, task)
        for task, (count, start) in enumerate(zip(batches, random.random(len(batches)).tolist(), strict=True))
        for number in range(count)
    ]
    return [task for _, task in sorted(places)]


SCHEDULES: dict[ScheduleName, Schedule] = {
    "sequential": sequential,
    "random": random_read,
    "proportional": proportional,
}
