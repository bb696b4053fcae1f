"""Jobs of `/api/v1`: upload, progress, result, cancelling."""

import errno
import gzip
import json
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, cast
from unittest.mock import Mock
from urllib.parse import unquote

import msgspec
import pytest
from anyio.from_thread import start_blocking_portal
from openpyxl import Workbook
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

from jobmatch.serve.serve_config import Limits, ServeConfig
from jobmatch.serve.v1.job_calls import JobCalls
from jobmatch.serve.v1.messages import JobAnswer
from jobmatch.services import link_jobs
from jobmatch.services.link_jobs import JobStatus, LinkJobRunner, LinkJobStore
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.linking.batch import link_file
from tests.core.linking.made_files import TITLED
from tests.jobmatch.serve.conftest import Serving

CSV = "id,job title\n1,nurse\n2,baker\n3,=cmd\n"
JOBS = "/api/v1/jobs"


def uploaded(client: TestClient, content: str | bytes = CSV, name: str = "titles.csv", **options: Any) -> Any:
    """Upload a file; return the response."""
    return client.post(JOBS, files={"file": (name, content)}, data={"options": json.dumps(options)})


def ended(client: TestClient, path: str) -> dict[str, Any]:
    """Return the last event of a job, after a check of the others."""
    with client.stream("GET", f"{path}/events") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        lines = [line for line in response.iter_lines() if line.startswith("data: ")]
    events: list[dict[str, Any]] = [json.loads(line.removeprefix("data: ")) for line in lines]
    assert [each["done"] for each in events] == sorted(each["done"] for each in events)
    return events[-1]


def eventually(true: Callable[[], bool], seconds: float = 20.0) -> bool:
    """Return whether a condition becomes true in time."""
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        time.sleep(0.05)
    return true()


def test_a_file_is_linked(client: TestClient, service: LinkingService, tmp_path: Path) -> None:
    """As by `jobmatch link --file`, in another format if requested."""
    response = uploaded(client, show="de", top=2, out="jsonl")
    assert response.status_code == 202
    assert msgspec.convert(response.json(), JobAnswer).column == "job title"
    path = response.headers["location"]
    assert path == f"{JOBS}/{response.json()['id']}"
    last = ended(client, path)
    assert (last["state"], last["done"], last["total"]) == ("done", 3, 3)
    assert client.get(path).json() == last
    result = client.get(f"{path}/result")
    assert 'filename="titles linked.jsonl"' in result.headers["content-disposition"]
    (tmp_path / "titles.csv").write_text(CSV, "utf-8")
    linker = service.linker(LinkOptions())
    link_file(
        linker,
        tmp_path / "titles.csv",
        tmp_path / "l.jsonl",
        layout=replace(TITLED, column="job title"),
        show="de",
        top=2,
    )
    assert result.content == (tmp_path / "l.jsonl").read_bytes()


def test_a_file_with_context(client: TestClient) -> None:
    """The result says what stands beside each title; a missing column is refused at once."""
    table = "title,branch\ndriver,bus company\nnurse,\n"
    path = uploaded(client, table, out="jsonl", column="title", context={"industry": "branch"}).headers["location"]
    ended(client, path)
    lines = client.get(f"{path}/result").text.splitlines()
    said = [json.loads(line)["link_context"] for line in lines]
    assert (said[0].partition(":")[0], said[1]) == ("industry bus company", None)
    refused = uploaded(client, table, column="title", context={"industry": "sector"})
    assert "there is no column 'sector'; it has title, branch" in refused.json()["detail"]


def test_a_sheet_of_a_workbook(client: TestClient, tmp_path: Path) -> None:
    """The answer names the sheet with the titles and the others; another can be chosen."""
    book = Workbook()
    book.active.title = "Imprint"
    book.active.append(["Published by the office"])
    for name in ("Jobs", "Old"):
        for cells in (["job title"], ["nurse"], ["baker"]):
            (book[name] if name in book.sheetnames else book.create_sheet(name)).append(cells)
    book.save(tmp_path / "t.xlsx")
    content = (tmp_path / "t.xlsx").read_bytes()
    answer = uploaded(client, content, "t.xlsx").json()
    assert (answer["sheet"], answer["other_sheets"], answer["column"]) == ("Jobs", ["Imprint", "Old"], "job title")
    last = ended(client, uploaded(client, content, "t.xlsx", sheet="Old").headers["location"])
    assert (last["sheet"], last["state"], last["done"]) == ("Old", "done", 2)
    refused = uploaded(client, content, "t.xlsx", sheet="x")
    assert (refused.status_code, "no sheet 'x'" in refused.json()["detail"]) == (400, True)


