"""Minutes that a mapper needs for 100 source codes, simulated: with the proposals of the desk, and with names alone.

Both mappers know the right mappings of a national crosswalk when they see them. At the desk the drafted mappings and
the candidates worth reading are there, with their relations, and a key lists the unit group of a concept; with names
alone each code is typed into a search of names, and each relation is chosen by hand. What neither list shows costs a
further search. The seconds are assumptions, the same for both; a mapper who had to find out what is right would need
more, on both sides.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from jobmatch_core.benchmarks.datasets.melo import read_crosswalk
from jobmatch_core.crosswalks.candidates import CodeCandidates, list_candidates
from jobmatch_core.crosswalks.joint_relations import LEFT_OUT
from jobmatch_core.crosswalks.mapping import PREDICTED
from jobmatch_core.crosswalks.proposals import proposed_pairs
from jobmatch_core.crosswalks.relation_features import SourceCode
from jobmatch_core.crosswalks.relation_model import shipped_relation_model
from jobmatch_core.crosswalks.review import Target, with_target
from jobmatch_core.linking import Linker
from lab.experiments.crosswalk_relations import UNSEEN, crosswalk_pairs

N_CODES, N_SHOWN = 100, 9
READ_CODE, READ_CANDIDATE, CHOOSE_RELATION, KEY, SEARCH = 4.0, 3.0, 2.0, 1.0, 10.0  # seconds
Targets = Mapping[str, str]  # URI -> relation


@dataclass(frozen=True, slots=True)
class MappingTime:
    """Minutes for the codes of a country."""

    country: str  # folder of the crosswalk
    unseen: bool  # whether nothing was chosen by it
    codes: int  # number of codes, drawn by chance from those that have a mapping
    # desk, names: minutes for 100 codes at the desk, and with names alone
    desk: float
    names: float
    confirmed: float  # share of codes whose draft is right as it stands


def seconds(
    right: Targets, drafted: Targets, listed: Sequence[str], groups: Mapping[str, Sequence[str]], *, typed: bool
) -> float:
    """Return the seconds for a code.

    Args:
        right: the right mappings.
        drafted: the mappings that are there before anything is pressed.
        listed: the candidates in the order in which they are read, the drafted ones first.
        groups: by concept, the concepts of its unit group, which a key lists; empty without that key.
        typed: whether the list comes from a search that the mapper types.
    """
    places = [listed.index(uri) + 1 for uri in right if uri in listed]
    missing = [uri for uri in right if uri not in listed]
    n_read = len(listed) if missing else max([*places, len(drafted)])
    total = READ_CODE + SEARCH * typed + READ_CANDIDATE * n_read + _finding(right, missing, listed, groups)
    draft = {uri: Target("", relation) for uri, relation in drafted.items() if uri in right}
    for uri, relation in right.items():
        if uri not in drafted:
            draft = with_target(draft, uri, "")
            total += KEY + CHOOSE_RELATION
            total += KEY * (typed or draft[uri].relation != relation)
        elif drafted[uri] != relation:
            total += CHOOSE_RELATION + KEY
        draft[uri] = Target("", relation)
    total += sum(2 * KEY for uri in drafted if uri not in right)  # marked and removed
    return total + KEY


def _finding(
    right: Targets, missing: Sequence[str], listed: Sequence[str], groups: Mapping[str, Sequence[str]]
) -> float:
    # each missing concept is searched for, unless it is cheaper to read the group of one that is there: a right one is
    # marked, another one is picked for it and removed again, and where none is there, one is searched for first
    total, searched = 0.0, SEARCH + READ_CANDIDATE
    for members in dict.fromkeys(tuple(groups.get(uri, (uri,))) for uri in missing):
        there = [uri for uri in members if uri in listed]
        unread = [uri for uri in members if uri not in listed]
        left = [uri for uri in unread if uri in missing]
        opened = 0.0 if any(uri in right for uri in there) else 2 * KEY if there else searched
        others = [unread.index(uri) + 1 for uri in (left if there else left[1:])]
        read = opened + (KEY + READ_CANDIDATE * max(others) if others else 0)
        total += min(read, len(left) * searched)
    return total


def mapping_times(paths: Sequence[Path], linker: Linker, seed: int = 0) -> Iterator[MappingTime]:
    """Yield the minutes for each crosswalk's folder."""
    for path in paths:
        pairs, relations, _ = crosswalk_pairs(path, linker.taxonomy)
        language = read_crosswalk(path).language
        right: dict[int, dict[str, str]] = {}
        for source, target, relation in zip(
            pairs.source_of.tolist(), pairs.target_of.tolist(), relations.tolist(), strict=True
        ):
            right.setdefault(source, {})[pairs.targets[target].uri] = PREDICTED[relation]
        random = np.random.default_rng(seed)
        drawn = sorted(random.choice(sorted(right), min(N_CODES, len(right)), replace=False).tolist())
        codes = [pairs.sources[source] for source in drawn]
        candidates = list_candidates(codes, linker)
        drafts = _drafts(codes, candidates, linker, language)
        by_names = _by_names(codes, linker, language)
        desk = names = confirmed = 0.0
        for number, source in enumerate(drawn):
            draft = drafts[number]
            found = [linker.taxonomy.uris[concept] for concept in candidates[number].worth_reading]
            groups = {uri: _group(linker, uri, candidates[number]) for uri in right[source]}
            listed = list(dict.fromkeys([*draft, *found]))[:N_SHOWN]
            desk += seconds(right[source], draft, listed, groups, typed=False)
            names += seconds(right[source], {}, by_names[number], {}, typed=True)
            confirmed += draft == right[source]
        scale = 100 / 60 / len(codes)
        yield MappingTime(
            path.name, path.name in UNSEEN, len(codes), desk * scale, names * scale, confirmed / len(codes)
        )


def _drafts(
    codes: Sequence[SourceCode], candidates: Sequence[CodeCandidates], linker: Linker, language: str
) -> list[dict[str, str]]:
    # the proposed mappings of each code, URI -> relation
    proposed = proposed_pairs(codes, candidates, linker, language, shipped_relation_model())
    pairs, drafts = proposed.pairs, [dict[str, str]() for _ in codes]
    for pair in np.flatnonzero(proposed.chosen != LEFT_OUT).tolist():
        uri = pairs.targets[pairs.target_of[pair]].uri
        drafts[pairs.source_of[pair]][uri] = PREDICTED[proposed.chosen[pair]]
    return drafts


def _group(linker: Linker, uri: str, candidates: CodeCandidates) -> list[str]:
    taxonomy = linker.taxonomy
    members = taxonomy.occupations_in(taxonomy.isco_codes[taxonomy.number(uri)])
    return [taxonomy.uris[concept] for concept in candidates.ordered([taxonomy.number(member) for member in members])]


def _by_names(codes: Sequence[SourceCode], linker: Linker, language: str) -> list[list[str]]:
    # the concepts whose names share most letters with a code's, as a search of names finds them
    tables = linker.taxonomy.tables.names.iloc[: linker.taxonomy.n_own_names]
    rows = tables[tables["language"] == language]
    letters = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 3), lowercase=True)
    matrix = letters.fit_transform(rows["text"])
    likeness = (letters.transform([code.name for code in codes]) @ matrix.T).toarray()
    uris = [linker.taxonomy.uris[concept] for concept in rows["concept"]]
    order = np.argsort(-likeness, axis=1, kind="stable")[:, : 40 * N_SHOWN]
    return [list(dict.fromkeys(uris[place] for place in ranked))[:N_SHOWN] for ranked in order.tolist()]
