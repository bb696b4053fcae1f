"""Names of annotators: judgments store the keys of people who signed in, not their names."""

from collections.abc import Callable

from db.access_store import AccessStore
from jobmatch.access.principal import key_principal_id


def annotator_names(access: AccessStore) -> dict[str, str]:
    """Return the names of people who signed in, and of programs, by their keys."""
    names = {person.id: person.name for person in access.people()}
    return names | {key_principal_id(key.id): key.name for key in access.all_keys()}


def naming(access: AccessStore) -> Callable[[str], str]:
    """Return a function from an annotator, as judgments store it, to the name to show."""
    names = annotator_names(access)
    return lambda annotator: names.get(annotator, annotator)
