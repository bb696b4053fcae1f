"""Skills of postings, and their names out of a taxonomy."""

from jobmatch_core.descriptions.posting_skills import skill_names, with_skills
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.taxonomy import TaxonomyStore


def test_names_of_the_bundled_skills() -> None:
    """The preferred English one first, then other preferred ones; every skill has its own."""
    taxonomy = TaxonomyStore.open().load()
    names = skill_names(taxonomy)
    assert list(names) == taxonomy.tables.skills["uri"].to_list()
    table = taxonomy.tables.skill_names
    for number, uri in list(enumerate(names))[:20]:
        own = table[table["skill"] == number]
        english = own[(own["language"] == "en") & own["preferred"]]["text"].to_list()
        assert names[uri][0] == english[0]
        assert sorted(names[uri]) == sorted(own["text"])
        n_preferred = int(own["preferred"].sum())
        assert set(names[uri][:n_preferred]) == set(own[own["preferred"]]["text"])


def test_a_skill_is_called_by_its_first_name() -> None:
    """Whichever of its names was found; what the posting had before is gone."""
    names = {"x": ["welding", "schweißen"], "y": ["grinding"]}
    [found] = with_skills([Posting("1", "Schweißer", "Sie schweißen, welding, grinding", ("old",))], names)
    assert found.skills == ("welding", "grinding")
