"""The label store, a permanent record of all judgments, and the other code that uses SQL.

    from db.label_store import LabelStore

    with LabelStore.open("var/jobmatch.db") as store:   # or "postgresql+psycopg://user:password@host/database"
        store.record(judgment)

Judgments are only ever added. Undo and adjudication are judgments too, and the current judgments are a view in
the database. In reading order:

    models        the tables and views
    migrations/   their history, one file per revision; `upgrade` runs missing ones when a store is opened
    database      the connection: one writer at a time, on SQLite and PostgreSQL
    failures      the databases' errors in plain words
    checks        validity of judgments
    rows          judgments and pairs to rows, and back
    recording     adding judgments, withdrawing them
    filters       selections of judgments
    current       selection of current judgments, for statements over the whole history
    verdicts      current judgments, one by one and as columns
    progress      counts by annotator and policy
    tallies       pairs by their votes, annotators' work, pairs as an annotator finds them
    leases        reservation of pairs for annotators
    guidelines    guidelines for annotators
    search_log    results that searches showed, and results that were opened
    people        people who have signed in, with their roles
    access_keys   keys of programs, by their hashes
    access_store  both, and the ends of sessions and keys
    claims        reassignment of judgments to another annotator
    backup        a copy while others write
    label_store   all of it behind one class

Apart from labels, it holds freelancers' vectors on a PostgreSQL server with pgvector:

    vector_server      the connection, the extension, errors in plain words
    vector_tables      a table per store, and its indexes
    vector_filters     filters on freelancers as conditions
    pgvector_store     one store
    postgres_vectors   all stores of a database, by name

and `duckdb_store` and `lancedb_store` over `arrow_freelancers`, which `python -m lab bench stores` compares with.

Of the core, this package imports `entities`, `judgment_origin`, `judgment_tallies`, `quotas`, `search_events`,
`errors`, `earth` and `vector_stores.vector_store`, and nothing else.
"""
