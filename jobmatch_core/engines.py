"""Engines: where the tasks of a job are worked off, in this process, in several, or on a Dask cluster.

All give the results in the order of the tasks. Tasks are drawn while others run, so that a job may have any number.
"""

import ctypes
import gc
import logging
import multiprocessing
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from multiprocessing.queues import SimpleQueue
from typing import Any, Protocol, Self, TypeVar

from jobmatch_core.errors import EngineError, SettingsError

Task = TypeVar("Task")
Result = TypeVar("Result")
LOCAL, DASK = "local", "dask"
_AHEAD = 2  # tasks that each worker is given at once, so that none waits for the next
_RETRIES = 2  # of a task whose worker was lost
_CONNECT_SECONDS = 30
_WATCH_SECONDS = 0.5  # between looks at whether the workers live
_NOTICE_SECONDS = 10.0  # until the pool should have noticed a loss
_RETURNED = 1 << 21  # bytes of a block that is given back at once: a list of titles needs many such for a moment
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # parameters of glibc's `mallopt`
_NEAR_PORT = "127.0.0.1:0"  # any free one, which no other machine reaches


class Engine(Protocol):
    """Works tasks off."""

    def map(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Yield the result of each task, in order.

        Args:
            work: what to do with a task; with its tasks and results it travels to other processes.
            tasks: drawn a few at a time.

        Raises:
            EngineError: a worker was lost, or the scheduler.
        """


class InProcess:
    """This process alone."""

    def map(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Yield the result of each task, in order."""
        return map(work, tasks)


class Processes:
    """Several processes on this machine; they share the pages of the memory-mapped index.

    On Linux they begin as copies of this one, and also share what it has opened until one of them writes to it.
    """

    def __init__(self, workers: int) -> None:
        """Set the number of processes; they start and end with the block."""
        self.workers = workers
        self._context = _PoolContext("fork" if _may_fork() else "spawn")
        self._pool = ProcessPoolExecutor(workers, mp_context=self._context, initializer=_begin_worker)
        self._closing = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        """Return the engine."""
        gc.collect()
        gc.freeze()  # a worker's collection of garbage writes to all that it looks at, which is then shared no more
        self._pool.submit(os.getpid)  # begins the workers, before there are threads
        gc.unfreeze()
        self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Wait for tasks under way, and end the processes."""
        self._pool.shutdown(cancel_futures=True)
        self._closing.set()
        self._watcher.join()

    def _watch(self) -> None:
        """End all workers once one was lost.

        The pool notices by itself, but not while it reads a result whose writer was killed half way: it waits for the
        rest as long as anybody holds the pipe open, itself included.
        """
        while not self._closing.wait(_WATCH_SECONDS):
            if any(process.exitcode for process in self._context.processes):
                for process in self._context.processes:
                    process.kill()
                if not self._closing.wait(_NOTICE_SECONDS):
                    self._context.results.end()
                return

    def map(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Yield the result of each task, in order; raises as `Engine.map`."""
        try:
            yield from _in_order(lambda task: self._pool.submit(work, task), tasks, _AHEAD * self.workers)
        except BrokenProcessPool as error:
            raise EngineError(
                "A worker process ended before its work was done: it was killed, or the memory ran out. In that case, "
                "give fewer --workers."
            ) from error


class _PoolContext(BaseContext):
    """Parts of a pool: its processes, and the queue of their results."""

    def __init__(self, method: str) -> None:
        """Set the start method of processes: `fork`, as copies of this one, or `spawn`, as new ones."""
        self._name = method  # as in multiprocessing's own contexts
        self._begun: type[BaseProcess] = multiprocessing.get_context(method).Process  # type: ignore[attr-defined]
        self.processes: list[BaseProcess] = []

    def Process(self, *args: Any, **options: Any) -> BaseProcess:  # noqa: ANN401
        """Return a process."""
        self.processes.append(process := self._begun(*args, **options))
        return process

    def SimpleQueue(self) -> "_Results":
        """Return the queue of results; a pool makes no other."""
        self.results = _Results(ctx=self.get_context())
        return self.results


class _Results(SimpleQueue[Any]):
    """Results of a pool, whose end two threads may tell at the same time."""

    def __init__(self, *, ctx: BaseContext) -> None:
        """Open the queue."""
        super().__init__(ctx=ctx)
        self._one_closes = threading.Lock()  # a connection that two close at once closes a number twice

    def end(self) -> None:
        """Have whoever reads get the end of the results, rather than wait for the rest of one."""
        with self._one_closes:
            self._writer.close()  # type: ignore[attr-defined]

    def close(self) -> None:
        """Close both ends."""
        with self._one_closes:
            super().close()


def _may_fork() -> bool:
    """Return whether a copy of this process can work.

    A copy has the locks of threads that it does not have: those of Python's own, or of torch, would stay locked. macOS
    has such threads in its system libraries.
    """
    return sys.platform == "linux" and threading.active_count() == 1 and "torch" not in sys.modules


class DaskCluster:
    """The workers of a Dask cluster; each needs what docs/scale.md lists."""

    def __init__(self, client: Any) -> None:  # noqa: ANN401, an optional package's class
        """Wrap a connected `distributed.Client`."""
        self._client = client

    def map(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Yield the result of each task, in order; raises as `Engine.map`."""
        with _losses_told():
            threads = sum(self._client.nthreads().values())
        submit = lambda task: _DaskTask(self._client.submit(work, task, pure=False, retries=_RETRIES))  # noqa: E731
        yield from _in_order(submit, tasks, _AHEAD * max(threads, 1))


class _DaskTask:
    """A task that the cluster works off."""

    def __init__(self, future: Any) -> None:  # noqa: ANN401, an optional package's class
        self._future = future

    def result(self) -> Any:  # noqa: ANN401, whatever the task gives
        """Wait for the result; raises EngineError if the cluster lost it, and the task's own errors."""
        with _losses_told():
            try:
                return self._future.result()
            except OSError as error:
                if self._future.status != "error":
                    raise
                own = error  # such as a full disk; the client would fail with the same class where it cannot connect
        raise own


@contextmanager
def _losses_told() -> Iterator[None]:
    """Report what Dask's client raises where it lost the scheduler or its workers as EngineErrors."""
    from distributed import KilledWorker
    from distributed.client import ClosedClientError, FutureCancelledError

    try:
        yield
    except KilledWorker as error:
        raise EngineError(
            f"A task lost several workers of the Dask cluster, the last at {error.last_worker.address}: they were "
            "killed, or their memory ran out."
        ) from error
    except (FutureCancelledError, ClosedClientError, OSError) as error:
        raise EngineError(
            "The connection to the Dask scheduler was lost: it ended, or the network is cut. Check that it runs and "
            "can be reached."
        ) from error


@contextmanager
def opened_engine(name: str = LOCAL, workers: int = 1) -> Iterator[Engine]:
    """Open an engine, and end the processes that it started.

    Args:
        name: `local`, `dask` for a cluster on this machine, or the address of a Dask scheduler.
        workers: number of processes; 0 for as many as cores. A scheduler that runs already has its own.

    Raises:
        SettingsError: there is no such engine, or Dask is not installed.
        EngineError: no scheduler answers at that address.
    """
    workers = workers or os.cpu_count() or 1
    if name == LOCAL:
        with Processes(workers) if workers > 1 else nullcontext(InProcess()) as engine:
            yield engine
        return
    if name != DASK and "://" not in name:
        raise SettingsError(
            f"There is no engine {name!r}; give local, dask or a scheduler's address, as tcp://HOST:8786."
        )
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise SettingsError('Dask is not installed; install it with: pip install "jobmatch[dask]"') from error
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # its tracebacks would hide what is raised here
    if name == DASK:
        cluster = LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=_NEAR_PORT)
        with cluster, Client(cluster) as client:
            yield DaskCluster(client)
        return
    try:
        client = Client(name, timeout=_CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise EngineError(
            f"No Dask scheduler answers at {name} ({error}); is it running, and is this its address?"
        ) from error
    with client:
        yield DaskCluster(client)


def _in_order(submit: Callable[[Task], Any], tasks: Iterable[Task], most: int) -> Iterator[Any]:
    """Yield the results of futures in the order of their tasks, with at most so many under way."""
    under_way: deque[Any] = deque()
    for task in tasks:
        under_way.append(submit(task))
        if len(under_way) == most:
            yield under_way.popleft().result()
    while under_way:
        yield under_way.popleft().result()


def _begin_worker() -> None:
    """Give a worker one thread, for the others have the other cores, and end it when its parent is gone."""
    os.environ["OMP_NUM_THREADS"] = "1"
    _return_memory()
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _return_memory() -> None:
    """Have glibc give large blocks back to the system when they are freed; other C libraries do as they do.

    By default its threshold grows to 32 MB with the blocks that are freed, so that a worker would keep the most that it
    ever needed.
    """
    if sys.platform == "linux" and (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)) is not None:
        mallopt(_MMAP_THRESHOLD, _RETURNED)
        mallopt(_TRIM_THRESHOLD, _RETURNED)


def _end_with(parent: Any) -> None:  # noqa: ANN401, multiprocessing does not export its class
    parent.join()  # a parent that is killed tells nobody, and a worker that waits for tasks would do so for ever
    os._exit(1)
