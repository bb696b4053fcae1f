"""Titles whose words name no occupation."""

import pytest

from jobmatch_core.linking import Linker
from jobmatch_core.linking.title_texts import is_general


@pytest.mark.parametrize(
    ("title", "general"),
    [
        ("", True),
        ("Employee", True),
        ("Team Member (full time)", True),
        ("Mitarbeiter/in (m/w/d)", True),
        ("Employé(e)", True),
        ("Medewerker", True),
        ("работник", True),
        ("Пенсионерка", True),
        ("безробітний", True),
        ("işsiz", True),
        ("student", True),
        ("studerande", True),
        ("nezaměstnaný", True),
        ("nyugdíjas", True),
        ("άνεργος", True),
        ("موظف", True),
        ("员工", True),
        ("退休", True),
        ("無職", True),
        ("회사원", True),
        ("कर्मचारी", True),
        ("شاغل", True),
        ("עובדת", True),
        ("พนักงาน", True),
        ("นักศึกษาฝึกงาน", False),
        ("nhân viên", True),
        ("karyawan", True),
        ("công tố viên", False),
        ("باحث", False),
        ("کارگر", False),
        ("公务员", False),
        ("พนักงานขาย", False),
        ("Sales Associate", False),
        ("social worker", False),
        ("Mitarbeiter im Verkauf", False),
        ("Nurse", False),
        ("Associate Professor", False),
    ],
)
def test_general_words_alone(tiny: Linker, title: str, general: bool) -> None:
    """Also with pieces that cleaning removes; one more word may name a job."""
    assert is_general(title, tiny.index.known_words) is general
