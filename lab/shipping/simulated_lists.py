"""National lists simulated from ESCO: source codes with their relations to ESCO's occupations, known by construction.

A list is made unit group by unit group. It is *coarser* than ESCO where a code stands for several occupations, and
named after the group or after some of them; *alike* where each occupation is a code, under its preferred or another
name; and *finer* where each of an occupation's names is a code. Occupations that are taken out of the target, and those
that only a later release has, become codes that are narrower than the occupation above them or close to their
neighbours. Names that a code took are mostly taken away from the target, as national names mostly are not in ESCO.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.crosswalks.mapping import BROADER, CLOSE, EXACT, NARROWER, PREDICTED
from jobmatch_core.crosswalks.relation_features import RelationPairs, SourceCode, TargetConcept
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold

COARSE, ALIKE, FINE = range(3)
_TAKEN_OUT = 0.06  # share of the occupations that the target lacks
_PARTS = 3  # codes that a coarse group is cut into, at most
_FINEST = 7  # codes of one occupation, at most
_NAMES = 12  # names of a target that are compared

Links = list[tuple[str, str]]  # URI, relation


@dataclass(frozen=True, slots=True)
class EscoLanguage:
    """ESCO in one language."""

    names: dict[str, list[str]]  # URI -> names, the preferred one first, of the target's release
    later: dict[str, list[str]]  # URI -> names of occupations that only the later release has
    groups: dict[str, str]  # URI -> code of the unit group
    group_names: dict[str, str]  # code -> name
    parents: dict[str, str]  # URI -> the occupation above it


def esco_in(language: str, target: Taxonomy, later: Taxonomy) -> EscoLanguage:
    """Return ESCO in a language, with the hierarchy of the later release's codes."""
    names = _names_in(target, language)
    codes = {later.uris[number]: later.codes[number] for number in later.occupation_numbers}
    by_code = {code: uri for uri, code in codes.items()}
    new = {uri: own for uri, own in _names_in(later, language).items() if not target.has_concept(uri)}
    groups = {
        taxonomy.uris[n]: taxonomy.isco_codes[n] for taxonomy in (later, target) for n in taxonomy.occupation_numbers
    }
    above = {uri: by_code.get(code.rpartition(".")[0], "") for uri, code in codes.items()}
    return EscoLanguage(
        names,
        new,
        groups,
        {code: target.group_name(code, language) for code in set(groups.values())},
        {uri: parent for uri, parent in above.items() if parent in names},
    )


def _names_in(taxonomy: Taxonomy, language: str) -> dict[str, list[str]]:
    names: dict[str, list[str]] = defaultdict(list)
    rows = taxonomy.tables.names.iloc[: taxonomy.n_own_names]
    rows = rows[(rows["language"] == language)].sort_values("preferred", ascending=False, kind="stable")
    for concept, text in zip(rows["concept"], rows["text"], strict=True):
        names[taxonomy.uris[concept]].append(text)
    occupations = [taxonomy.uris[number] for number in taxonomy.occupation_numbers]
    return {uri: names[uri] for uri in occupations if uri in names}


@dataclass
class _List:
    esco: EscoLanguage
    names: dict[str, list[str]]  # of the target
    random: np.random.Generator
    drop: float  # share of used names that the target loses
    close: float  # how often codes overlap with neighbours
    sources: list[SourceCode] = field(default_factory=list)
    rows: list[tuple[int, str, str]] = field(default_factory=list)
    in_group: Counter[str] = field(default_factory=Counter)

    def add(self, name: str, group: str, links: Links) -> None:
        kept_links = [(uri, relation) for uri, relation in links if uri in self.names]
        if not kept_links:
            return
        self.in_group[group] += 1
        self.sources.append(SourceCode(f"{group}{self.in_group[group]:02d}", name))
        self.rows += [(len(self.sources) - 1, uri, relation) for uri, relation in dict(kept_links).items()]

    def chance(self, probability: float) -> bool:
        return bool(self.random.random() < probability)

    def one_of(self, names: Sequence[str]) -> str:
        return names[int(self.random.integers(len(names)))]

    def take_away(self, uri: str, name: str) -> None:
        names = self.names.get(uri, [])
        if name in names[1:] and self.chance(self.drop):
            names.remove(name)


