"""Engines run the tasks of a job: in this process, in several, or on a Dask cluster.

Results have the order of the tasks. Tasks are drawn while others run, so that a job may have any number of them.
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
_AHEAD = 2  # tasks assigned to each worker, so that none waits for the next
_RETRIES = 2  # of a task after its worker was lost
_CONNECT_SECONDS = 30
_WATCH_SECONDS = 0.5  # between checks of the workers
_NOTICE_SECONDS = 10.0  # in which the pool should notice a lost worker
_RETURNED = 1 << 21  # bytes of a block that is returned to the system at once: lists of titles need many for a moment
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # parameters of glibc's `mallopt`
_NEAR_PORT = "127.0.0.1:0"  # any free port, not reachable from other machines


class Engine(Protocol):
    """Runs tasks."""

    def map(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Yield the result of each task, in order.

        Args:
            work: function of a task; pickled for other processes, like tasks and results.
            tasks: tasks, drawn a few at a time.

        Raises:
            EngineError: a worker or the scheduler was lost.
        """


class InProcess:
    """This process alone."""

    def map(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Yield the result of each task, in order."""
        return map(work, tasks)


class Processes:
    """Several processes on this machine, which share the pages of the memory-mapped index.

    On Linux they are forked if possible, and share the memory of this process until one of them writes to it.
    """

    def __init__(self, workers: int) -> None:
        """Set the number of processes; they start and end with the block."""
        self.workers = workers
        # A fork has no threads, but the locks that they hold, which would stay locked: those of Python's own threads
        # and of torch. On macOS, system libraries have such threads.
        may_fork = sys.platform == "linux" and threading.active_count() == 1 and "torch" not in sys.modules
        self._context = _PoolContext("fork" if may_fork else "spawn")
        self._pool = ProcessPoolExecutor(workers, mp_context=self._context, initializer=_begin_worker)
        self._closing = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        gc.collect()
        gc.freeze()  # a worker's garbage collection would write to shared pages, and thereby copy them
        self._pool.submit(os.getpid)  # starts the workers before there are threads
        gc.unfreeze()
        self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Wait for tasks under way, and end the processes."""
        self._pool.shutdown(cancel_futures=True)
        self._closing.set()
        self._watcher.join()

    def _watch(self) -> None:
        # Ends all workers once one was lost. The pool notices by itself, except while it reads a result whose writer
        # was killed halfway: it waits for the rest as long as any process, itself included, holds the pipe open.
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
    """Records the processes and the result queue of a pool."""

    def __init__(self, method: str) -> None:
        self._name = method  # an attribute of multiprocessing's contexts
        self._begun: type[BaseProcess] = multiprocessing.get_context(method).Process  # type: ignore[attr-defined]
        self.processes: list[BaseProcess] = []

    def Process(self, *args: Any, **options: Any) -> BaseProcess:  # noqa: ANN401
        self.processes.append(process := self._begun(*args, **options))
        return process

    def SimpleQueue(self) -> "_Results":
        # a pool makes no other queue
        self.results = _Results(ctx=self.get_context())
        return self.results


class _Results(SimpleQueue[Any]):
    """Result queue that two threads may close at the same time."""

    def __init__(self, *, ctx: BaseContext) -> None:
        super().__init__(ctx=ctx)
        self._one_closes = threading.Lock()  # two threads could close the same file descriptor twice

    def end(self) -> None:
        # readers get the end of the file instead of waiting for the rest of a result
        with self._one_closes:
            self._writer.close()  # type: ignore[attr-defined]

    def close(self) -> None:
        with self._one_closes:
            super().close()


class DaskCluster:
    """The workers of a Dask cluster; docs/scale.md lists their requirements."""

    def __init__(self, client: Any) -> None:  # noqa: ANN401, an optional package's class
        self._client = client

    def map(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Yield the result of each task, in order; raises as `Engine.map`."""
        with _translated_losses():
            threads = sum(self._client.nthreads().values())
        submit = lambda task: _DaskTask(self._client.submit(work, task, pure=False, retries=_RETRIES))  # noqa: E731
        yield from _in_order(submit, tasks, _AHEAD * max(threads, 1))


class _DaskTask:
    def __init__(self, future: Any) -> None:  # noqa: ANN401, an optional package's class
        self._future = future

    def result(self) -> Any:  # noqa: ANN401, whatever the task gives
        # raises EngineError if the cluster lost the task, or the task's own error
        with _translated_losses():
            try:
                return self._future.result()
            except OSError as error:
                if self._future.status != "error":
                    raise
                own = error  # such as a full disk; without a connection the client raises the same class
        raise own


@contextmanager
def _translated_losses() -> Iterator[None]:
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
    """Open an engine; its processes end with the block.

    Args:
        name: `local`, `dask` for a cluster on this machine, or the address of a Dask scheduler.
        workers: number of processes; 0 for the number of cores. A running scheduler has its own workers.

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
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # its tracebacks would hide our errors
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
    under_way: deque[Any] = deque()
    for task in tasks:
        under_way.append(submit(task))
        if len(under_way) == most:
            yield under_way.popleft().result()
    while under_way:
        yield under_way.popleft().result()


def _begin_worker() -> None:
    # one thread per worker, because the other workers use the other cores
    os.environ["OMP_NUM_THREADS"] = "1"
    _return_memory()
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent,), daemon=True).start()


def _return_memory() -> None:
    # Makes glibc return large freed blocks to the system. By default its threshold grows to 32 MB with freed blocks, so
    # that a worker would keep as much memory as it ever needed.
    if sys.platform == "linux" and (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)) is not None:
        mallopt(_MMAP_THRESHOLD, _RETURNED)
        mallopt(_TRIM_THRESHOLD, _RETURNED)


def _exit_after(parent: Any) -> None:  # noqa: ANN401, multiprocessing does not export its class
    parent.join()  # a killed parent sends no message, and the worker would wait for tasks for ever
    os._exit(1)
