"""Link results written by hand: to an occupation, to a unit group, unsure, and to nothing."""

import dataclasses
from datetime import date

from jobmatch_core.entities import Candidate, Evidence, GroupOffer, LinkResult, Seniority
from jobmatch_core.judged_title import OwnName
from jobmatch_core.link_reasons import NOT_SURE, NOTHING_LIKE_IT

COOK = Candidate("uri:cook", "Koch/Köchin", "5120", 0.61237, Evidence("koch", "de", {"char": 0.75, "names": 0.25}))
CHEF = Candidate("uri:chef", "Küchenchef", "3434", 0.25, Evidence("chef", "fr", {"char": 1.0}))
BAKER = Candidate("uri:baker", "Bäcker", "7512", 0.00499, Evidence("baker", "en", {"char": 1.0}))
GROUP = GroupOffer("512", "Köche", 0.86237)
LINKED = LinkResult("Koch (m/w/d)", (COOK, CHEF, BAKER), False, None, "isco-08", ("(m/w/d)",))
UNSURE = LinkResult("Küche", (COOK, CHEF), True, GROUP, "isco-08", (), reason=NOT_SURE)
UNIT = GroupOffer("5120", "Köche", 0.91237)
OF_UNIT = LinkResult("Küche", (COOK, CHEF), False, UNIT, "isco-08", ())
UNKNOWN = LinkResult("qqqq", (), True, None, "isco-08", (), reason=NOTHING_LIKE_IT)
OWN = OwnName("Kochfee", "uri:cook", ("Ann", "Bob", "Çağla"), date(2026, 3, 9))
ACCEPTED = dataclasses.replace(COOK, evidence=Evidence("Kochfee", "", {}, OWN))
READ = Evidence("Personal assistant", "en", {}, from_lexicon=True, read_as="personal assistant")
SENIOR_PA = LinkResult(
    "Senior PA", (dataclasses.replace(COOK, evidence=READ),), False, None, "t", ("senior",), Seniority.SENIOR
)
