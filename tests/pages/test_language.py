"""The pages' languages: catalogues, what they hold, numbers and dates, and whether anything is left in English."""

import re
from collections.abc import Callable
from datetime import date

import pytest
from babel.messages import Catalog
from google.protobuf.message import Message as Proto
from streamlit.testing.v1 import AppTest

from lab.translation import catalogues
from lab.translation.messages import ROOT, SOURCES, messages, messages_of
from lab.translation.untranslated import untranslated
from pages.shared import language
from pages.shared.page_list import PAGES
from tests.pages.conftest import TINY_ID
from tests.pages.pseudo_language import KEPT, Pseudo, accented, arabic

DATE = re.compile(r"%d\W%[bm]\W%Y")  # in the order and with the signs of the language
# texts that are not translated: examples, names of formats and tests, columns of files, stored values
AS_WRITTEN = {
    "crosswalks/desk.py": {"SKOS (Turtle)", "SKOS (JSON-LD)", "JSKOS (Cocoda)"},
    "label_pairs/agreement_tab.py": {"Cohen's kappa", "Fleiss' kappa", "Krippendorff's alpha"},
    "latent_map/map_choice.py": {"linked titles"},
    "latent_map/selection.py": {"Paste"},
    "link_titles/occupation_choice.py": {"None"},
    "link_titles/title_list.py": {"copy the titles again"},
    "scoreboard/score_charts.py": {"other model"},
    "scoreboard/queries_tab.py": {"Query", "Correct name", "Rank, {}", "First, {}"},
    "scoreboard/search_tab.py": {"other model", "System", "Source"},
    "shared/annotator.py": {"this computer"},
    "shared/browser.py": {"cookie {} changed"},
    "shared/entry.py": {"Plotly"},
    "shared/language.py": {"English", "Deutsch"},
    "taxonomies/browser.py": {"choose search {}"},
    "train_models/registry_view.py": {"found in use", "rolled back", "What"},
}
EXAMPLES = {"find_freelancers/project_choice.py", "scoreboard/sample_form.py", "search/search.py"} | {
    "taxonomies/import_form.py",
    "link_titles/title_list.py",
}
READ = ("label", "help", "body", "placeholder", "text", "options", "title")  # fields of elements that people read
# languages by their own names; a column of the template of a taxonomy; an encoder
OTHERS = {*language.LANGUAGES.values(), "language", "titles"}
BY_HAND = {  # page -> further parameters of its address
    "link_titles": ({"title": "nurse"}, {"view": "many"}),
    "search": ({"query": "nurse"}, {"in": "freelancers"}),
    "taxonomies": ({"section": "browse"}, {"section": "versions"}, {"section": "import"}),
    "scoreboard": ({"section": "measure"}, {"section": "queries"}, {"task": "own-titles"}, {"task": "search"}),
    "train_models": ({"for": "linking"}, {"for": "search"}),
    "label_pairs": ({"view": "agreement"}, {"view": "history"}),
}


@pytest.mark.parametrize("kind", catalogues.KINDS)
def test_the_template_has_all_texts(kind: str) -> None:
    """Otherwise run `python -m lab translate`."""
    assert catalogues.template_path(kind).read_bytes() == catalogues.written(catalogues.template(kind), kind)


def test_every_text_that_people_read_is_translated() -> None:
    """In all pages, but for examples and names."""
    left = []
    for path in SOURCES:
        place = path.relative_to(ROOT / "pages").as_posix() if "pages" in path.parts else path.name
        for line, text in untranslated(path.read_text("utf-8")):
            if place not in EXAMPLES and text not in AS_WRITTEN.get(place, ()):
                left.append(f"{place}:{line}: {text}")
    assert not left


def test_no_page_uses_the_name_of_the_translation_for_another_thing() -> None:
    """A loop over `_` would hide it."""
    assert not [
        path.name for path in SOURCES if re.search(r"for _\b|\b_, \w+ (=|in)|^\s*_ = ", path.read_text("utf-8"), re.M)
    ]


def test_a_text_is_found_in_each_way_of_writing() -> None:
    """Constants, choices of constants, plurals; what is put together at run time is no text of a catalogue."""
    source = '_("a")\nN_("b" "c")\n_(x or "d")\n_("e" if x else "f")\n_(NAMES.get(x, "g"))\n_(x)\nplural("h", "i", 2)'
    assert [message.id for message in messages_of(source, "")] == ["a", "bc", "d", "e", "f", "g", ("h", "i")]
    with pytest.raises(ValueError, match=r"page\.py:1"):
        list(messages_of("plural(one, many, 2)", "page.py"))
    assert [text for _line, text in untranslated('st.write("Two words")\nst.write(_("Two words"))')] == ["Two words"]


@pytest.fixture(scope="module", params=catalogues.TRANSLATED)
def code(request: pytest.FixtureRequest) -> str:
    """A language."""
    return str(request.param)


