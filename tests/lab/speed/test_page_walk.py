"""The animated walk: ninety seconds of pages that exist, each with its line."""

from io import BytesIO
from pathlib import Path

from PIL import Image

from lab.speed.demo_pages import PAGES
from lab.speed.page_walk import SCENES, captioned

ROOT = Path(__file__).parents[3]


def test_the_walk_takes_ninety_seconds_and_begins_with_a_page() -> None:
    """A key is pressed on a page that a scene before has opened."""
    assert sum(scene.seconds for scene in SCENES) == 90
    assert SCENES[0].page
    assert all((scene.page in PAGES) != bool(scene.key) for scene in SCENES)


def test_a_caption_stands_below_the_window() -> None:
    """The picture of the window stays as it is; the line is drawn on a strip of its own."""
    window = BytesIO()
    Image.new("RGB", (800, 100), "#ffffff").save(window, "PNG")
    frame = captioned(window.getvalue(), "Type a job title in any language.")
    assert frame.width == 800
    assert frame.crop((0, 0, 800, 100)).getcolors() == [(80_000, (255, 255, 255))]
    strip = frame.crop((0, 100, 800, frame.height))
    assert len(strip.getcolors(100_000) or ()) > 2  # letters, smoothed, on the colour of the strip


def test_captions_fit_the_window() -> None:
    """The longest line ends before the right margin."""
    window = BytesIO()
    Image.new("RGB", (1280, 10)).save(window, "PNG")
    longest = max((scene.caption for scene in SCENES), key=len)
    frame = captioned(window.getvalue(), longest)
    assert frame.crop((1256, 10, 1280, frame.height)).getcolors(100_000) == [(24 * (frame.height - 10), (31, 41, 55))]


def test_the_documents_show_this_walk() -> None:
    """Its file has a picture for each scene, which stays as long as the scene says."""
    with Image.open(ROOT / "docs" / "walk.webp") as walk:
        shown = []
        for frame in range(getattr(walk, "n_frames", 1)):
            walk.seek(frame)
            walk.load()
            shown.append(walk.info["duration"] / 1000)
    assert shown == [scene.seconds for scene in SCENES]
