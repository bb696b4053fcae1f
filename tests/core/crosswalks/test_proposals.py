"""Proposals for a list with levels, as a mapper would have it."""

from datetime import date

from jobmatch_core.crosswalks.mapping import EXACT
from jobmatch_core.crosswalks.proposals import proposed_mappings
from jobmatch_core.crosswalks.relation_features import SourceCode
from jobmatch_core.linking import Linker

LEAVES = {
    "Bricklayer": "C7112",
    "Baker": "C7512",
    "Nurse": "C2221",
    "Primary school teacher": "C2341",
    "Bus driver": "C8331",
}


def test_a_name_that_the_linker_is_sure_of_is_exact_with_its_concept(bundled: Linker) -> None:
    """It has no other concepts, however alike the trees find their names."""
    codes = [SourceCode("1", "Professionals"), SourceCode("2", "Trades")]
    codes += [SourceCode(f"2{n}", name, "2") for n, name in enumerate(LEAVES)]

    mappings = proposed_mappings(codes, bundled, "en", date(2026, 11, 28))

    proposed = {code.name: [m for m in mappings if m.source == code.code] for code in codes}
    assert {name: [(m.relation, m.target.rpartition("/")[2]) for m in proposed[name]] for name in LEAVES} == {
        name: [(EXACT, group)] for name, group in LEAVES.items()
    }
