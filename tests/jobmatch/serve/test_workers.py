"""The queue in front of the linker: batches, shares, errors and cancelled requests."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from threading import Event
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.exceptions import HTTPException

from jobmatch.serve.workers import BATCH, CALLER, LinkQueue
from jobmatch.services.linking import LinkOptions
from jobmatch_core.entities import LinkResult
from jobmatch_core.errors import LinkingError
from tests.jobmatch.own_loop import finished

OPTIONS = LinkOptions()


class Loaded:
    """A load that is done."""

    def __init__(self) -> None:
        self.future = Future[None]()
        self.future.set_result(None)

    def result(self) -> None:
        """Return nothing."""


class Linking:
    """Stands in for the service; records its batches, and waits in the first for the test."""

    def __init__(self, *, waits: bool = False) -> None:
        self.batches: list[tuple[list[str], LinkOptions]] = []
        self.begun, self.goes_on = Future[None](), Event()
        if not waits:
            self.goes_on.set()

    def opening(self, options: LinkOptions) -> Loaded:
        """Return an open linker."""
        return Loaded()

    def link(self, titles: Sequence[str], options: LinkOptions) -> list[LinkResult]:
        """Return a result for each title, which it names."""
        self.batches.append((list(titles), options))
        if not self.begun.done():
            self.begun.set_result(None)
        assert self.goes_on.wait(60)
        if "bad" in titles:
            raise LinkingError("not with these options")
        return [LinkResult(title, (), True, None, options.taxonomy, ()) for title in titles]


def running(linking: Linking, work: Callable[[LinkQueue], Awaitable[Any]]) -> Any:
    """Run the queue during some work, and return its result."""

    async def both() -> Any:
        queue = LinkQueue(linking)  # type: ignore[arg-type]
        task = asyncio.create_task(queue.run())
        try:
            return await work(queue)
        finally:
            linking.goes_on.set()
            task.cancel()

    return finished(both())


async def asked(queue: LinkQueue, titles: list[str], options: LinkOptions = OPTIONS) -> list[str]:
    """Return the titles of the answer."""
    return [result.title for result in await queue.link(titles, options)]


def test_what_arrives_meanwhile_is_one_batch() -> None:
    """32 clients with one title each: the first alone, the others together."""
    linking = Linking(waits=True)

    async def work(queue: LinkQueue) -> list[list[str]]:
        first = asyncio.create_task(asked(queue, ["t0"]))
        await asyncio.wrap_future(linking.begun)
        others = [asyncio.create_task(asked(queue, [f"t{number}"])) for number in range(1, 32)]
        await asyncio.sleep(0)
        assert queue.waiting == 32
        linking.goes_on.set()
        return [await each for each in (first, *others)]

    assert running(linking, work) == [[f"t{number}"] for number in range(32)]
    assert [len(titles) for titles, _ in linking.batches] == [1, 31]


def test_a_long_request_does_not_hold_up_a_short_one() -> None:
    """The short one is in the next batch."""
    linking = Linking(waits=True)
    long = [f"l{number}" for number in range(4 * BATCH)]

    async def work(queue: LinkQueue) -> list[str]:
        whole = asyncio.create_task(asked(queue, long))
        await asyncio.wrap_future(linking.begun)
        short = asyncio.create_task(asked(queue, ["short"]))
        await asyncio.sleep(0)
        linking.goes_on.set()
        assert await short == ["short"]
        assert not whole.done()
        return await whole

    assert running(linking, work) == long
    assert "short" in linking.batches[1][0]
    assert max(len(titles) for titles, _ in linking.batches) == BATCH


def test_new_requests_do_not_pass_old_ones() -> None:
    """With more requests than titles in a batch, the oldest are in the next batch."""
    linking = Linking(waits=True)

    async def work(queue: LinkQueue) -> None:
        tasks = [asyncio.create_task(asked(queue, ["first"]))]
        await asyncio.wrap_future(linking.begun)
        tasks += [asyncio.create_task(asked(queue, [f"t{number}"])) for number in range(BATCH + 100)]
        await asyncio.sleep(0)
        linking.goes_on.set()
        await asyncio.gather(*tasks)

    running(linking, work)
    assert [titles for titles, _ in linking.batches[1:]] == [
        [f"t{number}" for number in range(BATCH)],
        [f"t{number}" for number in range(BATCH, BATCH + 100)],
    ]


def test_options_are_not_mixed() -> None:
    """All requests of a batch have the same options."""
    linking, german = Linking(), LinkOptions(show="de")

    async def work(queue: LinkQueue) -> list[list[str]]:
        return list(
            await asyncio.gather(*(asked(queue, [f"{o.show}{n}"], o) for n in range(3) for o in (OPTIONS, german)))
        )

    assert running(linking, work) == [["en0"], ["de0"], ["en1"], ["de1"], ["en2"], ["de2"]]
    assert all(title.startswith(options.show) for titles, options in linking.batches for title in titles)


def test_an_error_reaches_its_batch_alone() -> None:
    """The queue continues."""

    async def work(queue: LinkQueue) -> list[str]:
        with pytest.raises(LinkingError, match="not with these options"):
            await asked(queue, ["bad"])
        return await asked(queue, ["good"])

    assert running(Linking(), work) == ["good"]


def test_no_titles_are_answered_at_once() -> None:
    """Without a batch, before and after others."""
    linking = Linking()

    async def work(queue: LinkQueue) -> list[list[str]]:
        return [await asyncio.wait_for(asked(queue, titles), 20) for titles in ([], ["nurse"], [])]

    assert running(linking, work) == [[], ["nurse"], []]
    assert [titles for titles, _ in linking.batches] == [["nurse"]]


def test_what_is_cancelled_is_not_linked() -> None:
    """Except in the current batch."""
    linking = Linking(waits=True)

    async def work(queue: LinkQueue) -> list[str]:
        cancelled = asyncio.create_task(asked(queue, ["x"] * 3 * BATCH))
        await asyncio.wrap_future(linking.begun)
        cancelled.cancel()
        linking.goes_on.set()
        return await asked(queue, ["kept"])

    assert running(linking, work) == ["kept"]
    assert [len(titles) for titles, _ in linking.batches] == [BATCH, 1]


@given(st.lists(st.integers(1, 3 * BATCH), min_size=1, max_size=12))
def test_everybody_gets_their_own_titles(sizes: list[int]) -> None:
    """In order, for any division into batches, none of which is too large."""
    linking = Linking()
    wanted = [[f"{who}-{number}" for number in range(size)] for who, size in enumerate(sizes)]

    async def work(queue: LinkQueue) -> list[list[str]]:
        return list(await asyncio.gather(*(asked(queue, titles) for titles in wanted)))

    assert running(linking, work) == wanted
    assert all(0 < len(titles) <= BATCH for titles, _ in linking.batches)
    assert sum(len(titles) for titles, _ in linking.batches) == sum(sizes)


def test_callers_share_a_batch() -> None:
    """With any number of requests; only a caller with too many waiting titles is refused."""
    linking = Linking(waits=True)

    async def ask_as(caller: str, queue: LinkQueue, titles: list[str]) -> list[str]:
        CALLER.set(caller)
        return await asked(queue, titles)

    async def work(queue: LinkQueue) -> None:
        first = asyncio.create_task(ask_as("busy", queue, ["first"]))
        await asyncio.wrap_future(linking.begun)
        busy = [asyncio.create_task(ask_as("busy", queue, ["b"] * 1000)) for _ in range(9)]
        other = asyncio.create_task(ask_as("other", queue, ["o"] * 1000))
        await asyncio.sleep(0)
        with pytest.raises(HTTPException, match="503"):
            await ask_as("busy", queue, ["b"] * 1000)
        linking.goes_on.set()
        await asyncio.gather(first, *busy, other)

    running(linking, work)
    titles, _ = linking.batches[1]
    assert (titles.count("o"), titles.count("b")) == (BATCH // 2, BATCH // 2)
