"""What operators and moderators do over HTTP, and what the log says about it."""

import http.client
import json
from contextlib import closing
from typing import Any

import pytest

from tests.server.docs.test_api_docs import matches
from tests.server.operators.desk import LATER, Desk, Person, wait_for
from tests.server.test_account_api import GOOD
from tests.support.server import Client

pytestmark = pytest.mark.slow


def error(who: Person, path: str, /, **body: object) -> tuple[int, str]:
    answer = who.act(path, **body)
    return answer.status, answer.body["error"]


def log(desk: Desk, query: str = "") -> list[Any]:
    entries: list[Any] = desk.operator.get(f"/log{query}").body["entries"]
    return entries


def reported(desk: Desk, text: str = "not nice") -> tuple[int, str]:
    """Return the number of a report about a chat line of a guest, and the guest."""
    ann, bob = Client(desk.server.port, name="Ann"), Client(desk.server.port, name="Bob")
    shown = ann.ask("open", "room", game="tictactoe", nonce="o")["room"]
    bob.ask("join", "room", room=shown["id"])
    bob.send("say", room=shown["id"], text="You are bad at this.", nonce="s")
    said = ann.receive_event("said")["line"]
    quote = {"at": said["at"], "name": said["name"], "text": said["text"]}
    ann.ask("report", "unchanged", room=shown["id"], text=text, line=quote, nonce="r")
    found = desk.operator.get("/reports?state=open&limit=1").body
    report = found["reports"][0]
    assert report["text"] == text
    ann.close()
    bob.close()
    return report["id"], report["about"]["person"]


def test_a_report_is_shown_with_the_chat_and_the_table(desk: Desk) -> None:
    number, guest = reported(desk)
    shown = desk.moderator.get(f"/reports/{number}").body
    assert shown["kind"] == "report"
    assert shown["by"]["name"] == "Ann"
    assert shown["about"] == {"person": guest, "name": "Bob", "account": False, "role": ""}
    assert shown["line"]["text"] == "You are bad at this."
    assert [line["text"] for line in shown["chat"]] == ["You are bad at this."]
    assert [seat["name"] for seat in shown["seats"]] == ["Ann", "Bob"]
    assert shown["table"]["link"] == f"/t/{shown['room']}"
    assert shown["table"]["open"]["seats"][1]["person"] == guest
    assert shown["table"]["replay"] is None, "the game still runs"


def test_a_report_is_worked_on_and_every_step_is_logged(desk: Desk) -> None:
    number, _ = reported(desk)
    desk.moderator.done(f"/reports/{number}/assign", to="me")
    desk.moderator.done(f"/reports/{number}/note", note="first time")
    desk.moderator.done(f"/reports/{number}/close", reason="a warning is enough")
    shown = desk.operator.get(f"/reports/{number}").body
    assert (shown["state"], shown["note"], shown["assigned"]["name"]) == ("done", "first time", "Mona")
    assert [each["act"] for each in shown["log"]] == ["close_report", "note_report", "assign_report"]
    assert {each["by"]["name"] for each in shown["log"]} == {"Mona"}
    mine = desk.moderator.get("/reports?assigned=me&state=done").body["reports"]
    assert number in [each["id"] for each in mine]
    desk.operator.done(f"/log/{shown['log'][0]['number']}/undo")
    assert desk.operator.get(f"/reports/{number}").body["state"] == "open"
    assert error(desk.operator, "/reports/999999/close") == (404, "no_such_report")
    assert error(desk.operator, f"/reports/{number}/assign", to="nobody I know") == (404, "no_such_person")


