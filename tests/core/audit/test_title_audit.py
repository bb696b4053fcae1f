"""The audit of a linker: twins of titles are linked alike, or the report says how they differ."""

import pytest

from jobmatch_core.audit.gendered_forms import TitleTwin
from jobmatch_core.audit.title_audit import audit_titles
from jobmatch_core.errors import LinkingError
from jobmatch_core.linking import Linker

COOKS = [
    TitleTwin("de", "Koch", "Köchin", "cook", attested=True),
    TitleTwin("de", "Bäcker", "Bäckerin", "b", attested=True),
]


def test_names_in_both_forms_have_one_link(bundled: Linker) -> None:
    """Both are names of one occupation."""
    [result] = audit_titles(bundled, COOKS)
    assert (result.language, result.titles, result.attested) == ("de", 2, True)
    assert result.same == result.masculine_linked == result.feminine_linked == 1


def test_a_form_that_is_not_linked_is_told(bundled: Linker) -> None:
    """The report shows the pair of forms as an example."""
    [result] = audit_titles(bundled, [TitleTwin("de", "Koch", "Xqzwv", "cook", attested=False)])
    assert (result.same, result.masculine_linked, result.feminine_linked) == (0, 1, 0)
    assert result.example == "Koch / Xqzwv"
    assert result.overlap.mean < 1
    assert result.probability < 0


def test_a_sample_of_each_language(bundled: Linker) -> None:
    """At most the requested number of twins of each language and kind is audited."""
    twins = [*COOKS, TitleTwin("fr", "boulanger", "boulangère", "b", attested=True)]
    results = audit_titles(bundled, twins, per_language=1)
    assert [(result.language, result.titles) for result in results] == [("de", 1), ("fr", 1)]


def test_no_twins_are_refused(bundled: Linker) -> None:
    """An English taxonomy has none."""
    with pytest.raises(LinkingError, match="nothing to audit"):
        audit_titles(bundled, [])
