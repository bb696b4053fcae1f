"""Job titles as an agency types them: forms for both genders, pay, hours, places, capitals, emoji, errors, repeats."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from jobmatch_core.demo.wording import Wording, load_agency
from jobmatch_core.io.tables import Record
from jobmatch_core.marketplace.demo.world import RandomChoices
from jobmatch_core.taxonomy.bundled import unit_group_names
from jobmatch_core.taxonomy.lexicon import lexicon_titles

TITLE_COLUMN = "title"
MONTH_DAYS = 30
_TITLES = 4  # stream of random numbers, other than those of the marketplace
_VAGUE, _SHORT, _REPEATED = 0.06, 0.06, 0.08  # shares of titles
_TYPING_ERRORS = 0.1  # of the others
_SATURDAY = 5
_LONGEST_NAME = 34  # letters; a longer one is an official name, which nobody types
_SHORTEST_WITH_ERROR = 7


@dataclass(frozen=True, slots=True)
class AgencyTitle:
    """A title that the agency received."""

    title: str  # the title as typed
    language: str  # two-letter code
    group: str  # unit group that is meant; '' if nobody can say
    received: date  # day of the month
    place: str  # city, '' if it was not entered


def agency_titles(count: int, until: date, seed: int = 1) -> list[AgencyTitle]:
    """Return the titles of the month that ends on a day, the oldest first; each language has its share."""
    random = RandomChoices([seed, _TITLES])
    agency = load_agency()
    languages = list(agency.wordings)
    titles: list[AgencyTitle] = []
    for number, day in enumerate(_days(count, until, random)):
        language = languages[number % len(languages)]
        earlier = [title for title in titles if title.language == language]
        if earlier and random.chance(_REPEATED):
            again = random.one_of(earlier)
            title, group = (again.title.upper() if random.chance(0.3) else again.title), again.group
        else:
            title, group = _title(language, agency.wordings[language], random)
        place = random.one_of(agency.wordings[language].cities) if random.chance(0.7) else ""
        titles.append(AgencyTitle(title, language, group, day, place))
    return titles


def title_rows(titles: Sequence[AgencyTitle]) -> list[Record]:
    """Return the rows of a list; each reference says that the row is made up."""
    return [
        {
            "reference": f"DEMO-{number:04d}",
            "received": title.received.isoformat(),
            TITLE_COLUMN: title.title,
            "place": title.place,
        }
        for number, title in enumerate(titles, 1)
    ]


def fill(pattern: str, wording: Wording, random: RandomChoices, **slots: str) -> str:
    """Fill a pattern of `agency.toml`."""
    return pattern.format(
        city=random.one_of(wording.cities),
        pay=random.one_of(wording.pay),
        hours=random.one_of(wording.hours),
        ref=f"#{random.between(1000, 9999)}",
        employer=random.one_of(wording.employers),
        **slots,
    )


@cache
def everyday_names() -> dict[tuple[str, str], tuple[str, ...]]:
    """Return (language, unit group) -> short names, for the agency's languages and groups."""
    agency = load_agency()
    names: dict[tuple[str, str], list[str]] = defaultdict(list)
    for language, group, name in unit_group_names():
        names[language, group].append(name)
    for key in names:
        names[key] = names[key][1:]  # the first one is the official name of the group
    for row in lexicon_titles():
        names[row.language, row.isco].append(row.title)
    return {
        (language, group): tuple(
            dict.fromkeys(name for name in names[language, group] if len(name) <= _LONGEST_NAME and "/" not in name)
        )
        for language in agency.wordings
        for group in agency.groups
    }


def _title(language: str, wording: Wording, random: RandomChoices) -> tuple[str, str]:
    """Return a title and its unit group."""
    kind = random.share()
    if kind < _VAGUE:
        return random.one_of(wording.vague), ""
    if kind < _VAGUE + _SHORT:
        short = random.one_of(list(wording.short))
        return short, wording.short[short]
    group = random.one_of(load_agency().groups)
    name = random.one_of(everyday_names()[language, group])
    if random.chance(_TYPING_ERRORS):
        name = _with_typing_error(name, random)
    pair = random.one_of(wording.both).format(title=name)
    return fill(random.one_of(wording.patterns), wording, random, title=name, loud=name.upper(), pair=pair), group


def _with_typing_error(name: str, random: RandomChoices) -> str:
    """Return a name with two letters swapped, or one left out; a short one as it is."""
    if len(name) < _SHORTEST_WITH_ERROR:
        return name
    place = random.between(2, len(name) - 3)
    swapped = name[place + 1] + name[place] if random.chance(0.5) else name[place + 1]
    return name[:place] + swapped + name[place + 2 :]


def _days(count: int, until: date, random: RandomChoices) -> list[date]:
    """Return working days, in order."""
    month = [until - timedelta(days=back) for back in range(MONTH_DAYS)]
    working = [day for day in month if day.weekday() < _SATURDAY]
    return sorted(random.one_of(working) for _ in range(count))
