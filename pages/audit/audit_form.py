"""What to audit: the linker with a taxonomy, or the list of freelancers with a marketplace."""

import streamlit as st

from jobmatch.services.audit_runs import TitlesAudit, audit_runs
from jobmatch.services.auditing import N_FREELANCERS, N_PROJECTS, MatchingAudit
from jobmatch_core.audit.title_audit import PER_LANGUAGE
from pages.shared import market_choice, resources
from pages.shared.annotator import annotator_name
from pages.shared.choices import select, select_segment
from pages.shared.language import N_, _, numeral, translated
from pages.shared.taxonomy_choice import select_taxonomy
from pages.shared.widgets import errors_deferred

WHAT_KEY = "audit_what"
_TITLES, _FREELANCERS = "titles", "freelancers"
_WHAT = {_TITLES: N_("Link titles"), _FREELANCERS: N_("Find freelancers")}
_MARKET_KEY, _MODEL_KEY, _RANKED_KEY = "audit_marketplace", "audit_model", "audit_ranked"
_MOST_TWINS, _MOST_PROJECTS, _MOST_FREELANCERS = 1000, 500, 5000


def show() -> None:
    """Draw the choice and the button that starts the audit.

    Raises:
        JobMatchError: an installed taxonomy is damaged, or the list of models cannot be read.
    """
    with st.container(border=True):
        what = select_segment(_("What to audit"), translated(_WHAT), WHAT_KEY, label_shown=True)
        audit = _titles() if what == _TITLES else _freelancers()
        if audit is not None:
            st.button(
                _("Audit"), key="audit_start", type="primary", icon=":material/balance:", on_click=_start, args=(audit,)
            )


def _titles() -> TitlesAudit:
    taxonomy = select_taxonomy()
    with st.expander(_("Sample: at most {per_language} twins of each language", per_language=PER_LANGUAGE)):
        most = st.number_input(
            _("Most twins of a language"), 10, _MOST_TWINS, PER_LANGUAGE, step=10, key="audit_per_language"
        )
    st.caption(
        _(
            "Links titles in their masculine and in their feminine form, in twenty languages, with the "
            "linker in use. Titles that people accepted are not used. It also counts errors on the "
            "titles that people judged one by one. It takes about a minute."
        )
    )
    return TitlesAudit(taxonomy.id, int(most))


def _freelancers() -> MatchingAudit | None:
    manifests = market_choice.real_first()
    if not manifests:
        return None
    left, right = st.columns(2)
    with left:
        market = select(
            _("Marketplace"),
            list(manifests),
            _MARKET_KEY,
            format_func=lambda name: _("{name} (synthetic)", name=name) if manifests[name].generated else name,
        )
    with right:
        models = {model.word: model for model in resources.match_models() if not model.fault}
        model = select(
            _("Model"), list(models), _MODEL_KEY, format_func=lambda word: market_choice.model_name(models[word])
        )
    ranked = st.checkbox(
        _("In the order of the page 'Find freelancers'"),
        value=True,
        key=_RANKED_KEY,
        help=_(
            "With the second stage, which orders the found freelancers by all that is known. Without it, "
            "the model alone is audited."
        ),
    )
    with st.expander(
        _(
            "Sample: the latest {n_projects} projects and {n_freelancers} freelancers drawn by chance",
            n_projects=N_PROJECTS,
            n_freelancers=numeral(N_FREELANCERS),
        )
    ):
        projects = st.number_input(_("Projects"), 1, _MOST_PROJECTS, N_PROJECTS, key="audit_projects")
        people = st.number_input(_("Freelancers"), 20, _MOST_FREELANCERS, N_FREELANCERS, key="audit_freelancers")
    st.caption(
        _(
            "Ranks all profiles in two versions for each cue: gendered forms, first names, year of "
            "birth, home and language. It takes a few minutes."
        )
    )
    return MatchingAudit(market, model, ranked, int(projects), int(people))


def _start(audit: TitlesAudit | MatchingAudit) -> None:
    with errors_deferred():
        audit_runs().start(audit, annotator_name())
