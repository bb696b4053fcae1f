"""Connections that send no request, against a real server on a socket."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from jobmatch.serve import http_protocol
from jobmatch.serve.http_protocol import uvicorn_options
from tests.jobmatch.own_loop import finished

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]
WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


async def hello(_scope: Scope, _receive: Receive, send: Send) -> None:
    """Answer any request."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": b"hello", "more_body": False})


async def hello_later(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer any request after longer than a request may take for its headers."""
    await asyncio.sleep(1.5 * http_protocol.HEADER_SECONDS)
    await hello(scope, receive, send)


@asynccontextmanager
async def serving(app: ASGIApp = hello) -> AsyncIterator[Callable[[], Awaitable[Connection]]]:
    """Run a server; yield a function that connects to it."""
    config = uvicorn.Config(app, port=0, log_config=None, lifespan="off", **uvicorn_options())
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port, writers = server.servers[0].sockets[0].getsockname()[1], list[asyncio.StreamWriter]()

    async def connect() -> Connection:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writers.append(writer)
        return reader, writer

    try:
        yield connect
    finally:
        for writer in writers:
            writer.close()
        server.should_exit = True
        await task


async def answer(connection: Connection, content: bytes = WHOLE) -> bytes:
    """Send bytes; return the whole answer, empty if the server closes the connection."""
    reader, writer = connection
    writer.write(content)
    head = await reader.read(4096)
    return head if head.endswith(b"hello") or not head else head + await reader.read(4096)


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nX-a: b\r\n"])
def test_headers_that_never_end(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server closes the connection."""
    monkeypatch.setattr(http_protocol, "HEADER_SECONDS", 0.05)

    async def talk() -> bytes:
        async with serving() as connect:
            return await answer(await connect(), sent)

    assert finished(talk()) == b""


def test_a_second_request_that_never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also on a kept connection."""
    monkeypatch.setattr(http_protocol, "HEADER_SECONDS", 1.0)

    async def talk() -> tuple[bytes, bytes]:
        async with serving() as connect:
            connection = await connect()
            return await answer(connection), await answer(connection, WHOLE[:-2])

    first, second = finished(talk())
    assert first.startswith(b"HTTP/1.1 200")
    assert second == b""


def test_a_slow_answer_is_no_slow_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time limit is for the headers alone."""
    monkeypatch.setattr(http_protocol, "HEADER_SECONDS", 1.0)  # long enough for headers on a busy machine

    async def talk() -> bytes:
        async with serving(hello_later) as connect:
            return await answer(await connect())

    assert finished(talk()).endswith(b"hello")


def test_many_connections_without_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest is closed for a new one, so that other requests are answered."""
    monkeypatch.setattr(http_protocol, "MOST_WITHOUT_HEADERS", 20)

    async def talk() -> tuple[int, bytes]:
        async with serving() as connect:
            silent = [await connect() for _ in range(60)]
            asking = await answer(await connect())
            reads = [asyncio.create_task(reader.read(1)) for reader, _ in silent]
            while (hung_up := sum(read.done() for read in reads)) < 41:
                await asyncio.wait([read for read in reads if not read.done()], return_when=asyncio.FIRST_COMPLETED)
            for read in reads:
                read.cancel()
            return hung_up, asking

    hung_up, asking = finished(talk())
    assert asking.endswith(b"hello")
    assert hung_up == 41
