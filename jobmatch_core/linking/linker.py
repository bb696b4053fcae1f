"""The linker: titles in, ranked occupations with evidence and probabilities out, or the reason why it abstains."""

import copy
import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import chain, islice
from threading import Lock

import numpy as np

from jobmatch_core.entities import Candidate, Evidence, GroupOffer, LinkResult, Progress, no_progress
from jobmatch_core.judged_title import NO_OCCUPATION_URI, OwnName, Rejection
from jobmatch_core.link_reasons import DECIDED, NO_JOB, REJECTED, SEVERAL, UNKNOWN_WORD, no_names_in
from jobmatch_core.linking.abstention import group_first, likely_group, reason_of
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.linking.coding import coded
from jobmatch_core.linking.context import NO_CONTEXT, Context, Titled, context_evidence, parts_of
from jobmatch_core.linking.context_model import shipped_context
from jobmatch_core.linking.context_ranking import ContextRanker, Said
from jobmatch_core.linking.corrections import NEAREST_RIGHT
from jobmatch_core.linking.earlier_decisions import EarlierDecisions
from jobmatch_core.linking.headings import heading_parts, heading_ranking, is_sure, says_more
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.linking.link_rows import LinkResults
from jobmatch_core.linking.linking_model import HeadMoves
from jobmatch_core.linking.own_names import OwnTexts
from jobmatch_core.linking.ranking import Ranking, TitleCandidates, n_general
from jobmatch_core.linking.scorers import words_of
from jobmatch_core.linking.title_decisions import TitleDecisions
from jobmatch_core.linking.title_texts import are_general
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.folding import fold
from jobmatch_core.text.language_guess import foreign_script
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.titles.cleaning import CleanTitle, clean_title

BATCH = 2000  # titles scored at once: an occupation's names are read once for all of them; few enough to show progress
_CACHED_PARTS = 4  # indexes of language selections


@dataclass(frozen=True, slots=True)
class _Title:
    typed: str
    folded: str
    clean: CleanTitle
    context: Context


