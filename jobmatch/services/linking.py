"""Linking of titles to the taxonomies of a home, with the titles that people accepted and rejected."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from jobmatch.services.background_call import Background, LoadCache
from jobmatch.services.encoder_choice import NO_ENCODER, SHIPPED, chosen_encoder
from jobmatch_core.crosswalks.store import CrosswalkCard, CrosswalkStore
from jobmatch_core.encoders.loading import TITLES
from jobmatch_core.entities import LinkResult, PairKind, Progress, no_progress
from jobmatch_core.errors import CrosswalkError
from jobmatch_core.judged_title import OwnName
from jobmatch_core.labelling.own_names import earlier_decisions
from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.linking.coding import CodeForm
from jobmatch_core.linking.context import NO_COLUMNS, ContextColumns, Titled
from jobmatch_core.linking.link_answer import Named
from jobmatch_core.linking.other_codes import OtherCodes, with_other_codes
from jobmatch_core.linking.store import LinkerSpec
from jobmatch_core.model_store.model_spec import ModelKind, model_stamp
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, Manifest, Taxonomy, TaxonomyStore
from jobmatch_core.text.locales import ENGLISH

if TYPE_CHECKING:  # the databases' libraries take a third of a second
    from db.history import JudgmentFilter
    from db.label_store import LabelStore

_one_at_a_time = Lock()
_LINKERS = 2  # a full ESCO takes about 1 GB
_TAXONOMIES = 4
_CROSSWALKS = 4


@dataclass(frozen=True, slots=True)
class LinkOptions:
    """Options of linking; the defaults are those of `jobmatch link`."""

    taxonomy: str = BUNDLED_ID  # id of the taxonomy to link to
    languages: tuple[str, ...] = ()  # match only names in these languages; empty for all
    show: str = ENGLISH  # language of the names in the answer
    top: int = 5  # maximum number of candidates
    encoder: str = SHIPPED  # name of the encoder; see `chosen_encoder`
    groups: bool = False  # also link to ISCO groups
    precision: float | None = None  # target precision; None for the linker's own thresholds
    own_names: bool = True  # use the titles that people accepted and rejected
    code_form: CodeForm = CodeForm.SHORT  # form of the codes above unit groups in files
    context: ContextColumns = NO_COLUMNS  # columns of files with what is known beside the titles
    also: str = ""  # id of the stored crosswalk whose codes stand beside the links; '' for none


class LinkingService:
    """Links titles for any number of threads of this process.

    A linker is opened again when its taxonomy was replaced, its encoder or linking model was stored again, or another
    linking model was promoted, and gets further accepted titles when the label store has new judgments.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._store = TaxonomyStore.open(settings)
        self._taxonomies = LoadCache[Taxonomy](_TAXONOMIES)
        self._linkers = LoadCache[Linker](_LINKERS)
        self._own_linkers = LoadCache[Linker](_LINKERS)
        self._crosswalks = CrosswalkStore.open(settings)
        self._codes = lru_cache(maxsize=_CROSSWALKS)(self._read_codes)
        self._labels: LabelStore | None = None
        self._labels_lock = Lock()

    def link(self, titles: Sequence[Titled], options: LinkOptions) -> list[LinkResult]:
        """Link titles, after waiting for the linker; raises JobMatchError if it cannot be opened with these options."""
        codes, linker = self.other_codes(options), self.linker(options)
        results: list[LinkResult] = linker.link_all(
            titles, languages=options.languages, show=options.show, top=options.top
        )
        return with_other_codes(results, codes) if codes else results

    def linker(self, options: LinkOptions) -> Linker:
        """Wait for the linker of these options; raises as `link`."""
        linker = self.with_own_names(options) if options.own_names else self.opening(options).result()
        return linker if options.precision is None else linker.with_precision(options.precision)

    def open(self, options: LinkOptions, progress: Progress = no_progress) -> Linker:
        """Open the linker of these options in this thread; a missing index is built.

        Raises:
            TaxonomyError: there is no such taxonomy.
            LabelStoreError: the label store cannot be read.
            JobMatchError: the linker cannot be opened with these options.
        """
        own = self._own_names(options)  # an index takes minutes to build
        linker = self._open(options, progress)
        if own:
            linker = linker.with_own_names(own)
        return linker if options.precision is None else linker.with_precision(options.precision)

    def spec(self, options: LinkOptions) -> LinkerSpec:
        """Return what another process opens the same linker from; raises LabelStoreError as `open`."""
        return LinkerSpec(
            options.taxonomy,
            _encoder_word(options),
            options.groups,
            options.precision,
            tuple(self._own_names(options)),
            options.languages,
            options.show,
            options.top,
            options.code_form,
            options.context,
            self.other_codes(options),
        )

    def opening(self, options: LinkOptions) -> Background[Linker]:
        """Open the linker without own names and target precision in the background, or return the one that is open.

        Raises TaxonomyError if there is no such taxonomy.
        """
        return self._opening(self._linker_key(options), options)

    def with_own_names(self, options: LinkOptions) -> Linker:
        """Wait for the linker with the titles that people accepted and rejected; raises as `open`."""
        key = self._linker_key(options)  # once: a taxonomy may be replaced while its linker is opened
        linker = self._opening(key, options).result()
        if not self.settings.may_have_labels:
            return linker
        count = self.labels().count(_decisions(options.taxonomy))
        if not count:
            return linker
        return self._own_linkers.get(
            (key, count),  # judgments are only added, so an equal number means the same ones
            lambda _progress: linker.with_own_names(self._own_names(options)),
        )

    def other_codes(self, options: LinkOptions) -> OtherCodes:
        """Return the codes that the options' crosswalk gives as it is reviewed by now; none without a crosswalk.

        Raises CrosswalkError if there is no such crosswalk, or it maps to another taxonomy.
        """
        if not options.also:
            return ()
        card, codes = self._codes(options.also, self._crosswalks.version(options.also))
        if card.taxonomy != options.taxonomy:
            raise CrosswalkError(
                f"The crosswalk '{card.name}' maps to {card.taxonomy}, but titles are linked to {options.taxonomy}. "
                "Choose another crosswalk, or that taxonomy."
            )
        return codes

    def _read_codes(self, crosswalk_id: str, _version: int) -> tuple[CrosswalkCard, OtherCodes]:
        stored = self._crosswalks.load(crosswalk_id)
        return stored.card, stored.review.whole().other_codes()

    def uses_labels(self, options: LinkOptions) -> bool:
        """Return whether links with these options may depend on the label store."""
        return options.own_names and self.settings.may_have_labels

    def naming(self, options: LinkOptions) -> Named:
        """Return the function that names the annotators of own names; raises LabelStoreError."""
        if not self.uses_labels(options):
            return str
        from jobmatch.access.principal import naming

        return naming(self.labels().access)

    def taxonomy(self, taxonomy_id: str) -> Taxonomy:
        """Return a taxonomy; raises TaxonomyError if there is no such taxonomy, or it is damaged."""
        key = taxonomy_id, self._store.manifest(taxonomy_id).created
        return self._taxonomies.get(key, lambda _progress: self._store.load(taxonomy_id))

    def installed(self) -> list[Manifest]:
        """Return the manifests of the installed taxonomies."""
        return self._store.installed()

    def labels(self) -> "LabelStore":
        """Return the label store, which is created if missing; raises LabelStoreError if it cannot be opened."""
        from db.label_store import LabelStore

        with self._labels_lock:
            if self._labels is None:
                self._labels = LabelStore.open(self.settings.label_store)
            return self._labels

    def close(self) -> None:
        """Close the label store; it is opened again when needed."""
        with self._labels_lock:
            if self._labels is not None:
                self._labels.close()
                self._labels = None

    def _opening(self, key: Hashable, options: LinkOptions) -> Background[Linker]:
        return self._linkers.loading(key, lambda progress: self._open(options, progress))

    def _open(self, options: LinkOptions, progress: Progress) -> Linker:
        encoder = chosen_encoder(options.encoder)
        return open_linker(
            options.taxonomy, encoder=encoder, groups=options.groups, settings=self.settings, progress=progress
        )

    def _own_names(self, options: LinkOptions) -> list[OwnName]:
        if not self.uses_labels(options):
            return []
        newest_first = self.labels().current(_decisions(options.taxonomy))
        return earlier_decisions(newest_first[::-1], options.taxonomy)

    def _linker_key(self, options: LinkOptions) -> Hashable:
        promoted = Registry.open(self.settings).promoted(ModelKind.LINKING)  # its weights replace those of the index
        created = self._store.manifest(options.taxonomy).created
        stamps = (
            model_stamp(_encoder_word(options) or "", self.settings, ModelKind.ENCODER),
            model_stamp(promoted, self.settings, ModelKind.LINKING),
        )
        return options.taxonomy, created, options.encoder, options.groups, promoted, *stamps


def _encoder_word(options: LinkOptions) -> str | None:
    """Return the word of `load_encoder` for the encoder; None without one."""
    if options.encoder == NO_ENCODER:
        return None
    return TITLES if options.encoder == SHIPPED else options.encoder


def _decisions(taxonomy: str) -> "JudgmentFilter":
    from db.history import JudgmentFilter

    return JudgmentFilter(kind=PairKind.TITLE_OCCUPATION, source=taxonomy)


_shared_service = lru_cache(maxsize=1)(LinkingService)


def linking_service() -> LinkingService:
    """Return the shared service of this process, for the folders of its current environment."""
    with _one_at_a_time:
        return _shared_service(Settings.from_environment())
