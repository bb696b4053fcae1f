"""Pictures of the pages for the documents, taken in Chromium from an app over the home of a demo."""

import re
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, ViewportSize, expect

from jobmatch.services.demo_home import read_demo
from jobmatch_core.crosswalks.store import CrosswalkStore
from jobmatch_core.errors import SettingsError
from jobmatch_core.settings import Settings
from lab.speed.chromium import open_page
from lab.speed.running_server import running_server

_WINDOW = ViewportSize(width=1280, height=860)
_COLOURS = 200
_DRAWN_MS = 3000  # charts are drawn after the script has ended
# picture -> its file in docs/, and the path of a page; {list} and {crosswalk} are the ids of a stored one
_PICTURES = {
    "review_desk": ("screenshot.png", "/?view=many&list={list}&taxonomy=isco-08"),
    "link_titles": ("pages/link_titles.png", "/?title=Krankenschwester"),
    "search": ("pages/search.png", "/search?query=someone+who+repairs+lifts"),
    "job_descriptions": ("pages/job_descriptions.png", "/job_descriptions?posting=care-worker"),
    "find_freelancers": ("pages/find_freelancers.png", "/find_freelancers"),
    "label_pairs": ("pages/label_pairs.png", "/label_pairs"),
    "train_models": ("pages/train_models.png", "/train_models?for=towers"),
    "latent_map": ("pages/latent_map.png", "/latent_map?what=freelancers&marketplace=demo&model=untrained&method=pca"),
    "taxonomies": ("pages/taxonomies.png", "/taxonomies?section=browse&group=2"),
    "crosswalks": ("pages/crosswalks.png", "/crosswalks?crosswalk={crosswalk}&code=4311"),
    "scoreboard": ("pages/scoreboard.png", "/scoreboard"),
    "audit": ("pages/audit.png", "/audit"),
}


def take_pictures(folder: Path, only: Sequence[str] = (), settings: Settings | None = None) -> list[Path]:
    """Write the pictures of pages to the folder of the documents; return their files.

    Args:
        folder: folder of the documents.
        only: names of pictures, such as 'search'; all without any.
        settings: locations of a demo, in which a crosswalk is begun and an audit made; from the environment by default.

    Raises:
        SettingsError: the home is not a demo's, there is no such picture, or there is no Chromium.
        LinkingError: the app did not start.
    """
    settings = settings or Settings.from_environment()
    demo = read_demo(settings)
    if demo is None:
        raise SettingsError(f"{settings.home} has no demo; make one with 'jobmatch demo --build-only'.")
    if unknown := set(only) - set(_PICTURES):
        raise SettingsError(f"There is no picture {min(unknown)!r}; choose from: {', '.join(_PICTURES)}.")
    crosswalks = CrosswalkStore.open(settings).listed()
    ids = {"list": demo.list_id, "crosswalk": crosswalks[0][0] if crosswalks else ""}
    command, written = ["jobmatch", "app", "--headless", "--port"], []
    with (
        running_server(command, "/_stcore/health", settings) as server,
        open_page(_WINDOW) as page,
    ):
        address = f"http://127.0.0.1:{server.port}"
        page.context.add_cookies([{"name": "jobmatch_annotator", "value": "Alex", "url": address}])
        for picture in only or _PICTURES:
            name, path = _PICTURES[picture]
            page.goto(f"{address}{path.format(**ids)}")
            _settle(page)
            if picture == "review_desk":  # its first titles are the oddest
                page.locator(".st-key-many_status").get_by_text(re.compile("^sure")).click()
                _settle(page)
            written.append(write_picture(page.screenshot(), folder / name))
    return written


def _settle(page: Page) -> None:
    page.wait_for_timeout(_DRAWN_MS)
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)


def write_picture(png: bytes, path: Path) -> Path:
    """Write a picture in few colours without dithering, which takes a third of the size; return its file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    image = Image.open(BytesIO(png)).convert("RGB")
    image.quantize(_COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    return path
