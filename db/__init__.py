"""The label store, a permanent record of all judgments, and what else speaks SQL.

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
    current       which judgments count, for statements over the whole history
    verdicts      current judgments
    progress      counts by annotator and policy
    tallies       pairs by their votes, annotators' work, pairs as an annotator finds them
    leases        reservation of pairs for annotators
    guidelines    guidelines for annotators
    search_log    what searches showed, and what was opened
    people        who signed in, with which role
    access_keys   keys of programs, by their hashes
    access_store  both, and the ends of sessions and keys
    request_buckets  how many requests callers may still send
    claims        judgments given to another annotator
    backup        a copy while others write
    label_store   all of it behind one class

Apart from labels, it has what else speaks SQL, freelancers' vectors on a PostgreSQL with pgvector:

    vector_server      the connection, the extension, errors in plain words
    vector_tables      a table per store, and its indexes
    vector_filters     filters on freelancers as conditions
    pgvector_store     one store
    postgres_vectors   all stores of a database, by name

and `duckdb_store` and `lancedb_store` over `arrow_freelancers`, which `jobmatch bench stores` compares with.

This package knows `entities`, `judgment_tallies`, `quotas`, `search_events`, `errors`, `earth` and
`vector_stores.vector_store` of the core, nothing else.
"""
