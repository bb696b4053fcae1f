"""The linker: titles in, ranked occupations with evidence and probabilities out; abstains when unsure."""

import copy
import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import cached_property, lru_cache, partial
from itertools import islice
from threading import Lock

import numpy as np

from jobmatch_core.entities import Candidate, Evidence, GroupOffer, LinkResult, Progress, no_progress
from jobmatch_core.io.tables import cell_text
from jobmatch_core.judged_title import OwnName, Rejection
from jobmatch_core.linking.abstention import NO_JOB, REJECTED, SEVERAL, likely_group, no_names_in, reason_of
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.linking.corrections import ACCEPTED, NEAREST_RIGHT
from jobmatch_core.linking.earlier_decisions import EarlierDecisions, group_code
from jobmatch_core.linking.fusion import settled
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.linking.link_rows import LinkResults
from jobmatch_core.linking.linking_model import HeadMoves
from jobmatch_core.linking.own_names import OwnLayer, OwnTexts
from jobmatch_core.linking.ranking import Ranking, TitleCandidates, n_general
from jobmatch_core.linking.scorers import words_of
from jobmatch_core.linking.title_texts import are_general
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.folding import fold
from jobmatch_core.text.language_guess import foreign_script
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.titles.cleaning import CleanTitle, clean_title

BATCH = 2000  # titles scored at once: an occupation's names are read once for all of them; few enough to show progress
_PARTS_KEPT = 4  # language selections with a cached sub-index


