"""Alembic's revisions of the tables, run only by `db.upgrade`."""
