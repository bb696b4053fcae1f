"""A benchmark's corpus as a taxonomy, for those who have none installed that knows its concepts."""

from collections import defaultdict

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.manifest import Manifest
from jobmatch_core.taxonomy.tables import OCCUPATION, TablesBuilder


def taxonomy_of(dataset: RankingDataset) -> Taxonomy:
    """Return the corpus's concepts as occupations, its elements as their names."""
    builder = TablesBuilder()
    names: dict[tuple[int, str], list[str]] = defaultdict(list)
    for text, language, concept in zip(
        dataset.elements, dataset.element_languages, dataset.element_concepts.tolist(), strict=True
    ):
        number = builder.concept(dataset.concepts[concept], kind=OCCUPATION, code="", isco="")
        names[number, language].append(text)
    for (number, language), texts in names.items():
        builder.add_names(number, language, texts[0], texts[1:])
    manifest = Manifest(
        id=f"corpus-{dataset.name}",
        name=dataset.name,
        version="",
        languages=tuple(sorted(set(dataset.element_languages))),
        counts={},
        source_hash=dataset.data_hash,
        attribution="",
        created="",
    )
    return Taxonomy(manifest, builder.build())
