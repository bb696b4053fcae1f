"""Noise words in each language: conditions, adverts, ranks, experience and status; and text without spaces."""

import pytest

from jobmatch_core.linking import Linker
from jobmatch_core.taxonomy.lexicon import lexicon_titles
from jobmatch_core.text.folding import fold
from jobmatch_core.titles.cleaning import clean_title
from jobmatch_core.titles.noise_words import without_noise

CONDITIONS = [
    ("Nurse + OT", "nurse", ["+ OT"]),
    ("Nurse +overtime", "nurse", ["+overtime"]),
    ("Nurse 2nd shift", "nurse", ["2nd shift"]),
    ("Nurse 1st/2nd/3rd shift", "nurse", ["1st/2nd/3rd shift"]),
    ("Nurse, 12hr shifts", "nurse", ["12hr shifts"]),
    ("Nurse 37.5 hours per week", "nurse", ["37.5 hours per week"]),
    ("Pfleger 38 Std./Woche", "pfleger", ["38 Std./Woche"]),
    ("Carer - own car", "carer", ["own car"]),
    ("Koch (Teilzeit/Vollzeit)", "koch", ["Teilzeit/Vollzeit"]),
    ("cuisinier logé nourri", "cuisinier", ["logé nourri"]),
    ("cuoco con alloggio", "cuoco", ["con alloggio"]),
    ("kucharz z zakwaterowaniem", "kucharz", ["z zakwaterowaniem"]),
    ("szakács túlórával", "szakacs", ["túlórával"]),
    ("bucătar cu cazare", "bucatar", ["cu cazare"]),
    ("готвач с квартира", "готвач", ["с квартира"]),
    ("μάγειρας με στέγαση", "μαγειρασ", ["με στέγαση"]),
    ("повар 2/2", "повар", ["2/2"]),
    ("сварщик вахта 60/30", "сварщик", ["вахта 60/30"]),
    ("бетонщик вахтовый метод", "бетонщик", ["вахтовый метод"]),
    ("повар с проживанием", "повар", ["с проживанием"]),
    ("кухар з житлом", "кухар", ["з житлом"]),
    ("garson yatılı", "garson", ["yatılı"]),
    ("طباخ مع سكن", "طباخ", ["مع سكن"]),
    ("محاسب دوام كامل", "محاسب", ["دوام كامل"]),
    ("厨师 包住 双休 五险一金", "厨师", ["包住", "双休", "五险一金"]),
    ("廚師 週休二日 供膳宿", "廚師", ["週休二日", "供膳宿"]),
    ("調理師（週休2日）", "調理師", ["週休2日"]),
    ("요리사 주5일 숙식제공", "요리사", ["주5일", "숙식제공"]),
    ("रसोइया रहने की सुविधा", "रसोइया", ["रहने की सुविधा"]),
    ("آشپز تمام‌وقت با جای خواب", "آشپز", ["تمام‌وقت", "با جای خواب"]),
    ("טבח משרה חלקית", "טבח", ["משרה חלקית"]),
    ("พ่อครัว กะกลางคืน มีที่พัก", "พ่อครัว", ["กะกลางคืน", "มีที่พัก"]),
    ("đầu bếp bán thời gian bao ăn ở", "dau bep", ["bán thời gian", "bao ăn ở"]),
    ("koki paruh waktu", "koki", ["paruh waktu"]),
    ("токарь 4–6 разряда", "токарь", ["4–6 разряда"]),
    ("грузчик от 45 т.р.", "грузчик", ["от 45 т.р."]),
    ("кройщик, г. Иваново", "кроищик", ["г. Иваново"]),
    ("prodavač 20.000,-", "prodavac", ["20.000,-"]),
    ("garson 30.000 TL", "garson", ["30.000 TL"]),
    ("supir Rp 4,5 juta", "supir", ["Rp 4,5 juta"]),
    ("auxiliar 2º turno", "auxiliar", ["2º turno"]),
    ("operaio agricolo dal 25 agosto", "operaio agricolo", ["dal 25 agosto"]),
    ("Pflegekraft ab 01.09.2025", "pflegekraft", ["ab 01.09.2025"]),
    ("teacher from 5 to 9", "teacher from 5 to 9", []),
    ("Engineer @ a bakery - nights", "engineer", ["a bakery", "nights"]),
    ("Engineer @Bakery", "engineer", ["Bakery"]),
    ("Nurse - live in", "nurse", ["live in"]),
    ("live-in nurse", "live in nurse", []),
    ("verzorgende 24-32 uur", "verzorgende", ["24-32 uur"]),
    ("24 uur zorg medewerker", "24 uur zorg medewerker", []),
    ("monteur 0,8 fte", "monteur", ["0,8 fte"]),
    ("дворник 0,75 ст.", "дворник", ["0,75 ст."]),
    ("operaio 24 ore settimanali", "operaio", ["24 ore settimanali"]),
    ("Sachbearbeiter EG 9b TVöD", "sachbearbeiter", ["EG 9b", "TVöD"]),
    ("beleidsmedewerker schaal 10", "beleidsmedewerker", ["schaal 10"]),
    ("referent 10. platová třída", "referent", ["10. platová třída"]),
    ("adjoint administratif 2e classe", "adjoint administratif", ["2e classe"]),
    ("adjoint technique de 1re classe", "adjoint technique", ["de 1re classe"]),
    ("inspector gradul I", "inspector", ["gradul I"]),
    ("Koch 20 € die Stunde", "koch", ["20 € die Stunde"]),
    ("kock vardagar dagtid", "kock", ["vardagar dagtid"]),
    ("řidič víkendy doma", "ridic", ["víkendy doma"]),
    ("叉车工 持证上岗", "叉车工", ["持证上岗"]),
]
ADVERTS = [
    ("Nous recherchons un boulanger", "boulanger", ["Nous recherchons un"]),
    ("Wir suchen ab sofort eine Köchin", "kochin", ["Wir suchen ab sofort eine"]),
    ("cuoco, buoni pasto", "cuoco", ["buoni pasto"]),
    ("murarz, praca w delegacji", "murarz", ["praca w delegacji"]),
    ("повар, полный соцпакет", "повар", ["полный соцпакет"]),
    ("Cook male/female", "cook", ["male/female"]),
    ("kuchař muž/žena", "kuchar", ["muž/žena"]),
    ("повар (м/ж) требуется", "повар", ["(м/ж)", "требуется"]),
    ("повар мужчина/женщина", "повар", ["мужчина/женщина"]),
    ("кухар ч/ж", "кухар", ["ч/ж"]),
    ("aşçı aranıyor bay/bayan", "asci", ["bay/bayan", "aranıyor"]),
    ("مطلوب طباخ للجنسين", "طباخ", ["مطلوب", "للجنسين"]),
    ("요리사 남/여", "요리사", ["남/여"]),
    ("요리사 경력/신입", "요리사", ["경력/신입"]),
    ("厨师 男女不限", "厨师", ["男女不限"]),
    ("रसोइया की आवश्यकता", "रसोइया", ["की आवश्यकता"]),
    ("استخدام فوری آشپز خانم", "آشپز", ["استخدام فوری", "خانم"]),
    ("استخدام آشپز", "آشپز", ["استخدام"]),
    ("דרוש/ה טבח", "טבח", ["דרוש/ה"]),
    ("רתך ללא ניסיון", "רתך", ["ללא ניסיון"]),
    ("พ่อครัว ด่วน", "พ่อครัว", ["ด่วน"]),
    ("cần tuyển gấp đầu bếp nam/nữ", "dau bep", ["nam/nữ", "cần tuyển gấp"]),
    ("Tuyển đầu bếp", "dau bep", ["Tuyển"]),
    ("Lowongan kerja koki pria/wanita", "koki", ["pria/wanita", "Lowongan kerja"]),
    ("Dibutuhkan segera koki", "koki", ["Dibutuhkan segera"]),
]
JOINED = [
    ("急聘护士", "护士", ["急聘"]),
    ("高薪急聘司机", "司机", ["高薪急聘"]),
    ("司机招聘", "司机", ["招聘"]),
    ("急徵護士", "護士", ["急徵"]),
    ("看護師募集", "看護師", ["募集"]),
    ("未経験歓迎 看護師", "看護師", ["未経験歓迎"]),
    ("간호사모집", "간호사", ["모집"]),
    ("신입사원 간호사", "간호사", ["신입사원"]),
    ("รับสมัครพยาบาลด่วนมาก", "พยาบาล", ["รับสมัคร", "ด่วนมาก"]),
    ("วิศวกรอาวุโส", "วิศวกร", ["อาวุโส"]),
]
STATUS = [
    ("nyugállományú tanár", "tanar", ["nyugállományú"]),
    ("õpetaja pensionil", "opetaja", ["pensionil"]),
    ("mokytojas pensininkas", "mokytojas", ["pensininkas"]),
    ("skolotājs pensijā", "skolotajs", ["pensijā"]),
    ("退休教师", "教师", ["退休"]),
    ("教師（定年退職）", "教師", ["定年退職"]),
    ("सेवानिवृत्त शिक्षक", "शिक्षक", ["सेवानिवृत्त"]),
    ("معلم بازنشسته", "معلم", ["بازنشسته"]),
    ("معلم سابق", "معلم", ["سابق"]),
    ("מורה בדימוס", "מורה", ["בדימוס"]),
    ("ครูเกษียณอายุ", "ครู", ["เกษียณอายุ"]),
    ("giáo viên đã nghỉ hưu", "giao vien", ["đã nghỉ hưu"]),
    ("guru pensiunan", "guru", ["pensiunan"]),
    ("mantan guru", "guru", ["mantan"]),
]


