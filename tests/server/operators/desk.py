"""A server with an operator, a moderator and others, as their browsers use it."""

import json
import time
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import quote

from tests.server.test_account_api import GOOD, Answer, Browser
from tests.support.server import Client, ServerProcess

SOON = 60.0
T = TypeVar("T")

LATER = 4_000_000_000_000
"""An end in the year 2096."""


class Person(Browser):
    """Somebody with an account, or a guest."""

    def __init__(self, server: ServerProcess, name: str) -> None:
        super().__init__(server)
        self.name = name
        guest = Client(server.port, name="" if name else "Guest")
        guest.close()
        self.token = guest.token
        self.person = ""
        if name:
            assert self.post("register", token=self.token, name=name, password=GOOD).status == 200

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", quote(f"/api/operator{path}", safe="/?&="), **headers)

    def act(self, path: str, /, **body: object) -> Answer:
        return self.ask("POST", f"/api/operator{path}", body)

    def done(self, path: str, /, **body: object) -> Any:
        """Do something, and return its entry in the log."""
        answer = self.act(path, **body)
        assert answer.status == 200, answer
        return answer.body["entry"]


def first_code(server: ServerProcess) -> str:
    """Return the code that a server without operators logs when it starts."""

    def logged() -> str:
        lines = (json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{"))
        return next((line["code"] for line in lines if line["event"] == "no operator yet"), "")

    return wait_for(logged)


def wait_for(find: Callable[[], T]) -> T:
    """Return what is found, as soon as it is something."""
    until = time.monotonic() + SOON
    while not (found := find()):
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)
    return found


class Desk:
    """The persons of a server."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        self.operator = Person(server, "Olga")
        code = first_code(server)
        wait_for(lambda: self.operator.ask("GET", "/api/account").body["operator_code"])
        assert self.operator.post("operator", code=code).status == 200
        self.operator.person = wait_for(lambda: self.operator.get("").body.get("person", ""))
        self.moderator = self.account("Mona")
        self.operator.done("/roles", account="Mona", role="moderator")
        self.moderator.person = wait_for(lambda: self.moderator.get("").body.get("person", ""))

    def account(self, name: str) -> Person:
        return Person(self.server, name)

    def person_of(self, name: str) -> str:
        """Return the person of an account."""
        (found,) = self.operator.get(f"/people?q={name}").body["people"]
        return str(found["person"])