def test_garbled_titles_are_reported(client: TestClient) -> None:
    """In the status of the job, once they are counted."""
    last = ended(client, uploaded(client, "id,job title\n1,nurse\n2,Verk?ufer\n").headers["location"])
    assert last["warning"].startswith(
        "1 of 2 titles contain garbled characters, e.g. row 3: Verk?ufer; save the file as UTF-8"
    )
    assert ended(client, uploaded(client).headers["location"])["warning"] == ""


def test_a_job_that_fails_says_why(client: TestClient) -> None:
    """Its state and error are stored."""
    path = uploaded(client, languages=["sv"]).headers["location"]
    last = ended(client, path)
    assert last["state"] == "failed"
    assert "has no names in" in last["error"]
    response = client.get(f"{path}/result")
    assert (response.status_code, response.json()["detail"]) == (409, "The job is not done, but failed.")


@pytest.mark.parametrize(
    ("content", "name", "options", "detail"),
    [
        (CSV, "titles.pdf", {}, "titles.pdf: expected a file that ends in .csv"),
        (CSV, "", {}, ""),
        (b"\0\1\2", "t.xlsx", {}, "source.xlsx"),
        (CSV, "t.csv", {"column": "x"}, "no column 'x'; it has id, job title"),
        (CSV, "t.csv", {"out": "exe"}, "Invalid enum value 'exe'"),
        (CSV, "t.csv", {"encoding": "nonsense"}, "nonsense"),
        (CSV, "t.csv", {"tittle": 1}, "unknown field `tittle`"),
        ("", "t.csv", {}, "source.csv"),
    ],
)
def test_files_that_are_refused_at_once(
    client: TestClient, service: LinkingService, content: str | bytes, name: str, options: dict[str, Any], detail: str
) -> None:
    """Nothing is stored."""
    response = uploaded(client, content, name, **options)
    assert response.status_code == 400
    assert detail in response.json()["detail"]
    assert not service.settings.jobs.exists() or list(service.settings.jobs.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "name", "options", "result"),
    [
        (gzip.compress(b"id^job\n1^nurse\n", mtime=0), "t.csv.gz", {}, "t linked.csv"),
        ("id#job\n1#nurse\n", "t.tsv", {"separator": "#", "column": "job"}, "t linked.tsv"),
        ('[{"id": 1, "job": "nurse"}]', "t.json", {}, "t linked.jsonl"),
    ],
)
def test_other_tables(
    client: TestClient, content: str | bytes, name: str, options: dict[str, Any], result: str
) -> None:
    """Compressed tables, other separators and JSON lists are linked into a format that can be written."""
    path = uploaded(client, content, name, **options).headers["location"]
    assert ended(client, path)["state"] == "done"
    response = client.get(f"{path}/result")
    assert result in unquote(response.headers["content-disposition"])
    assert "nurs" in response.text


def test_forms_that_are_none(client: TestClient) -> None:
    """Another type is refused, and a form without the file, with two, or cut off."""
    assert client.post(JOBS, json={}).status_code == 415
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    several = [("file", ("a.csv", CSV)), ("file", ("b.csv", CSV))]
    for response in (
        client.post(JOBS, data={"file": "text"}, files={"other": ("a.csv", CSV)}),
        client.post(JOBS, files=several),
        client.post(JOBS, content=b"--x\r\nnonsense", headers=kind),
        client.post(JOBS, content=CSV, headers={"Content-Type": "multipart/form-data"}),
    ):
        assert response.status_code == 400
        assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("charset", ["unicode_escape", "undefined", "punycode"])
def test_charsets_that_no_form_has(client: TestClient, service: LinkingService, charset: str) -> None:
    """Clients may name any of Python's encodings; what punycode makes of the form depends on Python's release."""
    content = (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="\\ud800.csv"\r\n\r\ntitle\nnurse\r\n--x--\r\n'
    )
    kind = {"Content-Type": f"multipart/form-data; boundary=x; charset={charset}"}
    response = client.post(JOBS, content=content, headers=kind)
    assert response.status_code == 400
    assert "UTF-8" in response.json()["detail"] or charset == "punycode"
    assert not service.settings.jobs.exists() or list(service.settings.jobs.iterdir()) == []


