"""`python -m lab translate`: what it writes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from lab.translation import catalogues


def test_translations_stay_when_texts_are_added(
    cli: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The template and a catalogue of each language are written; what was translated before is not lost."""
    monkeypatch.setattr(catalogues, "TEMPLATE", tmp_path / "pages.pot")
    monkeypatch.setattr(catalogues, "catalogue_path", lambda code: tmp_path / code / "pages.po")
    assert cli("translate").exit_code == 0
    french = catalogues.read(tmp_path / "fr" / "pages.po", "fr")
    french["Search"].string = "Recherche"
    (tmp_path / "fr" / "pages.po").write_bytes(catalogues.written(french))
    left = len(french) - 1
    assert f"{left:,}" in cli("translate").stdout
    assert catalogues.read(tmp_path / "fr" / "pages.po", "fr")["Search"].string == "Recherche"
    assert (tmp_path / "pages.pot").read_bytes() == catalogues.TEMPLATE.read_bytes()
