"""What a worker knows of roles and of the settings of the server, without asking the database."""

from collections.abc import Mapping

import msgspec

from qipai.kernel.ids import Millis, Person

from .moderation_interface import Announcement, ModerationState, Registrations, Setting
from .sanction_interface import Role


class OperatorDirectory:
    """Roles and settings as of the last entry that was read."""

    def __init__(self) -> None:
        self._roles: dict[Person, Role] = {}
        self._settings: dict[Setting, str] = {}
        self.awaits_first_operator = False
        """Whether nobody has ever had a role, so that the code of the start is accepted."""

    def load(self, state: ModerationState) -> None:
        """Replace everything."""
        self._roles = {**state.roles}
        self._settings = {**state.settings}
        self.awaits_first_operator = not state.ever_had_operator

    def set_role(self, person: Person, role: Role | None) -> None:
        """Note the role of a person, or that there is none."""
        self.awaits_first_operator = False
        if role is None:
            self._roles.pop(person, None)
        else:
            self._roles[person] = role

    def set_values(self, settings: Mapping[Setting, str]) -> bool:
        """Note the settings; tell whether the announcement is another one."""
        before = self.announcement
        self._settings = {**settings}
        return self.announcement != before

    def role(self, person: Person | None) -> Role | None:
        """Return the role of a person."""
        return None if person is None else self._roles.get(person)

    @property
    def roles(self) -> Mapping[Person, Role]:
        """Return all roles."""
        return self._roles

    @property
    def registrations(self) -> Registrations:
        """Return who may create an account."""
        return Registrations(self._settings.get(Setting.REGISTRATIONS) or Registrations.OPEN)

    @property
    def announcement(self) -> Announcement:
        """Return the announcement, which may have ended."""
        return read_announcement(self._settings.get(Setting.ANNOUNCEMENT, ""))

    def announcement_at(self, now: Millis) -> Announcement | None:
        """Return the announcement that is shown now."""
        found = self.announcement
        return found if found.text and (found.ends is None or now < found.ends) else None


def read_announcement(content: str) -> Announcement:
    """Return an announcement from the value of its setting."""
    return msgspec.json.decode(content, type=Announcement) if content else Announcement()
