"""The names of a taxonomy's occupations in one language, as titles that a posting's vector may lie near to."""

from jobmatch_core.descriptions.nearest import TitleSpace
from jobmatch_core.encoders import kept_on_disk
from jobmatch_core.entities import Encoder, Progress, no_progress
from jobmatch_core.languages import ENGLISH
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Taxonomy


def open_title_space(
    taxonomy: Taxonomy,
    encoder: Encoder,
    language: str = ENGLISH,
    *,
    settings: Settings | None = None,
    progress: Progress = no_progress,
) -> TitleSpace:
    """Encode the names of all occupations in a language; one that has none there has the name that is shown for it.

    A transformer needs minutes for a whole taxonomy, so that the vectors of any but a title encoder of ours are kept.

    Args:
        taxonomy: whose names are taken.
        encoder: of the model that gives the postings' vectors.
        language: of the names.
        settings: where vectors are kept; from the environment where not given.
        progress: called with names encoded and in all.

    Raises:
        SettingsError: the vectors that are kept cannot be read or written.
    """
    concepts, names = taxonomy.occupation_numbers, taxonomy.tables.names
    rows = names[(names["language"] == language) & names["concept"].isin(concepts)]
    found = rows.sort_values(["concept", "preferred"], ascending=[True, False], kind="stable")
    owners, texts = found["concept"].to_list(), found["text"].to_list()
    for concept in sorted(set(concepts.tolist()) - set(owners)):
        owners.append(concept)
        texts.append(taxonomy.name(concept, language))
    kept = kept_on_disk(encoder, settings or Settings.from_environment())
    return TitleSpace(kept, texts, [taxonomy.uris[owner] for owner in owners], progress=progress)
