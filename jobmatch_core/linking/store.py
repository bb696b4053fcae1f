"""Indexes on disk, built once per taxonomy and encoder and rebuilt when out of date, and the linkers that use them."""

import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from jobmatch_core import __version__
from jobmatch_core.encoders.loading import TITLES, load_encoder, shipped_encoder
from jobmatch_core.entities import Encoder, LinkResult, Progress, no_progress
from jobmatch_core.errors import LinkingError
from jobmatch_core.io.folders import atomic_folder, folder_word, remove_whole
from jobmatch_core.io.text_files import json_text, read_json
from jobmatch_core.judged_title import OwnName
from jobmatch_core.linking.calibration import MIN_ENTRIES, Calibration
from jobmatch_core.linking.coding import CodeForm
from jobmatch_core.linking.context import NO_COLUMNS, ContextColumns, Titled
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.linking.linker import Linker
from jobmatch_core.linking.linking_model import LinkingModel, promoted_model
from jobmatch_core.linking.other_codes import OtherCodes, digest_of, with_other_codes
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, Taxonomy, TaxonomyStore
from jobmatch_core.taxonomy.lexicon import ESCO_PREFIX, lexicon_digest, lexicon_names
from jobmatch_core.text.folding import folding_once
from jobmatch_core.text.locales import ENGLISH

_log = logging.getLogger(__name__)
_DAMAGED = "The index in %s is damaged (%s) and is built again."
_STAMP, _SIZES, _LEXICON = "stamp.json", "sizes", "lexicon.parquet"
FORMAT = 18  # raised when folded names, calibration or layout change; older indexes are then rebuilt


def open_linker(
    taxonomy_id: str = BUNDLED_ID,
    *,
    encoder: Encoder | Literal["shipped"] | None = "shipped",
    groups: bool = False,
    settings: Settings | None = None,
    progress: Progress = no_progress,
) -> Linker:
    """Open the linker of an installed taxonomy; build its index if there is none yet.

    Args:
        taxonomy_id: id as shown by `jobmatch taxonomy list`.
        encoder: encoder fused with the lexical scorers, the shipped one by default; None for lexical scorers only.
            Each encoder has its own index.
        groups: also link titles to ISCO groups, as national classifications do; uses its own index.
        settings: locations of stored files; from the environment by default.
        progress: called while an index is built.

    Raises:
        TaxonomyError: there is no such taxonomy.
        LinkingError: the index cannot be built or stored.
    """
    settings = settings or Settings.from_environment()
    encoder = shipped_encoder() if encoder == "shipped" else encoder
    taxonomy = TaxonomyStore.open(settings).load(taxonomy_id)
    folder = settings.indexes / _folder_name(taxonomy_id, encoder, groups=groups)
    stamp = {
        "format": FORMAT,
        "source_hash": taxonomy.manifest.source_hash,
        "lexicon": lexicon_digest(),
        "encoder": encoder.name if encoder else "",
    }
    stored = _stamp(folder)
    if stored | stamp == stored:
        try:
            if _sizes(folder) != stored.get(_SIZES):
                raise LinkingError("a file is missing or has another size")
            return _load(taxonomy, folder, encoder, settings)
        except (LinkingError, OSError, ValueError, EOFError) as error:
            _log.warning(_DAMAGED, folder, error)
    progress(0, len(taxonomy.tables.names))
    with folding_once():
        further = lexicon_names(taxonomy)
        index = NameIndex.build(taxonomy.with_names(further), encoder, groups=groups, progress=progress)
    calibration = _calibrate(index, taxonomy, encoder, settings, progress, groups=groups)
    try:
        with atomic_folder(folder) as temporary:
            index.save(temporary)
            calibration.save(temporary)
            further.to_parquet(temporary / _LEXICON, index=False)
            (temporary / _STAMP).write_text(json_text(stamp | {_SIZES: _sizes(temporary)}), "utf-8")
    except OSError as error:
        raise LinkingError(
            f"The index of {taxonomy_id} could not be stored in {settings.indexes} ({error.strerror or error})."
        ) from error
    return _load(taxonomy, folder, encoder, settings)


def _load(taxonomy: Taxonomy, folder: Path, encoder: Encoder | None, settings: Settings) -> Linker:
    # an index that was just built is opened from disk, too, so that memory holds only the mapped one
    import pandas as pd  # takes longer than listing taxonomies

    taxonomy = taxonomy.with_names(pd.read_parquet(folder / _LEXICON))  # choosing them again takes seconds
    index, own = NameIndex.load(folder, encoder), Calibration.load(folder / "calibration.json")
    linker = Linker(taxonomy, index, own)
    promoted = promoted_model(own.features, encoder.name if encoder else "", settings)
    return linker if promoted is None else with_linking_model(linker, promoted)


def with_linking_model(linker: Linker, model: LinkingModel) -> Linker:
    """Return a linker over the same index with another linking model, and without own names."""
    index, taxonomy = linker.index, linker.taxonomy
    if linker.moves:
        index = index.with_head_moved(np.zeros_like(linker.moves.by_concept(taxonomy.uris)))
    # a model may have been trained with another taxonomy, whose names are trusted otherwise
    calibration = replace(model.calibration, name_trust=linker.calibration.name_trust)
    return Linker(taxonomy, index, calibration, model.moves)


