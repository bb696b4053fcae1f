"""Texts of files and people that try to be more than text: on every page they are shown letter by letter.

Nothing runs, nothing is fetched from elsewhere, no element comes of them, and what would turn the text around is
visible.
"""

import csv
import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote, urlsplit
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request
from typer.testing import CliRunner

from db.label_store import LabelStore
from jobmatch.cli.main import app as command_line
from jobmatch_core.benchmarks.scoreboard.results import ResultStore
from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance, Verdict
from jobmatch_core.labelling.snapshot import Snapshots
from jobmatch_core.settings import Settings
from tests.e2e.conftest import _running_app, settle
from tests.hostile_models import NO_WEIGHTS
from tests.made_results import make_evaluation

EVIL = (
    "<script>alert(1)</script><img src=http://evil.invalid/i.png onerror=alert(2)>"
    "<iframe src=http://evil.invalid></iframe><a href='javascript:alert(3)'>html</a>"
    " ![picture](http://evil.invalid/p.png) [words](javascript:alert(4)) <http://evil.invalid/auto>"
    " http://evil.invalid/bare $x^2$ $$y$$ :material/bug_report: :skull: :red[coloured] `code` **bold** -> <b>tag</b>"
    " \x1b[2J \u202egnp.exe =HYPERLINK('http://evil.invalid')"
)
NAME = f"cook {EVIL}"
SHORT = "cook <img src=x onerror=alert(5)> $z^2$ :skull: [w](javascript:alert(6)) \u202eexe"
# what hostile text must not have become, anywhere on a page
FOUND = """() => {
  const bad = [];
  const all = selector => [...document.querySelectorAll(selector)];
  for (const each of all('[src], [href]')) {
    const to = new URL(each.src || each.href || '', location.href);
    const opened = each.matches('[data-testid=stBaseLinkButton-secondary]');  // an occupation's page, if clicked
    if (!['http:', 'https:', 'data:', 'blob:'].includes(to.protocol)) bad.push(each.outerHTML.slice(0, 200));
    if (to.host.includes('evil') && !opened) bad.push(each.outerHTML.slice(0, 200));
  }
  for (const each of all('.katex, iframe, script:not([src])'))
    if (!each.matches('script') || /alert|evil/.test(each.textContent)) bad.push(each.outerHTML.slice(0, 200));
  for (const each of all('[onerror]')) bad.push(each.outerHTML.slice(0, 200));
  for (const each of all('[data-testid=stIconMaterial], span[role=img]'))
    if (each.textContent.trim() == 'bug_report') bad.push('icon');
  for (const each of all('strong, b, code, em, .stMarkdownColoredText'))
    if (['bold', 'tag', 'code'].includes(each.textContent) || (each.matches('.stMarkdownColoredText') &&
        each.textContent == 'coloured')) bad.push(each.outerHTML);
  const text = document.body.innerText + all('[aria-label], [title], table').map(each =>
    (each.getAttribute('aria-label') || '') + (each.getAttribute('title') || '') + each.textContent).join(' ');
  if (text.includes('\\u202e')) bad.push('an override of direction: ' +
    text.slice(Math.max(0, text.indexOf('\\u202e') - 60), text.indexOf('\\u202e') + 20));
  if (text.includes('\\u{1F480}')) bad.push('an emoji');
  return bad;
}"""


def _taxonomy(folder: Path) -> Path:
    path = folder / "evil.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["concept_id", "language", "preferred", "alternatives", "parent", "description"])
        writer.writerow(["javascript:alert(7)", "en", NAME, f"chef {EVIL}", "5120", EVIL])
        writer.writerow([f"http://evil.invalid/{SHORT}", "en", f"baker {EVIL}", "", "7512", EVIL])
        writer.writerow(["group <b>", "en", f"group {EVIL}", "", "", EVIL])
        writer.writerow(["under", "en", f"waiter {EVIL}", "", "group <b>", EVIL])
    return path


