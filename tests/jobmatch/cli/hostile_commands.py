"""Command lines that are given malformed files, names and numbers, and which of them run when."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from tests import hostile_files as hostile

Maker = hostile.Maker
TABLES = {
    "csv": hostile.CSV,
    "jsonl": hostile.JSONL,
    "parquet": hostile.PARQUET | hostile.NO_WORKBOOK,
    "xlsx": hostile.XLSX | hostile.NO_WORKBOOK,
}


@dataclass(frozen=True)
class Attack:
    """One run of the command line; `{}` in its words stands for the hostile file."""

    words: tuple[str, ...]
    file: str
    maker: Maker


CHOICE = (
    "UTF-16, little end",
    "random bytes",
    "nothing",
    "other columns",
    "a title that is a record",
    "a sheet that is a bomb",
    "an unknown key",
    "a folder",
    "of a wrong shape",
    "that lie",
)
SAMPLE = ("nothing", "random bytes", "an unknown key", "a sheet that is a bomb", "a folder", "that lie")


def marks(name: str, chosen: Sequence[str] = CHOICE, sample: Sequence[str] = SAMPLE) -> list[pytest.MarkDecorator]:
    """Mark attacks that are not chosen as long, and those outside the sample as thorough."""
    if name not in chosen:
        return [pytest.mark.long]
    return [] if name in sample else [pytest.mark.thorough]


def attacks(words: str, makers: dict[str, Maker], file: str, *, all_now: bool = False) -> list[Any]:
    """Return an attack per maker."""
    chosen = tuple(makers) if all_now else CHOICE
    return [
        pytest.param(
            Attack(tuple(words.split()), file, maker),
            id=f"{words.replace('{}', file)}: {name}",
            marks=marks(name, chosen),
        )
        for name, maker in makers.items()
    ]


def _without(makers: dict[str, Maker], *names: str) -> dict[str, Maker]:
    return {name: maker for name, maker in makers.items() if name not in names}


TABLE_COMMANDS = [
    "match --file {} --encoding utf-8 --out out.csv",
    "map {} --out out.csv",
    "marketplace import --encoding utf-8 --name new --projects {} --freelancers ok.csv",
    "marketplace import --encoding utf-8 --name new --projects ok.csv --freelancers {}",
    "marketplace import --encoding utf-8 --name new --projects ok.csv --freelancers ok.csv --interactions {}",
]
CSV_COMMANDS = ["evaluate job-normalization {} --taxonomy isco-08"]
TOML_COMMANDS = [
    "train towers {} --out out",
    "train jdan {} --out out",
    "marketplace import --name new --projects ok.csv --freelancers ok.csv --columns {}",
]
LINK_FILE = "link --file {} --column title --encoding utf-8 --out out.csv"  # without it the encoding is guessed
ATTACKS = [
    *(each for ending, makers in TABLES.items() for each in attacks(LINK_FILE, makers, f"bad.{ending}", all_now=True)),
    *attacks(LINK_FILE, hostile.PATHS, "bad.csv", all_now=True),
    *(
        each
        for words in TABLE_COMMANDS
        for ending, makers in TABLES.items()
        for each in attacks(words, makers, f"bad.{ending}")
    ),
    *(each for words in TABLE_COMMANDS for each in attacks(words, hostile.PATHS, "bad.csv")),
    *attacks("taxonomy import {} --name new", hostile.CSV | hostile.PATHS, "bad.csv", all_now=True),
    *(each for words in CSV_COMMANDS for each in attacks(words, hostile.CSV | hostile.PATHS, "bad.csv")),
    *attacks("labels import {}", hostile.CSV | hostile.PATHS, "bad.csv", all_now=True),
    *attacks("labels import {}", _without(hostile.JSONL, *hostile.EMPTY), "bad.jsonl", all_now=True),  # no judgments
    *attacks("bench {}", {"nothing": hostile.CSV["nothing"]}, "bad.csv", all_now=True),  # reads as the import does
    *attacks("train title-encoder {} --out out", hostile.TOML | hostile.PATHS, "bad.toml", all_now=True),
    *(each for words in TOML_COMMANDS for each in attacks(words, hostile.TOML | hostile.PATHS, "bad.toml")),
    *attacks("train job {}", hostile.JSONL | hostile.PATHS, "job.json", all_now=True),
    *attacks("describe {}", hostile.TEXT | hostile.PATHS, "bad.txt", all_now=True),
    *attacks("match --project {}", hostile.TEXT | hostile.PATHS, "bad.txt"),
    *attacks("match --project {}", hostile.JSONL, "bad.json", all_now=True),
    *attacks(
        "evaluate build-melo {} out --taxonomy isco-08 --languages en",
        _without(hostile.JSONL, "one line of 100 MB") | hostile.PATHS,
        "deu_de/crosswalk.json",
        all_now=True,
    ),
]
BAD_NAMES = ["../demo", "/etc", "", "x" * 300, "\x1b[2J\u202eomed", os.fsdecode(b"\xff")]
MORE_BAD_NAMES = ["../../../../etc/passwd", ".", "..", " ", "demo/../demo", "de\nmo", "~root", "*"]
NAME_COMMANDS = [
    "link cook --taxonomy {}",
    "link cook --encoder {}",
    "link cook --show {}",
    "taxonomy show {}",
    "taxonomy index {}",
    "taxonomy remove {}",
    "taxonomy show isco-08 --occupation {}",
    "marketplace remove {}",
    "marketplace generate --name {}",
    "match cook --marketplace {}",
    "match cook --model {}",
    "match cook --near {} --within-km 5",
    "match cook --available-by {}",
    "map freelancers --out map.csv --marketplace {}",
    "map freelancers --out map.csv --model {}",
    "map occupations --out map.csv --taxonomy {}",
    "map occupations --out {}",
    "describe ok.csv --model {}",
    "models promote {}",
    "models promote {} --kind linking",
    "train linking --snapshot {}",
    "train towers recipe.toml --out out --snapshot {}",
    "train towers recipe.toml --out out --marketplace {}",
    "evaluate matching {}",
    "evaluate melo {}",
    "evaluate title-similarity {}",
    "evaluate overlap {}",
    "evaluate compare {} a b",
    "labels export {}",
    "link --file ok.csv --column title --out {}",
    "link --file ok.csv --column title --out out.csv --encoding {}",
]
ALLOWED = {  # nothing is as good as not given
    "match cook --model {}": ("",),
    "match cook --available-by {}": ("",),
    "map occupations --out map.csv --taxonomy {}": ("",),
    "describe ok.csv --model {}": ("",),
    # any name without an ending is that of a new folder, as `out.csv` is that of a new file
    "link --file ok.csv --column title --out {}": ("../demo", *BAD_NAMES[4:], "demo/../demo", "de\nmo", "*"),
    "link --file ok.csv --column title --out out.csv --encoding {}": ("",),
    "match cook --near {},13 --within-km 5": ("-1",),  # south of the equator
}
SAMPLE_NAMES = ["../demo", "", "x" * 300]
BAD_NUMBERS = ["nan", "inf", "-1", "1e400", "9" * 5000]
SAMPLE_NUMBERS = ["nan", "-1"]
MORE_BAD_NUMBERS = ["-inf", "", "0x10", "one", "１２x"]
NUMBER_COMMANDS = [
    "link cook --top {}",
    "match cook --limit {}",
    "match cook --max-day-rate {}",
    "match cook --near 52,13 --within-km {}",
    "match cook --near {},13 --within-km 5",
    "map occupations --out map.csv --most {}",
    "map occupations --out map.csv --neighbours {}",
    "map occupations --out map.csv --min-dist {}",
    "map occupations --out map.csv --method tsne --perplexity {}",
    "marketplace generate --name new --projects {}",
    "marketplace generate --name new --freelancers {}",
    "evaluate matching demo --seeds {}",
    "map occupations --out map.csv --seed {}",
    "marketplace generate --name new --seed {}",
    "train jdan recipe.toml --out out --seed {}",
]


def named(commands: list[str], values: list[str], more: list[str], sample: list[str]) -> list[Any]:
    """Return the words of each command with each value; those of *more* are long tests."""
    return [
        pytest.param(
            [word.replace("{}", value) for word in words.split()],
            id=f"{words}: {value[:20]!r}",
            marks=marks(value, values, sample),
        )
        for words in commands
        for value in (*values, *more)
        if value not in ALLOWED.get(words, ())
    ]


WORDS = [
    *named(NAME_COMMANDS, BAD_NAMES, MORE_BAD_NAMES, SAMPLE_NAMES),
    *named(NUMBER_COMMANDS, BAD_NUMBERS, MORE_BAD_NUMBERS, SAMPLE_NUMBERS),
]
