"""Removes the names of a person whose account is deleted from moderation; what was done remains."""

from qipai.kernel.ids import Person
from qipai.stores.sql.sql_database import Query

from . import log_rows, report_rows, sanction_rows


def forget_person(query: Query, person: Person) -> None:
    """Remove the names of a person; the caller has a transaction."""
    log_rows.forget_person(query, person)
    sanction_rows.forget_person(query, person)
    report_rows.forget_person(query, person)
