"""Two sides of a pair: a project and a freelancer with what they share, or a judged pair as far as it is known."""

from collections.abc import Iterator, Sequence

import streamlit as st

from jobmatch.services.annotation_desk import Sides
from jobmatch_core.earth import distance_km
from jobmatch_core.entities import Freelancer, Pair, PairKind, Project
from jobmatch_core.retrieval.match_reasons import SharedWords
from jobmatch_core.retrieval.matches import compared_skills, place_name
from jobmatch_core.text.folding import visible
from jobmatch_core.text.locales import country_name, language_name
from pages.shared import label_market, markets, resources, widgets
from pages.shared.market_choice import Market
from pages.shared.widgets import plain

_SKILLS_SHOWN = 24  # of a profile, those that the project does not ask for
_TEXT_SHOWN = 1200  # characters of a text, before the rest is folded away
_LONGEST_TEXT = 20_000


def sides_of(market: Market, project: str, freelancer: str) -> Sides | None:
    """Read a pair; None where the marketplace has not got both any more.

    Raises:
        MarketplaceError: the marketplace cannot be read.
    """
    rows = market.records.project_rows, market.records.freelancer_rows
    if project not in rows[0] or freelancer not in rows[1]:
        return None
    wanted = market.records.projects[rows[0][project]]
    offered = market.records.freelancers[rows[1][freelancer]]
    return Sides(wanted, offered, compared_skills(wanted, offered), *SharedWords.of(wanted, offered))


def show(seen: Sides, market: Market, *, key: str) -> None:
    """Draw both sides, each as one text: the browser takes longest over what it has to put together."""
    left, right = st.columns(2, gap="small")
    with left, st.container(border=True, key=f"{key}_project", height="stretch"):
        st.markdown(_project(seen, market))
        _rest(seen.project.description, key=f"{key}_project_text")
    with right, st.container(border=True, key=f"{key}_freelancer", height="stretch"):
        st.markdown(_freelancer(seen, market))
        _rest(f"{seen.freelancer.description}\n{seen.freelancer.experience}", key=f"{key}_freelancer_text")


def _project(seen: Sides, market: Market) -> str:
    project = seen.project
    category = market.category_name(project.category, project.category_name)
    parts = [
        _heading("Project", project.title or project.job_title or project.id, project)
        + _facts([project.job_title if project.title else "", category, *_where(project)]),
    ]
    if not seen.skills:
        parts.append(":small[:gray[This project lists no skills; judge by the texts.]]")
    for label, mandatory in (("Must have", True), ("Nice to have", False)):
        asked = [skill for skill in seen.skills if skill.mandatory == mandatory]
        if asked:
            parts.append(widgets.wanted_skills(label, asked))
    return _joined([*parts, *_paragraphs(project.description, seen.project_words)])


def _freelancer(seen: Sides, market: Market) -> str:
    freelancer = seen.freelancer
    facts = [market.category_name(freelancer.category, freelancer.category_name), *_where(freelancer)]
    if seen.project.place and freelancer.place:
        facts.append(f"{distance_km(freelancer.place, seen.project.place):,.0f} km away")
    if freelancer.day_rate is not None:
        facts.append(f"{freelancer.day_rate:,.0f} € per day")
    title = freelancer.title or freelancer.category_name or freelancer.id
    text = f"{freelancer.description}\n{freelancer.experience}"
    return _joined(
        [
            _heading("Freelancer", title, freelancer) + _facts(facts),
            *_skills(seen),
            *_paragraphs(text, seen.freelancer_words),
        ]
    )


def _skills(seen: Sides) -> Iterator[str]:
    asked = {skill.key for skill in seen.skills}
    shared = [widgets.declared_skill(skill.text) for skill in seen.freelancer.skills if skill.key in asked]
    others = [widgets.other_skill(skill.text) for skill in seen.freelancer.skills if skill.key not in asked]
    more = f" and {len(others) - _SKILLS_SHOWN} more" if len(others) > _SKILLS_SHOWN else ""
    if shared or others:
        yield f":small[Declared skills:] {' '.join(shared + others[:_SKILLS_SHOWN])}{more}"


def _heading(side: str, title: str, record: Project | Freelancer) -> str:
    language = f" :violet-badge[:material/translate: {language_name(record.language)}]" if record.language else ""
    made_up = " :orange-badge[:material/science: synthetic]" if record.generated else ""
    return f":small[:gray[{side}]]{language}{made_up}  \n**{plain(title, limit=200)}**"


def _facts(facts: list[str]) -> str:
    line = " · ".join(plain(fact, limit=120) for fact in facts if fact)
    return f"  \n:small[:gray[{line}]]" if line else ""


def _where(record: Project | Freelancer) -> list[str]:
    place = place_name(record.place) if record.place else ""
    return [place, country_name(record.country) if record.country else ""]


def _rest(text: str, *, key: str) -> None:
    """Fold away what of a text is not shown; it is drawn when somebody asks for it."""
    if len(text) > _TEXT_SHOWN:
        details = st.expander("Full text", key=key, type="compact", on_change="rerun")
        if details.open:
            details.text(visible(text[:_LONGEST_TEXT]))


def _paragraphs(text: str, words: SharedWords) -> list[str]:
    shown = text
    if len(text) > _TEXT_SHOWN:
        end = text.rfind(" ", 0, _TEXT_SHOWN)
        shown = text[: end if end > 0 else _TEXT_SHOWN] + " …"
    return [_marked(line.strip(), words) for line in shown.splitlines() if line.strip()]


def _joined(parts: Sequence[str]) -> str:
    return "\n\n".join(part for part in parts if part)


def _marked(line: str, words: SharedWords) -> str:
    pieces = []
    for span in words.mark(line):
        shown = plain(span.text, limit=_LONGEST_TEXT)
        before, after = (" " if span.text[end].isspace() else "" for end in (0, -1))
        pieces.append(f"**:blue-background[{shown}]**" if span.shared else f"{before}{shown}{after}")
    return "".join(pieces)


def show_sides(pair: Pair, *, key: str) -> None:
    """Draw them.

    Raises:
        JobMatchError: the marketplace cannot be read.
    """
    if pair.kind is PairKind.PROJECT_FREELANCER:
        market = _market(pair.source)
        sides = None if market is None else sides_of(market, pair.left, pair.right)
        if market is not None and sides is not None:
            show(sides, market, key=key)
            return
        name = plain(pair.source, limit=60)
        st.caption(f"The marketplace {name} is not installed here or no longer has both records; these are their ids.")
    for column, text in zip(st.columns(2), (pair.left, pair.right), strict=True):
        column.code(text, language=None, wrap_lines=True)


def titles(pair: Pair) -> tuple[str, str]:
    """Return what either side is called, its id where that is not known.

    Raises:
        JobMatchError: the marketplace cannot be read.
    """
    if pair.kind is PairKind.PROJECT_FREELANCER:
        market = _market(pair.source)
        sides = None if market is None else sides_of(market, pair.left, pair.right)
        if sides is not None:
            project, freelancer = sides.project, sides.freelancer
            return project.title or project.job_title or project.id, freelancer.title or freelancer.id
    return pair.left, pair.right


def _market(source: str) -> Market | None:
    manifest = next((each for each in markets.installed() if each.name == source), None)
    if manifest is None:
        return None
    return label_market.market(manifest, resources.match_models()[0])
