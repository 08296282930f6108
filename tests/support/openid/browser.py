"""A browser that keeps cookies by their paths, and comes back from the provider."""

import http.client
import json
from collections.abc import Mapping
from contextlib import closing
from http.cookies import Morsel, SimpleCookie
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tests.support.openid.provider import OpenIdServer
from tests.support.server import Client, Message, ServerProcess

SOON = 60.0


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: Message


class OpenIdBrowser:
    """Sends each cookie only to its path, as browsers do. `host` is the name by which it knows the server."""

    def __init__(self, server: ServerProcess, provider: OpenIdServer, host: str = "127.0.0.1") -> None:
        self.server = server
        self.provider = provider
        self.host = f"{host}:{server.port}"
        self.cookies: dict[str, Morsel[str]] = {}
        guest = Client(server.port)
        guest.close()
        self.token = guest.token

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        sent = {"content-type": "application/json", "host": self.host, **headers}
        known = [each for each in self.cookies.values() if path.startswith(each["path"])]
        if known:
            sent["cookie"] = "; ".join(f"{each.key}={each.value}" for each in known)
        with closing(http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=SOON)) as connection:
            connection.request(method, path, None if body is None else json.dumps(body), sent)
            response = connection.getresponse()
            text = response.read()
            for value in response.headers.get_all("set-cookie") or ():
                self._keep(value)
        is_json = "json" in response.headers.get("content-type", "")
        return Answer(response.status, dict(response.headers), json.loads(text) if is_json else {})

    def post(self, action: str, **body: object) -> Answer:
        return self.ask("POST", f"/api/account/{action}", body)

    def start(self, aim: str = "sign_in", **more: object) -> str:
        """Return the address of the provider."""
        answer = self.post("openid-start", aim=aim, **more)
        assert answer.status == 200, answer
        return str(answer.body["url"])

    def come_back(self, address: str, **headers: str) -> str:
        """Open the address to which the provider sends the browser; return where it leads."""
        url = urlsplit(address)
        # A navigation from another site.
        sent = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", **headers}
        answer = self.ask("GET", f"{url.path}?{url.query}", **sent)
        assert answer.status == 303, answer
        return answer.headers["location"]

    def sign_in(self, user: str, aim: str = "sign_in", **more: object) -> str:
        """Go to the provider and come back as this user; return the outcome."""
        location = self.come_back(self.provider.authorize(self.start(aim, **more), user))
        prefix = "/#/account/openid/"
        assert location.startswith(prefix)
        return location.removeprefix(prefix)

    def register(self, name: str = "") -> Answer:
        return self.post("openid-register", token=self.token, name=name)

    def account(self) -> Answer:
        return self.ask("GET", "/api/account")

    def _keep(self, value: str) -> None:
        for name, morsel in SimpleCookie(value).items():
            if morsel["max-age"] == "0":
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = morsel
