"""Pictures of the pages for the documents, taken in Chromium from an app over the home of a demo."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from PIL import Image

from jobmatch_core.errors import SettingsError
from jobmatch_core.settings import Settings
from lab.speed.demo_pages import PAGES, open_demo
from lab.speed.page_walk import take_walk

_COLOURS = 200
_WALK = "walk"


def take_pictures(folder: Path, only: Sequence[str] = (), settings: Settings | None = None) -> list[Path]:
    """Write the pictures of pages, and the walk through them, to the folder of the documents; return their files.

    Args:
        folder: folder of the documents.
        only: names of pictures, such as 'search' or 'walk'; all without any.
        settings: locations of a demo, in which a crosswalk is begun and an audit made; from the environment by default.

    Raises:
        SettingsError: the home is not a demo's, there is no such picture, or there is no Chromium.
        LinkingError: the app did not start.
    """
    names = (*PAGES, _WALK)
    if unknown := set(only) - set(names):
        raise SettingsError(f"There is no picture {min(unknown)!r}; choose from: {', '.join(names)}.")
    written = []
    with open_demo(settings or Settings.from_environment()) as demo:
        for picture in only or names:
            if picture == _WALK:
                written.append(take_walk(demo, folder / f"{_WALK}.webp"))
                continue
            demo.open(picture)
            name = "screenshot" if picture == "review_desk" else f"pages/{picture}"
            written.append(write_picture(demo.page.screenshot(), folder / f"{name}.png"))
    return written


def write_picture(png: bytes, path: Path) -> Path:
    """Write a picture in few colours without dithering, which takes a third of the size; return its file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    image = Image.open(BytesIO(png)).convert("RGB")
    image.quantize(_COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    return path