@pytest.mark.parametrize(("title", "form", "aside"), [*CONDITIONS, *ADVERTS, *JOINED, *STATUS])
def test_noise_is_set_aside(title: str, form: str, aside: list[str]) -> None:
    """Whatever the language of the title."""
    cleaned = clean_title(title, frozenset())
    assert cleaned.forms[0] == fold(form)
    assert sorted(cleaned.set_aside) == sorted(aside)


@pytest.mark.parametrize(
    "title",
    [
        "24 hour nursing assistant",
        "招聘专员",
        "人事招聘",
        "退休金管理员",
        "实习指导教师",
        "保険募集人",
        "デパート",
        "エキスパート",
        "パートナー営業",
        "シニアケア",
        "신입생 상담사",
        "ผู้ดูแลผู้อาวุโส",
        "เจ้าหน้าที่รับสมัคร",
        "chuyên viên tuyển dụng",
        "Tuyển dụng nhân sự",
        "bán hàng trực tuyến",
        "مدیر استخدام",
        "مترجم رسمی",
        "طبيب مقيم",
        "yatılı okul müdürü",
        "Acil Tıp Uzmanı",
        "מחסנאי חלקי חילוף",
        "pekerja lepas pantai",
        "מגייסת",
        "مترجم فوری",
        "penjaga loker",
        "thợ làm cá",
        "장기 이식 코디네이터",
    ],
)
def test_words_that_name_the_work_stay(title: str) -> None:
    """Recruiters, pensions, a boarding school, emergency medicine, offshore work: noise only elsewhere."""
    cleaned = clean_title(title, frozenset())
    assert (cleaned.forms, cleaned.set_aside) == ((fold(title),), ())


