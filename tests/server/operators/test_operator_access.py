"""Who reaches the requests of operators: route by route, from the table of routes."""

import http.client
from contextlib import closing

import pytest

from qipai.hall.moderation.sanction_interface import Role
from qipai.server.operators.operator_app import ROUTES
from qipai.server.operators.operator_requests import OperatorRoute
from tests.server.operators.desk import Desk, Person, first_code
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow

METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD")


def path_of(route: OperatorRoute) -> str:
    """Return a path that the route serves."""
    return route.path.replace("{number:int}", "999").replace("{room}", "k7Qm2xVd").replace("{person}", "p1")


def raw(person: Person, method: str, path: str, **headers: str) -> tuple[int, bytes, dict[str, str]]:
    """Return what a browser gets, without reading it as JSON."""
    sent = {"cookie": person.cookie, **headers} if person.cookie else headers
    port = person._port
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request(method, path, b"{}" if method == "POST" else None, sent)
        response = connection.getresponse()
        names = {"cache-control", "content-length", "content-type", "allow", "access-control-allow-origin"}
        found = {name.lower(): value for name, value in response.headers.items() if name.lower() in names}
        return response.status, response.read(), found


@pytest.fixture(scope="module")
def others(desk: Desk) -> list[Person]:
    """A guest, somebody with an account, and somebody whose role was taken away."""
    former = desk.account("Former Fred")
    desk.operator.done("/roles", account="Former Fred", role="moderator")
    desk.operator.done("/roles", account="Former Fred", role=None)
    return [Person(desk.server, ""), desk.account("Ordinary Ona"), former]


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_without_a_role_no_route_differs_from_a_path_that_does_not_exist(
    desk: Desk, others: list[Person], route: OperatorRoute
) -> None:
    for person in others:
        for method in METHODS:
            unknown = raw(person, method, "/api/operatox/unknown")
            assert unknown[0] == 404
            assert raw(person, method, path_of(route)) == unknown, method


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_no_page_of_another_site_reaches_a_route(desk: Desk, route: OperatorRoute) -> None:
    for origin in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}):
        status, body, headers = raw(desk.operator, route.method, path_of(route), **origin)
        assert (status, body) == (403, b'{"error":"cross_site"}')
        assert "access-control-allow-origin" not in headers
    asked = raw(
        desk.operator,
        "OPTIONS",
        path_of(route),
        **{"origin": "https://evil.example", "access-control-request-method": route.method},
    )
    assert "access-control-allow-origin" not in asked[2]


@pytest.mark.parametrize("route", [route for route in ROUTES if route.method == "POST"], ids=lambda r: r.path)
def test_a_form_is_no_body(desk: Desk, route: OperatorRoute) -> None:
    status, _, _ = raw(desk.operator, "POST", path_of(route), **{"content-type": "text/plain"})
    assert status == 415


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_a_moderator_reaches_what_a_moderator_may(desk: Desk, route: OperatorRoute) -> None:
    answer = desk.moderator.ask(route.method, path_of(route), {} if route.method == "POST" else None)
    refused = answer.status == 403 and answer.body == {"error": "not_allowed"}
    assert refused is (route.needs is Role.OPERATOR)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_no_answer_is_cached(desk: Desk, route: OperatorRoute) -> None:
    for person in (desk.operator, desk.moderator):
        json = {"content-type": "application/json"}
        status, _, headers = raw(person, route.method, path_of(route), **json)
        assert status < 500
        assert headers["cache-control"] == "no-store"


def test_the_code_of_the_start_is_accepted_once(desk: Desk) -> None:
    late = desk.account("Late Lea")
    assert late.ask("GET", "/api/account").body["operator_code"] is False
    answer = late.post("operator", code=first_code(desk.server))
    assert (answer.status, answer.body) == (401, {"error": "code_failed"})
    assert late.get("").status == 404


def test_the_code_is_for_the_machine_of_the_server(tmp_path_factory: pytest.TempPathFactory) -> None:
    with ServerProcess(tmp_path_factory.mktemp("first")) as server:
        code = first_code(server)
        person = Person(server, "Far Fay")
        away = {"x-forwarded-for": "192.0.2.7"}
        assert person.ask("POST", "/api/account/operator", {"code": code}, **away).status == 401
        assert person.ask("GET", "/api/account", **away).body["operator_code"] is False
        assert person.post("operator", code="wrong").status == 401
        assert person.get("").status == 404
        answer = person.post("operator", code=code.upper().replace("-", " "))
        assert (answer.status, answer.body) == (200, {"role": "operator"})
