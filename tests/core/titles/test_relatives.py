"""Titles that name a relative of somebody with a job, in many languages, and those that only look like it."""

import pytest

from jobmatch_core.linking import Linker
from jobmatch_core.taxonomy.lexicon import lexicon_titles
from jobmatch_core.titles.cleaning import clean_title
from jobmatch_core.titles.relatives import RELATIVE, is_relative

KNOWN = frozenset({"nurse", "cleaner", "cook", "krankenschwester", "infirmiere", "technicien", "машинист"})


@pytest.mark.parametrize(
    "title",
    [
        "doctor's wife",
        "Doctor’s Wife",
        "farmers wife",
        "widow of a lawyer",
        "soldier's widow",
        "miner's son",
        "CEO's nephew",
        "the boss's brother-in-law",
        "Neffe vom Chef",
        "neveu du patron",
        "sobrino del jefe",
        "siostrzeniec prezesa",
        "Witwe eines Bäckers",
        "Bäckerwitwe",
        "Pfarrersfrau",
        "Arztgattin",
        "Bauerntochter",
        "veuve de boulanger",
        "Veuve d'un notaire",
        "épouse du maire",
        "viuda de pescador",
        "viúva de marceneiro",
        "moglie di un mugnaio",
        "weduwe van een schipper",
        "dominees weduwe",
        "burgemeestersvrouw",
        "advokatsänka",
        "kaptensfru",
        "prästdotter",
        "gårdmandsenke",
        "hustru til en fisker",
        "torpparin vaimo",
        "suutarinleski",
        "wdowa po górniku",
        "żona kowala",
        "вдова купца",
        "жена рабочего",
        "kovács özvegye",
        "balıkçının karısı",
        "زوجة مزارع",
        "医生的妻子",
        "漁師の妻",
        "医生的女儿",
        "의사의 딸",
        "अध्यापक की पत्नी",
        "همسر پزشک",
        "אלמנת רופא",
        "ภรรยาครู",
        "ภรรยาของครู",
        "vợ của bác sĩ",
        "istri petani",
        "janda petani",
    ],
)
def test_relatives(title: str) -> None:
    """A phrase before the job, a word after it, or the end of a compound."""
    assert is_relative(title)


@pytest.mark.parametrize(
    "title",
    [
        "midwife",
        "mid wife",
        "housewife",
        "House Wife",
        "Hausfrau",
        "Kauffrau",
        "Putzfrau",
        "Geschäftsfrau",
        "Amtsfrau",
        "Reinigungsfrau",
        "Serviertochter",
        "femme de ménage",
        "femme de chambre",
        "fille de salle",
        "huisvrouw",
        "vroedvrouw",
        "werkvrouw",
        "husfru",
        "Kallskänka",
        "jordmor",
        "barnmorska",
        "mulher de limpeza",
        "Weinschenke",
        "person",
        "mason",
        "",
        "son",
        "Sonderpädagoge",
        "wife's assistant",
        "Sister of Mercy",
        "Sister of St. Joseph",
        "ship's husband",
        "fils de fer",
        "mother of pearl cutter",
        "Personal assistant to the president's wife",
        "Nurse for a widow",
        "Gesellschafterin bei einer Kaufmannswitwe",
        "verzorgster van een weduwe",
        "barnvakt hos advokatsänka",
        "แม่บ้าน",
        "พ่อครัว",
        "ลูกเรือ",
        "ibu rumah tangga",
        "אשת מכירות",
        "夫人",
    ],
)
def test_no_relatives(title: str) -> None:
    """Trades whose names look like relatives, and work that is done for one."""
    assert not is_relative(title)


@pytest.mark.parametrize(
    "title",
    [
        "wife",
        "Widow",
        "widower (m/w/d)",
        "mother",
        "son",
        "husband (deceased)",
        "Witwe",
        "Ehefrau",
        "veuve",
        "fille",
        "viuda",
        "moglie",
        "weduwe",
        "hustru",
        "leski",
        "żona",
        "жена",
        "妻子",
        "mother of two",
        "Doctor's wife, Leeds",
        "widow of a lawyer (retired)",
    ],
)
def test_a_relative_by_itself(title: str) -> None:
    """A word alone, and with what is no job."""
    assert clean_title(title, KNOWN).no_job == RELATIVE


@pytest.mark.parametrize(
    ("title", "form", "aside"),
    [
        ("Nurse, wife", "nurse", "wife"),
        ("nurse (Widow)", "nurse", "Widow"),
        ("nurse/wife", "nurse", "wife"),
        ("nurse,wife", "nurse", "wife"),
        ("cook - widower", "cook", "widower"),
        ("wife, cook", "cook", "wife"),
        ("mother of two, cleaner", "cleaner", "mother of two"),
        ("Nurse (farmer's wife)", "nurse", "farmer's wife"),
        ("Krankenschwester, Witwe", "krankenschwester", "Witwe"),
        ("infirmière (veuve)", "infirmiere", "veuve"),
        ("машинист, вдовец", "машинист", "вдовец"),
        ("blorper, widow", "blorper", "widow"),
    ],
)
def test_civil_status_beside_a_job_is_set_aside(title: str, form: str, aside: str) -> None:
    """As a part of its own."""
    cleaned = clean_title(title, KNOWN)
    assert (cleaned.forms, cleaned.set_aside, cleaned.no_job) == ((form,), (aside,), "")


def test_words_with_other_meanings_stay_beside_a_job() -> None:
    """`son` is sound in French."""
    assert clean_title("technicien, son", KNOWN).forms == ("technicien son",)


@pytest.mark.thorough
def test_no_name_of_an_occupation_is_a_relative(bundled: Linker) -> None:
    """Of the bundled taxonomy and the lexicon."""
    names = {*bundled.taxonomy.name_texts, *(each.title for each in lexicon_titles())}
    assert len(names) > 50_000
    assert [name for name in names if is_relative(name, whole=True)] == []
    known = bundled.index.known_words
    assert [name for name in sorted(names)[::20] if clean_title(name, known).no_job] == []
