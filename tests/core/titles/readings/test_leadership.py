"""The leadership that titles state, and how it is read."""

import pytest

from jobmatch_core.text.folding import fold
from jobmatch_core.titles.readings.leadership import find_leadership


@pytest.mark.parametrize(
    ("title", "near"),
    [
        ("VP Product", "product manager"),
        ("Vice President, Wealth", "wealth manager"),
        ("Leiter Einkauf", "einkauf manager"),
        ("Head of Vertrieb", "vertrieb manager"),
        ("Directrice des ressources humaines", "ressources humaines manager"),
        ("Directeur de l'usine", "usine manager"),
        ("Kierownik działu zakupów", "zakupow manager"),
        ("Chief Marketing Officer", "marketing manager"),
        ("Sales Director EMEA", "sales manager"),
        ("Teamleiter Logistik", "logistik supervisor"),
    ],
)
def test_a_field_is_read_as_most_names_have_it(title: str, near: str) -> None:
    """In any language; words between the phrase and the field are left out."""
    leadership = find_leadership(fold(title))
    assert leadership is not None
    assert leadership.near == (near,)


@pytest.mark.parametrize(
    ("title", "equal"),
    [
        ("Deputy Head of Finance", "head of finance"),
        ("Directeur adjoint des finances", "directeur des finances"),
        ("Regional Sales Director", "sales director"),
        ("Lead Data Engineer", "data engineer"),
        ("Personal Assistant to the Managing Director", "executive assistant"),
        ("Assistenz der Geschäftsführung", "executive assistant"),
    ],
)
def test_words_that_do_not_change_the_occupation_are_left_out(title: str, equal: str) -> None:
    """Words for deputies, regions and leads."""
    leadership = find_leadership(fold(title))
    assert leadership is not None
    assert leadership.equal == (equal,)


@pytest.mark.parametrize(
    "title",
    [
        "Nurse",
        "Director",
        "Head of",
        "Film Director",
        "Jefe de cocina",
        "Direttore d'orchestra",
        "Dental Assistant",
        "Assistant to the dentist",
        "Directeur de l'",
        "Head of all that has to do with cleaning of large buildings",
    ],
)
def test_other_titles(title: str) -> None:
    """Other occupations, no field, and descriptions rather than titles."""
    assert find_leadership(fold(title)) is None


def test_which_leaders_are_managers() -> None:
    """Heads of departments are managers; heads of a trade and team leaders need not be."""
    manages = {
        title: leadership.manages
        for title in ("Head of Sales", "Head Chef", "Team Leader Sales", "Responsable ventas")
        if (leadership := find_leadership(fold(title)))
    }
    assert manages == {
        "Head of Sales": True,
        "Head Chef": False,
        "Team Leader Sales": False,
        "Responsable ventas": False,
    }
