"""`python -m lab evaluate search-training`: what it prints, and what it refuses."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from tests.made_search_sets import write_search_sets

Cli = Callable[..., Result]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Give a folder with two tiny public sets."""
    return write_search_sets(tmp_path / "data")


@pytest.fixture
def claims_data(data: Path) -> Path:
    """Add tiny files of everything that a training reads."""
    words = ("glue", "bread", "roof", "oven")
    ads = [f"{word}\t{word.title()} shop\tBuy {word}.\t{judged}\n" for word in words for judged in ("Good", "Bad")]
    told = [f"the {word}\ta {word}\t{relation}\n" for word in words for relation in ("entailment", "neutral")]
    passages = ["glue\tIt sticks.\t1\n", "bread\tIt sticks.\t0\n"]
    sick = ["sentence_A\tsentence_B\tentailment_label\tsentence_A_original\tsentence_B_original\tSemEval_set\n"]
    sick += [
        f"een {word}\t{part} {word}\t{relation}\ta {word}\tno {part} {word}\t{part}\n"
        for word in ("dak", "oven")
        for relation in ("ENTAILMENT", "NEUTRAL")
        for part in ("TRAIN", "TEST")
    ]
    packed = {"Query_Ad_train": ads, "Quest_Ans_test": passages, "NLI_train": told, "NLI_test": told[:2]}
    for name, lines in packed.items():
        (data / f"XGlue_{name}.txt.gz").write_bytes(gzip.compress("".join(lines).encode()))
    named = ["sentence1\tsentence2\tgold_label\n", *(f"el {line}" for line in told)]
    (data / "esxnli.tsv").write_text("".join(named))
    (data / "SICK_NL.txt").write_text("".join(sick))
    (data / "newstest2019-ref.deu.txt").write_text("Brot\nDach\n")
    (data / "newstest2019-src.eng.txt").write_text("bread\nroof\n")
    return data


def test_claims(cli: Cli, claims_data: Path) -> None:
    """The settings of a claim as JSON, and what they were trained on without the pairs of the test sets."""
    found = json.loads(
        cli("evaluate", "search-training", claims_data, "--only", "tasks", "--seeds", 1, "--json").stdout
    )
    assert found["training"] == {"clicks": 4, "inference": 14, "translations": 2}
    assert [row["setting"] for row in found["results"]["tasks"]][:2] == ["all tasks", "clicks alone"]
    assert found["results"]["tasks"][0]["figures"]["query-ad AUC"]["low"] is None


def test_claims_for_people(cli: Cli, claims_data: Path) -> None:
    """A table of figures."""
    shown = " ".join(cli("evaluate", "search-training", claims_data, "--only", "tasks", "--seeds", 1).stdout.split())
    assert "tasks: 1 seeds" in shown
    assert "query-ad nDCG@10" in shown


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((".", "--only", "words"), "There is no claim 'words'; choose from tasks, negatives"),
        ((".", "--only", "student"), "name one with --transformer"),
        ((".",), "the set 'query-ad' is missing here"),
    ],
)
def test_refusals_of_claims(
    run_main: Callable[..., tuple[int, str, str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    told: str,
) -> None:
    """What is wrong is told, and what to do."""
    monkeypatch.chdir(tmp_path)
    code, _, err = run_main("evaluate", "search-training", *words)
    assert code == 2
    assert told in err
