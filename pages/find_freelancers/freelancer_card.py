"""Card of a matched freelancer: profile, similarity, skills, and each section's share of the similarity."""

from datetime import date
from functools import partial

import streamlit as st

from jobmatch_core.earth import distance_km
from jobmatch_core.entities import Freelancer, Pair, PairKind, Project, Provenance, Verdict
from jobmatch_core.ranking.ranker import Fit
from jobmatch_core.retrieval.match_reasons import ScoreWords, section_shares
from jobmatch_core.retrieval.matches import Contributions, Match, SkillMatch
from jobmatch_core.text.folding import visible
from pages.shared import judging, search_recording, widgets
from pages.shared.language import _, day, language_name, numeral, percent
from pages.shared.market_choice import Market
from pages.shared.widgets import plain

_PARTS_SHOWN = 4  # of a fit
_LEAST = 0.005  # smaller shares are not named
_POLICY = "find-freelancers"  # stored with the judgments given here
_VERDICTS = (Verdict.POSITIVE, Verdict.NEGATIVE, Verdict.UNSURE)
_UNBROKEN = 30  # characters
_TITLE = 120  # characters on a card; the profile has all
_CHIPS = 8  # skills of a kind on a card; the profile has all


def _show_reasons(reason: Contributions) -> None:
    shares = sorted(section_shares(reason.freelancer, "freelancer"), key=lambda share: -share.share)
    words = ", ".join(f"{_(share.name)} {percent(share.share)}" for share in shares if share.share >= _LEAST)
    against = [_(share.name) for share in shares if share.score < -_LEAST]
    st.caption(
        _("Why: {words}; against it: {against}", words=words, against=", ".join(against))
        if against
        else _("Why: {shares}", shares=words)
    )


def _show_sums(reason: Contributions) -> None:
    for side, heading in (("freelancer", _("Parts of the profile")), ("project", _("Parts of the project"))):
        shares = section_shares(reason.freelancer if side == "freelancer" else reason.project, side)
        parts = " + ".join(f"{_(share.name)} {numeral(share.score, 2)}" for share in shares)
        st.caption(f"{heading}: {parts} = {numeral(sum(share.score for share in shares), 2)}")


def show(
    match: Match,
    reason: Contributions | None,
    project: Project,
    market: Market,
    words: ScoreWords | None,
    *,
    key: str = "find_card",
    model: str = "",
    earlier: judging.Judged | None = None,
) -> None:
    """Draw a card.

    Args:
        match: The freelancer with rank, score and compared skills.
        reason: Contribution of each section to the score.
        project: The matched project.
        market: Marketplace of both.
        words: Thresholds that put the score into words.
        key: Key prefix of the card.
        model: Name of the model with its digest, stored with judgments.
        earlier: Earlier judgments; None leaves out the verdict buttons.
    """
    with st.container(border=True, key=f"{key}_{match.rank}", gap="xsmall"):
        title, score = st.columns([3, 2], vertical_alignment="center")
        title.markdown(f":gray[{match.rank}] **{headline(match.freelancer)}**")
        score.progress(min(max(match.score, 0.0), 1.0), text=score_text(match, words))
        st.caption(" · ".join(_facts(match.freelancer, project, market)))
        _show_skills(match)
        if match.fit is not None:
            st.caption(fit_text(match.fit))
        elif reason is not None:
            _show_reasons(reason)
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{key}_foot_{match.rank}"):
            if earlier is not None:
                judged = pair(match, project, market)
                provenance = Provenance(_POLICY, model, match.rank, match.score)
                judging.verdicts(
                    judged,
                    provenance,
                    _VERDICTS,
                    earlier,
                    key=f"find_judge_{match.rank}",
                    width="content",
                    on_positive=partial(_opened, match.freelancer),
                )
            profile(match, reason, key=f"{key}_profile_{match.rank}")
        if earlier is not None:
            judging.show_others(judged, earlier)


