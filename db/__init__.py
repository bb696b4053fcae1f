"""The label store: what people judged, kept for good.

    from db.label_store import LabelStore

    with LabelStore.open("var/jobmatch.db") as store:   # or "postgresql+psycopg://user:password@host/database"
        store.record(judgment)

Judgments are only ever added. Undo and adjudication are judgments too, and what counts at the moment is a view in
the database. In reading order:

    models        the tables and views
    migrations/   how they came to be, a revision a file; `upgrade` runs those that are missing when a store is opened
    database      the connection: who may write when, on SQLite and PostgreSQL
    failures      what the databases complain of, in plain words
    checks        what may be kept
    rows          judgments and pairs to rows, and back
    recording     adding judgments, taking them back
    filters       which judgments somebody asks for
    verdicts      what counts at the moment
    progress      how many, by whom, when
    leases        which pair is whose to judge
    guidelines    what annotators are told
    backup        a copy while others write
    label_store   all of it behind one class
    label_source  the same for the command line, which finds it by an entry point

This package knows `jobmatch_core.entities` and `jobmatch_core.errors`, nothing else of the core.
"""
