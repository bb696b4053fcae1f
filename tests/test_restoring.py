"""The backup, the drill and the restoring of docs/administration.md, run as they are written there."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from sqlalchemy import make_url

from db.label_store import LabelStore
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from tests.core.labelling.made_judgments import said
from tests.documented_commands import ROOT, blocks, write_jobmatch, write_program
from tests.postgres_server import running_postgres

PAGE = "administration.md"
SQLITE, POSTGRES = 0, 1  # blocks of each part
_MOST_SECONDS = 120
# what needs root, systemd or a server is left out
_NOTHING = ("systemctl", "curl", "chown")


class Machine:
    """A machine of which only the folders of the service are real."""

    def __init__(self, folder: Path, home: Path) -> None:
        """Write the programs that the commands use."""
        self._folder, self._home = folder, home
        write_jobmatch(folder / "bin")
        for name in _NOTHING:
            write_program(folder / "bin", name, "exit 0")
        write_program(folder / "bin", "runuser", 'shift 3\nexec "$@"')  # runuser -u postgres -- ...
        self.env = {
            **os.environ,
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "JOBMATCH_HOME": str(home),
        }

    def run(self, heading: str, number: int) -> str:
        """Run a block of the page; return what it prints."""
        script = blocks(PAGE, heading)[number].replace(" --owner jobmatch", "")
        places = (("/var/lib/jobmatch", self._home), ("/var/backups", self._folder), ("/opt/jobmatch/bin/", ""))
        for place, instead in places:
            script = script.replace(place, str(instead))
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", script],
            env=self.env,
            cwd=self._folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=_MOST_SECONDS,
        )
        assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
        return done.stdout


@pytest.mark.long
def test_a_service_on_sqlite_comes_back(own_linker_home: Path, tmp_path: Path) -> None:
    """The drill reads what the service has; after everything was lost, all of it is there again."""
    settings, judgments = Settings(own_linker_home), said(["+-+?+", "++-?s"])
    with LabelStore.open(settings.label_store) as store:
        store.record_all(judgments)
    (settings.lists / "mine").mkdir(parents=True)
    (settings.lists / "mine" / "list.json").write_text("{}", "utf-8")
    machine = Machine(tmp_path, own_linker_home)
    machine.run("Back up", SQLITE)

    printed = machine.run("A restore drill", SQLITE)
    assert "isco-08" in printed
    assert "Nursing professionals" in printed
    figures = [line for line in printed.splitlines() if "recorded" in line]
    assert len(figures) == 2
    assert figures[0] == figures[1]

    shutil.rmtree(own_linker_home)
    own_linker_home.mkdir()
    (own_linker_home / "jobmatch.db").write_bytes(b"damaged")
    machine.run("Restore", SQLITE)
    with LabelStore.open(settings.label_store) as store:
        assert list(store.as_recorded()) == judgments
    assert (settings.lists / "mine" / "list.json").read_text("utf-8") == "{}"
    assert [manifest.id for manifest in TaxonomyStore.open(settings).installed()] == ["isco-08"]
    assert not settings.indexes.exists()  # made again when they are needed
    assert (own_linker_home.with_name("jobmatch_home.before") / "jobmatch.db").read_bytes() == b"damaged"


@pytest.mark.thorough
def test_a_service_on_postgresql_comes_back(tmp_path: Path) -> None:
    """The drill counts as many judgments in the copy; after the database was lost, all are there again."""
    judgments = said(["+-+?+", "++-?s"])
    with running_postgres() as server:
        url = make_url(server.url)
        machine = Machine(tmp_path, tmp_path / "home")
        machine.env |= {"PGHOST": str(url.query["host"]), "PGUSER": "postgres"}
        for words in ("createuser jobmatch", "createdb --owner=jobmatch jobmatch"):
            subprocess.run(words.split(), env=machine.env, check=True)
        ours = url.set(database="jobmatch", username="jobmatch").render_as_string()
        with LabelStore.open(ours) as store:
            store.record_all(judgments)
        (tmp_path / "jobmatch").mkdir()
        machine.run("Back up", POSTGRES)
        printed = machine.run("A restore drill", POSTGRES)
        assert printed.split().count(str(len(judgments))) == 2
        subprocess.run(
            ["psql", "--quiet", "jobmatch", "-c", "DROP TABLE judgments CASCADE"], env=machine.env, check=True
        )
        machine.run("Restore", POSTGRES)
        with LabelStore.open(ours) as store:
            assert list(store.as_recorded()) == judgments
