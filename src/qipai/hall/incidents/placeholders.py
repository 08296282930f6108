"""Replaces what is personal in a room and a command, so that the command still has the same effect."""

from typing import Final

from msgspec.structs import replace

from qipai.kernel.commands import Command, Say, TakeSeat, TransferSeat
from qipai.kernel.ids import Code, Nonce, Person, RoomId
from qipai.kernel.room import AnyRoom

ROOM: Final = RoomId("room")
CODE: Final = Code("0")
"""Id and code of the room: with those of a private room, its link could be made."""


class Placeholders:
    """Gives each person, name and text a placeholder, the same one wherever it stands."""

    def __init__(self) -> None:
        self._given: dict[tuple[str, str], str] = {}

    def in_room(self, room: AnyRoom) -> AnyRoom:
        """Return a room without ids, persons, names, title, chat and nonces."""
        return replace(
            room,
            id=ROOM,
            code=CODE,
            table=replace(room.table, title=self._replaced("title", room.table.title)),
            seats=tuple(
                taken and replace(taken, person=self._person(taken.person), name=self._name(taken.name))
                for taken in room.seats
            ),
            nonces=tuple(tuple(self.nonce(nonce) for nonce in nonces) for nonces in room.nonces),
            chat=tuple(
                replace(line, name=self._name(line.name), text=self._replaced("text", line.text))
                for line in room.chat
            ),
        )

    def in_command(self, command: Command) -> Command:
        """Return a command without persons, names and chat; what it moves in the game stays."""
        match command:
            case TakeSeat(person=person, name=name):
                return replace(command, person=self._person(person), name=self._name(name))
            case TransferSeat(old=old, person=person):
                return replace(command, old=self._person(old), person=self._person(person))
            case Say(text=text, name=name):
                return replace(command, text=self._replaced("text", text), name=self._name(name))
            case _:
                return command

    def nonce(self, nonce: Nonce) -> Nonce:
        """Return the placeholder of a nonce; a repeated command still repeats the nonce."""
        return Nonce(self._replaced("nonce", nonce))

    def _person(self, person: Person) -> Person:
        return Person(self._replaced("person", person))

    def _name(self, name: str) -> str:
        return self._replaced("player", name)

    def _replaced(self, kind: str, text: str) -> str:
        """Return the placeholder of a text; an empty one stays, because the rules tell it from others."""
        if not text.strip():
            return text and " "
        return self._given.setdefault((kind, text), f"{kind} {len(self._given) + 1}")
