"""The linker across languages and scripts: matched names, shown names, and scripts without names."""

from datetime import date

import pytest

from jobmatch_core.errors import LinkingError
from jobmatch_core.judged_title import OwnName
from jobmatch_core.linking import Linker
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.taxonomy import Taxonomy
from tests.core.linking.compared_links import assert_same

# language, masculine, feminine: one occupation of the bundled taxonomy
GENDERED = (
    """
de Koch Köchin|de Verkäufer Verkäuferin|de Bäcker Bäckerin|de Tischler Tischlerin|de Elektriker Elektrikerin
de Friseur Friseurin|de Zahnarzt Zahnärztin|de Busfahrer Busfahrerin|de Buchhalter Buchhalterin|de Kellner Kellnerin
de Apotheker Apothekerin|de Rechtsanwalt Rechtsanwältin|de Metzger Metzgerin|de Architekt Architektin
fr infirmier infirmière|fr vendeur vendeuse|fr boulanger boulangère|fr coiffeur coiffeuse|fr serveur serveuse
fr cuisinier cuisinière|fr pharmacien pharmacienne|fr avocat avocate|fr électricien électricienne
es camarero camarera|es enfermero enfermera|es cocinero cocinera|es peluquero peluquera|es abogado abogada
es panadero panadera|it infermiere infermiera|it cameriere cameriera|it cuoco cuoca|it parrucchiere parrucchiera
it commesso commessa|it impiegato impiegata|nl verkoper verkoopster|nl kapper kapster|nl leraar lerares
pl kucharz kucharka|pl fryzjer fryzjerka|pl nauczyciel nauczycielka|pl sprzedawca sprzedawczyni
pl pielęgniarz pielęgniarka|pt enfermeiro enfermeira|pt cozinheiro cozinheira|pt cabeleireiro cabeleireira
pt advogado advogada|en waiter waitress|en steward stewardess|en actor actress
""".strip()
    .replace("\n", "|")
    .split("|")
)


@pytest.mark.parametrize("title", ["看護師", "ممرضة"])
def test_titles_in_other_scripts(bundled: Linker, title: str) -> None:
    """Nurses in Japanese and Arabic, whose names the lexicon has."""
    best = bundled.link(title).best
    assert best is not None
    assert best.isco == "2221"


@pytest.mark.parametrize(
    ("title", "script"),
    [
        ("ພະຍາບານ", "Lao"),
        ("ພະນັກງານຂາຍ (m/w/d)", "Lao"),
        ("គិលានុបដ្ឋាក", "Khmer"),
        ("ექიმი", "Georgian"),
        ("ຜູ້ຈັດການຝ່າຍການຕະຫຼາດແລະປະຊາສຳພັນ IT", "Lao"),
        ("Ծրագրավորող", "Armenian"),
    ],
)
def test_a_script_without_names_is_the_reason(bundled: Linker, title: str, script: str) -> None:
    """The few letters in another script give no answer."""
    result = bundled.link(title)
    assert (result.abstained, result.candidates, result.group) == (True, (), None)
    assert result.reason == f"no names in {script}"


@pytest.mark.parametrize("title", ["ພະຍາບານ nurse", "nurse ພະຍາບານ", "ექთანი Krankenschwester"])
def test_a_mixed_title_is_linked_by_the_part_that_names_cover(bundled: Linker, title: str) -> None:
    """A nurse, with other words in a script without names."""
    result = bundled.link(title)
    assert (result.candidates[0].isco, result.abstained) == ("2221", False)


def test_a_script_without_names_that_the_encoder_reads(tiny: Linker, tiny_fitted: Linker) -> None:
    """The taxonomy has only Latin names: the encoder knows a Russian nurse by meaning, the lexical scorers do not."""
    assert tiny_fitted.index.scripts == tiny.index.scripts == {"Latin"}
    read, unread = tiny.link("медсестра"), tiny_fitted.link("медсестра")
    assert read.candidates[0].uri == "nurse"
    assert (unread.candidates, unread.reason) == ((), "no names in Cyrillic")


def test_an_accepted_title_is_a_name_in_its_script(tiny_fitted: Linker) -> None:
    """The accepted Thai title is linked; a Hebrew one is still in a script without names."""
    accepted = tiny_fitted.with_own_names([OwnName("พยาบาล", "nurse", ("Ann",), date(2026, 3, 9))])
    assert accepted.link("พยาบาล").candidates[0].uri == "nurse"
    assert accepted.link("พยาบาล").reason == ""
    assert accepted.link("שף").reason == "no names in Hebrew"


@pytest.mark.parametrize("pair", GENDERED)
def test_masculine_and_feminine_forms_link_alike(bundled: Linker, pair: str) -> None:
    """The same occupation comes first, or both are set aside."""
    _, masculine, feminine = pair.split(" ")
    first, second = bundled.link_all([masculine, feminine])
    both_set_aside = first.abstained and second.abstained
    assert both_set_aside or first.candidates[0].uri == second.candidates[0].uri


