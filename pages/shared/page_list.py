"""All pages: the navigation, the list on the page 'Help', and the role that each page needs."""

from dataclasses import dataclass

from jobmatch.access.principal import Role
from pages.shared.language import N_


@dataclass(frozen=True, slots=True)
class PageEntry:
    """A page."""

    title: str  # name in the navigation and in the browser's tab
    icon: str  # name of a Material icon
    role: Role  # role that the page needs
    purpose: str = ""  # what people do there, for the page 'Help'; '' for that page itself


# folder in pages/ -> page; the first one opens by default
PAGES: dict[str, PageEntry] = {
    "link_titles": PageEntry(
        N_("Link titles"),
        "link",
        Role.VIEWER,
        N_("Link one job title, or a list of them, to occupations; download the links."),
    ),
    "search": PageEntry(
        N_("Search"),
        "search",
        Role.VIEWER,
        N_("Find occupations by what people do, freelancers and projects by a few words."),
    ),
    "job_descriptions": PageEntry(
        N_("Job descriptions"), "description", Role.VIEWER, N_("See which sentences of a posting define the job.")
    ),
    "find_freelancers": PageEntry(
        N_("Find freelancers"),
        "person_search",
        Role.VIEWER,
        N_("Find people for a project, across languages, and see why they fit."),
    ),
    "label_pairs": PageEntry(
        N_("Label pairs"),
        "rule",
        Role.ANNOTATOR,
        N_("Judge whether freelancers fit projects; measure how far annotators agree."),
    ),
    "train_models": PageEntry(
        N_("Train models"),
        "model_training",
        Role.REVIEWER,
        N_("Train models on your labels, compare them, and promote or roll back."),
    ),
    "latent_map": PageEntry(
        N_("Latent map"), "scatter_plot", Role.VIEWER, N_("See how a model places titles, occupations or people.")
    ),
    "taxonomies": PageEntry(
        N_("Taxonomies"),
        "account_tree",
        Role.VIEWER,
        N_("Browse the installed taxonomies; as an administrator, import ESCO or your own."),
    ),
    "crosswalks": PageEntry(
        N_("Crosswalks"),
        "compare_arrows",
        Role.VIEWER,
        N_("Map a national list of codes to a taxonomy, review the mappings by key, and exchange them."),
    ),
    "scoreboard": PageEntry(
        N_("Scoreboard"),
        "leaderboard",
        Role.VIEWER,
        N_(
            "Compare these systems with published ones; measure how many of your own titles can be coded automatically."
        ),
    ),
    "audit": PageEntry(
        N_("Audit"),
        "balance",
        Role.REVIEWER,
        N_("Audit models with twins that differ in gender, name, age, home or language; collect the evidence."),
    ),
    "about": PageEntry(N_("Help"), "help", Role.VIEWER),
    "account": PageEntry(
        N_("Account"),
        "account_circle",
        Role.VIEWER,
        N_("See your role and sign out; as an administrator, see people and make keys for programs."),
    ),
}
