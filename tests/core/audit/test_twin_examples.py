"""Examples of twins: what differs in two texts, and which titles and profiles are shown."""

from dataclasses import replace

import pytest

from jobmatch_core.audit.gendered_forms import TitleTwin
from jobmatch_core.audit.matching_audit import MatchingSubject, audit_matching
from jobmatch_core.audit.title_audit import audit_titles
from jobmatch_core.audit.twin_examples import EXAMPLES, differing_parts
from jobmatch_core.linking import Linker
from tests.core.audit.test_matching_audit import CUE, PEOPLE, _Model
from tests.made_marketplace import freelancers, projects

PROFILE = replace(freelancers()[0], title="t", description="Anna. Bakes bread and cake.")


@pytest.mark.parametrize(
    ("description", "parts"),
    [
        ("Paul. Bakes bread and cake.", ("Anna.", "Paul.")),
        ("Anna. Bakes bread and cake. Born in 1965.", ("", "Born in 1965.")),
        ("Anna. Bakes a bread and a cake.", ("bread and", "a bread and a")),
        ("Anna. Bakes bread and cake.", ("", "")),
        ("", ("Anna. Bakes bread and cake.", "")),
    ],
)
def test_what_differs(description: str, parts: tuple[str, str]) -> None:
    """Without equal words before and behind."""
    assert differing_parts(PROFILE, replace(PROFILE, description=description)) == parts


def test_long_parts_are_cut_and_the_first_text_counts() -> None:
    """A title before a description."""
    first, second = differing_parts(PROFILE, replace(PROFILE, title="x" * 500, description=""))
    assert first == "t"
    assert len(second) < 100


def test_profiles_that_move_most() -> None:
    """A model that likes a word in one half of all profiles alone moves them; each profile is shown once."""

    def liked(freelancer: object) -> object:
        return CUE.second(freelancer) if freelancer in PEOPLE[::2] else freelancer

    [result] = audit_matching(
        MatchingSubject(_Model(2), None, projects(2), PEOPLE),
        [replace(CUE, second=liked)],  # type: ignore[arg-type]
    )
    assert 0 < len(result.examples) <= EXAMPLES
    assert len({example.freelancer for example in result.examples}) == len(result.examples)
    moves = [example.moved for example in result.examples]
    assert moves == sorted(moves, reverse=True)
    assert min(moves) > 0
    assert {(example.first, example.second) for example in result.examples} <= {("", "signed"), ("", "")}


def test_titles_whose_links_differ_come_first(bundled: Linker) -> None:
    """Equal twins are no examples."""
    twins = [
        TitleTwin("de", "Koch", "Köchin", "cook", attested=True),
        TitleTwin("de", "Koch", "Xqzwv", "cook", attested=True),
    ]
    [result] = audit_titles(bundled, twins)
    first = result.examples[0]
    assert (first.masculine, first.feminine, first.feminine_link) == ("Koch", "Xqzwv", "")
    assert first.masculine_link
    assert all(example.overlap < 1 for example in result.examples)
