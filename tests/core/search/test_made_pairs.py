"""Training pairs from a tiny taxonomy, O*NET's files and parallel lines."""

from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError, SettingsError, TaxonomyError
from jobmatch_core.search.made_pairs import MADE, MadePairs, sentences, task_pairs
from jobmatch_core.search.pair_files import TextPair
from jobmatch_core.search.search_recipe import SearchData, SearchRecipe, TaskRecipe
from jobmatch_core.taxonomy import TaxonomyStore
from tests.made_taxonomy import SKILLS_OF_EACH, install, skilled_taxonomy


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write O*NET's files and three parallel ones."""
    onet, lines = tmp_path / "onet", tmp_path / "ntrex"
    onet.mkdir()
    lines.mkdir()
    code = "O*NET-SOC Code"
    (onet / "Occupation Data.txt").write_text(f"{code}\tTitle\tDescription\n1\tBaker\tBakes bread.\n", "utf-8")
    (onet / "Alternate Titles.txt").write_text(f"{code}\tAlternate Title\n1\tBread Maker\n", "utf-8")
    (onet / "Task Statements.txt").write_text(f"{code}\tTask\n1\tKnead dough.\n", "utf-8")
    for name, text in (("src.eng", "Hello.\nBread\n"), ("ref.deu", "Hallo.\nBrot\n"), ("ref.fra", "Salut.\nPain\n")):
        (lines / f"newstest2019-{name}.txt").write_text(text, "utf-8")
    return tmp_path


@pytest.fixture
def made(folder: Path) -> MadePairs:
    """Open all sources."""
    return MadePairs((skilled_taxonomy(),), folder / "onet", folder / "ntrex")


def texts_of(pairs: list[TextPair]) -> set[tuple[str, str]]:
    """Return the texts of pairs."""
    return {(each.query, each.document) for each in pairs}


def test_names_find_their_occupation(made: MadePairs) -> None:
    """Names are in all languages, some after a query opening; each occupation has one document."""
    pairs = made.pairs("names", 1)
    assert len({each.document for each in pairs}) == 6
    assert {each.document for each in pairs if each.query.endswith("Kartograf")} == {"surveyor; map maker."}
    asked = [each.query for each in pairs if each.query.startswith(("someone who ", "jemand der ", "wer "))]
    assert 0 < len(asked) < len(pairs) / 2
    assert pairs == made.pairs("names", 1)
    assert pairs != made.pairs("names", 2)


def test_skills_find_their_occupations(made: MadePairs) -> None:
    """Only essential skills count; the weight falls with the number of their occupations."""
    pairs = made.pairs("skills", 1)
    assert {each.document for each in pairs} >= {"coder; program writer."}
    assert {each.weight for each in pairs} == {1.0}  # each skill is of one occupation
    assert 6 * 5 * 2 <= len(pairs) <= 6 * SKILLS_OF_EACH * 8


def test_names_of_skills_are_translations(made: MadePairs) -> None:
    """Each name is paired with the preferred English name."""
    assert {each.document for each in made.pairs("skill-names", 1)} <= {
        each.query for each in made.pairs("skill-names", 1)
    }


def test_tasks_of_onet(made: MadePairs) -> None:
    """A task is paired with the titles and the description of its occupation."""
    assert made.pairs("onet-tasks", 1) == [TextPair("Knead dough.", "Baker; Bread Maker. Bakes bread.")]
    assert ("Knead dough.", "Knead dough.") in texts_of(made.pairs("english", 1))


def test_parallel_lines(made: MadePairs, folder: Path) -> None:
    """Every language is paired with English; a different number of lines is refused."""
    assert texts_of(made.pairs("parallel", 1)) == {
        ("Hallo.", "Hello."),
        ("Brot", "Bread"),
        ("Salut.", "Hello."),
        ("Pain", "Bread"),
    }
    (folder / "ntrex" / "newstest2019-ref.fra.txt").write_text("Salut.\n", "utf-8")
    with pytest.raises(DataFileError, match="expected 2 lines as in English, found 1"):
        made.pairs("parallel", 1)


def test_a_source_that_is_not_named(folder: Path) -> None:
    """Without a source there is an error; the unit groups' duties need none."""
    empty = MadePairs((), None, None)
    assert empty.pairs("duties", 1)
    for kind in MADE.keys() - {"duties"}:
        with pytest.raises(SettingsError, match=f"of the kind '{kind}' can be made"):
            empty.pairs(kind, 1)  # type: ignore[arg-type]
    with pytest.raises(DataFileError):
        MadePairs((), folder / "gone", None).pairs("onet-tasks", 1)


def test_pairs_of_a_recipe(folder: Path) -> None:
    """Generated and read pairs, by the name of the task."""
    (folder / "clicks.tsv").write_text("bake bread\tbaker\n", "utf-8")
    install(skilled_taxonomy(), folder / "home")
    tasks = (TaskRecipe("a", "positives", ("clicks.tsv",)), TaskRecipe("b", "positives", made="skills"))
    recipe = SearchRecipe("r", tasks, data=SearchData(taxonomies=("skilled-1",)))
    store = TaxonomyStore(folder / "home" / "taxonomies")
    pairs = task_pairs(recipe, folder, store)
    assert pairs["a"] == [TextPair("bake bread", "baker")]
    assert len(pairs["b"]) > 50
    with pytest.raises(TaxonomyError):
        task_pairs(SearchRecipe("r", tasks, data=SearchData(taxonomies=("gone",))), folder, store)


def test_sentences() -> None:
    """A full stop or a semicolon ends a sentence."""
    assert sentences("Bakes bread; sells it. Cleans. ") == ["Bakes bread;", "sells it.", "Cleans."]
    assert sentences("") == []