@pytest.mark.parametrize(
    ("title", "seniority"),
    [
        ("حسابدار ارشد", "senior"),
        ("کارآموز حسابداری", "intern"),
        ("מהנדס בכיר", "senior"),
        ("ג'וניור מפתח", "junior"),
        ("วิศวกรอาวุโส", "senior"),
        ("พยาบาลฝึกหัด", "trainee"),
        ("thực tập sinh kế toán", "intern"),
        ("kế toán có kinh nghiệm", "experienced"),
        ("magang akuntansi", "intern"),
        ("koki tanpa pengalaman", "junior"),
        ("محاسب أول", "senior"),
        ("资深工程师", "senior"),
        ("实习护士", "intern"),
        ("未経験看護師", "junior"),
        ("сварщик без опыта", "junior"),
        ("요리사 경력/신입", ""),
    ],
)
def test_ranks(title: str, seniority: str) -> None:
    """Also where they are joined to the job."""
    assert clean_title(title, frozenset()).seniority == seniority


@pytest.mark.parametrize(
    "title",
    [
        "Senior Club Organiser",
        "Junior Football Coach",
        "Internship Program Manager",
        "Internship Coordinator",
        "Intern Coordinator",
        "Apprentice Training Officer",
        "Apprenticeship Recruitment Consultant",
        "Traineeship Tutor",
        "Trainee Program Manager",
        "Graduate Programme Coordinator",
        "Work Placement Officer",
        "Volunteer Coordinator",
        "Student Services Officer",
        "Senior Living Manager",
        "Senior Care Assistant",
        "Lead Generation Specialist",
        "Lead Acid Battery Assembler",
        "Seniorenbetreuer",
        "Seniorenheimleiter",
        "Praktikantenbetreuer",
        "Ausbildungsleiter",
        "Azubi-Coach",
        "animateur seniors",
        "conseiller en résidence senior",
        "coordinatore volontari",
        "tutor apprendistato",
        "residencia sénior",
        "opiekunka seniora",
        "orientador jovem aprendiz",
        "leerling begeleider",
        "elev assistent",
        "gyakornoki program koordinátor",
        "staj koordinatörü",
        "منسق برنامج تدريب",
        "वरिष्ठ नागरिक सेवा",
        "시니어 케어 담당",
        "koordinator magang",
        "مسئول کارآموزی",
        "điều phối thực tập sinh",
    ],
)
def test_ranks_of_those_whom_the_work_is_for(title: str) -> None:
    """Seniors, juniors, interns and apprentices who are looked after, and leads that are won: no rank of the title."""
    cleaned = clean_title(title, frozenset())
    assert (cleaned.forms[0], cleaned.set_aside, cleaned.seniority) == (fold(title), (), "")


