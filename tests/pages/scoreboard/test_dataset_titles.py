"""What datasets are called."""

import pytest

from jobmatch_core.benchmarks.scoreboard.entries import published_results
from pages.scoreboard.dataset_titles import dataset_title


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("fra_q_fr_c_fr", "French titles, French ESCO"),
        ("bel_q_fr_c_en", "French titles (Belgium), English ESCO"),
        ("usa_q_en_c_de_en_es_fr_it_nl_pl_pt", "English titles, ESCO in 8 languages"),
        ("staff_q_en_c_en", "English titles (staff), English ESCO"),
        ("de", "German titles"),
        ("titles.validation", "titles.validation"),
        ("a_q__c_", "a_q__c_"),
    ],
)
def test_a_dataset_is_spelled_out(name: str, title: str) -> None:
    """Languages by their names, the country where a language has two, a source of one's own; other names stay."""
    assert dataset_title(name) == title


def test_no_two_datasets_have_one_title() -> None:
    """Of MELO's 48."""
    names = {result.dataset for result in published_results()}
    assert len({dataset_title(name) for name in names}) == len(names) == 48