class Linker:
    """Links titles to the occupations of one taxonomy.

    Attributes:
        taxonomy: the taxonomy to link to.
        index: the searchable names of the taxonomy.
        calibration: the fitted fusion and threshold.
        moves: moves of the concept head by judged titles; None if it is unchanged.
    """

    def __init__(
        self, taxonomy: Taxonomy, index: NameIndex, calibration: Calibration, moves: HeadMoves | None = None
    ) -> None:
        """Combine a taxonomy, the index of its names and the weights fitted on them."""
        self.taxonomy = taxonomy
        self.calibration = calibration
        self.moves = moves
        self.index = index.with_head_moved(moves.by_concept(taxonomy.uris)) if moves else index
        self._in_languages = lru_cache(_PARTS_KEPT)(partial(self.index.in_languages, taxonomy))
        self._parts_lock = Lock()  # pages of several users share a linker
        self._own: OwnLayer | None = None
        self._earlier = EarlierDecisions(())
        self._own_texts = OwnTexts(self.index)

    @property
    def system(self) -> str:
        """Description of the linker for reports: the lexical scorers, the encoder if there is one, own names."""
        own = f" + own names {self._own.digest}" if self._own else ""
        earlier = f" + decisions {self._earlier.digest}" if self._earlier else ""
        return f"{self._model}{own}{earlier}"

    @property
    def state(self) -> str:
        """Identity of the answers, to check stored ones against: `version`, own names, and earlier decisions."""
        own = f", own names {self._own.digest}" if self._own else ""
        earlier = f", decisions {self._earlier.digest}" if self._earlier else ""
        return f"{self.version}{own}{earlier}"

    @cached_property
    def version(self) -> str:
        """Identity of the scores, for the provenance of judgments; own names, which follow from judgments, aside."""
        fields = asdict(replace(self.calibration, curve=(), unit_curve=())).items()
        fitted = {name: value for name, value in fields if value is not None}  # others have no part in the scores
        digest = hashlib.sha256(json.dumps(fitted, sort_keys=True).encode()).hexdigest()[:8]
        head = f", head {self.moves.digest}" if self.moves else ""
        return f"{self._model}, calibration {digest}{head}"

    @property
    def encoder_name(self) -> str:
        """The encoder's name, '' without one."""
        return self.index.encoder.name if self.index.encoder else ""

    @property
    def _model(self) -> str:
        return f"jobmatch lexical + {self.encoder_name}" if self.encoder_name else "jobmatch lexical"

    def with_own_names(self, names: Sequence[OwnName]) -> "Linker":
        """Return a linker with these own names in place of this one's.

        It shares this one's index, which is not built again; known titles are not encoded again.

        Args:
            names: accepted and rejected titles; accepted ones of occupations unknown to the index are left out.
        """
        linker, concepts = copy.copy(self), {uri: number for number, uri in enumerate(self.taxonomy.uris)}
        of_occupations = [name for name in names if not (name.rejected or name.as_group)]
        linker._own = self._own_texts.layer(of_occupations, concepts)
        linker._earlier = EarlierDecisions([name for name in names if name.uri in concepts])
        return linker

    def link(self, title: object, *, languages: Collection[str] = (), show: str = ENGLISH, top: int = 5) -> LinkResult:
        """Link one title; see `link_all`."""
        return self.link_all([title], languages=languages, show=show, top=top)[0]

    def link_all(
        self,
        titles: Iterable[object],
        *,
        languages: Collection[str] = (),
        show: str = ENGLISH,
        top: int = 5,
        progress: Progress = no_progress,
    ) -> LinkResults:
        """Link titles to occupations.

        Args:
            titles: titles as typed, in any language; None, NaN and pandas' NA are empty titles.
            languages: match only names in these languages; all of the taxonomy's where empty.
            show: language of the names in the answer.
            top: maximum number of candidates.
            progress: called with titles done and titles in total.

        Raises:
            LinkingError: the taxonomy has no names in one of the languages.
            DataFileError: a title is a list, a record or bytes.
        """
        index = self._part(languages)
        texts = list(map(cell_text, titles))
        results = LinkResults()
        for start in range(0, len(texts), BATCH):
            results.extend(self._link_batch(index, texts[start : start + BATCH], show, top))
            progress(len(results), len(texts))
        return results

    def rank(self, titles: Sequence[str], *, languages: Collection[str] = ()) -> list[Ranking]:
        """Return every candidate of each title, for benchmarks; raises as `link_all`."""
        index = self._part(languages)
        rankings: list[Ranking] = []
        for start in range(0, len(titles), BATCH):
            rankings.extend(self._rank(index, titles[start : start + BATCH])[1])
        return rankings

    def candidates(self, titles: Sequence[str]) -> TitleCandidates:
        """Return the candidates of titles in all their meanings, which `rank` ranks by this linker's weights."""
        blocks = [titles[start : start + BATCH] for start in range(0, max(len(titles), 1), BATCH)]
        return TitleCandidates.joined([self._found(self.index, block)[1] for block in blocks])

    def accepts(self, title: str) -> bool:
        """Return whether people accepted a title for an occupation."""
        return bool(self._accepted(title))

    def _part(self, languages: Collection[str]) -> NameIndex:
        if not languages:
            return self.index
        with self._parts_lock:  # each part is made once
            return self._in_languages(tuple(sorted(set(languages))))

    def _link_batch(self, index: NameIndex, titles: Sequence[str], show: str, top: int) -> Iterator[LinkResult]:
        cleaned, rankings = self._rank(index, titles)
        jobs = self._links_of_jobs(index, cleaned, show)
        for title, clean, ranking in zip(titles, cleaned, rankings, strict=True):
            result = self._result(index, title, clean, ranking, show, top)
            yield replace(result, jobs=tuple(islice(jobs, clean.n_jobs))) if clean.n_jobs > 1 else result

    def _links_of_jobs(self, index: NameIndex, cleaned: Sequence[CleanTitle], show: str) -> Iterator[LinkResult]:
        """Return the links of the jobs of the titles that name several, title by title."""
        jobs = [form for clean in cleaned if clean.n_jobs > 1 for form in clean.first_forms]
        return self._link_batch(index, jobs, show, top=1) if jobs else iter(())

    def _rank(self, index: NameIndex, titles: Sequence[str]) -> tuple[list[CleanTitle], list[Ranking]]:
        """Clean, score and rank; what people accepted a title for comes first, and what they rejected is left out."""
        cleaned, found = self._found(index, titles)
        rankings = found.rankings(self.calibration)
        if self._earlier:
            rankings = list(map(self._without_rejected, titles, rankings))
        if self._own is not None:
            rankings = list(map(self._settled, titles, rankings))
        return cleaned, rankings

    def _found(self, index: NameIndex, titles: Sequence[str]) -> tuple[list[CleanTitle], TitleCandidates]:
        cleaned = [self._cleaned(title) for title in titles]
        return cleaned, TitleCandidates.of(index, self.taxonomy, titles, cleaned, self._own)

    def _cleaned(self, title: str) -> CleanTitle:
        """Clean a title; one that is a name, or an accepted title, is also searched as typed."""
        clean = clean_title(title, self.index.known_words, self.index.known_texts)
        whole = fold(title)
        if clean.readings or clean.manages:
            clean = self._without_needless_readings(clean, whole)
        if whole not in clean.forms and (whole in self.index.known_texts or self._accepted(title)):
            return replace(clean, forms=(*clean.forms, whole))
        return clean

    def _without_needless_readings(self, clean: CleanTitle, whole: str) -> CleanTitle:
        """Leave a title as it stands if a name equals it; else drop the readings that would have to be names."""
        known = self.index.known_texts
        if not known.isdisjoint({whole, clean.forms[0]}):
            return replace(clean, readings=(), manages=False)
        return replace(
            clean, readings=tuple(reading for reading in clean.readings if not reading.as_name or reading.text in known)
        )

    def _accepted(self, title: str) -> dict[int, OwnName]:
        return self._own.accepted(fold(title)) if self._own is not None else {}

    def _without_rejected(self, title: str, ranking: Ranking) -> Ranking:
        rejected = self._earlier.rejected(fold(title))
        concepts = [self.taxonomy.number(uri) for uri in rejected]
        return ranking.take(np.flatnonzero(~np.isin(ranking.concepts, concepts))) if rejected else ranking

    def _settled(self, title: str, ranking: Ranking) -> Ranking:
        """Put the occupations that a title was accepted for first."""
        accepted = np.isin(ranking.concepts, list(self._accepted(title)))
        if not accepted.any():
            return ranking
        probabilities = settled(np.zeros(len(accepted), np.intp), ranking.probabilities, accepted, ACCEPTED)
        return replace(ranking, probabilities=probabilities).take(np.argsort(-probabilities, kind="stable"))

    def _result(
        self, index: NameIndex, title: str, clean: CleanTitle, ranking: Ranking, show: str, top: int
    ) -> LinkResult:
        accepted, rejected = self._accepted_group(title, show), self._rejections(title, show)
        no_job = "" if accepted else self._no_job(title, clean)
        script = self._script_without_names(index, clean)
        if script and not self._is_read(index, clean):
            ranking = ranking.take(slice(0))
        occupations = self._of_occupations(index, title, ranking)
        group, abstained = accepted, bool(no_job)
        if group is None and not abstained:
            group, abstained = self._group_instead(ranking, occupations, rejected, show)
        if group is not None and len(group.code) == UNIT_DIGITS:
            occupations = self._group_first(occupations, group.code, 1 if abstained else len(occupations.concepts))
        n_named = min(max(top, 2), len(occupations.concepts))  # two show whether several have the title's name
        candidates = tuple(self._candidate(index, title, clean, occupations, rank, show) for rank in range(n_named))
        reason = ""
        if abstained:
            reason = no_job or (no_names_in(script) if script else "") or (REJECTED if rejected else "")
            reason = reason or self._why_unsure(index, title, clean, occupations, candidates)
        return LinkResult(
            title=title,
            candidates=candidates[:top],
            abstained=abstained,
            group=group,
            taxonomy=self.taxonomy.id,
            set_aside=clean.set_aside,
            seniority=clean.seniority,
            reason=reason,
            rejected=rejected,
        )

    def _group_instead(
        self, ranking: Ranking, occupations: Ranking, rejected: Sequence[Rejection], show: str
    ) -> tuple[GroupOffer | None, bool]:
        """Return the group that is offered where no occupation is sure, and whether the linker abstains."""
        if len(occupations.probabilities) and occupations.probabilities[0] >= self.calibration.threshold:
            return None, False
        group = likely_group(self.taxonomy, ranking.concepts, ranking.probabilities, show)
        if group is None or group.uri in {rejection.uri for rejection in rejected}:
            return None, True
        return group, len(group.code) != UNIT_DIGITS or group.probability < self.calibration.unit_threshold

    def _why_unsure(
        self, index: NameIndex, title: str, clean: CleanTitle, ranking: Ranking, candidates: Sequence[Candidate]
    ) -> str:
        """Return why none of the candidates is linked."""
        if len(ranking.entries) and n_general(index, clean, int(ranking.entries[0])):
            return SEVERAL
        is_unknown = self._has_unknown_word(clean)
        return reason_of({fold(title), *clean.forms}, candidates, has_unknown_word=is_unknown)

    def _accepted_group(self, title: str, show: str) -> GroupOffer | None:
        """Return the unit group that a title was accepted for; an accepted occupation says more."""
        own = self._earlier.group(fold(title))
        if own is None or self._accepted(title):
            return None
        code = group_code(own.uri)
        return GroupOffer(code, self.taxonomy.group_name(code, show), ACCEPTED, own)

    def _rejections(self, title: str, show: str) -> tuple[Rejection, ...]:
        numbers = ((self.taxonomy.number(uri), own) for uri, own in self._earlier.rejected(fold(title)).items())
        return tuple(
            Rejection(own.uri, self.taxonomy.name(number, show), self.taxonomy.isco_codes[number], own)
            for number, own in numbers
        )

    def _scripts(self, index: NameIndex) -> frozenset[str]:
        return index.scripts | self._own.scripts if self._own is not None else index.scripts

    def _script_without_names(self, index: NameIndex, clean: CleanTitle) -> str:
        """Return the script of a title that no name, nor own name, is in; '' for other titles, and for glossed ones."""
        scripts = self._scripts(index)
        if any(not foreign_script(reading.text, scripts) for reading in clean.readings):
            return ""
        return foreign_script(" ".join(clean.forms), scripts)

    def _is_read(self, index: NameIndex, clean: CleanTitle) -> bool:
        """Return whether the encoder's training knows anything of a title's words in scripts without names."""
        words = {word for form in clean.forms for word in form.split()}
        foreign = [word for word in words if foreign_script(word, self._scripts(index))]
        return index.encoder is not None and bool(index.encoder.encode(foreign).any())

    def _no_job(self, title: str, clean: CleanTitle) -> str:
        """Return why a title that is neither a name nor an accepted title names no job: '' if it may name one."""
        if not self.index.known_texts.isdisjoint(clean.forms) or self._accepted(title):
            return ""
        return clean.no_job or (NO_JOB if are_general(clean.forms) else "")

    def _has_unknown_word(self, clean: CleanTitle) -> bool:
        """Return whether a title and each reading of all of it have a word that no name and no own name has.

        Numbers do not count.
        """
        known, own = self.index.known_words, self._own.words if self._own is not None else frozenset()
        whole = (reading for reading in clean.readings if reading.job is None or clean.n_jobs == 1)
        texts = (*clean.forms[:1], *(fold(reading.text) for reading in whole if reading.equal))
        return all(
            any(word not in known and word not in own and not word.isdecimal() for word in words_of(text))
            for text in texts
        )

    def _of_occupations(self, index: NameIndex, title: str, ranking: Ranking) -> Ranking:
        """Lower the probabilities of occupations that are only the nearest ones of the unit group that a name means."""
        nearest = index.of_group.take(ranking.entries, mode="clip") & (ranking.entries < len(index.texts))
        if nearest.any():
            nearest &= ~np.isin(ranking.concepts, list(self._accepted(title)))
        if not nearest.any():
            return ranking
        probabilities = np.where(nearest, NEAREST_RIGHT * ranking.probabilities, ranking.probabilities)
        return replace(ranking, probabilities=probabilities).take(np.argsort(-probabilities, kind="stable"))

    def _group_first(self, ranking: Ranking, code: str, most: int) -> Ranking:
        """Put the likeliest occupations of a unit group before the others, *most* of them."""
        codes = (self.taxonomy.isco_codes[concept] for concept in ranking.concepts.tolist())
        inside = np.array([isco.startswith(code) for isco in codes], dtype=np.bool_)
        return ranking.take(np.argsort(~(inside & (np.cumsum(inside) <= most)), kind="stable"))

    def with_precision(self, precision: float) -> "Linker":
        """Return a linker that links where links have a precision on held-out titles; raises as `at_precision`."""
        linker = copy.copy(self)
        linker.calibration = self.calibration.at_precision(precision)
        linker.__dict__.pop("version", None)
        return linker

    def with_precision_if_fitted(self, precision: float) -> "Linker":
        """Return a linker as `with_precision` does, or this one if its weights are too old to have curves."""
        return self.with_precision(precision) if self.calibration.curve else self

    def _candidate(
        self, index: NameIndex, title: str, clean: CleanTitle, ranking: Ranking, rank: int, show: str
    ) -> Candidate:
        concept, entry = int(ranking.concepts[rank]), int(ranking.entries[rank])
        reading = int(ranking.texts[rank]) - len(clean.forms)
        own = self._accepted(title).get(concept)
        if self._own is not None and entry >= len(index.texts):
            own = own or self._own.names[entry - len(index.texts)]
            name, language, from_lexicon = own.title, "", False
        else:
            name, language, from_lexicon = self._matched_name(index, entry, show)
        return Candidate(
            uri=self.taxonomy.uris[concept],
            name=self.taxonomy.name(concept, show),
            isco=self.taxonomy.isco_codes[concept],
            probability=float(ranking.probabilities[rank]),
            evidence=Evidence(
                name,
                language,
                dict(zip(self._scorers, ranking.shares[rank].tolist(), strict=True)),
                own,
                from_lexicon,
                clean.readings[reading].text if reading >= 0 else "",
            ),
        )

    @cached_property
    def _scorers(self) -> tuple[str, ...]:
        return self.calibration.scorers

    def _matched_name(self, index: NameIndex, entry: int, show: str) -> tuple[str, str, bool]:
        """Return the name behind an entry, its language, and whether it is the lexicon's.

        Of several spellings it is the shown language's, else English, else the first.
        """
        rows = index.forms(entry).tolist()
        languages = [self.taxonomy.name_languages[row] for row in rows]
        wanted = next((language for language in (show, ENGLISH) if language in languages), languages[0])
        row = rows[languages.index(wanted)]
        return self.taxonomy.name_texts[row], wanted, row >= self.taxonomy.n_own_names
