"""Pictures of the pages: only of a demo, light, and all of them shown in the documents."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from jobmatch_core.errors import SettingsError
from jobmatch_core.settings import Settings
from lab.speed.page_pictures import take_pictures, write_picture


def test_only_a_demo_is_shown(tmp_path: Path) -> None:
    """No list or label of a user gets into a picture by mistake."""
    with pytest.raises(SettingsError, match="has no demo"):
        take_pictures(tmp_path, settings=Settings(tmp_path))


def test_a_picture_keeps_its_size_in_pixels_and_loses_bytes(tmp_path: Path) -> None:
    """A gradient of many colours becomes one of at most 200."""
    colours = np.arange(256 * 256 * 3, dtype=np.uint32).reshape(256, 256, 3) % 251
    png = BytesIO()
    Image.fromarray(colours.astype(np.uint8)).save(png, "PNG")
    path = write_picture(png.getvalue(), tmp_path / "pages" / "one.png")
    with Image.open(path) as written:
        assert written.size == (256, 256)
        assert len(written.getcolors() or ()) in range(2, 201)
    assert path.stat().st_size < len(png.getvalue())