def test_a_sanction_is_imposed_lifted_and_restored(desk: Desk) -> None:
    desk.account("Mute Max")
    entry = desk.moderator.done("/sanctions", kind="mute", account="mute max", reason="insults", ends=LATER)
    assert entry["person"]["name"] == "Mute Max"
    (found,) = wait_for(lambda: desk.operator.get("/people?q=Mute Max").body["people"][0]["sanctions"])
    assert found["kind"] == "mute"
    assert (found["reason"], found["ends"], found["in_force"]) == ("insults", LATER, True)
    lifted = desk.operator.done(f"/sanctions/{found['id']}/lift", reason="apology")
    assert lifted["before"] == "mute"
    assert error(desk.operator, f"/sanctions/{found['id']}/lift", reason="x") == (409, "nothing_to_change")
    desk.operator.done(f"/log/{lifted['number']}/undo", reason="no apology")
    (again,) = desk.operator.get("/sanctions?in_force=true&limit=1").body["sanctions"]
    assert again["id"] == found["id"]
    assert [each["act"] for each in log(desk, "?limit=3")] == ["restore", "lift", "impose"]
    assert log(desk, "?limit=1")[0]["undoes"] == lifted["number"]


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"kind": "ban", "person": "nonsense", "reason": "x"}, (404, "no_such_person")),
        ({"kind": "ban", "account": "Nobody Here", "reason": "x"}, (404, "no_such_person")),
        ({"kind": "ban", "reason": "x"}, (404, "no_such_person")),
        ({"kind": "ban", "person": "p", "network": "192.0.2.1", "reason": "x"}, (404, "no_such_person")),
        ({"kind": "ban", "account": "Mona", "reason": " "}, (422, "no_reason")),
        ({"kind": "ban", "account": "Mona", "reason": "x", "ends": 1}, (422, "bad_end")),
        ({"kind": "ban", "network": "192.0.2", "reason": "x"}, (422, "bad_network")),
        ({"kind": "ban", "network": "0.0.0.0/0", "reason": "x"}, (422, "bad_network")),
        ({"kind": "ban", "network": "2001:db8::/72", "reason": "x"}, (422, "bad_network")),
        ({"kind": "ban", "network": "::/8", "reason": "x"}, (422, "bad_network")),
        ({"kind": "warning", "network": "192.0.2.1", "reason": "x"}, (422, "bad_network")),
        ({"kind": "ban", "network": "127.0.0.0/8", "reason": "x"}, (422, "own_address")),
        ({"kind": "ban", "account": "Olga", "reason": "x"}, (403, "yourself")),
        ({"kind": "exile", "account": "Mona", "reason": "x"}, (400, "malformed")),
        ({"kind": "ban", "account": "Mona", "reason": "x", "why": "y"}, (400, "malformed")),
    ],
)
def test_a_wrong_sanction_is_refused_and_not_logged(
    desk: Desk, fields: dict[str, Any], refused: tuple[int, str]
) -> None:
    before = log(desk, "?limit=1")
    assert error(desk.operator, "/sanctions", **fields) == refused
    assert log(desk, "?limit=1") == before


def test_an_end_that_no_date_can_name_is_refused(desk: Desk) -> None:
    body = {"kind": "mute", "account": "Mona", "reason": "x", "ends": 2**52}
    assert error(desk.operator, "/sanctions", **body) == (422, "bad_end")
    assert error(desk.operator, "/announcement", text="Hello", ends=2**52) == (422, "bad_end")
    assert error(desk.operator, "/invitations", ends=2**52) == (422, "bad_end")


def test_a_banned_moderator_can_do_nothing(desk: Desk) -> None:
    ban = desk.operator.done("/sanctions", kind="ban", account="Mona", reason="x")
    wait_for(lambda: desk.moderator.get("").status == 404)
    desk.operator.done(f"/sanctions/{ban['sanction']}/lift", reason="x")
    wait_for(lambda: desk.moderator.get("").status == 200)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/sanctions", {"kind": "ban", "network": "192.0.2.0/24", "reason": "x"}),
        ("/sanctions", {"kind": "ban", "account": "Olga", "reason": "x"}),
        ("/roles", {"account": "Mona", "role": "operator"}),
        ("/registrations", {"registrations": "closed"}),
        ("/announcement", {"text": "Hello"}),
        ("/invitations", {}),
    ],
)
def test_a_moderator_cannot_do_what_operators_do(desk: Desk, path: str, body: dict[str, Any]) -> None:
    before = log(desk, "?limit=1")
    assert error(desk.moderator, path, **body) == (403, "not_allowed")
    person = desk.person_of("Mona")
    assert error(desk.moderator, f"/people/{person}/rename", name="Mina", reason="x")[0] == 403
    assert log(desk, "?limit=1") == before


def test_a_moderator_cannot_lift_a_ban_of_a_range_or_an_own_sanction(desk: Desk) -> None:
    wide = desk.operator.done("/sanctions", kind="ban", network="198.51.100.0/24", reason="x")
    assert error(desk.moderator, f"/sanctions/{wide['sanction']}/lift", reason="x") == (403, "not_allowed")
    assert error(desk.moderator, f"/log/{wide['number']}/undo", reason="x") == (403, "not_allowed")
    own = desk.operator.done("/sanctions", kind="mute", account="Mona", reason="x")
    assert error(desk.moderator, f"/sanctions/{own['sanction']}/lift", reason="x") == (403, "yourself")
    for entry in (wide, own):
        desk.operator.done(f"/log/{entry['number']}/undo", reason="tested")


