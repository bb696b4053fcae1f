"""What the processes do that are killed; each says through a pipe when it begins, and what it has done.

It imports what takes long before any of them is forked.
"""

from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import torch

from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.linking.batch import link_file
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.towers.tower_training import train_towers
from tests.core.linking.made_files import TITLED
from tests.core.towers.made_towers import MARKETPLACE, RECIPE, Words

TAXONOMY, VERSION = "jobs", "1"
TITLE = "title"


def import_taxonomies(home: Path, sources: list[Path], said: Connection) -> None:
    """Import one after the other in place of the one before, without end; say the hash of each that is there."""
    store = TaxonomyStore.open(Settings(home))
    said.send("")
    while True:
        for source in sources:
            said.send(store.import_from(source, name=TAXONOMY, version=VERSION, replace=True).source_hash)


def link_titles(home: Path, source: Path, out: Path, said: Connection) -> None:
    """Link a file, going on where an earlier run stopped; say how many rows there were."""
    linker = lexical_linker(home)
    said.send("")
    said.send(str(link_file(linker, source, out, layout=TITLED, resume=True)))


def lexical_linker(home: Path) -> Linker:
    """Open a linker by letters and words alone, which opens fast."""
    return open_linker(encoder=None, settings=Settings(home))


def train(home: Path, said: Connection) -> None:
    """Train towers, going on where an earlier run stopped; say so at the end."""
    torch.set_num_threads(1)
    said.send("")
    recipe = replace(RECIPE, training=replace(RECIPE.training, epochs=40))
    train_towers(recipe, MARKETPLACE, home / "models" / "new", encoder=Words())
    said.send("trained")


def promote(home: Path, names: list[str], said: Connection) -> None:
    """Promote one model after the other, and roll back after each round, without end; say the name that is in use."""
    registry = Registry(Settings(home))
    said.send("")
    while True:
        for name in names:
            if registry.promoted(ModelKind.TOWERS) != name:
                said.send(registry.promote(ModelKind.TOWERS, name, who="ann").after)
        said.send(registry.roll_back(ModelKind.TOWERS, who="ann").after)
