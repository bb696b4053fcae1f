"""`python -m lab translate`: what it writes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from lab.translation import catalogues
from pages.shared.language import PAGES


def test_translations_stay_when_texts_are_added(
    cli: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The templates and the catalogues of each language are written; what was translated before is not lost."""
    real = catalogues.template_path(PAGES)
    monkeypatch.setattr(catalogues, "template_path", lambda kind: tmp_path / f"{kind}.pot")
    monkeypatch.setattr(catalogues, "catalogue_path", lambda code, kind: tmp_path / code / f"{kind}.po")
    assert cli("translate").exit_code == 0
    french = catalogues.read(tmp_path / "fr" / "pages.po", "fr")
    french["Search"].string = "Recherche"
    (tmp_path / "fr" / "pages.po").write_bytes(catalogues.written(french, PAGES))
    left = len(french) - 1 + len(catalogues.read(tmp_path / "fr" / "core.po", "fr"))
    assert f"{left:,}" in cli("translate").stdout
    assert catalogues.read(tmp_path / "fr" / "pages.po", "fr")["Search"].string == "Recherche"
    assert (tmp_path / "pages.pot").read_bytes() == real.read_bytes()
