"""Names of annotators: judgments store the ids of people who signed in, not their names."""

from collections.abc import Callable

from db.access_store import AccessStore
from jobmatch.access.principal import key_principal_id


def annotator_names(access: AccessStore) -> dict[str, str]:
    """Return the names of people who signed in, and of programs, by their ids."""
    names = {person.id: person.name for person in access.people()}
    return names | {key_principal_id(key.id): key.name for key in access.all_keys()}


def naming(access: AccessStore) -> Callable[[str], str]:
    """Return a function from a stored annotator to the display name."""
    names = annotator_names(access)
    return lambda annotator: names.get(annotator, annotator)