def test_a_role_that_was_taken_away_ends_at_once(desk: Desk) -> None:
    person = desk.account("Short Sue")
    desk.operator.done("/roles", account="Short Sue", role="moderator")
    wait_for(lambda: person.get("").status == 200)
    roles = desk.operator.get("/roles").body["roles"]
    assert ("Short Sue", "moderator") in [(each["name"], each["role"]) for each in roles]
    entry = desk.operator.done("/roles", account="Short Sue", role=None)
    assert person.act("/sanctions", kind="mute", account="Mona", reason="x").status in {403, 404}
    wait_for(lambda: person.get("").status == 404)
    desk.operator.done(f"/log/{entry['number']}/undo", reason="a mistake")
    wait_for(lambda: person.get("").status == 200)
    assert error(desk.operator, "/roles", account="Olga", role=None) == (409, "last_operator")


def test_a_rename_reaches_tables_and_can_be_undone(desk: Desk) -> None:
    person = desk.account("Rude Name")
    with closing(person.connect()) as socket:
        room = socket.ask("open", "room", game="tictactoe", nonce="o")["room"]["id"]
        number = desk.person_of("Rude Name")
        entry = desk.operator.done(f"/people/{number}/rename", name="Kind Name", reason="rude")
        assert (entry["before"], entry["after"]) == ("Rude Name", "Kind Name")
        assert socket.receive_event("seat_taken")["name"] == "Kind Name"
        assert person.ask("GET", "/api/account").body["name"] == "Kind Name"
        assert error(desk.operator, f"/people/{number}/rename", name="Olga", reason="x") == (
            409,
            "name_taken",
        )
        assert error(desk.operator, f"/people/{number}/rename", name="admin", reason="x") == (422, "bad_name")
        desk.operator.done(f"/log/{entry['number']}/undo", reason="it was fine")
        assert socket.receive_event("seat_taken")["name"] == "Rude Name"
        assert room


def test_a_table_is_closed_for_all(desk: Desk) -> None:
    ann, bob = Client(desk.server.port), Client(desk.server.port)
    room = ann.ask("open", "room", game="tictactoe", nonce="o")["room"]
    bob.ask("join", "room", room=room["id"])
    assert desk.moderator.get(f"/tables/{room['code']}").body["room"] == room["id"]
    entry = desk.moderator.done(f"/tables/{room['code']}/close", reason="obscene title")
    assert entry["room"] == room["id"]
    for client in (ann, bob):
        assert client.receive_event("closed")
        client.close()
    assert error(desk.moderator, f"/tables/{room['id']}/close", reason="x") == (404, "no_such_table")
    assert error(desk.operator, f"/log/{entry['number']}/undo", reason="x") == (409, "cannot_be_undone")


def test_people_are_found_by_name_former_name_and_guest_name(desk: Desk) -> None:
    person = desk.account("Findable Finn")
    number = desk.person_of("Findable Finn")
    assert desk.person_of(number) == number
    assert desk.moderator.get("/people?q=findable").body["people"][0]["person"] == number
    with closing(Client(desk.server.port, name="Secret Guest")) as guest:
        (found,) = desk.moderator.get("/people?q=Secret Guest").body["people"]
        assert (found["account"], found["names"], found["online"]) == (False, ["Secret Guest"], True)
        shown = desk.moderator.get(f"/people/{found['person']}").body
        assert shown["connections"][0]["address"] == "127.0.0.1"
        assert guest.token
    _, bob = reported(desk)
    assert bob in [each["person"] for each in desk.moderator.get("/people?q=Bob").body["people"]]
    shown = desk.moderator.get(f"/people/{bob}").body
    assert [each["about"]["person"] for each in shown["reports_about"]] == [bob]
    assert person.get(f"/people/{bob}").status == 404
    assert desk.moderator.get("/people/aaaaaaaaaaaaaaaaaaaa").status == 404
    assert desk.moderator.get("/people?q=Nobody At All").body["people"] == []


