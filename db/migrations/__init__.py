"""How the tables came to be: Alembic's revisions, run by `db.upgrade` and nothing else."""
