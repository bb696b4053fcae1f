"""The page 'Job descriptions', `jobmatch describe` and `POST /describe` give the same answer for the same text."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

from jobmatch.cli.main import app as command
from jobmatch.serve.server import build_api
from jobmatch.services.linking import LinkingService
from jobmatch_core.settings import Settings
from tests.pages.conftest import TINY_ID
from tests.pages.posting_form import paste, rows

JOBS = (
    ("Database administrator", "You write programs that look after databases.", "You know SQL & C#.", "We pay well."),
    ("Krankenpflegerin (m/w/d)", "Sie pflegen Kranke auf unserer Station.", "Sie haben Geduld.", "Wir bieten Urlaub."),
    ("Cuisinier·ère", "Vous préparez des repas pour <50 personnes.", "Vous avez un diplôme.", "Salaire selon profil."),
    ("Camarero de sala", "Atiende a los clientes y sirve las mesas.", "Experiencia de 2 años.", "Ofrecemos contrato."),
    ("Associate", "You drive trucks through Europe.", "You need a driving licence.", "Parking is free."),
    ("Idraulico", "Installa tubi e ripara impianti.", "Patente B richiesta.", "Offriamo ferie."),
    ("Nauczyciel", "Uczy dzieci w szkole podstawowej.", "Wymagania: cierpliwość.", "Oferujemy premie."),
    ("Programmeur*in", "Je schrijft software voor klanten.", "Je hebt ervaring met a < b.", "Wij bieden pensioen."),
    ("看護師", "病棟で患者のケアをします。", "資格が必要です。", "給与は応相談。"),
    ("Piekarz / Baker", "You bake bread and cakes; early start.", "You are reliable.", "We offer rolls."),
)
FORMS = (
    "{0}\n\n{1}\n{2}\n{3}\n",
    "{1} {2} {3}",
    "\r\n{0}\r\n\r\nTasks:\r\n- {1}\r\n- {2}\r\n\r\n{3}",
    "<h1>{0}</h1><p>{1}</p><ul><li>{2}</li><li>{3}</li></ul><script>alert(1)</script>",
    "# {0}\n\n**Tasks**\n* {1}\n* *{2}*\n\n[{3}](https://example.org)",
)
POSTINGS = [form.format(*job) for job in JOBS for form in FORMS]
UNMARKED = str.maketrans("", "", "\\\u2060")  # what keeps Markdown out of texts on a page
A_FEW = [POSTINGS[0], POSTINGS[8], POSTINGS[14]]


@pytest.fixture
def client(home: Path) -> Iterator[TestClient]:
    """A client of the API over the pages' home."""
    with TestClient(build_api(LinkingService(Settings(home))), base_url="http://localhost") as client:
        yield client


def on_page(app: AppTest, text: str) -> dict[str, Any]:
    """Return the page's answer to a text pasted over the present one."""
    paste(app, text)
    assert not app.exception
    said = [str(each.value).translate(UNMARKED) for each in [*app.markdown, *app.caption]]
    cards = [match for each in said if (match := re.fullmatch(r":gray\[\d\] \*\*(.*)\*\* :gray\[ISCO (.*)\]", each))]
    bars = [each.proto.text for each in app.get("progress")]
    shares = [match[1] for each in bars if (match := re.search(r"(\d+)% from the title", each))]
    return {
        "headings": [each.strip("*") for each in said],
        "occupations": [match.groups() for match in cards],
        "by the title": shares,
        "sentences": [row["text"] for row in rows(app)],
    }


def check(app: AppTest, client: TestClient, path: Path, text: str) -> None:
    """Compare the three answers."""
    asked = {"text": text, "taxonomy": TINY_ID}
    by_api = client.post("/api/v1/describe", json=asked).json()
    path.write_bytes(text.encode())
    done = CliRunner().invoke(command, ["describe", str(path), "--taxonomy", TINY_ID, "--json"], catch_exceptions=False)
    assert json.loads(done.stdout) == by_api
    page = on_page(app, text)
    candidates = by_api["link"]["candidates"]
    assert page["occupations"] == [(each["name"], each["isco"]) for each in candidates]
    assert page["by the title"] == [f"{each['scores']['title']:.0%}".rstrip("%") for each in candidates]
    assert page["sentences"] == [each["text"] for each in by_api["sentences"]]
    assert (by_api["title"] or "Posting without a title") in page["headings"]


def opened(app: AppTest) -> AppTest:
    """Open the page on an example, whose title a pasted text must not get."""
    app.switch_page("pages/job_descriptions/job_descriptions.py")
    return app.run()


@pytest.mark.thorough
def test_a_few_postings(app: AppTest, client: TestClient, tmp_path: Path) -> None:
    """Postings pasted beside an example and over each other give the answers of the library."""
    opened(app)
    for text in A_FEW:
        check(app, client, tmp_path / "posting.txt", text)
    assert app.text_input(key="describe_title").value == ""


@pytest.mark.thorough
def test_postings_of_every_job_and_form(app: AppTest, client: TestClient, tmp_path: Path) -> None:
    """Ten jobs in nine languages, each in five forms, give the answers of the library."""
    opened(app)
    for text in POSTINGS[::4]:
        check(app, client, tmp_path / "posting.txt", text)
