"""Own names for the commands that link."""

from typing import Annotated

import typer

from jobmatch_core.entities import OwnName, PairKind
from jobmatch_core.errors import LabelStoreError
from jobmatch_core.labelling.own_names import own_names
from jobmatch_core.settings import Settings

NoOwnNamesOption = Annotated[
    bool, typer.Option("--no-own-names", help="Leave out the titles that people accepted for an occupation.")
]


def stored_own_names(taxonomy: str) -> list[OwnName]:
    """Return the titles that people accepted; none, and nothing is opened, while nobody has judged anything."""
    settings = Settings.from_environment()
    if not settings.may_have_labels:
        return []
    from db.filters import JudgmentFilter  # the databases' libraries take a third of a second
    from db.label_store import LabelStore

    which = JudgmentFilter(kind=PairKind.TITLE_OCCUPATION, source=taxonomy)
    try:
        with LabelStore.open(settings.label_store) as store:
            return own_names(store.current(which)[::-1], taxonomy)
    except LabelStoreError as error:
        raise LabelStoreError(f"{error} Or link without what people accepted, by --no-own-names.") from error