@pytest.fixture(scope="module", params=catalogues.KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """A kind of texts."""
    return str(request.param)


@pytest.fixture(scope="module")
def catalogue(code: str, kind: str) -> Catalog:
    """A language's catalogue."""
    return catalogues.read(language.catalogue_path(code, kind), code)


def test_a_catalogue_is_whole(catalogue: Catalog, kind: str) -> None:
    """It has every text of the template, none empty, none fuzzy, and as many plurals as the language."""
    ids = {message.id for message in catalogue if message.id}
    assert ids == {message.id for message in catalogues.template(kind) if message.id}
    left = [message.id for message in catalogue if message.id and not catalogues.is_translated(message.string)]
    assert not left
    assert not [message.id for message in catalogue if message.id and message.fuzzy]
    plurals = [message for message in catalogue if message.pluralizable]
    assert {len(message.string) for message in plurals} <= {catalogue.num_plurals}


def test_a_translation_keeps_what_is_no_word(catalogue: Catalog) -> None:
    """Placeholders, icons, colours, bold and code, headings, line breaks, and blanks at both ends."""
    wrong = []
    for message in filter(lambda message: message.id, catalogue):
        forms = [message.string] if isinstance(message.string, str) else list(message.string)
        originals = [message.id] if isinstance(message.id, str) else list(message.id)
        for form in filter(None, forms):
            if kept_parts(form) not in [kept_parts(original) for original in originals]:
                wrong.append((originals[-1], form))
    assert not wrong


def kept_parts(text: str) -> tuple[object, ...]:
    """Return what a translation has to have in common with its original, in any order."""
    text = DATE.sub("date", text)
    marks = sorted(KEPT.findall(text))
    bold, lines = text.count("**"), text.count("\n")
    return marks, bold, lines, text[:1] == " ", text[-1:] == " ", bool(re.match(r"#+ ", text)), text.count("[")


def test_numbers_percents_and_dates_are_those_of_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """English is as it always was."""
    assert (language.numeral(1234.5, 1), language.numeral(-0.5, 2, signed=True)) == ("1,234.5", "-0.50")
    assert (language.percent(0.125), language.percent(0.125, 1)) == ("12%", "12.5%")
    assert language.day(date(2026, 3, 5)) == "5 Mar 2026"
    assert language.day(date(2026, 3, 5), padded=True, named=True) == "05 March 2026"
    assert (language.joined(["a", "b", "c"]), language.joined(["a"]), language.joined([])) == ("a, b and c", "a", "")
    assert (language.language_name("fr"), language.country_name("PL")) == ("French", "Poland")
    monkeypatch.setattr(language, "language", lambda: "de")
    assert (language.numeral(1234.5, 1), language.numeral(0.5, 2, signed=True)) == ("1.234,5", "+0,50")
    assert (language.percent(0.125, 1), language.day(date(2026, 3, 5))) == ("12,5\u00a0%", "05.03.2026")
    assert (language.numeral(float("nan"), 2), language.language_name("fr")) == ("nan", "Französisch")
    monkeypatch.setattr(language, "language", lambda: "pl")
    assert language.numeral(1234567) == "1\u00a0234\u00a0567"


def test_plurals_are_those_of_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """English has two; the number is written as the language writes it."""
    assert language.plural("{n} title", "{n} titles", 1) == "1 title"
    assert language.plural("{n} title in {list}", "{n} titles in {list}", 1000, list="x") == "1,000 titles in x"


@pytest.mark.parametrize(("asked", "shown"), [("de-AT", "Hilfe"), ("pl", "Pomoc"), ("xx", "Help"), (None, "Help")])
def test_the_browsers_language_is_taken(
    app: AppTest, asked: str | None, shown: str, pseudo: Callable[..., None]
) -> None:
    """Unknown ones become English."""
    pseudo(lambda text: shown if text == "Help" else text)
    page = app.switch_page("pages/about/about.py")
    page.context["locale"] = asked
    assert page.run().title[0].value == shown


def test_the_chosen_language_wins_and_is_remembered(
    app: AppTest, cookies: dict[str, str], pseudo: Callable[..., None]
) -> None:
    """Over the browser's; another choice shows at once; a cookie that somebody changed is ignored."""
    pseudo(accented)
    cookies["jobmatch_language"] = "fr"
    page = app.switch_page("pages/about/about.py").run()
    assert page.title[0].value == accented("Help")
    page.selectbox(key="language_choice").set_value("en").run()
    assert page.title[0].value == "Help"
    cookies["jobmatch_language"] = "../../etc"
    other = AppTest.from_file(str(ROOT / "app.py")).switch_page("pages/about/about.py").run()
    assert other.title[0].value == "Help"


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let a function translate to every language but English."""

    def translate(turned: Callable[[str], str]) -> None:
        english = language._translations("en")
        monkeypatch.setattr(language, "_translations", lambda code: english if code == "en" else Pseudo(turned))

    return translate


def shown_texts(app: AppTest) -> list[str]:
    """Return what people read in an app's elements."""
    found: list[str] = []

    def collect(proto: Proto) -> None:
        for field, value in proto.ListFields():
            for item in value if field.is_repeated else [value]:
                if isinstance(item, Proto):
                    collect(item)
                elif isinstance(item, str) and field.name in READ:
                    found.append(item)

    for element in (*app.main, *app.sidebar):
        if element.proto is not None:
            collect(element.proto)
    return [*found, *(str(name) for table in app.dataframe for name in table.value.columns)]


@pytest.fixture(scope="module")
def known() -> set[str]:
    """Return all texts of the pages that must not be shown in English."""
    return {message.text for message in messages()} - OTHERS


@pytest.mark.thorough
@pytest.mark.parametrize("turned", [accented, arabic])
@pytest.mark.parametrize("folder", PAGES)
def test_no_english_is_left_on_a_page(
    folder: str, turned: Callable[[str], str], pseudo: Callable[..., None], known: set[str]
) -> None:
    """In a language that is 40% longer, and in one that runs from right to left; nothing fails."""
    pseudo(turned)
    for parameters in ({}, *BY_HAND.get(folder, ())):
        app = AppTest.from_file(str(ROOT / "app.py"))  # one that ran names options outside of its session, in English
        app.switch_page(f"pages/{folder}/{folder}.py")
        app.query_params.update({"taxonomy": TINY_ID, **parameters})
        app.context["locale"] = "de-DE"
        app.run(timeout=120)
        assert not app.exception
        texts = shown_texts(app)
        assert len(texts) >= 3
        assert not [text for text in texts if text in known], texts
