"""A pasted text as a project: its language, its sections, its skills."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import NamedSkill
from jobmatch_core.errors import MatchingError
from jobmatch_core.retrieval.project_reader import read_briefing
from jobmatch_core.taxonomy.skill_finder import SkillFinder, SkillNames
from jobmatch_core.text.folding import fold
from jobmatch_core.text.language_guess import guess_language, is_common

ROWS = [
    ("python", "Python", "en"),
    ("python", "Python", "de"),
    ("ml", "machine learning", "en"),
    ("ml", "maschinelles Lernen", "de"),
    ("ml", "apprentissage automatique", "fr"),
    ("learning", "learning", "en"),
    ("ops", "machine learning operations", "en"),
    ("cpp", "C++", "en"),
    ("csharp", "C#", "en"),
    ("dotnet", ".NET", "en"),
    ("net", "net", "en"),
    ("gift", "gift", "en"),  # a present in English, poison in German
    ("poison", "Gift", "de"),
    ("den", "den", "sv"),
    ("r", "R", "fr"),
    ("teams", "diriger une équipe", "fr"),
]
FINDER = SkillFinder(
    SkillNames(
        keys=[key for key, _, _ in ROWS],
        texts=[text for _, text, _ in ROWS],
        languages=[language for _, _, language in ROWS],
        preferred=[True] * len(ROWS),
    )
)


def keys(skills: tuple[NamedSkill, ...]) -> list[str]:
    """Return the skills' keys."""
    return [skill.key for skill in skills]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("PYTHON, and machine-learning!", ["python", "ml"], id="folded, in the text's order"),
        pytest.param("machine learning operations", ["ops"], id="the longest name"),
        pytest.param("Learning machine learning", ["learning", "ml"], id="a word belongs to one skill"),
        pytest.param("C++/C#/.NET", ["cpp", "csharp", "dotnet"], id="signs that matter"),
        pytest.param("pythons and nets", [], id="whole words only"),
        pytest.param("python Python PYTHON", ["python"], id="once"),
        pytest.param("apprentissage automatique et maschinelles Lernen", ["ml"], id="one skill in two languages"),
        pytest.param("Diriger une equipe", ["teams"], id="without accents"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_skills_are_found(text: str, expected: list[str]) -> None:
    """In any language, at word boundaries."""
    assert keys(FINDER.find(text)) == expected


@pytest.mark.parametrize(
    "text",
    ["Pythonエンジニア募集", "熟悉Python的开发人员", "Python을 사용", "経験:C#、Python。", "Python3年以上はPython"],
)
def test_latin_names_among_east_asian_signs(text: str) -> None:
    """Where no blanks stand between words, Latin ones are words all the same."""
    assert "python" in keys(FINDER.find(text))


def test_names_of_two_scripts_are_found() -> None:
    """They are parted alike."""
    finder = SkillFinder(SkillNames(["office"], ["Office操作"], ["ja"], [True]))
    assert keys(finder.find("経験：Office操作、他", "ja")) == ["office"]


def test_a_skill_is_named_as_the_taxonomy_names_it() -> None:
    """Under the name that was found, in its language."""
    assert FINDER.find("MASCHINELLES lernen") == (NamedSkill("ml", "maschinelles Lernen"),)


def test_the_texts_language_decides_between_skills_of_one_name() -> None:
    """Else English, else the first."""
    assert [keys(FINDER.find("Gift", language)) for language in ("de", "en", "pl", "")] == [
        ["poison"],
        ["gift"],
        ["gift"],
        ["gift"],
    ]


def test_small_words_are_not_taken_for_skills_of_other_languages() -> None:
    """'den' is German's for 'the', and a Swedish one's lair; R counts in French, and where no language is known."""
    assert FINDER.find("den Gift", "de")[0].key == "poison"
    assert [keys(FINDER.find("R", language)) for language in ("de", "fr", "")] == [[], ["r"], ["r"]]


def naive_find(text: str, names: set[str]) -> set[str]:
    """Try every place for names of many words, then of fewer; blank out what was found."""
    words, found = text.split(), set()
    for size in (4, 3, 2, 1):
        for start in range(len(words) - size + 1):
            name = " ".join(words[start : start + size])
            if name in names:
                words[start : start + size] = ["-"] * size
                found.add(name)
    return found


WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(" ".join)


@given(names=st.sets(WORDS, min_size=1, max_size=6), text=st.lists(st.sampled_from("abcd"), max_size=12).map(" ".join))
def test_the_same_skills_as_by_trying_each(names: set[str], text: str) -> None:
    """Where names overlap in a text, the longer wins, and of two as long the first in the text."""
    ordered, count = sorted(names), len(names)
    finder = SkillFinder(SkillNames(ordered, ordered, ["en"] * count, [True] * count))
    assert set(keys(finder.find(text))) == naive_find(text, names)


@given(st.text(max_size=40))
def test_names_may_be_folded_word_by_word(text: str) -> None:
    """What makes a million names quick."""
    assert " ".join(piece for piece in map(fold, text.split()) if piece) == fold(text)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("We are looking for a developer who can build our web shop.", "en"),
        ("Wir suchen jemanden, der unseren Webshop baut und nach und nach erweitert.", "de"),
        ("Nous recherchons une personne qui sache construire notre boutique en ligne.", "fr"),
        ("Buscamos a una persona que sepa construir nuestra tienda en línea.", "es"),
        ("Cerchiamo una persona che sappia costruire il nostro negozio online.", "it"),
        ("Wij zoeken iemand die onze webwinkel kan bouwen en die ervaring heeft met het werk.", "nl"),
        ("Szukamy osoby, która zbuduje nasz sklep internetowy i się nim zajmie.", "pl"),
        ("Procuramos uma pessoa que saiba construir a nossa loja e não tenha medo.", "pt"),
        ("Αναζητούμε προγραμματιστή", "el"),
        ("Шукаємо розробника", "uk"),
        ("Ищем разработчика с опытом", "ru"),
        ("Търсим програмист", "bg"),
        ("ウェブ開発者を募集", "ja"),
        ("招聘网页开发人员", "zh"),
        ("Python, SQL, Docker", ""),
        ("", ""),
        ("12 % – !", ""),
    ],
)
def test_languages_are_guessed(text: str, language: str) -> None:
    """By common words, or by the script; none where nothing tells."""
    assert guess_language(text) == language


