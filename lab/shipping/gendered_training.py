"""Learning of the rules by which an encoder reads gendered words, see `gendered_words`.

The names of a taxonomy show which words are two forms of one: in names that state both (`Koch/Köchin`), mostly the
masculine one first, and in names of one occupation that differ by such a change alone. A word is a second form, called
feminine here, if most of the names that have it stand beside one with its first form. All other words are to stay as
they are, and so keep the rules from being too general; so do all words of English names, since English titles are
hardly gendered.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations

from rapidfuzz.distance import Prefix

from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold
from jobmatch_core.text.forms import expand_forms
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.titles.gendered_words import SAME, START, EndingChange, GenderedWords

_LEAST_STEM = 2  # letters that both forms of a word begin with
_SHORTEST = 3  # letters of a word that may be gendered
_ALIKE = 3  # letters of each word that two names begin with if they may be forms of one
_LEAST_USUAL = 10  # words with a change that is a usual one
_LEAST_SHARE = 0.5  # of the names with a feminine word that stand beside one with its masculine form
_PURITY = 0.9  # of the words with an ending that its rule is right for
_LEAST_WORDS = 3  # that a rule is learned from, unless it is of a whole word

Forms = Sequence[Sequence[str]]  # the folded forms of each name of one occupation in one language
Pair = tuple[str, str]  # a masculine word and the feminine one
_MASCULINE, _FEMININE = 0, 1  # places in a pair


def learned_gendered_words(taxonomies: Iterable[Taxonomy]) -> GenderedWords:
    """Learn the rules from the names of taxonomies, see the module."""
    names = [row for taxonomy in taxonomies for row in _names(taxonomy)]
    return GenderedWords(learned_endings(learned_changes(names)))


def _names(taxonomy: Taxonomy) -> Iterator[tuple[str, Forms]]:
    table = taxonomy.tables.names
    names: defaultdict[tuple[int, str], list[list[str]]] = defaultdict(list)
    for concept, language, text in zip(table["concept"], table["language"], table["text"], strict=True):
        names[concept, language].append([fold(form) for form in expand_forms(text)])
    yield from ((language, forms) for (_, language), forms in names.items())


def learned_changes(names: Sequence[tuple[str, Forms]]) -> dict[str, EndingChange]:
    """Return the change of each word of the names; words without a known change are left out.

    Args:
        names: language and names of each occupation in each language.
    """
    gendered = [forms for language, forms in names if language != ENGLISH]
    stated = Counter(pair for forms in gendered for pair in _stated(forms))
    kinds = Counter(_change(pair) for pair in _likeliest(stated))
    usual = {kind for kind, count in kinds.items() if count >= _LEAST_USUAL}
    beside = Counter(pair for forms in gendered for pair in _beside(forms, usual))
    as_feminine = _frequency(beside, _FEMININE)
    masculine = {feminine: masculine for masculine, feminine in _likeliest(beside)}
    words = Counter(word for forms in gendered for word in _words(forms))
    english = {word for language, forms in names if language == ENGLISH for word in _words(forms)}
    changes = {word: SAME for word in {*words, *english} if word in english or word not in masculine}
    for feminine, feminine_forms in masculine.items():
        if feminine not in english and as_feminine[feminine] >= _LEAST_SHARE * words[feminine]:
            changes[feminine] = _change((feminine_forms, feminine))
    return changes


def _stated(forms: Forms) -> Iterator[Pair]:
    """Yield the pairs of words of the names that state two forms."""
    for name in forms:
        if len(name) == 2:
            yield from _aligned(*name)


def _beside(forms: Forms, usual: set[EndingChange]) -> Iterator[Pair]:
    """Yield the pairs of words of two forms that differ by usual changes alone."""
    alike: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for form in _distinct(forms):
        alike[tuple(word[:_ALIKE] for word in form.split())].append(form)
    for group in alike.values():
        for one, other in permutations(group, 2):
            pairs = _aligned(one, other)
            if all(_change(pair) in usual for pair in pairs):
                yield from pairs


def _distinct(forms: Forms) -> set[str]:
    return {form for name in forms for form in name}


def _words(forms: Forms) -> Iterator[str]:
    """Yield the words of the different forms, a word once for each form that has it."""
    for form in _distinct(forms):
        yield from set(form.split())


def _aligned(one: str, other: str) -> list[Pair]:
    """Return the words at the same places of two forms that differ, but begin alike."""
    words = one.split(), other.split()
    if len(words[0]) != len(words[1]):
        return []
    differing = ((left, right) for left, right in zip(*words, strict=True) if left != right)
    return [
        (left, right)
        for left, right in differing
        if min(len(left), len(right)) >= _SHORTEST and left[:_LEAST_STEM] == right[:_LEAST_STEM]
    ]


def _likeliest(pairs: Mapping[Pair, int]) -> list[Pair]:
    """Return the most frequent pair of each feminine word; words that are more often masculine have none."""
    as_masculine, as_feminine = (_frequency(pairs, place) for place in (_MASCULINE, _FEMININE))
    best: dict[str, Pair] = {}
    for pair in pairs:
        feminine = pair[_FEMININE]
        if as_feminine[feminine] > as_masculine[feminine]:
            best[feminine] = max(best.get(feminine, pair), pair, key=lambda candidate: (pairs[candidate], candidate))
    return list(best.values())


def _frequency(pairs: Mapping[Pair, int], place: int) -> Counter[str]:
    """Return how often each word stands at a place of the pairs."""
    counts: Counter[str] = Counter()
    for pair, count in pairs.items():
        counts[pair[place]] += count
    return counts


def _change(pair: Pair) -> EndingChange:
    masculine, feminine = pair
    stem = Prefix.similarity(masculine, feminine)
    return EndingChange(len(feminine) - stem, masculine[stem:])


def learned_endings(changes: Mapping[str, EndingChange]) -> dict[str, EndingChange]:
    """Return the rules of endings for the changes of words, the shortest that are right often enough."""
    rules: dict[str, EndingChange] = {}
    waiting: list[tuple[str, list[str], EndingChange]] = [("", sorted(changes), SAME)]
    while waiting:
        ending, words, inherited = waiting.pop()
        if ending.startswith(START):
            rule = changes[words[0]]
        else:
            rule = _rule(ending, Counter(changes[word] for word in words), inherited)
        if rule != inherited:
            rules[ending] = rule
        if any(changes[word] != rule for word in words):
            longer: defaultdict[str, list[str]] = defaultdict(list)
            for word in words:
                longer[(START + word)[-len(ending) - 1 :]].append(word)
            waiting.extend((ending, with_it, rule) for ending, with_it in longer.items())
    return rules


def _rule(ending: str, counts: Counter[EndingChange], inherited: EndingChange) -> EndingChange:
    """Return the change of an ending: that of nearly all its words, else the inherited one unless it is wrong."""
    least = _PURITY * counts.total()
    [(likeliest, count)] = counts.most_common(1)
    if count >= max(least, _LEAST_WORDS) and likeliest.cut <= len(ending):
        return likeliest
    return inherited if counts[inherited] >= least else SAME
