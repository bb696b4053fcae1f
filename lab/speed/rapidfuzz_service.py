"""A plain service that finds the names nearest to a title by RapidFuzz: what `jobmatch serve` is compared with.

python -m lab.speed.rapidfuzz_service TAXONOMY PORT
"""

import json
import sys
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from rapidfuzz import fuzz, process

from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.text.folding import fold

_LIMIT = 5


class NearestNames(BaseHTTPRequestHandler):
    """Answers `{"titles": [...]}` with each title's nearest names."""

    protocol_version = "HTTP/1.1"

    def __init__(self, names: list[str], *arguments: object) -> None:
        self._names = names
        super().__init__(*arguments)  # type: ignore[arg-type]  # of socketserver

    def do_POST(self) -> None:  # named by http.server
        """Answer a request."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answers = [
            process.extract(fold(title), self._names, scorer=fuzz.ratio, limit=_LIMIT) for title in request["titles"]
        ]
        self._answer(json.dumps({"results": answers}).encode())

    def do_GET(self) -> None:
        """Say that it is ready."""
        self._answer(b"{}")

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002  # named by http.server
        """Log nothing."""

    def _answer(self, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


class NamesServer(ThreadingHTTPServer):
    """Serves the nearest of some names on a port of this machine."""

    request_queue_size = 128  # five by default: of 32 clients that connect at once, some would be refused

    def __init__(self, names: list[str], port: int) -> None:
        """Listen; 0 takes any free port."""
        super().__init__(("127.0.0.1", port), partial(NearestNames, names))


def main() -> None:
    """Serve until the process is stopped."""
    taxonomy = TaxonomyStore.open(Settings.from_environment()).load(sys.argv[1])
    names = list(dict.fromkeys(map(fold, taxonomy.name_texts)))
    NamesServer(names, int(sys.argv[2])).serve_forever()


if __name__ == "__main__":
    main()
