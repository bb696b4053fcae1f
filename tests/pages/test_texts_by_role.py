"""Texts, buttons and links of all pages by role: none offers what the role may not do."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.text_format import MessageToString
from streamlit.testing.v1 import AppTest

from db.label_store import LabelStore
from jobmatch.access.permissions import ACTIONS
from jobmatch.access.principal import Role
from jobmatch.services.search_log import Ranking, shown_search
from jobmatch_core.entities import Pair, PairKind, Verdict
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.search_events import SearchKind
from pages.shared.page_list import PAGES
from tests.db.made_judgments import make_judgment
from tests.made_results import write_melo
from tests.pages.conftest import ROOT, TINY_ID
from tests.pages.find_freelancers.conftest import market, market_home  # noqa: F401
from tests.pages.observed import link_list
from tests.pages.test_sign_in import become, server  # noqa: F401  # people sign in

# what is said or offered only to those who may take an action
ONLY_FOR = {
    "judge": (
        "This is right",
        "None of these",
        "Accept ",
        "Decide on",
        "is enough",
        "pick_1",
        "Pick another occupation",
        "Your verdicts",
        "Undo",
        'label: "Right"',
        'label: "Fits"',
        "find_judge_",
        "describe_judge_",
        "accept the first",
    ),
    "settle": ("Settle", "Choose 'Edit'"),
    "measure": ("Measure a system", "Repeat existing measurements", "Encoders to measure"),
    "administer": (
        "under 'Import'",
        "Import one on the page 'Taxonomies'",
        "Erase all",
        "Export for training",
        "remove_tiny-1",
        "Keys for programs",
    ),
}
# page -> its addresses, where it draws more than one view
VISITS: dict[str, list[dict[str, str]]] = {
    "link_titles": [{"title": "nurse"}, {"title": "manager"}],
    "search": [{"query": "nurse"}],
    "job_descriptions": [{"section": "models"}],
    "find_freelancers": [{}, {"view": "compare"}],
    "label_pairs": [{"view": "history"}, {"view": "agreement"}],
    "latent_map": [{"what": "labels"}],
    "scoreboard": [
        {},
        {"section": "queries"},
        {"task": "melo", "section": "measure"},
        {"task": "search"},
        {"task": "own-titles"},
    ],
}


@pytest.fixture
def home_of_many(home: Path, market: MarketplaceStore) -> Path:  # noqa: F811
    """A home with a marketplace, a search, disagreements, and a dataset to measure on."""
    write_melo(home / "benchmarks" / "melo")
    with LabelStore.open(home / "jobmatch.db") as store:
        shown = shown_search(
            SearchKind.OCCUPATIONS, TINY_ID, "nurse", Ranking("model", ("x",)), session="s", varied=False
        )
        store.record_search(shown, "x" * 22)
        for number in range(4):
            pair = Pair(PairKind.TITLE_TITLE, "", f"nurse {number}", "carer")
            store.record_all([make_judgment(annotator="Ann", pair=pair), make_judgment(Verdict.NEGATIVE, "Bob", pair)])
    return home


def nodes(block: object) -> Iterator[object]:
    """Yield all elements and boxes of a page."""
    yield block
    for child in getattr(block, "children", {}).values():
        yield from nodes(child)


def words(app: AppTest) -> str:
    """Return every label, text, help and key of a page, as the protocol has them."""
    protos = [getattr(node, "proto", None) for node in nodes(app._tree)]
    said = "\n".join(MessageToString(proto, as_utf8=True) for proto in protos if proto is not None)
    return said.replace("\\'", "'").replace('\\"', '"')


def visited(page: str) -> Iterator[AppTest]:
    """Open a page at each of its addresses."""
    for parameters in VISITS.get(page, [{}]):
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        app.query_params.update({"taxonomy": TINY_ID} | parameters)
        if page == "link_titles":
            yield app.run()
        else:
            yield app.switch_page(f"pages/{page}/{page}.py").run()
    if page == "link_titles":
        app = link_list(AppTest.from_file(str(ROOT / "app.py"), default_timeout=60), "nurse", "cook", "qwertz")
        yield app
        yield app.text_input(key="many_search").set_value("r").run()
    if page == "label_pairs":
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        app.switch_page("pages/label_pairs/label_pairs.py").run()
        app.button(key="label_guidelines").click().run()
        yield app.segmented_control(key="label_guidelines_view").set_value("Earlier versions").run()


def pages_of(role: Role) -> list[str]:
    """Return the pages that a role may open."""
    return [page for page, entry in PAGES.items() if role.reaches(entry.role)]


@pytest.mark.parametrize(
    "role", [Role.VIEWER, *(pytest.param(role, marks=pytest.mark.long) for role in Role if role is not Role.VIEWER)]
)
def test_nothing_is_promised_that_a_role_may_not_do(
    home_of_many: Path, monkeypatch: pytest.MonkeyPatch, role: Role
) -> None:
    """No text, button or link offers what the role may not do."""
    become(monkeypatch, role)
    refused = {action: phrases for action, phrases in ONLY_FOR.items() if not role.reaches(ACTIONS[action])}
    closed = {page for page, entry in PAGES.items() if not role.reaches(entry.role)}
    for page in pages_of(role):
        for app in visited(page):
            assert not app.exception, page
            said = words(app)
            promised = [phrase for phrases in refused.values() for phrase in phrases if phrase in said]
            assert promised == [], page
            assert {link.proto.page for link in app.get("page_link")} & closed == set(), page


@pytest.mark.thorough
def test_administrators_are_told_all_of_it(home_of_many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The phrases that the test above looks for occur on the pages."""
    become(monkeypatch, Role.ADMIN)
    said = "\n".join(words(app) for page in PAGES for app in visited(page))
    missing = [phrase for phrases in ONLY_FOR.values() for phrase in phrases if phrase not in said]
    assert missing == []