def test_registrations_are_closed_or_need_an_invitation(desk: Desk) -> None:
    def register(name: str, **more: str) -> tuple[int, Any]:
        guest = Client(desk.server.port)
        guest.close()
        answer = Person(desk.server, "").post("register", token=guest.token, name=name, password=GOOD, **more)
        return answer.status, answer.body.get("error")

    entry = desk.operator.done("/registrations", registrations="closed", reason="holidays")
    assert register("Too Late") == (403, "registrations_closed")
    desk.operator.done("/registrations", registrations="invited")
    wait_for(lambda: desk.operator.ask("GET", "/api/registrations").body == {"registrations": "invited"})
    assert register("No Code") == (403, "invitation_needed")
    made = desk.operator.act("/invitations", uses=1, note="the club").body
    assert register("Club Cleo", invitation=made["code"].upper()) == (200, None)
    assert register("Club Clara", invitation=made["code"]) == (403, "invitation_needed")
    (listed,) = desk.operator.get("/invitations").body["invitations"]
    assert (listed["note"], listed["used"], listed["uses"]) == ("the club", 1, 1)
    assert made["code"] not in json.dumps(log(desk))
    desk.operator.done(f"/invitations/{listed['id']}/revoke")
    desk.operator.done("/registrations", registrations="open")
    assert register("Open Oli") == (200, None)
    assert log(desk, "?act=set_registrations&limit=9")[-1]["number"] == entry["number"]


def test_an_announcement_is_set_and_ended(desk: Desk) -> None:
    desk.operator.done("/announcement", text="Restart at noon", ends=LATER)
    wait_for(lambda: desk.operator.get("").body["announcement"] == {"text": "Restart at noon", "ends": LATER})
    entry = desk.operator.done("/announcement", text="")
    wait_for(lambda: desk.operator.get("").body["announcement"] is None)
    desk.operator.done(f"/log/{entry['number']}/undo")
    wait_for(lambda: desk.operator.get("").body["announcement"] is not None)
    desk.operator.done("/announcement", text="")
    assert error(desk.operator, "/announcement", text="x", ends=1) == (422, "bad_end")


def test_the_log_is_turned_by_pages_and_exported_whole(desk: Desk) -> None:
    for turn in range(3):
        desk.operator.done("/announcement", text=f"Turn {turn}")
    first = desk.operator.get("/log?limit=2").body
    second = desk.operator.get(f"/log?limit=2&before={first['next']}").body
    assert [each["number"] for each in second["entries"]] < [each["number"] for each in first["entries"]]
    whole = log(desk, "?limit=100")
    with closing(http.client.HTTPConnection("127.0.0.1", desk.server.port, timeout=60)) as connection:
        connection.request("GET", "/api/operator/log/export", headers={"cookie": desk.operator.cookie})
        response = connection.getresponse()
        assert "attachment" in (response.headers["content-disposition"] or "")
        lines = [json.loads(line) for line in response.read().splitlines()]
    assert lines[: len(whole)] == whole
    assert {*lines[0]} >= {"number", "at", "by", "act", "reason"}
    assert desk.operator.get("/log?limit=0").status == 400
    assert desk.operator.get("/log?unknown=1").status == 400
    assert error(desk.operator, "/log/999999/undo", reason="x") == (404, "no_such_entry")


def test_answers_are_as_described(desk: Desk) -> None:
    number, guest = reported(desk, "as described")
    ban = desk.operator.done("/sanctions", kind="ban", person=guest, reason="x", ends=LATER)
    person, room = desk.person_of("Mona"), desk.operator.get(f"/reports/{number}").body["room"]
    for path, name in (
        ("", "OperatorOverview"),
        ("/reports", "ReportList"),
        (f"/reports/{number}", "ReportShown"),
        ("/sanctions", "SanctionList"),
        ("/people?q=Mona", "FoundPeople"),
        (f"/people/{guest}", "PersonShown"),
        (f"/people/{person}", "PersonShown"),
        ("/roles", "RoleList"),
        ("/invitations", "InvitationList"),
        ("/log", "EntryList"),
        ("/health", "ServerHealth"),
        (f"/tables/{room}", "OperatorTable"),
    ):
        matches(name, desk.operator.get(path))
    matches("ActDone", desk.operator.act(f"/sanctions/{ban['sanction']}/lift", reason="x"))
    matches("InvitationMade", desk.operator.act("/invitations"))
    matches("RegistrationsShown", desk.operator.ask("GET", "/api/registrations"))


def test_the_health_of_the_worker_is_shown(desk: Desk) -> None:
    with closing(Client(desk.server.port)):
        shown = desk.operator.get("/health").body
    assert shown["connections"] >= 1
    assert shown["workers"] == 1
    assert shown["store"]["up"] is True
    assert shown["archive"]["up"] is True
