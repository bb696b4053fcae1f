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
def test_what_is_led_is_named_as_most_names_are(title: str, near: str) -> None:
    """In whatever language; words between the phrase and the field are left out."""
    found = find_leadership(fold(title))
    assert found is not None
    assert found.near == (near,)


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
def test_what_changes_nothing_is_left_out(title: str, equal: str) -> None:
    """Deputies do their heads' work, and leads their team's."""
    found = find_leadership(fold(title))
    assert found is not None
    assert found.equal == (equal,)


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


def test_who_manages() -> None:
    """Heads of departments do, heads of a trade and their teams need not."""
    manages = {
        title: found.manages
        for title in ("Head of Sales", "Head Chef", "Team Leader Sales", "Responsable ventas")
        if (found := find_leadership(fold(title)))
    }
    assert manages == {
        "Head of Sales": True,
        "Head Chef": False,
        "Team Leader Sales": False,
        "Responsable ventas": False,
    }
