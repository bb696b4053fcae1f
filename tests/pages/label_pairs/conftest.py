"""A small marketplace to label, its store, and the page 'Label pairs' opened by an annotator."""

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

import pytest
from streamlit.testing.v1 import AppTest

from db.label_store import LabelStore
from jobmatch.services import annotation_desk, matching
from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance, Verdict
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.model_store.model_spec import UNTRAINED
from jobmatch_core.retrieval.freelancer_index import open_finder
from jobmatch_core.retrieval.match_models import load_match_model
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from jobmatch_core.towers.two_towers import TwoTowers

Open = Callable[..., AppTest]


@pytest.fixture(scope="session")
def label_home(installed_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a small demo marketplace whose freelancers are encoded; to be copied, not changed."""
    settings = Settings(tmp_path_factory.mktemp("label"))
    shutil.copytree(installed_home / "taxonomies", settings.home / "taxonomies")
    taxonomy, spec = TaxonomyStore.open(settings).load(BUNDLED_ID), DemoSpec(projects=12, freelancers=80)
    store = MarketplaceStore.open(settings)
    store.save("demo", demo_blocks(taxonomy, spec), origin=spec.origin(taxonomy), generated=True)
    open_finder("demo", load_match_model(UNTRAINED, settings), settings=settings)
    return settings.home


@pytest.fixture(scope="session")
def untrained(label_home: Path) -> TwoTowers:
    """The model, read once for all tests."""
    return load_match_model(UNTRAINED, Settings(label_home))


@pytest.fixture
def market(label_home: Path, untrained: TwoTowers, home: Path, monkeypatch: pytest.MonkeyPatch) -> MarketplaceStore:
    """The small demo marketplace in the test's own home."""
    monkeypatch.delenv("JOBMATCH_DB", raising=False)
    monkeypatch.setattr(matching, "load_match_model", lambda word, settings: untrained)
    for name in ("marketplaces", "vectors"):
        shutil.copytree(label_home / name, home / name, copy_function=os.link)
    return MarketplaceStore.open(Settings(home))


@pytest.fixture
def store(home: Path) -> Iterator[LabelStore]:
    """The store that the page writes to."""
    with LabelStore.open(Settings(home).label_store) as store:
        yield store


@pytest.fixture
def page(app: AppTest, market: MarketplaceStore, cookies: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Open:
    """Open the page as an annotator, with parameters in the address; verdicts count as soon as a pair is shown."""
    monkeypatch.setattr(annotation_desk, "SHORTEST_LOOK", 0.0)

    def opened(annotator: str = "me", **parameters: str) -> AppTest:
        cookies["jobmatch_annotator"] = quote(annotator)
        del app.query_params["taxonomy"]
        app.switch_page("pages/label_pairs/label_pairs.py")
        app.query_params.update(parameters)
        return app.run()

    return opened


def press(app: AppTest, verdict: Verdict) -> AppTest:
    """Press a verdict's button, whose key ends with the number of the pair."""
    [button] = [each for each in app.button if each.key and each.key.startswith(f"label_{verdict}_")]
    return button.click().run()


def seen(app: AppTest) -> tuple[str, str]:
    """Return the ids of the current pair."""
    app.session_state["label_ids"] = True
    app.run()
    left, right = app.code
    app.session_state["label_ids"] = False
    return str(left.value), str(right.value)


def progress(app: AppTest) -> str:
    """Return the text of the progress bar."""
    return str(app.get("progress")[0].proto.text)


def judgment(verdict: Verdict, annotator: str, right: str = "f1", *, day: int = 0, **more: object) -> Judgment:
    """Return a judgment of the demo's first project, given some days ago."""
    pair = Pair(PairKind.PROJECT_FREELANCER, "demo", "p000001", right)
    made = Judgment(
        str(uuid4()), pair, verdict, annotator, datetime.now(UTC) - timedelta(days=day), Provenance("random")
    )
    return replace(made, **more)
