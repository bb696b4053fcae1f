"""The title space of a taxonomy: names of its occupations in one language, encoded."""

from jobmatch_core.descriptions.nearest import TitleSpace
from jobmatch_core.entities import Encoder, Progress, no_progress
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.languages import ENGLISH


def open_title_space(
    taxonomy: Taxonomy,
    encoder: Encoder,
    language: str = ENGLISH,
    *,
    progress: Progress = no_progress,
) -> TitleSpace:
    """Encode the names of all occupations in a language; one without a name there has its displayed name.

    Args:
        taxonomy: taxonomy with the names.
        encoder: encoder of the model that encodes the postings; a transformer needs minutes for a whole taxonomy, and
            should cache its vectors (`DescriptionModel.keeping_vectors`).
        language: language code of the names.
        progress: called with names encoded and in total.
    """
    concepts, names = taxonomy.occupation_numbers, taxonomy.tables.names
    rows = names[(names["language"] == language) & names["concept"].isin(concepts)]
    found = rows.sort_values(["concept", "preferred"], ascending=[True, False], kind="stable")
    owners, texts = found["concept"].to_list(), found["text"].to_list()
    for concept in sorted(set(concepts.tolist()) - set(owners)):
        owners.append(concept)
        texts.append(taxonomy.name(concept, language))
    return TitleSpace(encoder, texts, [taxonomy.uris[owner] for owner in owners], progress=progress)
