"""Names of annotators: those who sign in are stored by their keys."""

from collections.abc import Callable

from db.access_store import AccessStore
from jobmatch.access.principal import key_principal_id


def annotator_names(access: AccessStore) -> dict[str, str]:
    """Return the names of annotators who signed in, by their keys; of programs likewise."""
    names = {person.id: person.name for person in access.people()}
    return names | {key_principal_id(key.id): key.name for key in access.all_keys()}


def naming(access: AccessStore) -> Callable[[str], str]:
    """Return what names an annotator: by the name of who signed in, or else as the judgments do."""
    names = annotator_names(access)
    return lambda annotator: names.get(annotator, annotator)