def _records(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def _marketplace(folder: Path) -> list[Path]:
    shared = {
        "language": "en",
        "description": f"{EVIL}. Cooking, SQL.",
        "family": SHORT,
        "family_name": EVIL,
        "category": f"c {SHORT}",
        "category_name": EVIL,
        "country": "DE",
        "latitude": 52.5,
        "longitude": 13.4,
    }
    projects = [
        shared
        | {
            "id": f"p{n} {SHORT}",
            "title": f"{n} {NAME}",
            "job_title": EVIL,
            "mandatory": [EVIL, "SQL"],
            "bonus": [SHORT],
            "created": "2026-01-01",
        }
        for n in range(6)
    ]
    freelancers = [
        shared
        | {"id": f"f{n} {SHORT}", "title": f"{n} {NAME}", "experience": EVIL, "skills": [EVIL, SHORT], "day_rate": 300}
        for n in range(12)
    ]
    answers = [
        {"project": p["id"], "freelancer": f["id"], "positive": n % 2}
        for p in projects
        for n, f in enumerate(freelancers[:4])
    ]
    return [
        _records(folder / "p.jsonl", projects),
        _records(folder / "f.jsonl", freelancers),
        _records(folder / "i.jsonl", answers),
    ]


def _labels(settings: Settings) -> None:
    provenance = Provenance(policy="uncertain", model=SHORT, rank=1, score=0.5)
    pairs = [Pair(PairKind.PROJECT_FREELANCER, "demo", f"p{n} {SHORT}", f"f{n} {SHORT}") for n in range(4)]
    pairs += [Pair(PairKind.TITLE_OCCUPATION, "evil-1", NAME, "javascript:alert(7)")]
    judgments = [
        Judgment(str(uuid4()), pair, verdict, annotator, datetime.now(UTC), provenance, reasons=(SHORT,), note=EVIL)
        for annotator, verdict in ((f"ann {SHORT}", Verdict.POSITIVE), (f"bob {SHORT}", Verdict.NEGATIVE))
        for pair in pairs
    ]
    with LabelStore.open(settings.label_store) as store:
        store.record_all(judgments)
        store.write_guidelines(f"# {EVIL}\n- {EVIL}\n\n{EVIL}", SHORT)
        Snapshots(settings).freeze(store.as_recorded())


def _model(settings: Settings) -> None:
    folder = settings.home / "models" / SHORT.replace("/", "|")
    folder.mkdir(parents=True)
    config = {"tower": {}, "sections": {}, "backbone": EVIL, "backbone_name": EVIL, "dimension": 1}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    (folder / "model.safetensors").write_bytes(NO_WEIGHTS)
    (folder / "report.json").write_text(json.dumps({"recipe": {"name": EVIL}, "created": EVIL, "start": EVIL}), "utf-8")


@pytest.fixture(scope="module")
def evil_home(linker_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a home in which every text is hostile."""
    folder = tmp_path_factory.mktemp("evil")
    home = folder / "home"
    shutil.copytree(linker_home, home)
    settings, environment = Settings(home), {"JOBMATCH_HOME": str(home), "JOBMATCH_DB": ""}
    projects, freelancers, interactions = map(str, _marketplace(folder))
    for words in (
        ["taxonomy", "import", str(_taxonomy(folder)), "--name", f"evil {SHORT}", "--version", "1"],
        ["taxonomy", "import", str(folder / "evil.csv"), "--name", "evil", "--version", "1"],
        [
            "marketplace",
            "import",
            "--projects",
            projects,
            "--freelancers",
            freelancers,
            "--interactions",
            interactions,
            "--name",
            "demo",
        ],
    ):
        done = CliRunner().invoke(command_line, words, env=environment)
        assert done.exit_code == 0, (words, done.output, done.exception)
    for path in (home / "taxonomies").glob("evil*/manifest.json"):
        manifest = json.loads(path.read_text("utf-8"))
        path.write_text(json.dumps(manifest | {"name": NAME, "version": SHORT, "attribution": EVIL}), "utf-8")
    _labels(settings)
    _model(settings)
    ResultStore.open(settings).save(make_evaluation(system=SHORT, dataset=f"deu_q_de_c_de {SHORT}"))
    return home


@pytest.fixture(scope="module")
def evil_address(evil_home: Path) -> Iterator[str]:
    """Where the app runs over that home."""
    with _running_app(evil_home) as address:
        yield address


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser of a user who was never here."""
    context = browser.new_context(viewport={"width": 1280, "height": 1600})
    context.set_default_timeout(60_000)
    yield context
    context.close()


_CALM = quote(SHORT)
PATHS = [
    "/?taxonomy=evil-1&title=cook",
    f"/?taxonomy={_CALM}&title={quote(NAME)}&show={_CALM}&view={_CALM}",
    "/?taxonomy=evil-1&view=many",
    "/taxonomies",
    "/taxonomies?taxonomy=evil-1&section=browse",
    f"/taxonomies?taxonomy=evil-1&section=browse&occupation={quote('javascript:alert(7)')}",
    f"/taxonomies?taxonomy={_CALM}&section=browse&occupation={_CALM}&group={_CALM}",
    "/taxonomies?section=import",
    "/find_freelancers",
    "/find_freelancers?view=map",
    f"/find_freelancers?marketplace={_CALM}&project={_CALM}&model={_CALM}",
    f"/find_freelancers?project={quote(f'p1 {SHORT}')}",
    "/label_pairs",
    "/label_pairs?view=agreement",
    "/label_pairs?view=history",
    f"/label_pairs?marketplace={_CALM}&annotator={_CALM}&queue={_CALM}",
    "/train_models",
    f"/train_models?for=linking&snapshot={_CALM}&recipe={_CALM}&model={_CALM}",
    "/scoreboard",
    "/scoreboard?section=queries",
    "/scoreboard?section=overlap",
    f"/scoreboard?task={_CALM}&dataset={_CALM}&first={_CALM}",
    "/latent_map",
    "/latent_map?what=freelancers",
    "/job_descriptions?taxonomy=evil-1",
]


@pytest.mark.long
def test_texts_stay_texts(context: BrowserContext, evil_address: str) -> None:
    """Page by page; what came of it is gathered, and all of it told at the end."""
    faults: list[str] = []
    page = context.new_page()
    host, at = urlsplit(evil_address).netloc, ""

    def asked(request: Request) -> None:
        if request.url.startswith("http") and urlsplit(request.url).netloc != host:
            faults.append(f"{at} asks {request.url}")

    page.on("request", asked)
    page.on("dialog", lambda dialog: (faults.append(f"{at} opens {dialog.message}"), dialog.dismiss()))
    visible = 0
    for at in PATHS:
        page.goto(evil_address + at)
        settle(page)
        _open_all(page)
        faults += [f"{at} shows {each}" for each in page.evaluate(FOUND)]
        if page.get_by_test_id("stException").count():
            faults.append(f"{at} breaks: {page.get_by_test_id('stException').first.inner_text()[:300]}")
        visible += page.get_by_text("⟨U+202E⟩").count() > 0
    assert not faults, "\n".join(faults)
    assert visible >= 8  # so the texts were there


def _open_all(page: Page) -> None:
    """Open what is folded, a few at most."""
    page.evaluate("""() => [...document.querySelectorAll('details:not([open]) > summary')].slice(0, 6)
      .forEach(summary => summary.click())""")
    settle(page)
