"""Tiny files in the form of public sets of searches and translations."""

import gzip
from pathlib import Path


def write_search_sets(folder: Path) -> Path:
    """Make a folder with two sets, and return it."""
    folder.mkdir()
    judged = "glue\tGlue stick\tSticks.\tGood\nglue\tBread\tFresh.\tBad\nbread\tBread\tFresh.\tGood\n"
    (folder / "XGlue_Query_Ad_test.txt.gz").write_bytes(gzip.compress(judged.encode()))
    for language, lines in {"deu": "Brot\nDach\n", "nld": "brood\ndak\n"}.items():
        (folder / f"tatoeba.{language}-eng.{language}").write_text(lines)
        (folder / f"tatoeba.{language}-eng.eng").write_text("bread\nroof\n")
    return folder
