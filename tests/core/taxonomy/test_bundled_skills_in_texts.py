"""The bundled taxonomy's skills as people write of them: abbreviations, loan words, other spellings."""

from pathlib import Path

import pytest

from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from jobmatch_core.taxonomy.bundled import skill_uri
from jobmatch_core.taxonomy.skill_finder import SkillFinder, SkillKeys, SkillNames


@pytest.fixture(scope="module")
def taxonomy(tmp_path_factory: pytest.TempPathFactory) -> Taxonomy:
    """The bundled taxonomy."""
    folder: Path = tmp_path_factory.mktemp("taxonomies")
    return TaxonomyStore(folder).load()


@pytest.fixture(scope="module")
def names(taxonomy: Taxonomy) -> SkillNames:
    """The names of its skills."""
    return SkillNames.of(taxonomy)


@pytest.fixture(scope="module")
def finder(names: SkillNames) -> SkillFinder:
    """Finds them."""
    return SkillFinder(names)


def test_every_name_is_found_in_a_text_of_its_language(finder: SkillFinder, names: SkillNames) -> None:
    """Alone it stands for its own skill, and in a list of skills it is taken for the same."""
    keys = SkillKeys(names)
    for key, text, language in zip(names.keys, names.texts, names.languages, strict=True):
        assert key in [skill.key for skill in finder.find(f"x {text} x", language)], text
        assert keys.key(text) == key, text


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "en",
            "JS, K8s and Postgres on AWS, deployed by CI/CD; data visualization in PowerBI",
            "javascript kubernetes postgresql aws ci-cd data-visualisation power-bi",
        ),
        (
            "de",
            "Kenntnisse in JS, Machine Learning und Lohnbuchhaltung; SPS und DSGVO von Vorteil",
            "javascript machine-learning payroll plc-programming data-protection",
        ),
        (
            "fr",
            "Nous cherchons un profil SEO, PAO et réseaux sociaux, avec Photoshop et du RGPD",
            "seo layout-design social-media-marketing photoshop data-protection",
        ),
        (
            "es",
            "Buscamos experiencia en SEM, redes sociales y Machine Learning con NLP",
            "search-advertising social-media-marketing machine-learning natural-language-processing",
        ),
        (
            "it",
            "Cerchiamo chi sappia di IoT, fotoritocco, buste paga e UX/UI",
            "internet-of-things photo-retouching payroll ui-design",
        ),
        (
            "nl",
            "Ervaring met Excel, boekhouding, zoekmachinemarketing en de AVG",
            "excel bookkeeping search-advertising data-protection",
        ),
        (
            "pl",
            "Szukamy osoby, która zna CRM, księgowość, RODO i testy automatyczne",
            "crm bookkeeping data-protection test-automation",
        ),
        (
            "pt",
            "Procuramos quem saiba de contabilidade, redes sociais, UX design e ERP",
            "bookkeeping social-media-marketing ui-design erp-implementation",
        ),
    ],
)
def test_texts_in_eight_languages(finder: SkillFinder, language: str, text: str, expected: str) -> None:
    """With what all of them took from English."""
    assert [skill.key for skill in finder.find(text, language)] == [skill_uri(id_) for id_ in expected.split()]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("pt", "Trabalho sem deslocações"),
        ("es", "Quien sea puntual"),
        ("de", "Reisekosten werden erstattet, gründliche Einarbeitung"),
        ("nl", "Sla en andere groenten"),
    ],
)
def test_words_that_only_look_like_a_skill(finder: SkillFinder, language: str, text: str) -> None:
    """'sem' is 'without', 'sea' is 'be', 'sla' is lettuce."""
    assert finder.find(text, language) == ()