def _calibrate(
    index: NameIndex,
    taxonomy: Taxonomy,
    encoder: Encoder | None,
    settings: Settings,
    progress: Progress,
    *,
    groups: bool,
) -> Calibration:
    # the shipped encoder has seen ESCO's names; its weights were fitted with an encoder that had not
    if encoder is not None and (shipped := Calibration.shipped_for(encoder.name)):
        # the trust in names is fitted on ESCO's, which were not written for coding, as those of other taxonomies were
        # people may name an imported ESCO as they like
        of_esco = any(taxonomy.uris[number].startswith(ESCO_PREFIX) for number in taxonomy.occupation_numbers[:1])
        return shipped if of_esco else replace(shipped, name_trust=None)
    if len(index.texts) >= MIN_ENTRIES or taxonomy.id == BUNDLED_ID:
        return Calibration.fit(index, progress=progress)
    return open_linker(encoder=encoder, groups=groups, settings=settings, progress=progress).calibration


def _folder_name(taxonomy_id: str, encoder: Encoder | None, *, groups: bool) -> str:
    encoders = [folder_word(encoder.name)] if encoder else []
    return "+".join([taxonomy_id, *encoders, *(["groups"] if groups else [])])


def _stamp(folder: Path) -> dict[str, object]:
    """Return the sources of an index and the sizes of its files; empty without a readable stamp."""
    try:
        stamp = read_json(folder / _STAMP)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        _log.warning(_DAMAGED, folder, error)
        return {}
    return stamp if isinstance(stamp, dict) else {}


def _sizes(folder: Path) -> dict[str, int]:
    """Return the sizes of an index's files in bytes, a quick check that they are complete."""
    return {
        path.relative_to(folder).as_posix(): path.stat().st_size
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != _STAMP
    }


def remove_taxonomy(taxonomy_id: str, settings: Settings | None = None) -> None:
    """Remove a taxonomy and its indexes.

    Raises:
        TaxonomyError: no taxonomy has that id, it is the bundled one, or it cannot be removed.
        LinkingError: its indexes cannot be removed.
    """
    settings = settings or Settings.from_environment()
    TaxonomyStore.open(settings).remove(taxonomy_id)
    remove_indexes(taxonomy_id, settings)


def remove_indexes(taxonomy_id: str, settings: Settings) -> None:
    """Remove every index of a taxonomy; raises LinkingError if one cannot be removed."""
    for path in (settings.indexes / taxonomy_id, *settings.indexes.glob(f"{taxonomy_id}+*")):
        try:
            if path.is_dir():
                remove_whole(path)
        except OSError as error:
            raise LinkingError(f"The index in {path} could not be removed ({error.strerror or error}).") from error


@dataclass(frozen=True, slots=True)
class LinkerSpec:
    """Specification of a linker and its answers, from which other processes and machines open the same linker."""

    taxonomy: str = BUNDLED_ID  # id of the taxonomy
    encoder: str | None = TITLES  # word of the encoder as for `load_encoder`; None for lexical scorers only
    groups: bool = False  # also link titles to ISCO groups
    precision: float | None = None  # target precision on held-out titles; None for the calibration's own thresholds
    own_names: tuple[OwnName, ...] = ()  # accepted titles
    languages: tuple[str, ...] = ()  # match only names in these languages; all if empty
    show: str = ENGLISH  # language of the names in the answer
    top: int = 5  # maximum number of candidates
    code_form: CodeForm = CodeForm.SHORT  # form of the codes above unit groups
    context: ContextColumns = NO_COLUMNS  # columns with what is known beside the titles of a table
    other_codes: OtherCodes = ()  # codes of another classification for occupations and groups

    def open(self, progress: Progress = no_progress) -> Linker:
        """Open the linker under `JOBMATCH_HOME` and cache it for `link`; raises as `open_linker` and `load_encoder`."""
        encoder: Encoder | Literal["shipped"] | None = "shipped"
        if self.encoder != TITLES:
            encoder = None if self.encoder is None else load_encoder(self.encoder)
        linker = open_linker(self.taxonomy, encoder=encoder, groups=self.groups, progress=progress)
        if self.precision is not None:
            linker = linker.with_precision(self.precision)
        if self.own_names:
            linker = linker.with_own_names(self.own_names)
        _opened.clear()
        _opened[self, Settings.from_environment()] = linker
        return linker

    def link(self, titles: Sequence[Titled]) -> list[LinkResult]:
        """Link titles; each process opens the linker once. Raises as `open` and `Linker.link_all`."""
        results = self._linker().link_all(titles, languages=self.languages, show=self.show, top=self.top)
        return with_other_codes(results, self.other_codes) if self.other_codes else results

    def provenance(self) -> dict[str, object]:
        """Return what the answers depend on: versions and digests of index and model, and the options."""
        linker = self._linker()
        options = asdict(self)
        del options["encoder"], options["own_names"]  # the state of the linker stands for both
        options["context"] = dict(self.context.columns)
        options["other_codes"] = digest_of(self.other_codes)
        return {
            "jobmatch": __version__,
            "taxonomy_hash": linker.taxonomy.manifest.source_hash,
            "lexicon": lexicon_digest(),
            "index_format": FORMAT,
            "linker": linker.state,
            **options,
            "languages": sorted(self.languages),
        }

    def _linker(self) -> Linker:
        # a forked process finds the linker that its parent opened
        return _opened.get((self, Settings.from_environment())) or self.open()


_opened: dict[tuple[LinkerSpec, Settings], Linker] = {}  # the last one; the settings name its home
