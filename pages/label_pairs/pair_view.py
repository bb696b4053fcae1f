"""Two sides of a pair: a project and a freelancer with their shared words and skills, or the bare texts or ids."""

from collections.abc import Iterator

import streamlit as st

from jobmatch.services.annotation_desk import Sides
from jobmatch_core.earth import distance_km
from jobmatch_core.entities import Freelancer, Pair, PairKind, Project
from jobmatch_core.judged_title import NO_OCCUPATION_URI
from jobmatch_core.retrieval.match_reasons import SharedWords
from jobmatch_core.retrieval.matches import compared_skills, place_name
from jobmatch_core.text.folding import visible
from pages.shared import markets, resources, widgets
from pages.shared.language import _, country_name, language_name, numeral
from pages.shared.market_choice import Market, open_market
from pages.shared.widgets import plain, without_isolates

_SKILLS_SHOWN = 24  # of a profile
_TEXT_SHOWN = 1200  # characters of a text before 'Full text'
_LONGEST_TEXT = 20_000


def read_sides(market: Market, pair: Pair) -> Sides | None:
    """Read the project and the freelancer of a pair; None if the marketplace no longer has both.

    Raises:
        MarketplaceError: the marketplace cannot be read.
    """
    project_row = market.records.project_rows.get(pair.left)
    freelancer_row = market.records.freelancer_rows.get(pair.right)
    if project_row is None or freelancer_row is None:
        return None
    project, freelancer = market.records.projects[project_row], market.records.freelancers[freelancer_row]
    return Sides(project, freelancer, compared_skills(project, freelancer), *SharedWords.of(project, freelancer))


def show(seen: Sides, market: Market, *, key: str) -> None:
    """Draw both sides."""
    # each side as one text, because many elements take the browser long
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
        _heading(_("Project"), project.title or project.job_title or project.id, project)
        + _facts([project.job_title if project.title else "", category, *_where(project)])
    ]
    if not seen.skills:
        parts.append(_(":small[:gray[This project lists no skills; judge by the texts.]]"))
    for label, mandatory in ((_("Must have"), True), (_("Nice to have"), False)):
        skills = [skill for skill in seen.skills if skill.mandatory == mandatory]
        if skills:
            parts.append(widgets.wanted_skills(label, skills))
    return "\n\n".join([*parts, *_paragraphs(project.description, seen.project_words)])


def _freelancer(seen: Sides, market: Market) -> str:
    freelancer = seen.freelancer
    facts = [market.category_name(freelancer.category, freelancer.category_name), *_where(freelancer)]
    if seen.project.place and freelancer.place:
        facts.append(_("{km} km away", km=numeral(distance_km(freelancer.place, seen.project.place))))
    if freelancer.day_rate is not None:
        facts.append(_("{day_rate} € per day", day_rate=numeral(freelancer.day_rate)))
    title = freelancer.title or freelancer.category_name or freelancer.id
    text = f"{freelancer.description}\n{freelancer.experience}"
    heading = _heading(_("Freelancer"), title, freelancer) + _facts(facts)
    return "\n\n".join([heading, *_skills(seen), *_paragraphs(text, seen.freelancer_words)])


def _skills(seen: Sides) -> Iterator[str]:
    wanted = {skill.key for skill in seen.skills}
    shared = [widgets.declared_skill(skill.text) for skill in seen.freelancer.skills if skill.key in wanted]
    others = [widgets.other_skill(skill.text) for skill in seen.freelancer.skills if skill.key not in wanted]
    more = _(" and {n_others} more", n_others=len(others) - _SKILLS_SHOWN) if len(others) > _SKILLS_SHOWN else ""
    if shared or others:
        yield _(":small[Declared skills:] {shared}{more}", shared=" ".join(shared + others[:_SKILLS_SHOWN]), more=more)


def _heading(side: str, title: str, record: Project | Freelancer) -> str:
    language = f" :violet-badge[:material/translate: {language_name(record.language)}]" if record.language else ""
    made_up = f" :orange-badge[:material/science: {_('synthetic')}]" if record.generated else ""
    return f":small[:gray[{side}]]{language}{made_up}  \n**{plain(title, limit=200)}**"


def _facts(facts: list[str]) -> str:
    line = " · ".join(plain(fact, limit=120) for fact in facts if fact)
    return f"  \n:small[:gray[{line}]]" if line else ""


def _where(record: Project | Freelancer) -> list[str]:
    place = place_name(record.place) if record.place else ""
    return [place, country_name(record.country) if record.country else ""]


def _rest(text: str, *, key: str) -> None:
    if len(text) > _TEXT_SHOWN:
        details = st.expander(_("Full text"), key=key, type="compact", on_change="rerun")
        if details.open:
            details.text(visible(text[:_LONGEST_TEXT]))


def _paragraphs(text: str, words: SharedWords) -> list[str]:
    shown = text
    if len(text) > _TEXT_SHOWN:
        end = text.rfind(" ", 0, _TEXT_SHOWN)
        shown = text[: end if end > 0 else _TEXT_SHOWN] + " …"
    return [_marked(line.strip(), words) for line in shown.splitlines() if line.strip()]


def _marked(line: str, words: SharedWords) -> str:
    pieces = []
    for span in words.mark(line):
        shown = plain(span.text, limit=_LONGEST_TEXT)
        before, after = (" " if span.text[end].isspace() else "" for end in (0, -1))
        pieces.append(f"**:blue-background[{shown}]**" if span.shared else f"{before}{shown}{after}")
    return without_isolates("".join(pieces))


def show_sides(pair: Pair, *, key: str) -> None:
    """Draw both sides of a judged pair of any kind; raises JobMatchError if the marketplace cannot be read."""
    if pair.kind is PairKind.PROJECT_FREELANCER:
        market = _market(pair.source)
        sides = None if market is None else read_sides(market, pair)
        if market is not None and sides is not None:
            show(sides, market, key=key)
            return
        name = plain(pair.source, limit=60)
        st.caption(
            _(
                "The marketplace {name} is not installed here or no longer has both records; these are their ids.",
                name=name,
            )
        )
    for column, text in zip(st.columns(2), (pair.left, pair.right), strict=True):
        column.code(text, language=None, wrap_lines=True)


def titles(pair: Pair) -> tuple[str, str]:
    """Return the titles of both sides, or their ids if the records are unknown.

    Raises:
        JobMatchError: the marketplace cannot be read.
    """
    if pair.kind is PairKind.PROJECT_FREELANCER:
        market = _market(pair.source)
        sides = None if market is None else read_sides(market, pair)
        if sides is not None:
            project, freelancer = sides.project, sides.freelancer
            return project.title or project.job_title or project.id, freelancer.title or freelancer.id
    return pair.left, _("no occupation") if pair.right == NO_OCCUPATION_URI else pair.right


def _market(source: str) -> Market | None:
    manifest = next((manifest for manifest in markets.installed() if manifest.name == source), None)
    if manifest is None:
        return None
    return open_market(manifest, resources.match_models()[0])
