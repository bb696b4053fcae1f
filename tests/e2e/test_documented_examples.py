"""The examples of the documents for servers, run in a shell against a server, as somebody who reads them would."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from jobmatch_core.crosswalks.mapping import Mapping, MappingSet
from jobmatch_core.crosswalks.sssom import sssom_text
from jobmatch_core.entities import ISCO_URI
from jobmatch_core.settings import Settings
from tests.documented_commands import ROOT, blocks, commands, write_jobmatch
from tests.e2e.servers import ANSWER_SECONDS, running_server
from tests.jobmatch.serve.made_esco import import_esco

OPEN, GUARDED = "a server that asks for nothing", "a server that asks for keys"
# page -> its server, and what its commands print
PAGES = {
    "serve.md": (OPEN, ("Cuisiniers", '"code":"81"', '"state":"done"')),
    "reconciliation.md": (OPEN, ("judgments", "1 judgments in titles.csv: 1 new")),
    "esco-api.md": (OPEN, ("Fachkrankenpfleger",)),
    "access.md": (GUARDED, ("isco-08",)),
    "administration.md": (GUARDED, ("jobmatch_requests_total", '"status":"ready"', "OpenRefine")),
}
RUN = ("curl ", "jobmatch ", "jobmatch-admin ", "docker compose exec jobmatch jobmatch ")
# beginning of a command -> why it is not run here
NOT_HERE = {
    "jobmatch serve": "it is the server",
    "jobmatch labels import titles.openrefine.tar.gz": "tests/core/labelling/test_openrefine_files.py reads a project",
    "jobmatch-admin labels ": "tests/test_restoring.py runs it with the rest of its block",
}
NEEDS_CURL = pytest.mark.skipif(
    shutil.which("curl") is None, reason="there is no curl; install it with 'apt install curl'"
)
MAPPINGS = MappingSet([Mapping("81", f"{ISCO_URI}7512", "exact", "Bread")])
TITLES = 'title,"title text","title id"\nnurse,caregiver,http://data.europa.eu/esco/isco/C5321\n'


def examples(page: str) -> list[str]:
    """Return the commands of a page that are run here."""
    found = [command for block in blocks(page) for command in commands(block) if command.startswith(RUN)]
    return [command for command in found if not command.startswith(tuple(NOT_HERE))]


def test_every_example_is_looked_at() -> None:
    """Every page with a call of the server is in the table, and no reason is left of a command that is gone."""
    with_calls = {
        path.name
        for path in (ROOT / "docs").glob("*.md")
        if any(f"\n{block}".count("\ncurl ") for block in blocks(path.name))
    }
    assert with_calls <= PAGES.keys()
    found = [command for page in PAGES for block in blocks(page) for command in commands(block)]
    assert [beginning for beginning in NOT_HERE if not any(each.startswith(beginning) for each in found)] == []
    assert all(examples(page) for page in PAGES)


@pytest.fixture(scope="module")
def home(linker_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a home with a tiny ESCO."""
    home = shutil.copytree(linker_home, tmp_path_factory.mktemp("examples") / "home", copy_function=os.link)
    import_esco(Settings(home), tmp_path_factory.mktemp("esco_files"))
    return Path(home)


@pytest.fixture(scope="module")
def servers(home: Path) -> Iterator[dict[str, str]]:
    """Run both kinds of servers; the second by the configuration that is to be copied."""
    example = f"--config={ROOT / 'deploy' / 'serve.example.toml'}"
    with running_server(home) as (open_address, _), running_server(home, example) as (guarded_address, _):
        yield {OPEN: open_address, GUARDED: guarded_address}


class Shell:
    """A shell in a folder of its own, in which a page's commands run one after the other.

    What a reader has to fill in is taken from the answers before: the key that was made, the last id.
    """

    def __init__(self, folder: Path, home: Path, address: str) -> None:
        """Write the programs and files that the commands use."""
        self._folder, self._address = folder, address
        self._key = self._id = "none yet"
        write_jobmatch(folder / "bin")
        (folder / "titles.csv").write_text(TITLES, "utf-8")
        (folder / "mappings.tsv").write_text(sssom_text(MAPPINGS), "utf-8")
        (folder / ".curlrc").write_text("fail\nsilent\nshow-error\n", "utf-8")
        path = f"{folder / 'bin'}:{os.environ['PATH']}"
        self._env = {
            **os.environ,
            "PATH": path,
            "PYTHONPATH": str(ROOT),
            "JOBMATCH_HOME": str(home),
            "CURL_HOME": str(folder),
            "COLUMNS": "200",
        }

    def run(self, command: str) -> str:
        """Run a command; return what it prints."""
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", self._filled_in(command)],
            cwd=self._folder,
            env=self._env,
            capture_output=True,
            text=True,
            check=False,
            timeout=ANSWER_SECONDS,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        self._key = next(iter(re.findall(r"^jm_\S+", done.stdout, re.MULTILINE)), self._key)
        self._id = next(iter(re.findall(r'"id":"([^"]+)","(?:name|text)"', done.stdout)), self._id)
        return done.stdout

    def _filled_in(self, command: str) -> str:
        host = self._address.removeprefix("http://")
        command = re.sub(r"(localhost|127\.0\.0\.1):8501", host, command)
        command = command.replace("jm_...", self._key).replace("/ID/", f"/{self._id}/").replace('"ID"', f'"{self._id}"')
        return command.replace(" --group prometheus", "").replace("/etc/prometheus", str(self._folder))


@pytest.mark.long
@NEEDS_CURL
@pytest.mark.parametrize("page", PAGES)
def test_a_page_s_examples_run(page: str, servers: dict[str, str], home: Path, tmp_path: Path) -> None:
    """In the order of the page: each succeeds, and together they print what the page is about."""
    kind, words = PAGES[page]
    shell = Shell(tmp_path, home, servers[kind])
    printed = "".join(shell.run(command) for command in examples(page))
    assert [word for word in words if word not in printed] == []
    if page == "serve.md":
        assert (tmp_path / "titles linked.xlsx").is_file()


@pytest.mark.long
@NEEDS_CURL
def test_a_result_is_saved_under_a_name_that_curl_can_read(servers: dict[str, str], home: Path, tmp_path: Path) -> None:
    """Of the two names in the header, `curl -O -J` reads the one without umlauts."""
    shell = Shell(tmp_path, home, servers[OPEN])
    jobs = "localhost:8501/api/v1/jobs"
    shell.run(f"curl {jobs} -F 'file=@titles.csv;filename=Köche.csv' -F 'options={{\"column\": \"title\"}}'")
    shell.run(f"curl -N {jobs}/ID/events")
    shell.run(f"curl -O -J {jobs}/ID/result")
    assert (tmp_path / "Koche linked.csv").is_file()


@pytest.mark.long
@NEEDS_CURL
def test_a_key_for_metrics_opens_nothing_else(servers: dict[str, str], home: Path, tmp_path: Path) -> None:
    """The refusal says which scope the key lacks."""
    shell = Shell(tmp_path, home, servers[GUARDED])
    shell.run("jobmatch keys create prometheus --role viewer --scope metrics")
    bearer = 'curl --no-fail -H "Authorization: Bearer jm_..." localhost:8501'
    assert "jobmatch_titles_waiting" in shell.run(f"{bearer}/metrics")
    for path in ("/api/v1/taxonomies", "/esco/api/search?text=x", "/reconcile/isco-08"):
        assert "this key has the role viewer and the scopes metrics only" in shell.run(f"{bearer}{path}")
