"""Two models on the same things, with vectors made by hand: who is better where, and what is left out."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from jobmatch_core.entities import FloatArray
from jobmatch_core.metrics.judgment_metrics import JudgedPairs
from jobmatch_core.retraining.tower_retraining import TowerTest, compare_towers
from jobmatch_core.towers.document_pairs import temporal_split
from jobmatch_core.towers.documents import Document, freelancer_document, project_document
from tests.made_marketplace import PER_TRADE, TRADES, marketplace

PAST, LATER = temporal_split(marketplace(4), 0.5)


class ByTrade:
    """Knows each document's trade, and of freelancers who is a senior; or takes each trade for the next."""

    def __init__(self, name: str, *, shifted: bool) -> None:
        self.name = name
        self._shift = int(shifted)

    def encode(self, documents: Sequence[Document]) -> FloatArray:
        """Return a direction a trade, and a part of one more for juniors."""
        vectors = np.zeros((len(documents), 5), dtype=np.float32)
        for row, each in enumerate(documents):
            _, trade, number = each.id.split("-")
            place = TRADES.index(trade)
            vectors[row, (place + self._shift) % 4 if each.kind == "project" else place] = 1.0
            vectors[row, 4] = 0.5 * (each.kind == "freelancer" and int(number) % 2)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def made_test() -> TowerTest:
    """Judge the six freelancers of its trade for each of eight past projects; nobody for later ones."""
    rows = [(p, t * PER_TRADE + n, n % 2 == 0) for p in range(8) for t in [p % 4] for n in range(PER_TRADE)]
    projects, freelancers, positive = (np.array(column) for column in zip(*rows, strict=True))
    nobody = np.empty(0, dtype=np.intp)
    return TowerTest(
        benchmark=LATER,
        freelancers=[freelancer_document(each) for each in PAST.freelancers],
        held_out_projects=[project_document(each) for each in PAST.projects],
        held_out=JudgedPairs(projects, freelancers, positive),
        later_projects=[project_document(each) for each in LATER.projects],
        later=JudgedPairs(nobody, nobody, nobody.astype(np.bool_)),
    )


GOOD, BAD = ByTrade("good", shifted=False), ByTrade("bad", shifted=True)


def test_the_better_one_is_better_everywhere() -> None:
    """It parts all who fit from those who do not; the other one, who takes trades for others, gives all a draw."""
    steps: list[tuple[int, int]] = []
    found = compare_towers(BAD, GOOD, made_test(), progress=lambda *each: steps.append(each))
    assert (found.before, found.after, steps) == ("bad", "good", [(0, 2), (1, 2), (2, 2)])
    held_out, later, benchmark, *languages = found.parts
    [change] = held_out.changes
    assert (held_out.n, change.before, change.after, change.better) == (48, 0.5, 1.0, True)
    assert (later.n, later.changes) == (0, ())
    assert benchmark.n == 8
    figures = {each.figure: each for each in benchmark.changes}
    assert figures["coverage_at_10"].after == pytest.approx(0.3)  # three of the ten are the trade's seniors
    assert figures["coverage_at_10"].before < 0.1
    assert not figures["coverage_at_10"].better  # of eight projects nothing can be said
    assert not found.worse
    assert [part.name for part in languages] == []  # four projects of each language are too few to say anything


def test_the_other_way_round_it_fell() -> None:
    """What is less is worse; of refused freelancers less is better."""
    found = compare_towers(GOOD, BAD, made_test())
    assert not found.better or {change.figure for _, change in found.better} <= {"negatives_at_100"}
    assert {change.figure for _, change in found.worse} == {"auc"}  # eight projects are too few for other figures


def test_languages_and_no_benchmark() -> None:
    """With enough projects each language is measured by itself; without any to test with, nothing is."""
    everything = marketplace(12)
    found = compare_towers(BAD, GOOD, replace(made_test(), benchmark=everything))
    assert [(part.name, part.n) for part in found.parts[3:]] == [("German", 24), ("English", 24)] or [
        (part.name, part.n) for part in found.parts[3:]
    ] == [("English", 24), ("German", 24)]
    assert {change.figure for change in found.parts[3].changes} == {
        "category_at_10",
        "skills_at_10",
        "positives_at_100",
        "coverage_at_10",
    }
    assert len(compare_towers(BAD, GOOD, replace(made_test(), benchmark=None)).parts) == 2
