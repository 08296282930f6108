"""The rows of roles, settings of the server, and invitations."""

from collections.abc import Mapping, Sequence
from typing import Final

from qipai.hall.moderation.moderation_interface import (
    ActRefusal,
    ActRefused,
    Invitation,
    Registrations,
    Setting,
)
from qipai.hall.moderation.operator_log_interface import Act
from qipai.hall.moderation.sanction_interface import Role
from qipai.kernel.ids import Millis, Person
from qipai.stores.sql.sql_database import Query

_INVITATION: Final = "id, key, note, made, ends, uses, used, revoked"


def set_role(query: Query, person: Person, role: Role | None) -> None:
    """Give a person a role, or take it away."""
    query("delete from operator_roles where person = ?", (person,))
    if role is not None:
        query("insert into operator_roles values (?, ?)", (person, role.value))


def has_operator(query: Query) -> bool:
    """Tell whether there is an operator."""
    return bool(query("select 1 from operator_roles where role = ?", (Role.OPERATOR.value,)))


def ever_had_operator(query: Query) -> bool:
    """Tell whether anybody was ever given a role."""
    return bool(query("select 1 from operator_log where act = ? limit 1", (Act.GRANT_ROLE.value,)))


def settings(query: Query) -> Mapping[Setting, str]:
    """Return all settings that were made; those that this release does not know are left out."""
    known = {setting.value for setting in Setting}
    rows = query("select name, content from server_settings", ())
    return {Setting(name): content for name, content in rows if name in known}


def registrations(query: Query) -> Registrations:
    """Return who may create an account."""
    return Registrations(settings(query).get(Setting.REGISTRATIONS) or Registrations.OPEN)


def set_value(query: Query, setting: Setting, content: str) -> str:
    """Store a setting, and return what it was; empty if it was never made."""
    before = settings(query).get(setting, "")
    query("delete from server_settings where name = ?", (setting.value,))
    query("insert into server_settings values (?, ?)", (setting.value, content))
    return before


def add_invitation(query: Query, invitation: Invitation, number: int) -> None:
    """Store an invitation with this number."""
    query(
        f"insert into invitations ({_INVITATION}) values ({', '.join('?' * 8)})",  # noqa: S608 - our columns
        (
            number,
            invitation.key,
            invitation.note,
            invitation.made,
            invitation.ends,
            invitation.uses,
            invitation.used,
            invitation.revoked,
        ),
    )


def revoke(query: Query, number: int, at: Millis) -> None:
    """End an invitation, or refuse the act."""
    rows = query("select revoked from invitations where id = ?", (number,))
    if not rows:
        raise ActRefused(ActRefusal.NO_SUCH_INVITATION)
    if rows[0][0] is not None:
        raise ActRefused(ActRefusal.NOTHING_TO_CHANGE)
    query("update invitations set revoked = ? where id = ?", (at, number))


def invitations(query: Query) -> Sequence[Invitation]:
    """Return all invitations, the latest first."""
    rows = query(f"select {_INVITATION} from invitations order by id desc", ())  # noqa: S608 - our columns
    return [Invitation(number, bytes(key), *rest) for number, key, *rest in rows]


def may_register(query: Query, invitation: bytes, now: Millis) -> bool:
    """Tell whether somebody may register now with the hash of an invitation code, which is used then."""
    mode = registrations(query)
    if mode is not Registrations.INVITED:
        return mode is Registrations.OPEN
    return bool(
        query(
            "update invitations set used = used + 1 where key = ? and used < uses and revoked is null "
            "and (ends is null or ends > ?) returning id",
            (invitation, now),
        )
    )
