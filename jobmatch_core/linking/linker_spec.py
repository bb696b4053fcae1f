"""Specification of a linker and its answers: all that another process or machine needs to give the same ones."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from jobmatch_core import __version__
from jobmatch_core.encoders.loading import TITLES, load_encoder
from jobmatch_core.entities import Encoder, LinkResult, OwnName, Progress, no_progress
from jobmatch_core.linking.linker import Linker
from jobmatch_core.linking.store import FORMAT, open_linker
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID
from jobmatch_core.taxonomy.lexicon import lexicon_digest
from jobmatch_core.text.languages import ENGLISH


@dataclass(frozen=True, slots=True)
class LinkerSpec:
    """Specification of a linker and its answers.

    Attributes:
        taxonomy: id of the taxonomy.
        encoder: word of the encoder as for `load_encoder`; None to link by letters and words alone.
        groups: also link titles to ISCO groups.
        precision: wished precision on held-out titles; None for the calibration's own thresholds.
        own_names: accepted titles.
        languages: match only names in these languages; all where empty.
        show: language of the names in the answer.
        top: maximum number of candidates.
    """

    taxonomy: str = BUNDLED_ID
    encoder: str | None = TITLES
    groups: bool = False
    precision: float | None = None
    own_names: tuple[OwnName, ...] = ()
    languages: tuple[str, ...] = ()
    show: str = ENGLISH
    top: int = 5

    def open(self, progress: Progress = no_progress) -> Linker:
        """Open the linker under `JOBMATCH_HOME`, and keep it for `link`; raises as `open_linker` and `load_encoder`."""
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

    def link(self, titles: Sequence[str]) -> list[LinkResult]:
        """Link titles by a linker that is opened once in each process; raises as `open` and `Linker.link_all`."""
        return self._linker().link_all(titles, languages=self.languages, show=self.show, top=self.top)

    def provenance(self) -> dict[str, object]:
        """Return the identity of the answers: versions and digests of index and model, and the options."""
        linker = self._linker()
        options = asdict(self)
        for told_by_linker in ("encoder", "own_names"):
            del options[told_by_linker]
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
        """Return the linker that was opened last, by this process or by the one that it is a copy of."""
        return _opened.get((self, Settings.from_environment())) or self.open()


_opened: dict[tuple[LinkerSpec, Settings], Linker] = {}  # the last one; settings tell homes apart
