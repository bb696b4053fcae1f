"""The shipped table of gendered nouns."""

from jobmatch_core.audit.gendered_forms import GenderedForms
from lab.shipping.gendered_nouns import HEADER, nouns_table, shipped_nouns


def test_a_table_of_names() -> None:
    """Feminine nouns with their masculine form."""
    forms = GenderedForms([("de", "cook", ["Koch", "Köchin"]), ("fr", "baker", ["boulangère", "boulanger"])])
    assert nouns_table(forms) == f"{HEADER}\nde\tköchin\tkoch\nfr\tboulangère\tboulanger\n"


def test_the_shipped_table_is_such_a_table() -> None:
    """Sorted, each noun once, and no masculine form is a feminine one."""
    lines = shipped_nouns().read_text("utf-8").splitlines()
    rows = [tuple(line.split("\t")) for line in lines[1:]]
    assert lines[0] == HEADER
    assert rows == sorted(rows)
    feminine = {(language, noun) for language, noun, _ in rows}
    assert len(feminine) == len(rows) > 5000
    assert feminine.isdisjoint((language, common) for language, _, common in rows)
