"""Candidates of source codes: the code's unit group comes forward in a list that follows ISCO-08."""

import numpy as np

from jobmatch_core.crosswalks.candidates import CodeCandidates, code_candidates, list_candidates
from jobmatch_core.crosswalks.code_digits import CodeDigits
from jobmatch_core.crosswalks.relation_features import SourceCode
from jobmatch_core.linking import Linker

SURE = {"7112": "Bricklayer", "7512": "Baker", "2221": "Nurse", "2341": "Primary school teacher", "8331": "Bus driver"}
VAGUE = "Specialist"


def _best(codes: dict[str, str], linker: Linker) -> dict[str, tuple[str, float]]:
    candidates = list_candidates([SourceCode(f"{code}.1", name) for code, name in codes.items()], linker)
    return {
        code: (linker.taxonomy.isco_codes[found.concepts[0]], float(found.probabilities[0]))
        for code, found in zip(codes, candidates, strict=True)
    }


def test_a_vague_name_is_of_the_group_of_its_code(bundled: Linker) -> None:
    """Where the sure names of the list have the codes of ISCO-08; else its code says nothing."""
    following = _best({**SURE, "2511": VAGUE}, bundled)
    other_codes = dict(zip(("1", "2", "3", "4", "5"), SURE.values(), strict=True))

    assert {code: group for code, (group, _) in following.items()} == {code: code for code in (*SURE, "2511")}
    assert _best({**other_codes, "2511": VAGUE}, bundled)["2511"][0] != "2511"


def test_a_name_does_not_become_sure_by_its_code(bundled: Linker) -> None:
    """All candidates together are as probable as those of the name."""
    taxonomy = bundled.taxonomy
    [programmer] = taxonomy.occupations_in("2512")
    digits = CodeDigits(taxonomy, [("2512.1", taxonomy.number(programmer))] * 100)
    for name in (VAGUE, "Baker", "", "qqqq"):
        [alone] = bundled.rank([name])
        found = code_candidates(SourceCode("2512", name), bundled, digits)
        assert found.probabilities.sum() <= min(1, alone.probabilities[:40].sum() + 0.01)
        assert np.all(np.diff(found.probabilities) <= 0)
        assert len(set(found.concepts.tolist())) == len(found.concepts)


def test_worth_reading() -> None:
    """The first three, and further ones from a tenth on."""
    concepts = np.arange(6)
    assert CodeCandidates(concepts, np.array([0.9, 0.01, 0, 0, 0, 0])).worth_reading.tolist() == [0, 1, 2]
    assert CodeCandidates(concepts, np.array([0.3, 0.2, 0.2, 0.1, 0.09, 0])).worth_reading.tolist() == [0, 1, 2, 3]
    assert CodeCandidates(concepts[:1], np.array([0.3])).worth_reading.tolist() == [0]


def test_a_group_is_read_by_its_candidates_first() -> None:
    """The most probable one comes first; what is no candidate keeps its place behind them."""
    candidates = CodeCandidates(np.array([7, 2, 5]), np.array([0.5, 0.3, 0.1]))
    assert candidates.ordered([1, 2, 3, 7]) == [7, 2, 1, 3]
    assert candidates.ordered([]) == []


def test_an_empty_list(bundled: Linker) -> None:
    """It has no candidates."""
    assert list_candidates([], bundled) == []
