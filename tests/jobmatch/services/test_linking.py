"""Linking in a process that stays."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from uuid import uuid4

import pytest

from jobmatch.services import linking
from jobmatch.services.background_call import LoadCache
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.crosswalks.mapping import EXACT, Mapping, MappingSet
from jobmatch_core.crosswalks.relation_features import SourceCode
from jobmatch_core.crosswalks.store import CrosswalkCard, CrosswalkStore
from jobmatch_core.entities import ISCO_URI, Judgment, OtherCode, Pair, PairKind, Provenance, Verdict
from jobmatch_core.errors import CrosswalkError, LinkingError, TaxonomyError
from jobmatch_core.io.folders import atomic_folder
from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.settings import Settings


@pytest.fixture
def service(own_linker_home: Path) -> LinkingService:
    """A service over the bundled taxonomy, in a home of the test's own."""
    return LinkingService(Settings(own_linker_home))


def accepted(title: str, uri: str) -> Judgment:
    """Return a judgment that accepts an occupation for a title."""
    pair = Pair(PairKind.TITLE_OCCUPATION, "isco-08", title, uri)
    return Judgment(str(uuid4()), pair, Verdict.POSITIVE, "me", datetime(2026, 1, 1, tzinfo=UTC), Provenance("test"))


def test_links_are_those_of_the_linker(service: LinkingService, own_linker_home: Path) -> None:
    """With all options."""
    titles = ["Krankenschwester", "baker"]
    linker = open_linker(settings=Settings(own_linker_home)).with_precision(0.95)
    options = LinkOptions(languages=("de",), show="fr", top=2, precision=0.95)
    assert service.link(titles, options) == linker.link_all(titles, languages=("de",), show="fr", top=2)


def test_codes_of_a_crosswalk_to_that_taxonomy(service: LinkingService) -> None:
    """Beside links, and for other processes; a crosswalk to another taxonomy is refused."""
    codes, store = [SourceCode("81", "Care")], CrosswalkStore.open(service.settings)
    mappings = MappingSet([Mapping("81", f"{ISCO_URI}2221", EXACT, "Care")])
    ours, other = (store.new(CrosswalkCard("KldB", name, "en"), codes, mappings) for name in ("isco-08", "esco-1"))
    options = LinkOptions(also=ours)
    [nurse, baker] = service.link(["nurse", "baker"], options)
    assert (nurse.also, baker.also) == ((OtherCode("81", "Care", EXACT),), ())
    assert service.spec(options).other_codes == service.other_codes(options) != ()
    with pytest.raises(CrosswalkError, match=r"'KldB' maps to esco-1, but titles are linked to isco-08"):
        service.link(["nurse"], LinkOptions(also=other))
    store.remove(ours)
    with pytest.raises(CrosswalkError, match="no such crosswalk"):
        service.other_codes(options)