def simulated_pairs(esco: EscoLanguage, seed: int) -> tuple[RelationPairs, NDArray[np.intp]]:
    """Return the right pairs of a simulated list, and the number of each pair's relation in `PREDICTED`."""
    random = np.random.default_rng(seed)
    out = {uri for uri in esco.names if random.random() < _TAKEN_OUT}
    names = {uri: list(own[:_NAMES]) for uri, own in esco.names.items() if uri not in out}
    made = _List(esco, names, random, random.uniform(0.3, 0.9), random.uniform(0.1, 0.5))
    mix = random.dirichlet([1.5, 1.5, 1.5])
    members: dict[str, list[str]] = defaultdict(list)
    for uri in (*esco.names, *esco.later):
        members[esco.groups[uri]].append(uri)
    for group, uris in members.items():
        uris = [uris[place] for place in random.permutation(len(uris))]
        {COARSE: _coarse, ALIKE: _alike, FINE: _fine}[int(random.choice(3, p=mix))](
            made, group, [uri for uri in uris if uri in esco.names]
        )
        _missing(made, group, [uri for uri in uris if uri not in names], [uri for uri in uris if uri in names])
    return _pairs(made)


def _coarse(made: _List, group: str, uris: Sequence[str]) -> None:
    n_parts = int(made.random.integers(1, max(2, min(_PARTS + 1, len(uris)))))
    for part in np.array_split(np.array(uris, object), min(n_parts, max(len(uris), 1))):
        inside: list[str] = list(part)
        if not inside:
            continue
        if n_parts == 1:
            name = made.esco.group_names[group]
        else:
            picks = [made.one_of(made.esco.names[uri]) for uri in inside[:2]]
            name = picks[0] if made.chance(0.5) else ", ".join(picks)
        alone = len(inside) == 1 and n_parts > 1
        same = {uri for uri in inside if alone or fold(name) == fold(made.esco.names[uri][0])}
        links = [(uri, EXACT if uri in same else BROADER) for uri in inside]
        if made.chance(made.close):
            others = [uri for uri in uris if uri not in inside] or list(made.random.choice(list(made.names), 2))
            links += [(uri, CLOSE) for uri in others[:2]]
        made.add(name, group, links)


def _alike(made: _List, group: str, uris: Sequence[str]) -> None:
    below: dict[str, list[str]] = defaultdict(list)
    for child, parent in made.esco.parents.items():
        below[parent].append(child)
    for uri in uris:
        names = made.esco.names[uri]
        name = names[0] if made.chance(0.45) else made.one_of(names)
        links = [(uri, EXACT), *((child, BROADER) for child in below[uri])]
        neighbours = [other for other in uris if other != uri]
        if neighbours and made.chance(made.close):
            links += [(other, CLOSE) for other in neighbours[: int(made.random.integers(1, 3))]]
        made.take_away(uri, name)
        made.add(name, group, links)


def _fine(made: _List, group: str, uris: Sequence[str]) -> None:
    for uri in uris:
        names, parent = made.esco.names[uri], made.esco.parents.get(uri, "")
        size = min(len(names), int(made.random.integers(1, _FINEST + 1)))
        neighbours = [other for other in uris if other != uri]
        for place in made.random.permutation(len(names))[:size]:
            name, is_preferred = names[place], place == 0
            overlaps = not is_preferred and made.chance(0.3 * made.close)
            links = [(uri, EXACT if is_preferred else CLOSE if overlaps else NARROWER)]
            if parent and made.chance(0.3):
                links.append((parent, NARROWER))
            if neighbours and made.chance(0.3 * made.close):
                links.append((neighbours[0], CLOSE))
            made.take_away(uri, name)
            made.add(name, group, links)


def _missing(made: _List, group: str, missing: Sequence[str], there: Sequence[str]) -> None:
    for uri in missing:
        names = made.esco.names.get(uri) or made.esco.later[uri]
        name = names[0] if made.chance(0.5) else made.one_of(names)
        parent = made.esco.parents.get(uri, "")
        if parent in made.names:
            made.add(name, group, [(parent, NARROWER)])
        else:
            made.add(name, group, [(other, CLOSE) for other in there[: int(made.random.integers(1, 3))]])


def _pairs(made: _List) -> tuple[RelationPairs, NDArray[np.intp]]:
    esco = made.esco
    uris = list(made.names)
    numbers = {uri: number for number, uri in enumerate(uris)}
    hierarchy_known = made.chance(0.5)  # half of the users' taxonomies have none
    below = Counter(parent for child, parent in esco.parents.items() if child in made.names)
    targets = [
        TargetConcept(
            uri,
            tuple(made.names[uri]),
            esco.group_names[esco.groups[uri]],
            esco.groups[uri],
            below[uri] if hierarchy_known else 0,
        )
        for uri in uris
    ]
    source_of = np.array([source for source, _, _ in made.rows], np.intp)
    target_of = np.array([numbers[uri] for _, uri, _ in made.rows], np.intp)
    relations = np.array([PREDICTED.index(relation) for _, _, relation in made.rows], np.intp)
    return RelationPairs(made.sources, targets, source_of, target_of), relations
