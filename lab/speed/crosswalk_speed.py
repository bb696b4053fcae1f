"""Time from a source list to proposed mappings: candidates of the linker, features and relations."""

from dataclasses import dataclass
from datetime import date
from time import perf_counter

import numpy as np

from jobmatch_core.crosswalks.candidates import list_candidates
from jobmatch_core.crosswalks.proposals import proposed_mappings, proposed_pairs
from jobmatch_core.crosswalks.relation_features import SourceCode
from jobmatch_core.crosswalks.relation_model import shipped_relation_model
from jobmatch_core.linking import Linker

_DAY = date(2026, 1, 1)


@dataclass(frozen=True, slots=True)
class CrosswalkSpeed:
    """Seconds for a list of codes."""

    # codes, occupations: sizes of both classifications
    codes: int
    occupations: int
    pairs: int  # that are proposed
    # candidates_s, relations_s: seconds of both parts
    candidates_s: float
    relations_s: float
    whole_s: float  # seconds of `proposed_mappings`, which includes both


def measure_crosswalk_speed(linker: Linker, n_codes: int, language: str) -> CrosswalkSpeed:
    """Map names of the taxonomy itself, of which each loses its last word where it has several, as a list of codes."""
    rows = linker.taxonomy.tables.names.iloc[: linker.taxonomy.n_own_names]
    names = rows.loc[rows["language"] == language, "text"].to_list()
    random = np.random.default_rng(0)
    picked = [names[place] for place in random.choice(len(names), n_codes, replace=len(names) < n_codes)]
    codes = [SourceCode(f"{number:05d}", name.rsplit(" ", 1)[0]) for number, name in enumerate(picked)]
    model = shipped_relation_model()
    linker.rank([codes[0].name])  # opens what is opened once
    start = perf_counter()
    candidates = list_candidates(codes, linker)
    paired = perf_counter()
    pairs = proposed_pairs(codes, candidates, linker, language, model).pairs
    related = perf_counter()
    proposed_mappings(codes, linker, language, _DAY)
    whole = perf_counter() - related
    size = len(linker.taxonomy.occupation_numbers)
    return CrosswalkSpeed(n_codes, size, len(pairs), paired - start, related - paired, whole)
