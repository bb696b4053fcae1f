"""Time limit for the headers of HTTP/1.1 requests, which uvicorn itself lacks."""

import asyncio
from collections import OrderedDict
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 10.0
MOST_WITHOUT_HEADERS = 256  # connections; ordinary clients send their headers within milliseconds


class PromptProtocol(H11Protocol):
    """Closes a connection whose headers are late, and the oldest ones if too many wait for headers."""

    _without_headers: ClassVar["OrderedDict[PromptProtocol, asyncio.TimerHandle]"] = OrderedDict()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the time limit of the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """End the time limit when the headers are complete; start that of the next request."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:  # the headers are complete or invalid
            self._stop_waiting()
        elif self not in self._without_headers:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the time limit."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._without_headers[self] = self.loop.call_later(HEADER_SECONDS, self._close)
        if len(self._without_headers) > MOST_WITHOUT_HEADERS:
            next(iter(self._without_headers))._close()

    def _close(self) -> None:
        self._stop_waiting()
        self.transport.close()

    def _stop_waiting(self) -> None:
        timer = self._without_headers.pop(self, None)
        if timer is not None:
            timer.cancel()


def uvicorn_options() -> dict[str, Any]:
    """Return the options of `uvicorn.Config` in addition to Streamlit's."""
    return {
        "http": PromptProtocol,
        "limit_concurrency": 1000,  # connections or running requests; others are answered with 503
        "ws_max_size": 8 << 20,  # bytes of a message from a page: larger texts are uploaded as files
    }
