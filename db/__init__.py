"""The label store, a permanent record of all judgments, and all other code that uses SQL.

    from db.label_store import LabelStore

    with LabelStore.open("var/jobmatch.db") as store:   # or "postgresql+psycopg://user:password@host/database"
        store.record(judgment)

Judgments are only ever added; undo and adjudication are judgments too. In reading order:

    models             tables and views
    migrations/        their history; `upgrade` runs missing revisions when a store is opened
    database           connections, errors, backups
    rows               judgments and pairs to rows, and back
    recording          adding, withdrawing and reassigning judgments
    history            filters, and the selection of current judgments
    verdicts           current judgments, one by one and as columns
    tallies            counts
    leases             reservation of pairs for annotators
    guidelines, quotas, search_log, access_store
    label_store        all of it behind one class

    vector_server      PostgreSQL servers with pgvector
    pgvector_store     freelancers' vectors in a table
    postgres_vectors   these tables by name
"""