class Linker:
    """Links titles to the occupations of one taxonomy.

    Attributes:
        taxonomy: the taxonomy to link to.
        index: the searchable names of the taxonomy.
        calibration: the fitted fusion and thresholds.
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
        self._in_languages = lru_cache(_CACHED_PARTS)(partial(self.index.in_languages, taxonomy))
        self._parts_lock = Lock()  # pages of several users share a linker
        self._decisions = TitleDecisions(taxonomy)
        self._own_texts = OwnTexts(self.index)

    @property
    def system(self) -> str:
        """Description of the linker for reports: the lexical scorers, the encoder if there is one, own names."""
        return f"{self._model}{self._decisions.described(' + ')}"

    @property
    def state(self) -> str:
        """Identity of the answers, to check stored ones against: `version`, own names, and earlier decisions."""
        return f"{self.version}{self._decisions.described(', ')}"

    @cached_property
    def version(self) -> str:
        """Identity of the scores, for the provenance of judgments; without own names, which follow from judgments."""
        fields = asdict(replace(self.calibration, curve=(), unit_curve=()))
        del fields["precision"]  # the thresholds stand for it
        # those without a value have no part in the scores
        fitted = {name: value for name, value in fields.items() if value is not None}
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
        """Return a linker with these own names in place of this one's, over the same index.

        Args:
            names: accepted and rejected titles; accepted ones of occupations unknown to the index are left out.
        """
        linker, concepts = copy.copy(self), {uri: concept for concept, uri in enumerate(self.taxonomy.uris)}
        of_occupations = [name for name in names if not (name.rejected or name.as_group)]
        known = [name for name in names if name.uri in concepts or name.uri == NO_OCCUPATION_URI]
        own, earlier = self._own_texts.layer(of_occupations, concepts), EarlierDecisions(known, self._cleaned)
        linker._decisions = TitleDecisions(self.taxonomy, own, earlier)
        return linker

    # the cleaned text of a title, '' if it is a name: that nothing fits 'nurse (volunteer)' says nothing about 'nurse'
    def _cleaned(self, title: str) -> str:
        text = self._own_texts.written(title).text
        return "" if text in self.index.known_texts else text

    def with_precision(self, precision: float) -> "Linker":
        """Return a linker with the thresholds for a target precision; raises as `Calibration.at_precision`."""
        linker = copy.copy(self)
        linker.calibration = self.calibration.at_precision(precision)
        linker.__dict__.pop("version", None)
        return linker

    def with_precision_if_fitted(self, precision: float) -> "Linker":
        """Return a linker as `with_precision` does, or this one if its weights are too old to have curves."""
        return self.with_precision(precision) if self.calibration.curve else self

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
            titles: titles as typed, in any language, or `TitleInContext`; None, NaN and pandas' NA are empty titles.
            languages: match only names in these languages; all of the taxonomy's where empty.
            show: language of the names in the answer.
            top: maximum number of candidates.
            progress: called with titles done and titles in total.

        Raises:
            LinkingError: the taxonomy has no names in one of the languages.
            DataFileError: a title is a list, a record or bytes.
        """
        index = self._part(languages)
        texts = list(map(parts_of, titles))
        results = LinkResults()
        for start in range(0, len(texts), BATCH):
            block = [self._read(*parts) for parts in texts[start : start + BATCH]]
            results.extend(self._link_batch(index, block, show, top))
            progress(len(results), len(texts))
        return results

    def rank(self, titles: Sequence[Titled], *, languages: Collection[str] = ()) -> list[Ranking]:
        """Return every candidate of each title, for benchmarks; raises as `link_all`."""
        index = self._part(languages)
        blocks = (titles[start : start + BATCH] for start in range(0, len(titles), BATCH))
        read = ([self._read(*parts_of(title)) for title in block] for block in blocks)
        return [ranking for block in read for ranking in self._rank(index, block)[0]]

    def candidates(self, titles: Sequence[str]) -> TitleCandidates:
        """Return the candidates of titles in all their meanings, which `rank` ranks by this linker's weights."""
        blocks = [titles[start : start + BATCH] for start in range(0, max(len(titles), 1), BATCH)]
        return TitleCandidates.joined([self._scored(self.index, list(map(self._read, block))) for block in blocks])

    def accepts(self, title: str) -> bool:
        """Return whether people accepted a title for an occupation."""
        return bool(self._decisions.accepted(fold(title)))

    def _part(self, languages: Collection[str]) -> NameIndex:
        if not languages:
            return self.index
        with self._parts_lock:  # each part is made once
            return self._in_languages(tuple(sorted(set(languages))))

    def _link_batch(self, index: NameIndex, titles: Sequence[_Title], show: str, top: int) -> Iterator[LinkResult]:
        answers = self._answers(index, titles)
        # the links of the jobs of the titles that name several, title by title
        forms = [form for text, *_ in answers if text.clean.n_jobs > 1 for form in text.clean.first_forms]
        jobs = self._link_batch(index, list(map(self._read, forms)), show, top=1) if forms else iter(())
        for title, (text, ranking, said) in zip(titles, answers, strict=True):
            result, n_jobs = self._result(index, text, ranking, said, show, top), text.clean.n_jobs
            result = coded(result, self.taxonomy, ranking, self.calibration.precision, show)
            if text is not title:
                others = (part for part in heading_parts(title.typed, title.clean) if part != text.typed)
                aside = tuple(dict.fromkeys((*others, *result.set_aside)))
                result = replace(result, title=title.typed, set_aside=aside, seniority=title.clean.seniority)
            yield replace(result, jobs=tuple(islice(jobs, n_jobs))) if n_jobs > 1 else result

    # the text that answers for each title, its ranking, and what is said beside it: the title itself, or the part of a
    # heading, which is not sure as a whole, that says most
    def _answers(self, index: NameIndex, titles: Sequence[_Title]) -> list[tuple[_Title, Ranking, Said]]:
        answers = list(zip(titles, *self._rank(index, titles), strict=True))
        headings = {
            place: self._heading(title)
            for place, (title, ranking, _) in enumerate(answers)
            if not (
                is_sure(ranking, index.units)
                or self._decisions.exist_for(title.folded, title.clean.forms)
                or self._no_job(title)
            )
        }
        parts = list(dict.fromkeys(chain.from_iterable(headings.values())))
        blocks = [self._rank(index, parts[start : start + BATCH]) for start in range(0, len(parts), BATCH)]
        ranked = (pair for rankings, said in blocks for pair in zip(rankings, said, strict=True))
        of_parts = dict(zip(parts, ranked, strict=True))
        for place, heading in headings.items():
            if heading:
                rankings = [answers[place][1], *(of_parts[part][0] for part in heading)]
                text, ranking = heading_ranking(rankings, index.units)
                title, _, said = answers[place] if text == 0 else (heading[text - 1], *of_parts[heading[text - 1]])
                answers[place] = title, ranking, said
        return answers

    # the parts of a heading that may name a job
    def _heading(self, title: _Title) -> list[_Title]:
        parts = [self._read(typed, title.context) for typed in heading_parts(title.typed, title.clean)]
        parts = [part for part in parts if part.clean.forms and not self._no_job(part)]
        return parts if says_more([part.clean for part in parts], title.clean) else []

    # A title that is a name, or an accepted title, is also searched as typed; of one that equals a name there are no
    # readings, and of others those that would have to be names only if they are.
    def _read(self, typed: str, context: Context = NO_CONTEXT) -> _Title:
        names, folded = self.index.known_texts, fold(typed)
        clean = clean_title(typed, self.index.known_words, names)
        if clean.readings or clean.manages:
            if names.isdisjoint({folded, clean.forms[0]}):
                readings = (reading for reading in clean.readings if not reading.as_name or reading.text in names)
                clean = replace(clean, readings=tuple(readings))
            else:
                clean = replace(clean, readings=(), manages=False)
        if folded not in clean.forms and (folded in names or self._decisions.accepted(folded)):
            clean = replace(clean, forms=(*clean.forms, folded))
        return _Title(typed, folded, clean, context)

    def _scored(self, index: NameIndex, titles: Sequence[_Title]) -> TitleCandidates:
        texts, cleaned = [title.typed for title in titles], [title.clean for title in titles]
        return TitleCandidates.of(index, texts, cleaned, self._decisions.own)

    # the rankings, and what is said beside each title; what people decided comes last, so that no context changes it
    def _rank(self, index: NameIndex, titles: Sequence[_Title]) -> tuple[list[Ranking], list[Said]]:
        def ranked(titles: Iterable[_Title]) -> list[Ranking]:
            return self._scored(index, list(titles)).rankings(self.calibration)

        rankings, said = ranked(titles), [Said()] * len(titles)
        if any(title.context for title in titles):
            ranker = ContextRanker(shipped_context(), index, lambda texts: ranked(map(self._read, texts)))
            rankings, said = ranker.ranked([(title.typed, title.context) for title in titles], rankings)
        if self._decisions:
            applied = self._decisions.applied
            rankings = [applied(t.folded, t.clean.forms, ranking) for t, ranking in zip(titles, rankings, strict=True)]
        return rankings, said

    def _result(self, index: NameIndex, title: _Title, ranking: Ranking, said: Said, show: str, top: int) -> LinkResult:
        decisions, folded = self._decisions, title.folded
        accepted, rejected = decisions.accepted_group(folded, show), decisions.rejections(folded, show)
        without = decisions.no_occupation(folded, title.clean.forms)
        no_job = "" if accepted else DECIDED if without else self._no_job(title)
        script = self._script_without_names(index, title.clean)
        if script and not self._can_encode(index, title.clean):
            ranking = ranking.take(slice(0))
        occupations = self._without_nearest(index, title, ranking)
        group, abstained = accepted, bool(no_job)
        if group is None and not abstained:
            is_general = len(ranking.entries) and not said  # beside a known text it is no general word
            shared = n_general(index, title.clean, int(ranking.entries[0])) if is_general else 0
            group, abstained = self._group_instead(ranking, occupations, rejected, show, shared)
        if group is not None and len(group.code) == UNIT_DIGITS:
            most = 1 if abstained else len(occupations.concepts)
            occupations = occupations.take(group_first(self.taxonomy, occupations.concepts, group.code, most))
        n_candidates = min(max(top, 2), len(occupations.concepts))  # two show whether several have the title's name
        candidates = tuple(self._candidate(index, title, occupations, rank, show) for rank in range(n_candidates))
        reason, unknown = "", self._unknown_words(title.clean) if abstained else ()
        if abstained:
            reason = no_job or (no_names_in(script) if script else "") or (REJECTED if rejected else "")
            reason = reason or self._why_unsure(index, title, occupations, candidates, unknown)
        return LinkResult(
            title=title.typed,
            candidates=candidates[:top],
            abstained=abstained,
            group=group,
            taxonomy=self.taxonomy.id,
            set_aside=title.clean.set_aside,
            seniority=title.clean.seniority,
            reason=reason,
            rejected=rejected,
            unknown=unknown if reason == UNKNOWN_WORD else (),
            context=context_evidence(title.context, said, self.taxonomy, show),
            no_occupation=without,
        )

    # the group that is offered where no occupation is sure, and whether the linker abstains; a general word (`teacher`)
    # divides its probability by the unit groups that it is *shared* by, and is offered the group above them
    def _group_instead(
        self, ranking: Ranking, occupations: Ranking, rejected: Sequence[Rejection], show: str, shared: int
    ) -> tuple[GroupOffer | None, bool]:
        if len(occupations.probabilities) and occupations.probabilities[0] >= self.calibration.threshold:
            return None, False
        group = likely_group(self.taxonomy, ranking.concepts, ranking.probabilities * max(shared, 1), show)
        if group is None or group.uri in {rejection.uri for rejection in rejected}:
            return None, True
        is_sure = len(group.code) == UNIT_DIGITS and group.probability >= self.calibration.unit_threshold
        return group, bool(shared) or not is_sure

    def _why_unsure(
        self, index: NameIndex, title: _Title, ranking: Ranking, candidates: Sequence[Candidate], unknown: Sequence[str]
    ) -> str:
        if len(ranking.entries) and n_general(index, title.clean, int(ranking.entries[0])):
            return SEVERAL
        return reason_of({title.folded, *title.clean.forms}, candidates, has_unknown_word=bool(unknown))

    # the script of a title that no name, nor own name, is in; '' for other titles, and for glossed ones
    def _script_without_names(self, index: NameIndex, clean: CleanTitle) -> str:
        scripts = index.scripts | self._decisions.scripts
        if any(not foreign_script(reading.text, scripts) for reading in clean.readings):
            return ""
        return foreign_script(" ".join(clean.forms), scripts)

    # whether the encoder's training knows any of a title's words in scripts without names
    def _can_encode(self, index: NameIndex, clean: CleanTitle) -> bool:
        words = {word for form in clean.forms for word in form.split()}
        scripts = index.scripts | self._decisions.scripts
        foreign = [word for word in words if foreign_script(word, scripts)]
        return index.encoder is not None and bool(index.encoder.encode(foreign).any())

    # why a title names no job, '' if it may name one; a name or an accepted title does
    def _no_job(self, title: _Title) -> str:
        if not self.index.known_texts.isdisjoint(title.clean.forms) or self._decisions.accepted(title.folded):
            return ""
        return title.clean.no_job or (NO_JOB if are_general(title.clean.forms) else "")

    # words of a title, not numbers, that no name and no own name has; none if a reading of all of it has no such word
    def _unknown_words(self, clean: CleanTitle) -> tuple[str, ...]:
        words, own_words = self.index.known_words, self._decisions.words
        whole = (reading for reading in clean.readings if reading.job is None or clean.n_jobs == 1)
        texts = (*clean.forms[:1], *(fold(reading.text) for reading in whole if reading.equal))
        unknown = [
            [word for word in words_of(text) if not (word in words or word in own_words or word.isdecimal())]
            for text in texts
        ]
        return tuple(dict.fromkeys(unknown[0])) if unknown and all(unknown) else ()

    # lower probabilities of occupations that are only the nearest ones of the unit group that a name means
    def _without_nearest(self, index: NameIndex, title: _Title, ranking: Ranking) -> Ranking:
        nearest = index.of_group.take(ranking.entries, mode="clip") & (ranking.entries < len(index.texts))
        if nearest.any():
            nearest &= ~np.isin(ranking.concepts, list(self._decisions.accepted(title.folded)))
        if not nearest.any():
            return ranking
        probabilities = np.where(nearest, NEAREST_RIGHT * ranking.probabilities, ranking.probabilities)
        return replace(ranking, probabilities=probabilities).take(np.argsort(-probabilities, kind="stable"))

    def _candidate(self, index: NameIndex, title: _Title, ranking: Ranking, rank: int, show: str) -> Candidate:
        concept, entry = int(ranking.concepts[rank]), int(ranking.entries[rank])
        reading = int(ranking.places[rank]) - len(title.clean.forms)
        own, layer = self._decisions.accepted(title.folded).get(concept), self._decisions.own
        if layer is not None and entry >= len(index.texts):
            own = own or layer.names[entry - len(index.texts)]
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
                dict(zip(self.calibration.scorers, ranking.shares[rank].tolist(), strict=True)),
                own,
                from_lexicon,
                title.clean.readings[reading].text if reading >= 0 else "",
            ),
        )

    # the name behind an entry, its language, and whether it is the lexicon's; of several spellings the one in the
    # shown language, else in English, else the first
    def _matched_name(self, index: NameIndex, entry: int, show: str) -> tuple[str, str, bool]:
        rows = index.forms(entry).tolist()
        languages = [self.taxonomy.name_languages[row] for row in rows]
        language = next((language for language in (show, ENGLISH) if language in languages), languages[0])
        row = rows[languages.index(language)]
        return self.taxonomy.name_texts[row], language, row >= self.taxonomy.n_own_names
