"""Training view of a taxonomy's occupation names: one row per name, with its concept and language."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from jobmatch_core.errors import TaxonomyError
from jobmatch_core.taxonomy import Taxonomy


@dataclass(frozen=True, slots=True)
class OccupationNames:
    """Names with their occupations.

    Attributes:
        texts: every name.
        languages: (name,) language of each name.
        concepts: (name,) number in *uris* of each name's occupation.
        preferred: (name,) true if it is the preferred name in its language.
        uris: URI of every concept of the taxonomy.
        isco: ISCO-08 code of every concept; '' where it has none.
        parents: (relation, 2) number of an occupation and of its broader occupation.
    """

    texts: list[str]
    languages: NDArray[np.str_]
    concepts: NDArray[np.int32]
    preferred: NDArray[np.bool_]
    uris: list[str]
    isco: list[str]
    parents: NDArray[np.int32]

    @classmethod
    def of(
        cls, taxonomy: Taxonomy, languages: Sequence[str] = (), relations: Taxonomy | None = None
    ) -> "OccupationNames":
        """Return the occupation names of a taxonomy.

        Args:
            taxonomy: the taxonomy with the occupations.
            languages: languages of the names; all where empty.
            relations: the taxonomy with the relations between broader and narrower occupations, joined by URI: ESCO's
                label files have no relations, but its other versions share the URIs. *taxonomy* by default.

        Raises:
            TaxonomyError: there is no name in one of the languages.
        """
        table = taxonomy.tables.names
        table = table[table["concept"].isin(taxonomy.occupation_numbers)]
        if missing := sorted(set(languages) - set(table["language"])):
            raise TaxonomyError(
                f"{taxonomy.id} has no names in {', '.join(missing)}; it has {', '.join(taxonomy.manifest.languages)}."
            )
        if languages:
            table = table[table["language"].isin(languages)]
        return cls(
            texts=table["text"].to_list(),
            languages=table["language"].to_numpy(dtype=np.str_),
            concepts=table["concept"].to_numpy(dtype=np.int32),
            preferred=table["preferred"].to_numpy(dtype=np.bool_),
            uris=taxonomy.uris,
            isco=taxonomy.isco_codes,
            parents=_parents(taxonomy, relations or taxonomy),
        )

    def keep(self, kept: NDArray[np.bool_]) -> "OccupationNames":
        """Return only the names where *kept*, shape (name,), is true."""
        return replace(
            self,
            texts=[self.texts[row] for row in np.flatnonzero(kept)],
            languages=self.languages[kept],
            concepts=self.concepts[kept],
            preferred=self.preferred[kept],
        )


def _parents(taxonomy: Taxonomy, relations: Taxonomy) -> NDArray[np.int32]:
    """Return the relations between occupations of *taxonomy* that occur in *relations*."""
    numbers = {taxonomy.uris[number]: number for number in taxonomy.occupation_numbers.tolist()}
    to_ours = pd.Series(relations.uris, dtype="str").map(numbers)
    both = relations.tables.broader[["child", "parent"]].apply(lambda column: column.map(to_ours)).dropna()
    return np.asarray(both, dtype=np.int32).reshape(-1, 2)