def test_common_words_are_known() -> None:
    """Of languages that have some."""
    assert (is_common("und", "de"), is_common("und", "en"), is_common("und", "xx")) == (True, False, False)


BRIEF = """# Webshop relaunch
Role: Developer

We need help with our shop. Machine learning is part of it.

**Requirements:**
- C++
- .NET

Nice to have
* Python and C++
We offer:
learning on the job"""


def test_a_brief_with_headings() -> None:
    """Title, job title, and which skills are a bonus; what must be there anyway is none."""
    project = read_briefing(BRIEF, FINDER)
    assert (project.id, project.language, project.job_title) == ("pasted", "en", "Developer")
    assert keys(project.mandatory) == ["ml", "cpp", "dotnet", "learning"]
    assert keys(project.bonus) == ["python"]
    assert (project.family, project.category, project.generated) == ("", "", False)
    assert project.description.splitlines()[-1] == "learning on the job"
    assert "Developer" not in project.description


@pytest.mark.parametrize(
    ("text", "title", "description"),
    [
        pytest.param("Shop\nWe build one.", "Shop", "We build one.", id="the first line"),
        pytest.param("We build a shop.", "We build a shop.", "We build a shop.", id="a line is both"),
        pytest.param("Title: Shop\nWe build one.", "Shop", "We build one.", id="before a colon"),
        pytest.param("Titel:\nShop\nWir bauen.", "Shop", "Wir bauen.", id="under a heading"),
        pytest.param("Title: Shop", "Shop", "", id="nothing but a title"),
        pytest.param("We build. " * 20, "We build.", ("We build. " * 20).strip(), id="the first sentence"),
        pytest.param("shop " * 40, "shop " * 22 + "shop…", ("shop " * 40).strip(), id="no sentence ends"),
        pytest.param("Nice to have: Python", "Python", "Python", id="nothing but a bonus"),
    ],
)
def test_titles(text: str, title: str, description: str) -> None:
    """Never longer than a line can show."""
    project = read_briefing(text, FINDER)
    assert (project.title, project.description) == (title, description)


@pytest.mark.parametrize(
    "line",
    [
        "Von Vorteil: Python",
        "ATOUTS : Python",
        "mile widziane:\nPython",
        "Se valora:\n\n- Python\n",
        "## Bonus\nPython",
    ],
)
def test_bonus_headings_in_other_languages(line: str) -> None:
    """In eight of them, on a line of their own or before a colon."""
    project = read_briefing(f"Shop\n{line}", FINDER)
    assert (keys(project.mandatory), keys(project.bonus)) == ([], ["python"])


def test_the_language_may_be_given() -> None:
    """The given language decides what a word means."""
    assert keys(read_briefing("Gift", FINDER, language="de").mandatory) == ["poison"]


@pytest.mark.parametrize("text", ["", " \n\t", "Requirements:"], ids=["empty", "blank", "a heading"])
def test_no_text_is_told(text: str) -> None:
    """With what to do."""
    with pytest.raises(MatchingError, match="The project has no text; describe"):
        read_briefing(text, FINDER)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Nothing else can happen, and a title is a line."""
    try:
        project = read_briefing(text, FINDER)
    except MatchingError:
        return
    assert len(project.title) <= 120
    assert len(project.title.splitlines()) <= 1


@pytest.mark.parametrize(
    "text",
    [
        "<h1>Cloud &amp; more</h1><h2>Nice to have</h2><ul><li>Python</li></ul><h2>About us</h2><p>We use C++.</p>",
        "# Cloud & more\n\n## Nice to have\n* **Python**\n\n## About us\nWe use [C++](https://isocpp.org).",
    ],
    ids=["html", "markdown"],
)
def test_markup_becomes_text(text: str) -> None:
    """Its first heading is the title, and the others part it."""
    project = read_briefing(text, FINDER)
    assert (project.title, keys(project.mandatory), keys(project.bonus)) == ("Cloud & more", ["cpp"], ["python"])
    assert project.description.splitlines() == ["• Python", "We use C++."]
