"""All pages: the navigation, the list on the page 'Help', and the role that each page needs."""

from dataclasses import dataclass

from jobmatch.access.principal import Role


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
        "Link titles", "link", Role.VIEWER, "Link one job title, or a list of them, to occupations; download the links."
    ),
    "search": PageEntry(
        "Search", "search", Role.VIEWER, "Find occupations by what people do, freelancers and projects by a few words."
    ),
    "job_descriptions": PageEntry(
        "Job descriptions", "description", Role.VIEWER, "See which sentences of a posting define the job."
    ),
    "find_freelancers": PageEntry(
        "Find freelancers",
        "person_search",
        Role.VIEWER,
        "Find people for a project, across languages, and see why they fit.",
    ),
    "label_pairs": PageEntry(
        "Label pairs",
        "rule",
        Role.ANNOTATOR,
        "Judge whether freelancers fit projects; measure how far annotators agree.",
    ),
    "train_models": PageEntry(
        "Train models",
        "model_training",
        Role.REVIEWER,
        "Train models on your labels, compare them, and promote or roll back.",
    ),
    "latent_map": PageEntry(
        "Latent map", "scatter_plot", Role.VIEWER, "See how a model places titles, occupations or people."
    ),
    "taxonomies": PageEntry(
        "Taxonomies",
        "account_tree",
        Role.VIEWER,
        "Browse the installed taxonomies; as an administrator, import ESCO or your own.",
    ),
    "crosswalks": PageEntry(
        "Crosswalks",
        "compare_arrows",
        Role.VIEWER,
        "Map a national list of codes to a taxonomy, review the mappings by key, and exchange them.",
    ),
    "scoreboard": PageEntry(
        "Scoreboard",
        "leaderboard",
        Role.VIEWER,
        "Compare these systems with published ones; measure how many of your own titles can be coded automatically.",
    ),
    "audit": PageEntry(
        "Audit",
        "balance",
        Role.REVIEWER,
        "Audit models with twins that differ in gender, name, age, home or language; collect the evidence.",
    ),
    "about": PageEntry("Help", "help", Role.VIEWER),
    "account": PageEntry(
        "Account",
        "account_circle",
        Role.VIEWER,
        "See your role and sign out; as an administrator, see people and make keys for programs.",
    ),
}
