"""A server deletes what is old when it starts, before anybody has asked it for anything."""

import os
import time
from threading import Event

import pytest

from jobmatch.services.linking import LinkingService
from jobmatch.services.retention import Retention
from jobmatch_core.io.user_store import TextStore
from tests.jobmatch.serve.conftest import Serving


def test_an_old_text_goes(service: LinkingService, serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is deleted at the start, without a request."""
    texts = TextStore.open("postings", service.settings)
    path = service.settings.texts / "postings" / f"{texts.add({'text': 'nurse'})}.json"
    old = time.time() - 91 * 24 * 60 * 60
    os.utime(path, (old, old))
    done = Event()
    run = Retention.run

    def run_once(retention: Retention) -> None:
        retention._wait = lambda _seconds: True
        run(retention)
        done.set()

    monkeypatch.setattr(Retention, "run", run_once)
    serving()
    assert done.wait(60)
    assert not path.exists()