def test_languages_restrict_what_is_matched(tiny: Linker, tiny_fitted: Linker) -> None:
    """With French only, letters find nothing good for `Koch`, and evidence is in French."""
    for languages in (["fr"], ["de"], ["de", "fr"], ("en",), {"en", "fr"}):
        for title in ("Koch", "developer", "cuisinier", "barkeeper", "Verkäufer/in"):
            for candidate in tiny.link(title, languages=languages, top=12).candidates:
                assert candidate.evidence.language in languages
    assert tiny_fitted.link("Koch").best is not None
    assert tiny_fitted.link("Koch", languages=["fr"]).best is None
    german = tiny.link("Koch", languages=["de"], show="fr").best
    assert german is not None
    assert (german.uri, german.name) == ("cook", "cuisinier")


def test_more_language_selections_than_are_kept(tiny: Linker) -> None:
    """A selection that left the cache answers as before; the order of languages does not matter."""
    selections = [["en"], ["de"], ["fr"], ["en", "de"], ["de", "fr"], ["fr", "en"], ["en", "de", "fr"]]
    first = [tiny.link("barkeeper", languages=selection) for selection in selections]
    again = [tiny.link("barkeeper", languages=selection[::-1]) for selection in selections]
    for one, other in zip(first, again, strict=True):
        assert_same(one, other)


def test_a_selection_in_use_stays_cached(tiny: Linker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its part of the index is made once, although other selections come and go."""
    made: list[tuple[str, ...]] = []
    in_languages = NameIndex.in_languages

    def counted(index: NameIndex, taxonomy: Taxonomy, languages: tuple[str, ...]) -> NameIndex:
        made.append(languages)
        return in_languages(index, taxonomy, languages)

    monkeypatch.setattr(NameIndex, "in_languages", counted)
    linker = Linker(tiny.taxonomy, tiny.index, tiny.calibration)
    for other in (["en"], ["fr"], ["de", "en"], ["de", "fr"], ["en", "fr"]):
        linker.rank(["cook"], languages=["de"])
        linker.rank(["cook"], languages=other)
    linker.rank(["cook"], languages=["de"])
    assert made.count(("de",)) == 1


@pytest.mark.parametrize("languages", [["xx"], ["fi", "sv"], ["DE"]])
def test_languages_without_names_are_an_error(tiny: Linker, languages: list[str]) -> None:
    """The message names the requested languages, and those of the taxonomy."""
    with pytest.raises(LinkingError, match=rf"tiny-1 has no names in {', '.join(sorted(languages))}; it has de, en"):
        tiny.link("cook", languages=languages)
    with pytest.raises(LinkingError):
        tiny.rank(["cook"], languages=languages)


@pytest.mark.parametrize(
    ("show", "name"), [("de", "Koch/Köchin"), ("fr", "cuisinier"), ("en", "cook"), ("fi", "cook"), ("", "cook")]
)
def test_names_are_shown_in_a_language_or_in_english(tiny: Linker, show: str, name: str) -> None:
    """The link is the same in every language; `welder` has no French name."""
    result = tiny.link("line cook", show=show)
    assert result.candidates[0].name == name
    assert (result.candidates[0].evidence.name, result.candidates[0].evidence.language) == ("line cook", "en")
    assert tiny.link("welder", show="fr").candidates[0].name == "welder"


def test_evidence_is_in_the_shown_language_where_both_spell_it_alike(tiny: Linker) -> None:
    """`Barkeeper` is German if German is shown, else English."""
    for show, expected in (("de", ("Barkeeper", "de")), ("en", ("barkeeper", "en")), ("fr", ("barkeeper", "en"))):
        evidence = tiny.link("BARKEEPER", show=show).candidates[0].evidence
        assert (evidence.name, evidence.language) == expected


@pytest.mark.parametrize(
    ("title", "read_as", "isco"),
    [
        ("ホテルのフロントマネージャー", "hotel front desk manager", "1411"),
        ("소아과 간호사", "paediatrics nurse", "2221"),
    ],
)
def test_a_title_is_linked_by_its_english_gloss(bundled: Linker, title: str, read_as: str, isco: str) -> None:
    """Compounds that equal no name, also with English names only."""
    for languages in ((), ("en",)):
        best = bundled.link(title, languages=languages).best
        assert best is not None
        assert (best.isco, best.evidence.read_as) == (isco, read_as)


@pytest.mark.parametrize(
    ("title", "read_as", "isco"),
    [
        ("初中化学教师", "lower secondary school chemistry teacher", "2330"),
        ("初中物理教师", "lower secondary school physics teacher", "2330"),
    ],
)
def test_a_school_subject_is_linked_by_an_english_gloss(bundled: Linker, title: str, read_as: str, isco: str) -> None:
    """The gloss is found with English names alone."""
    result = bundled.link(title, languages=("en",))
    first = result.candidates[0]
    assert (result.abstained, first.isco, first.evidence.read_as) == (False, isco, read_as)
