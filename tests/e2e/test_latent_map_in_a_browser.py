"""The map as a data scientist uses it: a lasso around thirty points, exactly those in the table, then labelled."""

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from jobmatch_core.entities import FloatArray
from jobmatch_core.maps.latent_map import LatentMap, make_map
from jobmatch_core.maps.market_items import freelancer_items
from jobmatch_core.maps.projection import Method, ProjectionSetting
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from tests.e2e.conftest import OpenPage, settle
from tests.e2e.test_accessibility import THEMES, findings
from tests.e2e.test_in_a_browser import no_traceback

_PAGE = "/latent_map?what=freelancers&marketplace=demo&model=untrained&method=pca"
_WANTED = 30
_FIRST_MAP_MS = 180_000  # models are loaded and everything is encoded
# where data are on the screen: Plotly's own axes say it
_TO_SCREEN = """places => {
    const plot = document.querySelector('.st-key-map_chart .js-plotly-plot'), layout = plot._fullLayout;
    const box = plot.getBoundingClientRect(), x = layout.xaxis, y = layout.yaxis;
    return places.map(p => [box.left + x._offset + x.l2p(p[0]), box.top + y._offset + y.l2p(p[1])]);
}"""


@pytest.fixture
def latent(home: Path) -> LatentMap:
    """The same map as the app's, of a small demo marketplace."""
    settings = Settings(home)
    store = MarketplaceStore.open(settings)
    taxonomy = TaxonomyStore.open(settings).load(BUNDLED_ID)
    if not store.installed():
        spec = DemoSpec(projects=40, freelancers=300)
        store.save("demo", demo_blocks(taxonomy, spec), origin=spec.origin(taxonomy), generated=True)
    items = freelancer_items(store.load("demo"), taxonomy)
    return make_map(items, "untrained", ProjectionSetting(Method.PCA), settings)


def rectangle(positions: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the corners of a rectangle around thirty points, as far as can be from any other, and their rows."""
    spread = positions.std(axis=0)
    best: tuple[float, FloatArray, FloatArray] | None = None
    for centre in positions:
        reach = np.abs((positions - centre) / spread).max(axis=1)
        order = np.argsort(reach)
        gap = float(reach[order[_WANTED]] - reach[order[_WANTED - 1]])
        half = (reach[order[_WANTED]] + reach[order[_WANTED - 1]]) / 2 * spread
        if best is None or gap > best[0]:
            corners = centre + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
            best = gap, corners, order[:_WANTED]
    assert best is not None
    return best[1], best[2]


def emptiness(positions: FloatArray) -> FloatArray:
    """Return the corners of a rectangle that no point lies in: around the place that is farthest from all."""
    low, high = positions.min(axis=0), positions.max(axis=0)
    steps = np.linspace(low, high, 30)
    places = np.stack(np.meshgrid(*steps.T), axis=-1).reshape(-1, 2)
    reach = (np.abs(places[:, None] - positions[None]) / (high - low)).max(axis=2).min(axis=1)
    half = reach.max() * 0.8 * (high - low)
    corners = places[reach.argmax()] + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    return np.clip(corners, low, high)  # within the map's frame, where a drag draws


def lasso(page: Page, corners: FloatArray) -> None:
    """Draw around a part of the map, as a hand does, with all of the map in view."""
    page.locator(".st-key-map_chart .js-plotly-plot").evaluate("each => each.scrollIntoView({block: 'center'})")
    page.locator(".st-key-map_chart .modebar-btn[data-val='lasso']").click()
    places = page.evaluate(_TO_SCREEN, corners.tolist())
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in [*places[1:], places[0]]:
        page.mouse.move(*place, steps=8)
    page.mouse.up()


@pytest.mark.long
def test_a_lasso_selects_exactly_its_points_and_sends_them(open_page: OpenPage, latent: LatentMap) -> None:
    """Thirty points; the table has their ids and no other; their pairs with a project wait on 'Label pairs'."""
    page = open_page(_PAGE, "Ann")
    chart = page.locator(".st-key-map_chart .js-plotly-plot")
    expect(chart).to_be_visible(timeout=_FIRST_MAP_MS)
    expect(page.get_by_text("trustworthiness")).to_be_visible()
    corners, rows = rectangle(latent.positions)
    lasso(page, corners)
    expect(page.get_by_text(f"{_WANTED} selected")).to_be_visible()
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        assert findings(page, "/latent_map", theme) == []
    page.get_by_role("button", name="Download the selection").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV", exact=True).click()
    found = csv.DictReader(io.StringIO(Path(download.value.path()).read_text("utf-8-sig")))
    assert {row["id"] for row in found} == {latent.items.ids[row] for row in rows.tolist()}
    page.keyboard.press("Escape")
    lasso(page, emptiness(latent.positions))
    expect(page.get_by_text("The area contains no points")).to_be_visible()
    expect(page.get_by_text(f"{_WANTED} selected")).to_have_count(0)
    settle(page)
    lasso(page, corners)
    expect(page.get_by_text(f"{_WANTED} selected")).to_be_visible()
    expect(page.get_by_text("The area contains no points")).to_have_count(0)
    settle(page)
    page.get_by_role("button", name=f"Label {_WANTED} pairs").click()
    expect(page.locator(".st-key-label_choices")).to_contain_text(f"Chosen pairs ({_WANTED})")
    expect(page.get_by_text(f"{_WANTED} left in this queue")).to_be_visible()
    expect(page.get_by_text("Why this pair: map")).to_be_visible()
    no_traceback(page)


@pytest.mark.thorough
def test_occupations_are_searched_and_coloured(open_page: OpenPage) -> None:
    """The page opens on a picture; what is looked for is in the middle."""
    page = open_page("/latent_map?method=pca&colour=language&find=nurse")
    expect(page.locator(".st-key-map_chart .js-plotly-plot")).to_be_visible(timeout=_FIRST_MAP_MS)
    expect(page.get_by_text("language mixing")).to_be_visible()
    no_traceback(page)