def test_a_linker_is_opened_once(service: LinkingService, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for concurrent threads."""
    opened: list[str] = []
    goes_on = Event()

    def opening(taxonomy_id: str, **options: object) -> Linker:
        opened.append(taxonomy_id)
        assert goes_on.wait(60)
        return open_linker(taxonomy_id, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(linking, "open_linker", opening)
    with ThreadPoolExecutor(4) as threads:
        asked = [threads.submit(service.linker, LinkOptions()) for _ in range(4)]
        goes_on.set()
        linkers = {id(each.result()) for each in asked}
    assert opened == ["isco-08"]
    assert len(linkers) == 1


@pytest.mark.parametrize("model", ["encoder", "linking"])
def test_a_model_that_is_stored_again_is_loaded_again(
    service: LinkingService, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    """Under the same name: an encoder by its word, and the promoted linking model."""
    monkeypatch.setattr(linking, "chosen_encoder", lambda word: word)
    monkeypatch.setattr(linking, "open_linker", lambda *_, **__: object())
    if model == "linking":
        monkeypatch.setattr(Registry, "promoted", lambda _registry, _kind: "mine")
    content = {"encoder": ("modules.json", "[]"), "linking": ("config.json", '{"features": []}')}
    options = LinkOptions(encoder="mine" if model == "encoder" else "shipped")
    linkers = []
    for stored_at in (1, 2):
        with atomic_folder(service.settings.models / "mine") as folder:
            name, text = content[model]
            (folder / name).write_text(text, "utf-8")
            os.utime(folder / name, (stored_at, stored_at))
        linkers.append(service.opening(options).result())
        assert service.opening(options).result() is linkers[-1]
    assert linkers[0] is not linkers[1]


def test_accepted_titles_count_from_the_next_link_on(service: LinkingService) -> None:
    """Unless they are switched off."""
    [before] = service.link(["zyxquzz"], LinkOptions())
    baker = service.link(["baker"], LinkOptions())[0].candidates[0]
    assert before.abstained
    service.labels().record(accepted("zyxquzz", baker.uri))
    [after] = service.link(["zyxquzz"], LinkOptions())
    assert after.best is not None
    assert (after.best.uri, after.best.evidence.own is not None) == (baker.uri, True)
    assert service.link(["zyxquzz"], LinkOptions(own_names=False)) == [before]


def test_a_taxonomy_that_is_replaced_while_its_linker_opens(
    service: LinkingService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next call gets a linker of the new one, also with accepted titles."""
    service.labels().record(accepted("zyxquzz", service.taxonomy("isco-08").uris[-1]))
    keys, precisions = iter(["before it was replaced"]), iter([0.5, 0.99])
    monkeypatch.setattr(LinkingService, "_linker_key", lambda *_: next(keys, "afterwards"))

    def opening(taxonomy_id: str, **options: object) -> Linker:
        return open_linker(taxonomy_id, **options).with_precision(next(precisions))  # type: ignore[arg-type]

    monkeypatch.setattr(linking, "open_linker", opening)
    first, second = service.linker(LinkOptions()), service.linker(LinkOptions())
    assert first.calibration != second.calibration


def test_taxonomies(service: LinkingService) -> None:
    """A taxonomy is loaded once; an unknown one is refused."""
    assert [manifest.id for manifest in service.installed()] == ["isco-08"]
    assert service.taxonomy("isco-08") is service.taxonomy("isco-08")
    for ask in (lambda: service.taxonomy("esco"), lambda: service.opening(LinkOptions("esco"))):
        with pytest.raises(TaxonomyError, match="There is no taxonomy 'esco'"):
            ask()


def test_the_least_recently_used_go() -> None:
    """They are loaded again when needed."""
    loads: list[str] = []
    kept = LoadCache[str](2)

    def load(name: str) -> Callable[..., str]:
        return lambda _progress: loads.append(name) or name

    for name in ("a", "b", "a", "c", "a", "b"):
        assert kept.get(name, load(name)) == name
    assert loads == ["a", "b", "c", "b"]
    assert len(kept) == 2


def test_no_load_is_dropped_while_it_runs() -> None:
    """Also when others are asked for meanwhile: it would begin again, and never end."""
    kept, goes_on = LoadCache[str](1), Event()
    slow = kept.loading("slow", lambda progress: "done" if goes_on.wait(60) else "")
    for key in ("a", "b", "c"):
        assert kept.get(key, lambda progress: "other") == "other"
    assert kept.loading("slow", lambda progress: "again") is slow
    goes_on.set()
    assert slow.result() == "done"
    assert kept.get("d", lambda progress: "other") == "other"
    assert len(kept) == 1


def test_a_failed_load_is_tried_again() -> None:
    """The first caller gets the error, the next one a result."""
    kept = LoadCache[int](1)

    def fail(_progress: object) -> int:
        raise LinkingError("no room")

    with pytest.raises(LinkingError, match="no room"):
        kept.get("a", fail)
    assert kept.get("a", lambda _progress: 1) == 1