def test_too_many_unfinished_jobs(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is refused before it is read; when a job is gone, a new one is accepted."""
    monkeypatch.setattr(LinkJobRunner, "_give_a_turn", lambda _runner: False)
    client = serving(ServeConfig(limits=Limits(unfinished_jobs=2)))
    stored = [uploaded(client) for _ in range(2)]
    assert [response.status_code for response in stored] == [202, 202]
    refused = uploaded(client)
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "60")
    assert "2 of your jobs are unfinished" in refused.json()["detail"]
    assert client.delete(stored[0].headers["location"]).status_code == 204
    assert uploaded(client).status_code == 202


def test_files_on_their_way_count(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """Concurrent uploads do not exceed the limit."""
    monkeypatch.setattr(LinkJobRunner, "_give_a_turn", lambda _runner: False)
    client = serving(ServeConfig(limits=Limits(unfinished_jobs=2)))
    with ThreadPoolExecutor(8) as threads:
        statuses = [response.status_code for response in threads.map(lambda _: uploaded(client), range(8))]
    assert statuses.count(202) <= 2
    assert set(statuses) == {202, 429}


def test_an_upload_that_becomes_a_job_while_another_begins_counts() -> None:
    """The first is in neither count when the jobs are counted; the second must wait until they are."""
    calls = JobCalls(cast(LinkJobStore, jobs := Mock()), cast(LinkJobRunner, Mock()), 2, lambda options: ())
    calls.uploads["ann"] = 1
    stored: dict[str, str] = {}
    others: list[Future[None]] = []

    def callers() -> dict[str, str]:
        counted = dict(stored)
        if not others:
            stored["first"] = "ann"
            calls.uploads["ann"] -= 1
            others.append(portal.start_task_soon(calls._reserve, "ann"))
            with suppress(TimeoutError):
                others[0].result(timeout=0.2)
        return counted

    jobs.callers = callers
    with start_blocking_portal() as portal:
        portal.call(calls._reserve, "ann")
        with pytest.raises(HTTPException, match="429: 1 of your jobs are unfinished and 1 is being uploaded; wait"):
            others[0].result()
    assert calls.uploads == {"ann": 1}


def test_a_name_of_a_file_is_no_path(client: TestClient, service: LinkingService) -> None:
    """Neither for the stored file nor for the download."""
    response = uploaded(client, name='../../\r\nX: y/ti"tles.csv')
    path = response.headers["location"]
    assert ended(client, path)["state"] == "done"
    job = service.settings.jobs / response.json()["id"]
    assert {each.name for each in job.iterdir()} == {"job.json", "source.csv", "status.json", "linked.csv"}
    assert "x" not in client.get(f"{path}/result").headers


def test_cancelling(client: TestClient, service: LinkingService) -> None:
    """An ended job is removed, at the latest when the runner has released it."""
    path = uploaded(client).headers["location"]
    ended(client, path)
    assert client.delete(path).status_code == 204
    assert eventually(lambda: list(service.settings.jobs.iterdir()) == [])
    for method, further in (("GET", ""), ("GET", "/events"), ("GET", "/result"), ("DELETE", "")):
        assert client.request(method, path + further).status_code == 404


def test_a_job_that_is_removed_meanwhile(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is the same as for a missing job, whenever it is removed."""
    status = LinkJobStore.status

    def removed_before(jobs: LinkJobStore, job_id: str) -> JobStatus:
        jobs.cancel(job_id)
        return status(jobs, job_id)

    def removed_after(jobs: LinkJobStore, job_id: str) -> JobStatus:
        read = status(jobs, job_id)
        jobs.cancel(job_id)
        return read

    for removed, further in ((removed_before, ""), (removed_before, "/result"), (removed_after, "/result")):
        path = uploaded(client).headers["location"]
        ended(client, path)
        with monkeypatch.context() as patched:
            patched.setattr(LinkJobStore, "status", removed)
            response = client.get(path + further)
        assert (response.status_code, response.json()["detail"][:21]) == (404, "There is no such job;")


@pytest.mark.parametrize("job", ["x", "..", "%2e%2e", "A" * 22, "%00"])
def test_ids_of_no_job(client: TestClient, job: str) -> None:
    """With any text as id."""
    assert client.get(f"{JOBS}/{job}").status_code == 404


@pytest.mark.first_case
@pytest.mark.parametrize(
    ("place", "name"),
    [
        (link_jobs.shutil, "copyfileobj"),
        (link_jobs, "write_text_whole"),
        (link_jobs, "flush"),
        (tempfile.SpooledTemporaryFile, "write"),
    ],
    ids=["the file", "the job", "the flush", "the form"],
)
def test_an_upload_to_a_full_disk(
    client: TestClient, service: LinkingService, monkeypatch: pytest.MonkeyPatch, place: Any, name: str
) -> None:
    """507, so that it can be repeated; nothing is stored."""

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "/srv/secret")

    with monkeypatch.context() as patched:
        patched.setattr(place, name, full)
        answer = uploaded(client, CSV * 60_000)  # too much to be held in memory
    assert (answer.status_code, answer.headers["retry-after"]) == (507, "60")
    assert "secret" not in answer.text
    assert LinkJobStore(service.settings).unfinished() == []
    assert uploaded(client).status_code == 202
