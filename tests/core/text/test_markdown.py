"""Markdown becomes text: headings, bold words, links, tables, lists."""

import pytest

from jobmatch_core.text.markdown import markdown_text

POSTING = """Préparateur / Préparatrice logistique

## PREPARATEUR DE COMMANDES

**DESCRIPTIF DU POSTE**
Le titulaire prépare, charge et livre.
PRINCIPALES MISSIONS :
•\tPréparer les commandes.
•\tCharger les véhicules.
**Qualités personnelles**
•\tRigueur, ponctualité.
"""


def test_a_posting() -> None:
    """Headings have blank lines around them."""
    assert markdown_text(POSTING).split("\n") == [
        "Préparateur / Préparatrice logistique",
        "",
        "PREPARATEUR DE COMMANDES",
        "",
        "DESCRIPTIF DU POSTE",
        "",
        "Le titulaire prépare, charge et livre.",
        "PRINCIPALES MISSIONS :",
        "•\tPréparer les commandes.",
        "•\tCharger les véhicules.",
        "",
        "Qualités personnelles",
        "",
        "•\tRigueur, ponctualité.",
    ]


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("# Data Engineer\n\nWe bake.", "Data Engineer\n\nWe bake."),
        ("Skills:\n# Java\n# SQL", "Skills:\n# Java\n# SQL"),
        ("### Profil ###\n- ein\n* **zwei**: *drei*\n+ vier\n1. fünf", "Profil\n• ein\n• zwei: drei\n• vier\n1. fünf"),
        ("**Aufgaben:**Du führst **Kolleg*innen** und Köch*innen.", "Aufgaben:Du führst Kolleg*innen und Köch*innen."),
        ("Pour toi si**tu aimes cela**et", "Pour toi situ aimes celaet"),
        ("重要**必須：**日本語", "重要必須：日本語"),
        ("__Dein Profil__\n__init__.py", "Dein Profil\ninit.py"),
        ('a [link](https://x.org "t"), [mail](mailto:x@x.org), [m/w/d](Ulm)', "a link, mail, [m/w/d](Ulm)"),
        ("[by name][1] ![Logo](/a.png)\n\n[1]: https://x.org", "by name Logo"),
        ("|Ort|Geld|\n|---|--:|\n|Ulm|**60**|\n\nEnde", "Ort\tGeld\nUlm\t60\n\nEnde"),
        ("**a** `C#` ~~alt~~ 5\\-7 \\*\n***\nb", "a C# alt 5-7 *\nb"),
        ("**a**\n====\nb\n---", "a\nb"),
        ("***new***", "new"),
        ("***unclosed **and** more", "***unclosed and more"),
    ],
)
def test_markdown(markdown: str, text: str) -> None:
    """Markup is removed, and words stay."""
    assert [line for line in markdown_text(markdown).split("\n") if line] == [line for line in text.split("\n") if line]
