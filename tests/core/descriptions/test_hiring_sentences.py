"""The job that a posting's first sentence names."""

import pytest

from jobmatch_core.descriptions.hiring_sentences import _words, hiring_title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Wir suchen ab sofort eine Pflegefachkraft", "Pflegefachkraft"),
        ("Wir suchen ab sofort eine Pflegefachkraft (m/w/d) für unsere Station.", "Pflegefachkraft (m/w/d)"),
        ("Wir suchen eine Fachkraft für Lagerlogistik.", "Fachkraft für Lagerlogistik"),
        ("Gesucht wird: Koch (m/w/d)", "Koch (m/w/d)"),
        ("We are hiring a nurse", "nurse"),
        ("WE'RE HIRING: forklift driver, nights", "forklift driver"),
        ("We are looking for an experienced asst.nurse who cares. Apply now.", "asst.nurse"),
        ("Nous recherchons un(e) boulanger(ère) pour notre magasin de Lyon.", "boulanger(ère)"),
        ("Buscamos camarero/a", "camarero/a"),
        ("Cerchiamo un cuoco\nper il nostro locale", "cuoco"),
        ("Wij zoeken een verpleegkundige die graag werkt.", "verpleegkundige"),
        ("Poszukujemy pilnie pielęgniarki do naszego szpitala!", "pielęgniarki"),
        ("Vi söker en sjuksköterska till vårt team", "sjuksköterska"),
        ("مطلوب ممرضة", "ممرضة"),
        ("We are hiring!", ""),
        ("Wir suchen Verstärkung!", ""),
        ("Hiring manager", ""),
        ("Wir suchen " + "Koch " * 40, ""),
        ("Wir suchen, was fehlt", ""),
        ("You bake. We are hiring a nurse.", ""),
        ("", ""),
        (" \n", ""),
    ],
)
def test_hiring_title(text: str, title: str) -> None:
    """Articles and what follows the job are left out; the sentence comes first, and names a job."""
    assert hiring_title(text) == title


@pytest.mark.parametrize(
    ("language", "opening"), [(language, words[0]) for language, words in _words()["opens"].items()]
)
def test_every_language(language: str, opening: str) -> None:
    """What begins the sentence, in any case, and the words between; no language takes the sentences of another."""
    between = _words()["between"].get(language, [""])[0]
    ends = _words()["ends"].get(language, ["."])[0]
    assert hiring_title(f"{opening.upper()} {between} Qwertzer {ends} xyz") in ("Qwertzer", "Qwertzer .")
