"""`python -m lab translate`: the catalogues of the pages' texts."""

from jobmatch.cli.output import print_table
from lab.translation.catalogues import update


def translate() -> None:
    """Write the template of the pages' texts, bring each language's catalogue up to date, and print what is left.

    Example: python -m lab translate
    """
    print_table(("language", "texts to translate"), [(language, f"{left:,}") for language, left in update().items()])
