"""The names of accounts: changed with the former name reserved, and known to all workers by a change."""

from qipai.hall.accounts.account_interface import NameTaken
from qipai.kernel.ids import Millis, Person
from qipai.stores.sql.sql_database import Query

from .account_tables import log_change


def rename(
    query: Query,
    person: Person,
    name: str,
    skeleton: str,
    free_after: Millis,
    now: Millis,
    *,
    may_be_reserved: bool = False,
) -> str | None:
    """Store another name of an account, and return the former one; None if the account does not exist.

    Raise `NameTaken` if another account had the name not long ago, unless it `may_be_reserved`.
    """
    rows = query("select name, skeleton from accounts where person = ?", (person,))
    if not rows:
        return None
    former, old = rows[0]
    if old != skeleton:
        if not may_be_reserved:
            refuse_reserved(query, skeleton, now)
        query("delete from reserved_names where skeleton in (?, ?)", (old, skeleton))
        query("insert into reserved_names values (?, ?)", (old, free_after))
    query("update accounts set name = ?, skeleton = ? where person = ?", (name, skeleton, person))
    log_change(query, person, now)
    return str(former)


def refuse_reserved(query: Query, skeleton: str, now: Millis) -> None:
    """Raise `NameTaken` if an account had a name like this not long ago."""
    reserved = "select 1 from reserved_names where skeleton = ? and until > ?"
    if query(reserved, (skeleton, now)):
        raise NameTaken("another account had this name not long ago")
