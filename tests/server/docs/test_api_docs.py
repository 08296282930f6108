"""The documents for client authors describe every route of the HTTP API, and its answers as they are."""

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from qipai.app import find_clients
from qipai.games.game_registry import GAMES
from qipai.guard.client_address import TrustedProxies
from qipai.guard.connection_limits import ConnectionLimits
from qipai.guard.polling_sessions import PollingSessions
from qipai.hall.hall import Hall
from qipai.hall.people.identity import wall_clock
from qipai.server import api_docs
from qipai.server.client_routes import ClientRegistry
from qipai.server.docs.http_routes import ROUTES
from qipai.server.http_app import PAGE, create_app
from qipai.server.operators import operator_app
from qipai.settings import Settings
from qipai.stores.accounts.account_registry import open_accounts
from qipai.stores.memory_store import MemoryStore
from tests.server.people.test_relation_api import wait_for
from tests.server.test_account_api import GOOD, OTHER, Browser, registered
from tests.support.schema import Schema
from tests.support.server import Client, ServerProcess

DOCS: Final = Path(__file__).resolve().parents[3] / "docs" / "protocol"
SCHEMA: Final = Schema(json.loads((DOCS / "native.schema.json").read_text("utf-8")))
API: Final = "/api/"


def made_app() -> tuple[Starlette, Any]:
    """Return the application with accounts and older clients, and what `/docs` lists of those clients."""
    settings = Settings(store="memory")
    clients: ClientRegistry = find_clients(settings)
    with closing(open_accounts(None, "", wall_clock)) as accounts:
        hall = Hall(GAMES, MemoryStore(), clients=clients.support, accounts=accounts)
        limits = ConnectionLimits(settings.connections)
        sessions = PollingSessions(limits, TrustedProxies(settings.proxies))
        served = clients.routes(hall.clients, settings.origins, sessions, None, PAGE)
        return create_app(hall, limits, served.http, client_docs=served.docs), served.docs


def api_routes(app: Starlette) -> Iterator[tuple[str, str]]:
    """Yield method and path of each route of the HTTP API, with parameters by their names."""
    for inner in operator_app.ROUTES:  # Behind one route, which finds out who asks.
        yield inner.method, re.sub(r"{(\w+):\w+}", r"{\1}", inner.path)
    for route in app.routes:
        if isinstance(route, Route) and route.path.startswith(API):
            for method in (route.methods or set()) - {"HEAD"}:
                yield method, re.sub(r"{(\w+):\w+}", r"{\1}", route.path)


def test_every_route_of_the_api_is_described() -> None:
    app, client_docs = made_app()
    served = set(api_routes(app))
    assert len(served) > 30
    described = {(route.method, route.path) for route in (*ROUTES, *client_docs)}
    assert served == {each for each in described if each[1].startswith(API)}
    openapi = api_docs.openapi(client_docs)
    page = api_docs.page("0", client_docs)
    protocols = "".join(path.read_text("utf-8") for path in sorted(DOCS.glob("*.md")))
    for method, path in served:
        assert method.lower() in openapi["paths"][path]
        assert f"<code>{method} {path}</code>" in page
        assert f"`{method} {path}`" in protocols


def test_the_description_of_the_api_has_no_loose_ends() -> None:
    openapi = api_docs.openapi()
    references = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(openapi)))
    assert references <= set(openapi["components"]["schemas"])
    page = api_docs.page("0")
    for name in re.findall(r'href="#(\w+)"', page):
        assert f'id="{name}"' in page
    for route in ROUTES:
        given = {
            each["name"] for each in openapi["paths"][route.path][route.method.lower()].get("parameters", ())
        }
        assert given == {*route.query, *re.findall(r"{(\w+)}", route.path)}


def matches(name: str, answer: Any) -> None:
    """Check an answer against its type in the schema; fields that are not described are faults."""
    assert answer.status == 200, answer
    assert SCHEMA.fault(answer.body, name) is None, (SCHEMA.fault(answer.body, name), answer.body)


@pytest.mark.slow
def test_answers_are_as_described(server: ServerProcess) -> None:
    ada = Browser(server)
    guest = Client(server.port)
    guest.close()
    matches("SignedInAccount", ada.post("register", token=guest.token, name="Ada Doc", password=GOOD))
    matches("OwnAccount", ada.ask("GET", "/api/account"))
    matches("AccountFile", ada.ask("GET", "/api/account/data"))
    matches("NewRecoveryCodes", ada.post("recovery-codes", password=GOOD))
    matches("Done", ada.post("password", old=GOOD, new=OTHER))
    matches("AccountName", ada.post("name", name="Ada Docs"))
    matches("Done", ada.post("sign-out-others"))
    for path, name in (
        ("/api/games", "GameList"),
        ("/api/my-games", "PersonGameList"),
        ("/api/people/Ada%20Docs", "Profile"),
        ("/api/people/Ada%20Docs/games", "PersonGameList"),
        ("/api/ratings/Ada%20Docs", "AccountRatings"),
        ("/api/leaderboards", "RankedCategories"),
        ("/api/leaderboards/chess-blitz", "Leaderboard"),
        ("/api/games/none/1/ratings", "MatchRatings"),
    ):
        matches(name, ada.ask("GET", path))
    bo = registered(server, "Bo Doc")
    wait_for(lambda: ada.ask("GET", "/api/people/Bo%20Doc").status, 200)
    matches("Done", ada.post("follow", name="Bo Doc"))
    matches("Following", ada.ask("GET", "/api/account/following"))
    matches("Profile", ada.ask("GET", "/api/people/Bo%20Doc"))
    matches("Done", ada.post("block", name="Bo Doc"))
    matches("OwnAccount", ada.ask("GET", "/api/account"))
    matches("Done", ada.post("privacy", invisible=True, challenges_from="followed"))
    matches("HeadToHeadResults", bo.ask("GET", "/api/people/Ada%20Docs/head-to-head"))
    refused = bo.post("name", name="Ada Docs")
    assert refused.status == 409
    assert SCHEMA.fault(refused.body, "HttpError") is None
    matches("Done", bo.post("sign-out"))
