"""Tables through the hall: opening, joining, playing, coming back, leaving."""

from collections import Counter
from typing import Any

from tests.support.hall_simulation import HallSimulation, NativeClient, mark, seat_to_act


def both(ann: NativeClient, bob: NativeClient, seat: int) -> tuple[NativeClient, NativeClient]:
    """Return the mover and the other one."""
    return (ann, bob) if seat == 0 else (bob, ann)


def test_a_stranger_must_say_hello_first(simulation: HallSimulation) -> None:
    peer = NativeClient(simulation)
    assert peer.ask("quick_match", game="tictactoe")[0]["code"] == "hello_first"
    assert simulation.hall.executor.live_rooms == {}


def test_another_protocol_version_is_refused(simulation: HallSimulation) -> None:
    (answer,) = NativeClient(simulation).ask("hello", v=1)
    assert answer["code"] == "version"


def test_the_token_gives_the_same_person_back(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    room = ann.ask("open", game="tictactoe", nonce="t")[0]["room"]["id"]
    again = NativeClient(simulation)
    welcome = again.hello(ann.token)
    assert (welcome["name"], welcome["rooms"]) == ("Ann", [room])


def test_a_forged_token_makes_a_new_guest(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    welcome = NativeClient(simulation).hello(ann.token[:-2] + "xx")
    assert welcome["name"] != "Ann"


def test_the_system_cannot_be_impersonated(simulation: HallSimulation) -> None:
    for name in ("系統", "系 統", "S-y_s t e m", "ｓｙｓｔｅｍ", "sys\u200dtem"):
        answer = NativeClient(simulation).ask("hello", name=name)
        assert [message.get("code") for message in answer] == ["bad_name", None], name
        assert answer[1]["name"] != name


def test_a_move_reaches_both_and_carries_its_nonce(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    mover, other = both(ann, bob, seat_to_act(shown))
    room = shown["room"]["id"]
    (mine,) = mover.ask("play", **mark(room, 4, "n1", shown["version"]))
    (theirs,) = other.received()
    assert mine == theirs
    assert mine["nonce"] == "n1"
    assert mine["version"] == shown["version"] + 1
    assert mine["events"] == [{"e": "marked", "seat": seat_to_act(shown), "cell": 4}]


def test_the_same_nonce_twice_changes_nothing(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    mover, other = both(ann, bob, seat_to_act(shown))
    room = shown["room"]["id"]
    mover.send("play", **mark(room, 4, "n1"))
    answers = mover.ask("play", **mark(room, 4, "n1"))
    assert [answer["type"] for answer in answers] == ["events", "unchanged"]
    assert answers[1] == {"type": "unchanged", "room": room, "version": shown["version"] + 1, "nonce": "n1"}
    assert len(other.received()) == 1


def test_opening_with_the_same_nonce_opens_one_table(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    first = ann.ask("open", game="tictactoe", nonce="same")[0]
    second = ann.ask("open", game="tictactoe", nonce="same")[0]
    assert first["room"]["id"] == second["room"]["id"]
    assert first["version"] == second["version"]
    assert len(simulation.hall.executor.live_rooms) == 1


def test_a_move_meant_for_an_older_position_is_refused(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    mover, other = both(ann, bob, seat_to_act(shown))
    room, version = shown["room"]["id"], shown["version"]
    mover.ask("play", **mark(room, 4, "a", version))
    other.received()
    assert other.ask("play", **mark(room, 0, "b", version))[0]["code"] == "stale"
    other.send("say", room=room, text="hi", nonce="c")
    other.received()
    assert other.ask("play", **mark(room, 0, "d", version + 1))[0]["type"] == "events"


def test_refusals_name_the_command_and_change_nothing(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    mover, other = both(ann, bob, seat_to_act(shown))
    room = shown["room"]["id"]
    before = simulation.hall.executor.live_rooms[room].latest
    stranger = simulation.native_client("Eve")
    watcher = simulation.native_client("Wat")
    watcher.ask("watch", room=room)
    cases = [
        (other, mark(room, 0, "1"), "not_your_turn"),
        (mover, mark(room, 9, "2"), "bad_move"),
        (mover, {"room": room, "move": {"do": "next"}, "nonce": "3"}, "stale"),
        (mover, {"room": room, "move": {"do": "mark", "cell": True}, "nonce": "4"}, "bad_move"),
        (mover, {"room": room, "move": {"do": "mark", "cell": "4"}, "nonce": "5"}, "bad_move"),
        (mover, {"room": room, "move": {"do": "mark", "cell": 1.0}, "nonce": "6"}, "bad_move"),
        (mover, {"room": room, "move": None, "nonce": "7"}, "bad_move"),
        (mover, {"room": room, "move": {"do": "mark", "cell": 4, "x": 1}, "nonce": "8"}, "bad_move"),
        (stranger, mark(room, 0, "9"), "not_in_room"),
        (watcher, mark(room, 0, "10"), "not_seated"),
        (mover, mark("nowhere", 0, "11"), "no_such_room"),
    ]
    for peer, fields, code in cases:
        (answer,) = peer.ask("play", **fields)
        assert (answer["type"], answer["code"], answer["nonce"]) == ("refused", code, fields["nonce"])
    assert simulation.hall.executor.live_rooms[room].latest is before


def test_wrong_options_are_named(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"game": "go", "nonce": "1"}, "no_such_game"),
        ({"game": "tictactoe", "nonce": "2", "bot": "genius"}, "no_such_bot"),
        ({"game": "tictactoe", "nonce": "3", "options": {"size": 4}}, "bad_options"),
        ({"game": "tictactoe", "nonce": "4", "options": 7}, "bad_options"),
        ({"game": "tictactoe", "nonce": "5", "table": {"clock": {"main": [1, 2, 3]}}}, "bad_options"),
        ({"game": "tictactoe", "nonce": "6", "table": {"clock": {}}}, "bad_options"),
        ({"game": "tictactoe", "nonce": "7", "seat": 2}, "out_of_range"),
        ({"game": "tictactoe", "nonce": "8", "table": {"away": -1}}, "malformed"),
        ({"game": "tictactoe", "nonce": ""}, "malformed"),
    ]
    for fields, code in wrong:
        assert ann.ask("open", **fields)[0]["code"] == code, fields
    assert simulation.hall.executor.live_rooms == {}


def test_a_third_person_finds_no_seat_but_may_watch(simulation: HallSimulation) -> None:
    _, _, shown = simulation.running_room()
    eve = simulation.native_client("Eve")
    room = shown["room"]["id"]
    assert eve.ask("join", room=room)[0]["code"] == "room_full"
    (seen,) = eve.ask("watch", room=room)
    assert seen["you"] is None
    assert seen["room"]["position"]["board"] == "........."


def test_a_table_without_watchers_shows_nothing(simulation: HallSimulation) -> None:
    _, _, shown = simulation.running_room(spectators=False)
    eve = simulation.native_client("Eve")
    for ask in ("watch", "resume"):
        fields = {"version": shown["version"]} if ask == "resume" else {}
        answers = eve.ask(ask, room=shown["room"]["id"], **fields)
        assert [answer.get("code") for answer in answers] == ["no_spectators"]


def test_resume_gives_exactly_the_missing_events(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    mover, other = both(ann, bob, seat_to_act(shown))
    room, version = shown["room"]["id"], shown["version"]
    other.disconnect()
    mover.ask("play", **mark(room, 4, "a"))
    mover.ask("say", room=room, text="are you there?")
    back = NativeClient(simulation)
    back.hello(other.token)
    missed = back.ask("resume", room=room, version=version)
    assert [(message["type"], message["version"]) for message in missed] == [
        ("events", version + 1),
        ("events", version + 2),
    ]
    assert back.ask("play", **mark(room, 0, "b"))[0]["version"] == version + 3


def test_resume_with_nothing_missed_says_done(simulation: HallSimulation) -> None:
    _, bob, shown = simulation.running_room()
    bob.disconnect()
    back = NativeClient(simulation)
    back.hello(bob.token)
    answers = back.ask("resume", room=shown["room"]["id"], version=shown["version"])
    assert [answer["type"] for answer in answers] == ["unchanged"]


def test_resume_from_too_long_ago_gives_one_view(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    room = shown["room"]["id"]
    bob.disconnect()
    for line in range(80):
        ann.ask("say", room=room, text=f"line {line}")
        simulation.wait(3)
    back = NativeClient(simulation)
    back.hello(bob.token)
    for version in (shown["version"], 10**9):
        answers = back.ask("resume", room=room, version=version)
        assert [answer["type"] for answer in answers if answer["type"] != "events"] == ["room"]


def test_a_new_socket_takes_the_seat_over_at_once(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    room = shown["room"]["id"]
    mover, other = both(ann, bob, seat_to_act(shown))
    second = NativeClient(simulation)
    second.hello(mover.token)
    assert second.ask("join", room=room)[0]["you"] == seat_to_act(shown)
    assert mover.received() == [{"type": "left", "room": room, "replaced": True}]
    assert mover.ask("play", **mark(room, 4, "a"))[0]["code"] == "not_in_room"
    assert second.ask("play", **mark(room, 4, "b"))[0]["type"] == "events"
    mover.disconnect()
    simulation.wait(30)
    assert all(event["e"] != "disconnected" for message in other.received() for event in message["events"])


def test_leaving_a_running_game_gives_it_to_the_one_who_stays(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    assert ann.ask("leave", room=shown["room"]["id"])[-1]["type"] == "left"
    (notice,) = bob.received()
    over = notice["events"][0]
    assert (over["e"], over["winners"], over["reason"]) == ("game_over", [1], "left")


def test_when_the_last_person_leaves_the_table_is_gone(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    ann.ask("leave", room=shown["room"]["id"])
    bob.ask("leave", room=shown["room"]["id"])
    assert simulation.hall.executor.live_rooms == {}
    assert simulation.hall.executor.rooms_by_code == {}
    assert simulation.hall.executor.seat_index == {}
    assert bob.ask("join", room=shown["room"]["code"])[0]["code"] == "no_such_room"


def test_one_person_may_not_sit_everywhere(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    answers = [ann.ask("open", game="tictactoe", nonce=f"n{i}")[0] for i in range(17)]
    assert [answer["type"] for answer in answers[:16]] == ["room"] * 16
    assert answers[16]["code"] == "too_many_rooms"


def test_nor_if_a_person_asks_for_all_rooms_at_once(simulation: HallSimulation) -> None:
    ann, bob = simulation.native_client("Ann"), simulation.native_client("Bob")
    simulation.wait(2)
    rooms = [bob.ask("open", game="tictactoe", nonce=f"n{i}")[0]["room"]["id"] for i in range(16)]
    for number, room in enumerate(rooms):
        ann.send("open", game="tictactoe", nonce=f"n{number}")
        ann.send("join", room=room)
    answers = Counter(notice.get("code", notice["type"]) for notice in ann.received())
    assert (answers["room"], answers["too_many_rooms"]) == (16, 16), answers
    ann.ask("leave", room=rooms[0])
    assert ann.ask("open", game="tictactoe", nonce="more")[-1]["type"] == "room"


def test_an_unlisted_table_has_a_code_nobody_guesses(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    public = ann.ask("open", game="tictactoe", nonce="1")[0]["room"]["code"]
    secret = ann.ask("open", game="tictactoe", nonce="2", table={"public": False})[0]["room"]["code"]
    assert public.isdigit()
    assert 4 <= len(public) <= 6
    assert len(secret) == 8
    bob = simulation.native_client("Bob")
    assert bob.ask("join", room=secret.lower())[0]["room"]["code"] == secret


def test_chat_is_limited_cleaned_and_kept_from_strangers(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    room = shown["room"]["id"]
    ann.ask("say", room=room, text="  hi\u202e there\x07 \n <b>  ")
    assert bob.received()[0]["events"][0]["line"]["text"] == "hi there <b>"
    assert ann.ask("say", room=room, text=" \u200b ")[0]["code"] == "empty"
    codes = [ann.ask("say", room=room, text=str(i))[0].get("code") for i in range(6)]
    assert codes == [None, None, None, None, "rate_limited", "rate_limited"]
    simulation.wait(11)
    assert ann.ask("say", room=room, text="x" * 500)[0]["events"][0]["line"]["text"] == "x" * 200
    eve = simulation.native_client("Eve")
    assert eve.ask("say", room=room, text="let me in")[0]["code"] == "not_in_room"


def test_watchers_talk_among_themselves_while_a_game_runs(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    room = shown["room"]["id"]
    eve, wat = simulation.native_client("Eve"), simulation.native_client("Wat")
    eve.ask("watch", room=room)
    wat.ask("watch", room=room)
    (notice,) = eve.ask("say", room=room, text="left corner!")
    assert notice["events"][0]["line"]["name"] == "Eve"
    assert wat.received() == [notice]
    assert [message["events"] for message in (*ann.received(), *bob.received())] == [[], []]
    back = NativeClient(simulation)
    back.hello(ann.token)
    assert "chat" not in back.ask("join", room=room)[0]["room"]


def test_a_rematch_needs_both_players_and_deals_again(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    room = shown["room"]["id"]
    assert ann.ask("offer", room=room, kind="rematch")[0]["code"] == "still_playing"
    ann.ask("resign", room=room, nonce="r")
    bob.received()
    (offered,) = ann.ask("offer", room=room, kind="rematch")
    offer = offered["events"][0]["offer"]
    bob.received()
    assert ann.ask("answer", room=room, offer=offer["id"], yes=True)[0]["code"] == "not_asked"
    assert bob.ask("answer", room=room, offer=offer["id"] + 1, yes=True)[0]["code"] == "not_offered"
    (dealt,) = bob.ask("answer", room=room, offer=offer["id"], yes=True)
    assert [event["e"] for event in dealt["events"]] == ["offer_answered", "game_started"]
    assert dealt["events"][1]["match"] == 2
    assert dealt["events"][1]["commitment"] != shown["room"]["commitment"]


def test_quick_match_pairs_two_persons_and_never_one_person_twice(simulation: HallSimulation) -> None:
    ann, bob = simulation.native_client("Ann"), simulation.native_client("Bob")
    (waiting,) = ann.ask("quick_match", game="tictactoe")
    assert waiting["room"]["phase"] == "waiting"
    twin = NativeClient(simulation)
    twin.hello(ann.token)
    (again,) = twin.ask("quick_match", game="tictactoe")
    assert again["room"]["id"] == waiting["room"]["id"]
    assert again["room"]["phase"] == "waiting"
    (playing,) = bob.ask("quick_match", game="tictactoe")
    assert playing["room"]["id"] == waiting["room"]["id"]
    assert playing["room"]["phase"] == "playing"


def test_two_who_ask_in_the_same_moment_are_paired(simulation: HallSimulation) -> None:
    ann, bob, cat = (
        simulation.native_client("Ann"),
        simulation.native_client("Bob"),
        simulation.native_client("Cat"),
    )
    for peer in (ann, bob, cat):
        peer.send("quick_match", game="tictactoe")
    rooms = [peer.received()[0]["room"] for peer in (ann, bob, cat)]
    assert rooms[0]["id"] == rooms[1]["id"] != rooms[2]["id"]
    assert rooms[2]["phase"] == "waiting"


def test_quick_match_plays_mahjong_with_sixteen_tiles(simulation: HallSimulation) -> None:
    ann, bob, cyd = (simulation.native_client(name) for name in ("Ann", "Bob", "Cyd"))
    (thirteen,) = ann.ask("open", game="mahjong", nonce="t")
    (waiting,) = bob.ask("quick_match", game="mahjong")
    assert waiting["room"]["options"] == {"tiles": 16}
    (joined,) = cyd.ask("quick_match", game="mahjong")
    assert joined["room"]["id"] == waiting["room"]["id"] != thirteen["room"]["id"]


def test_quick_match_does_not_lead_to_somebody_who_is_gone(simulation: HallSimulation) -> None:
    ann, bob = simulation.native_client("Ann"), simulation.native_client("Bob")
    (waiting,) = ann.ask("quick_match", game="tictactoe")
    ann.disconnect()
    (other,) = bob.ask("quick_match", game="tictactoe")
    assert other["room"]["id"] != waiting["room"]["id"]


def test_text_that_is_no_utf8_inside_a_move_or_options_is_refused(simulation: HallSimulation) -> None:
    ann, _, shown = simulation.running_room()
    room = shown["room"]["id"].encode()
    ann.send_frame(b'{"type":"play","room":"' + room + b'","move":{"do":"\xff"}}')
    assert ann.received()[0]["code"] in {"bad_move", "malformed"}
    ann.send_frame(b'{"type":"open","game":"tictactoe","nonce":"z","options":{"a":"\xff"}}')
    assert ann.received()[0]["code"] in {"bad_options", "malformed"}
    assert ann.transport.closed is None
    assert simulation.hall.internal_errors.count == 0


def test_a_watchers_line_sent_again_is_said_once(simulation: HallSimulation) -> None:
    _, _, shown = simulation.running_room()
    eve = simulation.native_client("Eve")
    eve.ask("watch", room=shown["room"]["id"])
    said = [eve.ask("say", room=shown["room"]["id"], text="hm", nonce="w")[0]["type"] for _ in range(2)]
    assert said == ["events", "unchanged"]


def test_player_entropy_of_a_quick_match_is_shown_and_used(simulation: HallSimulation) -> None:
    ann, bob = simulation.native_client("Ann"), simulation.native_client("Bob")
    ann.ask("quick_match", game="tictactoe", player_entropy="aa")
    (shown,) = bob.ask("quick_match", game="tictactoe", player_entropy="bbbb")
    assert [chair["player_entropy"] for chair in shown["room"]["seats"]] == ["aa", "bbbb"]


def test_quick_match_pairs_those_who_want_the_same_options_and_clock(simulation: HallSimulation) -> None:
    clock = {"main": [300_000], "increment": 3_000}
    wanted: list[dict[str, Any]] = [
        {"options": {"fog": True}, "clock": clock},
        {"options": {"fog": True}},
        {"clock": clock},
        {},
        {"options": {"dice": "free"}, "clock": clock},
    ]
    waiting = [simulation.native_client(f"P{number}") for number in range(len(wanted))]
    rooms = [
        peer.ask("quick_match", game="chess", **more)[0]["room"]
        for peer, more in zip(waiting, wanted, strict=True)
    ]
    assert len({room["id"] for room in rooms}) == len(wanted)
    shown_clock = clock | {"lag_compensation": True}
    assert (rooms[0]["table"]["clock"], rooms[0]["options"]["fog"]) == (shown_clock, True)
    for room, more in zip(rooms, wanted, strict=True):
        (shown,) = simulation.native_client().ask("quick_match", game="chess", **more)
        assert (shown["room"]["id"], shown["room"]["phase"]) == (room["id"], "playing")


def test_quick_match_finds_a_table_that_was_opened_with_the_same_rules(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    room = ann.ask("open", game="chess", nonce="n", options={"mines": 5}, seat=1)[0]["room"]["id"]
    (shown,) = simulation.native_client("Bob").ask("quick_match", game="chess", options={"mines": 5})
    assert (shown["room"]["id"], shown["room"]["phase"], shown["you"]) == (room, "playing", 0)


def test_quick_match_refuses_options_and_clocks_that_the_game_does_not_have(
    simulation: HallSimulation,
) -> None:
    ann = simulation.native_client("Ann")
    assert ann.ask("quick_match", game="chess", options={"mines": 900})[0]["code"] == "bad_options"
    assert ann.ask("quick_match", game="chess", clock={"increment": 0})[0]["code"] == "bad_options"
    assert simulation.hall.executor.live_rooms == {}


def test_a_person_may_wait_for_two_kinds_of_game_at_once(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    plain = ann.ask("quick_match", game="chess")[0]["room"]["id"]
    fog = ann.ask("quick_match", game="chess", options={"fog": True})[0]["room"]["id"]
    assert plain != fog
    assert ann.ask("quick_match", game="chess")[0]["room"]["id"] == plain
