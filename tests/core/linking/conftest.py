"""Linkers for tests: the bundled taxonomy's, built once, and that of a tiny taxonomy."""

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.entities import FloatArray
from jobmatch_core.linking import Linker, batch, open_linker
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.taxonomy.taxonomy import Taxonomy
from tests.core.linking.made_files import TEXT_ROWS, StandIn, write

TINY = """concept_id,language,preferred,alternatives,parent,description
cook,en,cook,line cook|short order cook,5120,Prepares meals.
cook,de,Koch/Köchin,,5120,
cook,fr,cuisinier,cuisinière,5120,
baker,en,baker,bread baker,7512,
baker,de,Bäcker,Bäckerin,7512,
baker,fr,boulanger,boulangère,7512,
nurse,en,nurse,registered nurse,2221,
nurse,de,Krankenpfleger,Krankenschwester,2221,
nurse,fr,infirmier·ère,,2221,
welder,en,welder,,7212,
welder,de,Schweißer,,7212,
electrician,en,electrician,,7411,
electrician,de,Elektriker,Elektrikerin,7411,
electrician,fr,électricien,électricienne,7411,
shop,en,shop assistant,sales assistant,5223,
shop,de,Verkäufer/in,,5223,
shop,fr,vendeur(se),,5223,
waiter,en,waiter,waitress,5131,
waiter,de,Kellner,Kellnerin,5131,
waiter,fr,serveur,serveuse,5131,
bar,en,bartender,barkeeper,5132,
bar,de,Barkeeper,,5132,
bar,fr,barman,,5132,
app,en,app developer,developer,2512,
app,de,App-Entwickler,Entwickler,2512,
app,fr,développeur mobile,,2512,
backend,en,backend developer,developer,2512,
backend,de,Backend-Entwickler,Entwickler,2512,
backend,fr,développeur backend,,2512,
accountant,en,accountant,,2411,
accountant,de,Buchhalter,,2411,
accountant,fr,comptable,,2411,
drivers,en,drivers,vehicle people,8331,
bus,en,bus driver,,drivers,
bus,de,Busfahrer,Busfahrerin,drivers,
bus,fr,conducteur de bus,conductrice de bus,drivers,
"""


class LetterEncoder:
    """A tiny encoder: L2-normalised counts of letters, hashed into 32 columns."""

    def __init__(self, name: str = "letters") -> None:
        self.name = name
        self.n_texts = 0

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors, shape (len(texts), 32)."""
        self.n_texts += len(texts)
        vectors = np.zeros((len(texts), 32), dtype=np.float32)
        for row, text in enumerate(texts):
            for letter in text:
                vectors[row, ord(letter) % 32] += 1
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.maximum(norms, 1e-9)


@pytest.fixture(scope="session")
def settings(lexical_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Return the settings of a home that the session shares; read it only."""
    home = tmp_path_factory.mktemp("home") / "home"
    return Settings(shutil.copytree(lexical_home, home, copy_function=os.link))


@pytest.fixture(scope="session")
def lexical(settings: Settings) -> Linker:
    """Open the bundled taxonomy's linker without an encoder, built and calibrated once."""
    return open_linker(encoder=None, settings=settings)


@pytest.fixture(scope="session")
def tiny_csv(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the tiny taxonomy's CSV."""
    path = tmp_path_factory.mktemp("source") / "tiny.csv"
    path.write_text(TINY, "utf-8")
    return path


@pytest.fixture(scope="session")
def tiny_taxonomy(settings: Settings, tiny_csv: Path) -> Taxonomy:
    """Import the tiny taxonomy: 12 occupations in three languages."""
    store = TaxonomyStore.open(settings)
    return store.load(store.import_from(tiny_csv, name="tiny", version="1").id)


@pytest.fixture(scope="session")
def tiny_index(tiny_taxonomy: Taxonomy) -> NameIndex:
    """Index the tiny taxonomy's names in memory, without an encoder."""
    return NameIndex.build(tiny_taxonomy)


@pytest.fixture(scope="session")
def tiny(settings: Settings, tiny_taxonomy: Taxonomy) -> Linker:
    """Open the tiny taxonomy's linker with the shipped encoder."""
    return open_linker(tiny_taxonomy.id, settings=settings)


@pytest.fixture(scope="session")
def tiny_lexical(settings: Settings, lexical: Linker, tiny_taxonomy: Taxonomy) -> Linker:
    """Open the tiny taxonomy's linker without an encoder, with the bundled taxonomy's calibration."""
    return open_linker(tiny_taxonomy.id, encoder=None, settings=settings)


@pytest.fixture(scope="session")
def tiny_fitted(tiny_taxonomy: Taxonomy, tiny_index: NameIndex) -> Linker:
    """Fit the tiny taxonomy's linker on its own names, without an encoder."""
    return Linker(tiny_taxonomy, tiny_index, Calibration.fit(tiny_index))


@pytest.fixture(scope="session")
def make_encoder() -> Callable[[str], LetterEncoder]:
    """Return a function from a name to an encoder."""
    return LetterEncoder


@pytest.fixture(scope="session")
def letters() -> LetterEncoder:
    """Return a tiny encoder."""
    return LetterEncoder()


@pytest.fixture
def stand_in() -> StandIn:
    """Return a stand-in for the linker."""
    return StandIn()


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make parts of two rows."""
    monkeypatch.setattr(batch, "PART_ROWS", 2)


@pytest.fixture
def seven(tmp_path: Path) -> Path:
    """Write seven rows as CSV: four parts of two."""
    return write(tmp_path / "seven.csv", TEXT_ROWS)


@pytest.fixture
def lexical_environment(lexical_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the home whose indexes have no encoder, and thus open fast, the default."""
    monkeypatch.setenv("JOBMATCH_HOME", str(lexical_home))
