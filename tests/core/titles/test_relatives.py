"""Titles that name a relative of somebody with a job, in many languages, and those that only look like it."""

import pytest

from jobmatch_core.linking import Linker
from jobmatch_core.taxonomy.lexicon import lexicon_titles
from jobmatch_core.titles.relatives import is_relative


@pytest.mark.parametrize(
    "title",
    [
        "doctor's wife", "Doctor’s Wife", "farmers wife", "widow of a lawyer", "soldier's widow", "miner's son",
        "Witwe eines Bäckers", "Bäckerwitwe", "Pfarrersfrau", "Arztgattin", "Bauerntochter", "veuve de boulanger",
        "Veuve d'un notaire", "épouse du maire", "viuda de pescador", "viúva de marceneiro", "moglie di un mugnaio",
        "weduwe van een schipper", "dominees weduwe", "burgemeestersvrouw", "advokatsänka", "kaptensfru", "prästdotter",
        "gårdmandsenke", "hustru til en fisker", "torpparin vaimo", "suutarinleski", "wdowa po górniku", "żona kowala",
        "вдова купца", "жена рабочего", "kovács özvegye", "balıkçının karısı", "زوجة مزارع", "医生的妻子", "漁師の妻",
    ],
)  # fmt: skip
def test_relatives(title: str) -> None:
    """A phrase before the job, a word after it, or the end of a compound."""
    assert is_relative(title)


@pytest.mark.parametrize(
    "title",
    [
        "midwife", "mid wife", "housewife", "House Wife", "Hausfrau", "Kauffrau", "Putzfrau",
        "Geschäftsfrau", "Amtsfrau",
        "Reinigungsfrau", "Serviertochter", "femme de ménage", "femme de chambre", "fille de salle",
        "huisvrouw",
        "vroedvrouw", "werkvrouw", "husfru", "jordmor", "barnmorska", "mulher de limpeza", "Weinschenke", "person",
        "mason", "widow", "", "son", "Sonderpädagoge", "wife's assistant",
    ],
)  # fmt: skip
def test_no_relatives(title: str) -> None:
    """Trades whose names look like relatives, and the relative's word alone."""
    assert not is_relative(title)


def test_no_name_of_an_occupation_is_a_relative(bundled: Linker) -> None:
    """Of the bundled taxonomy and the lexicon."""
    names = {*bundled.taxonomy.name_texts, *(each.title for each in lexicon_titles())}
    assert len(names) > 50_000
    assert [name for name in names if is_relative(name)] == []
