"""The demo marketplace that a newcomer finds."""

from functools import partial
from pathlib import Path

import pytest

from jobmatch_core.errors import MarketplaceError
from jobmatch_core.marketplace.demo import generator
from jobmatch_core.marketplace.demo.generator import DEMO, DemoSpec, install_demo
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings


def test_it_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is marked as generated, and never replaces another one."""
    monkeypatch.setattr(generator, "DemoSpec", partial(DemoSpec, projects=2, freelancers=5))
    settings, steps = Settings(tmp_path), []
    manifest = install_demo(settings, progress=lambda done, total: steps.append((done, total)))
    assert (manifest.name, manifest.generated) == (DEMO, True)
    assert (manifest.counts["projects"], manifest.counts["freelancers"]) == (2, 5)
    assert steps[-1] == (7, 7)
    assert [manifest.name for manifest in MarketplaceStore.open(settings).installed()] == [DEMO]
    with pytest.raises(MarketplaceError, match="already"):
        install_demo(settings)


def test_its_size() -> None:
    """The numbers are those of the tutorials."""
    assert (DemoSpec().projects, DemoSpec().freelancers) == (500, 5000)
