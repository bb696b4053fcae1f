"""An animated walk through the app for the documents: what three people do in it, in ninety seconds."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from lab.speed.demo_pages import DemoPages

_CAPTION_HEIGHT, _CAPTION_SIZE, _MARGIN = 56, 26, 24
_INK, _PAPER = "#ffffff", "#1f2937"
_QUALITY = 55


class Scene(NamedTuple):
    """A line of text that stays for some seconds, after a page was opened or a key was pressed on the last one."""

    caption: str
    seconds: float
    page: str = ""
    key: str = ""


SCENES = (
    Scene("Type a job title in any language.", 7, "link_titles"),
    Scene("Or upload a list: every row has its occupation, how sure it is, and why.", 8, "review_desk"),
    Scene("A accepts what is shown, and the next row comes up: one key is one decision.", 3, key="a"),
    Scene("Decisions hold for next month's list.", 3, key="a"),
    Scene("The download has every decision, with who made it.", 6, key="a"),
    Scene("Paste a posting: occupations and skills, and the sentences that decide.", 9, "job_descriptions"),
    Scene("Find freelancers for a project, with the reasons for their order.", 9, "find_freelancers"),
    Scene("Judge pairs, alone or with others: keys, agreement, disputes.", 8, "label_pairs"),
    Scene("Judgments train models; a new one is compared with the one in use.", 8, "train_models"),
    Scene("See the space that the models work in.", 8, "latent_map"),
    Scene("Map a national list to occupations, and exchange it as SSSOM.", 7, "crosswalks"),
    Scene("Compare with the published results.", 7, "scoreboard"),
    Scene("Audit what a model does when only a gendered form or a name changes.", 7, "audit"),
)


def take_walk(demo: DemoPages, path: Path) -> Path:
    """Write the walk as an animated WebP; return its file."""
    frames = list(_frames(demo))
    path.parent.mkdir(parents=True, exist_ok=True)
    frames[0].save(
        path,
        save_all=True,
        append_images=frames[1:],
        duration=[round(1000 * scene.seconds) for scene in SCENES],
        loop=0,
        quality=_QUALITY,
    )
    return path


def _frames(demo: DemoPages) -> Iterator[Image.Image]:
    for scene in SCENES:
        if scene.page:
            demo.open(scene.page)
        else:
            demo.page.keyboard.press(scene.key)
            demo.settle()
        yield captioned(demo.page.screenshot(), scene.caption)


def captioned(png: bytes, caption: str) -> Image.Image:
    """Return a picture with a line of text below it."""
    window = Image.open(BytesIO(png)).convert("RGB")
    frame = Image.new("RGB", (window.width, window.height + _CAPTION_HEIGHT), _PAPER)
    frame.paste(window)
    middle = window.height + _CAPTION_HEIGHT // 2
    ImageDraw.Draw(frame).text((_MARGIN, middle), caption, _INK, ImageFont.load_default(_CAPTION_SIZE), anchor="lm")
    return frame
