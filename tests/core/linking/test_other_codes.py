"""Codes of another classification beside links: by a crosswalk, the best relation first."""

from dataclasses import replace

from jobmatch_core.crosswalks.mapping import BROADER, CLOSE, DISPUTED, EXACT, NARROWER, NONE, Mapping, MappingSet
from jobmatch_core.entities import OtherCode
from jobmatch_core.linking.link_answer import answered_link
from jobmatch_core.linking.link_rows import link_columns
from jobmatch_core.linking.other_codes import digest_of, with_other_codes
from tests.core.linking.made_results import LINKED, OF_UNIT, UNSURE

COOK, GROUP = "uri:cook", "http://data.europa.eu/esco/isco/C5120"
CROSSWALK = MappingSet(
    [
        Mapping("N9", COOK, CLOSE, "Kitchen staff", probability=0.99),
        Mapping("N1", COOK, BROADER, "=Cooks", probability=0.6),
        Mapping("N2", COOK, BROADER, "Chefs", probability=0.8),
        Mapping("N3", COOK, EXACT, "Disputed cooks", state=DISPUTED),
        Mapping("N4", "uri:baker", NARROWER, "Bread bakers"),
        Mapping("N5", "", NONE, "Astronauts"),
        Mapping("N6", GROUP, EXACT, "Cooks, all"),
    ]
)


def test_codes_of_a_link_by_relation_and_probability() -> None:
    """A broader code holds the whole occupation; disputed mappings do not count."""
    codes = CROSSWALK.other_codes()
    [linked, of_unit, unsure] = with_other_codes([LINKED, OF_UNIT, UNSURE], codes)
    assert [other.code for other in linked.also] == ["N2", "N1", "N9"]
    assert of_unit.also == (OtherCode("N6", "Cooks, all", "exact"),)
    assert unsure == UNSURE
    columns = link_columns(linked)
    names = ("link_also_code", "link_also_name", "link_also_relation")
    assert [columns[name] for name in names] == ["N2; N1", "Chefs; =Cooks", "broader"]
    assert [link_columns(unsure)[name] for name in names] == [None] * 3
    assert [other.code for other in answered_link(linked).also] == ["N2", "N1", "N9"]


def test_links_without_a_crosswalk_stay_as_they_are() -> None:
    """No code, and no digest."""
    assert with_other_codes([LINKED], ()) == [LINKED]
    assert digest_of(()) == ""
    assert digest_of(CROSSWALK.other_codes()) != digest_of(replace(CROSSWALK, mappings=[]).other_codes())