def pair(match: Match, project: Project, market: Market) -> Pair:
    """Return the pair of a project and a freelancer, to be judged."""
    return Pair(PairKind.PROJECT_FREELANCER, market.manifest.name, project.id, match.freelancer.id)


def headline(freelancer: Freelancer) -> str:
    """Return a freelancer's title, else the category or the id; never a person's name."""
    return plain(_title(freelancer), limit=_TITLE)


def _title(freelancer: Freelancer) -> str:
    return freelancer.title or freelancer.category_name or freelancer.id


def profile(match: Match, reason: Contributions | None, *, key: str) -> None:
    """Draw the expander with the texts, all skills, the id, and the sections' contributions to the score."""
    details = st.expander(_("Profile"), key=key, on_change=_opened, args=(match.freelancer,), type="compact")
    if details.open:
        with details:
            _profile(match)
            if reason is not None:
                _show_sums(reason)


def _opened(freelancer: Freelancer) -> None:
    search_recording.opened(freelancer.id, _title(freelancer))


def score_text(match: Match, words: ScoreWords | None) -> str:
    """Return a score as a number and a word."""
    word = f" · **{_(words.word(match))}**" if words else ""
    return _("Similarity {score}{word}", score=numeral(match.score, 2), word=word)


def fit_text(fit: Fit) -> str:
    """Return what the rank rests on: the largest shares of the fit."""
    shares = [f"{_(name)} {percent(share)}" for name, share in fit.shares()[:_PARTS_SHOWN]]
    return _("Why: {shares}", shares=", ".join(shares)) if shares else _("Why: no other freelancer is nearer")


def _show_skills(match: Match) -> None:
    if not match.skills:
        st.caption(_("The project lists no skills; only the texts were compared."))
        return
    for label, skills in _wanted(match):
        st.markdown(widgets.wanted_skills(label, skills, limit=_CHIPS))


def _wanted(match: Match) -> list[tuple[str, list[SkillMatch]]]:
    kinds = ((_("Must have"), True), (_("Nice to have"), False))
    wanted = [(label, [skill for skill in match.skills if skill.mandatory == mandatory]) for label, mandatory in kinds]
    return [(label, skills) for label, skills in wanted if skills]


def _facts(freelancer: Freelancer, project: Project, market: Market) -> list[str]:
    facts = [
        language_name(freelancer.language),
        market.category_name(freelancer.category, freelancer.category_name),
        widgets.place_and_country(freelancer),
    ]
    if freelancer.place and project.place:
        km = distance_km(freelancer.place, project.place)
        facts.append(_("{km} km away", km=numeral(km)) if km >= 1 else _("at the project's place"))
    if freelancer.day_rate is not None:
        facts.append(_("{day_rate} € per day", day_rate=numeral(freelancer.day_rate)))
    if freelancer.available_from:
        free = date.fromisoformat(freelancer.available_from)
        facts.append(_("available now") if free <= date.today() else _("free from {day}", day=day(free)))
    return [unbroken(plain(fact, limit=120)) for fact in facts if fact]


def unbroken(fact: str) -> str:
    """Return a short fact with no-break spaces."""
    return fact.replace(" ", "\u00a0") if len(fact) <= _UNBROKEN else fact


def _profile(match: Match) -> None:
    freelancer = match.freelancer
    if len(title := _title(freelancer)) > _TITLE:
        st.markdown(f"**{plain(title, limit=2000)}**")
    for label, skills in _wanted(match):
        if len(skills) > _CHIPS:
            st.markdown(widgets.wanted_skills(label, skills))
    for text in (freelancer.description, freelancer.experience):
        lines = [plain(line, limit=2000) for line in text.splitlines() if line.strip()]
        if lines:
            st.markdown("\n\n".join(lines))
    widgets.show_skills(_("All skills"), freelancer.skills)
    st.code(visible(freelancer.id), language=None, wrap_lines=True)