@pytest.mark.parametrize(
    ("title", "seniority"),
    [
        ("Senior Nurse", "senior"),
        ("Senior Program Manager", "senior"),
        ("Senior Transport Planner", "senior"),
        ("Senior Community Nurse", "senior"),
        ("Trainee Manager", "trainee"),
        ("Trainee Recruitment Consultant", "trainee"),
        ("Intern Marketing", "intern"),
        ("Apprentice Electrician", "apprentice"),
        ("Graduate Programme Engineer", "trainee"),
        ("Lead Developer", "lead"),
        ("Director of Lead Generation", "director"),
        ("Azubi Koch", "apprentice"),
        ("Animateur senior", "senior"),
        ("시니어 개발자", "senior"),
        ("वरिष्ठ लेखाकार", "senior"),
    ],
)
def test_real_ranks(title: str, seniority: str) -> None:
    """Those of the person stay ranks."""
    assert clean_title(title, frozenset()).seniority == seniority


@pytest.mark.thorough
def test_no_name_of_an_occupation_is_noise(bundled: Linker) -> None:
    """Of the bundled taxonomy and the lexicon: a word of each is left."""
    names = {*map(fold, bundled.taxonomy.name_texts), *(fold(each.title) for each in lexicon_titles())}
    assert [name for name in sorted(names) if name and not without_noise(name, [])] == []
