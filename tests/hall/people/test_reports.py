"""Reports: one line in the log of what the server itself knows, and a few a minute."""

from typing import Any

import pytest
from structlog.testing import capture_logs

from qipai.hall.people import reports
from tests.support.hall_simulation import HallSimulation


def logged_reports(logs: Any) -> list[Any]:
    return [line for line in logs if line["event"] == "reported"]


def test_a_report_is_one_line_with_what_the_server_knows(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    room = shown["room"]["id"]
    (said,) = bob.ask("say", room=room, text="You are bad at this.")
    line = said["events"][0]["line"]
    quote = {"at": line["at"], "name": line["name"], "text": line["text"]}
    ann.received()
    with capture_logs() as logs:
        (done,) = ann.ask("report", room=room, text="  not\x00 nice\n at all ", line=quote, nonce="r")
    assert done == {"type": "unchanged", "room": room, "version": said["version"], "nonce": "r"}
    (entry,) = logged_reports(logs)
    box = simulation.hall.executor.find(room)
    assert box is not None
    whom = box.durable.seats[shown["you"]]
    assert whom is not None
    assert entry["about"] == whom.person
    assert entry["by"] == ann.connection.person
    assert (entry["name"], entry["seat"]) == ("Ann", 1 - shown["you"])
    assert (entry["room"], entry["version"], entry["game"]) == (room, said["version"], "tictactoe")
    assert entry["line"] == {**quote, "seat": shown["you"]}
    assert entry["text"] == "not nice at all"


def test_a_line_that_was_never_said_is_not_written_down(simulation: HallSimulation) -> None:
    ann, _, shown = simulation.running_room()
    quote = {"at": 1, "name": "Bob", "text": "something terrible"}
    with capture_logs() as logs:
        ann.ask("report", room=shown["room"]["id"], text="this line", line=quote, nonce="r")
    (entry,) = logged_reports(logs)
    assert (entry["line"], entry["about"]) == (None, None)
    assert "terrible" not in str(entry)


def test_players_cannot_fish_for_what_watchers_say(simulation: HallSimulation) -> None:
    ann, _, shown = simulation.running_room()
    room, eve = shown["room"]["id"], simulation.native_client("Eve")
    eve.ask("watch", room=room)
    (said,) = eve.ask("say", room=room, text="psst")
    line = said["events"][0]["line"]
    assert line["spectators_only"]
    quote = {"at": line["at"], "name": line["name"], "text": line["text"]}
    with capture_logs() as logs:
        ann.ask("report", room=room, text="", line=quote, nonce="r")
        eve.ask("report", room=room, text="", line=quote, nonce="r")
    mine, hers = logged_reports(logs)
    assert mine["line"] is None
    assert hers["line"]["text"] == "psst"
    assert hers["seat"] is None


def test_five_a_minute_and_no_more(simulation: HallSimulation) -> None:
    ann, _, shown = simulation.running_room()
    room = shown["room"]["id"]
    with capture_logs() as logs:
        answers = [ann.ask("report", room=room, text="x", nonce=f"n{n}")[0] for n in range(6)]
        second = simulation.native_client(token=ann.token)
        second.ask("join", room=room)
        (refused,) = second.ask("report", room=room, text="x", nonce="n6")
        simulation.wait(60)
        (later,) = second.ask("report", room=room, text="x", nonce="n7")
    assert [answer["type"] for answer in answers] == ["unchanged"] * 5 + ["refused"]
    assert answers[5]["code"] == refused["code"] == "rate_limited"
    assert later["type"] == "unchanged"
    assert len(logged_reports(logs)) == 6


def test_a_report_that_is_sent_again_after_a_cut_is_written_once(simulation: HallSimulation) -> None:
    ann, _, shown = simulation.running_room()
    room = shown["room"]["id"]
    with capture_logs() as logs:
        (done,) = ann.ask("report", room=room, text="x", nonce="r")
        second = simulation.native_client(token=ann.token)
        second.ask("join", room=room)
        again = [second.ask("report", room=room, text="x", nonce="r")[0] for _ in range(6)]
        (other,) = second.ask("report", room=room, text="x", nonce="another")
    assert {done["type"], other["type"], *(answer["type"] for answer in again)} == {"unchanged"}
    assert [answer["nonce"] for answer in again] == ["r"] * 6
    assert [entry["nonce"] for entry in logged_reports(logs)] == ["r", "another"]


def test_the_same_nonce_of_another_person_is_another_report(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    with capture_logs() as logs:
        for peer in (ann, bob):
            peer.ask("report", room=shown["room"]["id"], text="x", nonce="r")
    assert [entry["name"] for entry in logged_reports(logs)] == ["Ann", "Bob"]


def test_only_so_many_reports_are_remembered(
    simulation: HallSimulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "REMEMBERED", 2)
    ann, _, shown = simulation.running_room()
    with capture_logs() as logs:
        for nonce in ("a", "b", "c", "b", "a"):
            ann.ask("report", room=shown["room"]["id"], text="x", nonce=nonce)
    assert [entry["nonce"] for entry in logged_reports(logs)] == ["a", "b", "c", "a"]


@pytest.mark.parametrize("text", ["", " \n", "\u200b"])
def test_a_report_of_nothing_is_refused(simulation: HallSimulation, text: str) -> None:
    ann, _, shown = simulation.running_room()
    assert ann.ask("report", room=shown["room"]["id"], text=text, nonce="r")[0]["code"] == "empty"


def test_who_is_not_there_reports_nothing(simulation: HallSimulation) -> None:
    _, _, shown = simulation.running_room()
    (refused,) = simulation.native_client("Eve").ask("report", room=shown["room"]["id"], text="x", nonce="r")
    assert refused["code"] == "not_in_room"


def test_a_long_report_is_cut(simulation: HallSimulation) -> None:
    ann, _, shown = simulation.running_room()
    with capture_logs() as logs:
        ann.ask("report", room=shown["room"]["id"], text="y" * 2_000, nonce="r")
    assert logged_reports(logs)[0]["text"] == "y" * 500
