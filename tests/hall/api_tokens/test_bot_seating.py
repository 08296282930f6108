"""Bot accounts at tables: everybody sees the mark, nobody meets one without wanting to, none is rated."""

from typing import Any

import pytest
from msgspec.structs import replace

from qipai.hall.accounts.account_interface import Account
from qipai.hall.api_tokens.api_token_interface import ApiToken
from qipai.hall.api_tokens.api_token_limits import ApiTokenLimit
from qipai.hall.api_tokens.api_token_settings import ApiTokenSettings
from qipai.hall.api_tokens.bot_seating import challenge_refusal
from qipai.hall.people.address_limits import UNLIMITED
from qipai.kernel.ids import Millis, Person
from qipai.kernel.refusals import Refusal
from tests.support.hall_simulation import HallSimulation, Message, NativeClient

RATED = {"rated": True, "undo_allowed": False, "clock": {"main": [180_000], "increment": 2_000}}


def bot_account(simulation: HallSimulation, peer: NativeClient) -> None:
    """Make the person of a client a bot account."""
    person, name = peer.connection.person, peer.connection.name
    assert person is not None
    services = simulation.hall.account_services
    account = Account(person, name, services.names.skeleton(name), Millis(0), bot=True)
    services.directory.put(account)


def program(simulation: HallSimulation, name: str) -> NativeClient:
    """Return a client as if it had come with an API token of a bot account."""
    peer = simulation.native_client(name)
    bot_account(simulation, peer)
    assert peer.connection.person is not None
    token = ApiToken(name, name.encode(), peer.connection.person, name, Millis(0))
    assert simulation.hall.account_services.token_limits.connect(peer.connection, token)
    peer.connection.session_key, peer.connection.bot = token.key, True
    return peer


def opened(peer: NativeClient, nonce: str = "a", **table: Any) -> Message:
    """Open a table and return its view."""
    notices = peer.ask("open", game="tictactoe", nonce=nonce, table=table)
    assert notices[0]["type"] == "room", notices
    return dict(notices[0]["room"])


def code(notices: list[Message]) -> str:
    """Return the code of the only notice, which is a refusal."""
    (refused,) = notices
    assert refused["type"] == "refused", refused
    return str(refused["code"])


def test_everybody_sees_that_a_program_plays(simulation: HallSimulation) -> None:
    eve = simulation.native_client("Eve")
    eve.ask("lobby")
    bot, ann = program(simulation, "Robo"), simulation.native_client("Ann")
    room = opened(bot)
    assert [seat and seat.get("bot_account", False) for seat in room["seats"]] == [True, None]
    simulation.wait(1)
    rows = [row for notice in eve.received() for row in notice.get("rooms", ())]
    assert rows[-1]["seats"] == [{"name": "Robo", "bot_account": True}, None]
    seen = ann.ask("join", room=room["id"])[0]["room"]["seats"]
    assert [seat.get("bot_account", False) for seat in seen] == [True, False]
    assert not any(seat.get("bot") for seat in seen)
    watched = eve.ask("watch", room=room["id"])[0]["room"]["seats"]
    assert [seat.get("bot_account", False) for seat in watched] == [True, False]


def test_a_program_that_sits_down_is_announced_as_one(simulation: HallSimulation) -> None:
    ann, bot = simulation.native_client("Ann"), program(simulation, "Robo")
    room = opened(ann, public=False)
    bot.ask("join", room=room["id"])
    events = [event for notice in ann.received() for event in notice.get("events", ())]
    taken = next(event for event in events if event["e"] == "seat_taken")
    assert (taken["name"], taken["bot_account"]) == ("Robo", True)


def test_the_mark_survives_a_restart() -> None:
    with HallSimulation() as before:
        bot, ann = program(before, "Robo"), before.native_client("Ann")
        room = opened(bot)["id"]
        ann.ask("join", room=room)
        store, token = before.store, ann.token
    with HallSimulation(store) as after:
        (seen,) = [n for n in after.native_client(token=token).ask("join", room=room) if n["type"] == "room"]
        assert [seat.get("bot_account", False) for seat in seen["room"]["seats"]] == [True, False]


def test_a_program_neither_opens_nor_joins_a_rated_table(simulation: HallSimulation) -> None:
    bot, ann = program(simulation, "Robo"), simulation.account("Ann")
    refused = bot.ask("open", game="gomoku", nonce="n", table=RATED)
    assert code(refused) == "no_bots"
    assert refused[0]["nonce"] == "n"
    for public in (True, False):
        notices = ann.ask("open", game="gomoku", nonce=f"r{public}", table={**RATED, "public": public})
        room = notices[0]["room"]
        assert code(bot.ask("join", room=room["id"])) == "no_bots"
        # To watch is allowed.
        assert bot.ask("watch", room=room["id"])[0]["type"] == "room"
        bot.ask("leave", room=room["id"])


def test_a_program_sits_at_a_public_table_only_beside_another_one(simulation: HallSimulation) -> None:
    bot, other = program(simulation, "Robo"), program(simulation, "Auto")
    ann = simulation.native_client("Ann")
    assert code(bot.ask("join", room=opened(ann)["id"])) == "no_bots"
    assert other.ask("join", room=opened(bot)["id"])[0]["type"] == "room"


def test_a_program_sits_at_an_unlisted_table_to_which_it_is_invited(simulation: HallSimulation) -> None:
    bot, ann = program(simulation, "Robo"), simulation.native_client("Ann")
    room = opened(ann, public=False)
    assert bot.ask("join", room=room["code"])[0]["you"] == 1


def test_a_person_sits_down_at_the_table_of_a_program(simulation: HallSimulation) -> None:
    bot, ann = program(simulation, "Robo"), simulation.native_client("Ann")
    assert ann.ask("join", room=opened(bot)["id"])[0]["you"] == 1


def test_quick_match_neither_seats_programs_nor_people_with_them(simulation: HallSimulation) -> None:
    bot, ann, bo = (
        program(simulation, "Robo"),
        simulation.native_client("Ann"),
        simulation.native_client("Bo"),
    )
    waiting = opened(bot)["id"]
    assert code(bot.ask("quick_match", game="tictactoe")) == "no_bots"
    assert code(bot.ask("quick_match", game="gomoku", rated=True, clock=RATED["clock"])) == "no_bots"
    own = ann.ask("quick_match", game="tictactoe")[0]["room"]["id"]
    assert own != waiting
    assert bo.ask("quick_match", game="tictactoe")[0]["room"]["id"] == own


def test_a_seat_does_not_pass_between_a_program_and_a_person(simulation: HallSimulation) -> None:
    bot, ann, bo = (
        program(simulation, "Robo"),
        simulation.native_client("Ann"),
        simulation.native_client("Bo"),
    )
    room = opened(bot)["id"]
    ann.ask("join", room=room)
    bot.received()
    assert code(bot.ask("transfer_seat", room=room, nonce="t")) == "no_bots"
    ticket = next(n for n in ann.ask("transfer_seat", room=room, nonce="t") if n["type"] == "ticket")[
        "ticket"
    ]
    outside = program(simulation, "Auto")
    assert code(outside.ask("claim_seat", ticket=ticket, nonce="c")) == "no_bots"
    assert any(notice["type"] == "room" for notice in bo.ask("claim_seat", ticket=ticket, nonce="c"))


def test_the_owner_of_a_bot_account_does_not_play_for_it(simulation: HallSimulation) -> None:
    owner, bot = simulation.account("Robo"), program(simulation, "Auto")
    bot_account(simulation, owner)
    table = opened(bot)["id"]
    assert code(owner.ask("open", game="tictactoe", nonce="a")) == "api_token_needed"
    assert code(owner.ask("join", room=table)) == "api_token_needed"
    assert code(owner.ask("quick_match", game="tictactoe")) == "api_token_needed"
    assert code(owner.ask("claim_seat", ticket="x", nonce="c")) == "api_token_needed"
    assert owner.ask("watch", room=table)[0]["type"] == "room"


def test_the_owner_of_a_bot_account_watches_its_own_tables(simulation: HallSimulation) -> None:
    bot = program(simulation, "Robo")
    room = opened(bot)["id"]
    ann = simulation.native_client("Ann")
    assert ann.ask("join", room=room)[-1]["type"] == "room"
    owner = simulation.native_client("Owner")
    assert bot.connection.person is not None
    owner.connection.person = bot.connection.person
    for request in ("join", "watch"):
        shown = next(each for each in owner.ask(request, room=room) if each["type"] == "room")
        assert shown["room"].get("you") is None
    assert code(owner.ask("resign", room=room, nonce="m")) == "not_seated"


def test_a_program_invites_no_people_and_nobody_invites_it_to_rated_games(
    simulation: HallSimulation,
) -> None:
    bot, other = program(simulation, "Robo"), program(simulation, "Auto")
    ann = simulation.account("Ann")
    services = simulation.hall.account_services
    assert ann.connection.person is not None
    person = Account(ann.connection.person, "Ann", services.names.skeleton("Ann"), Millis(0))
    machine = services.directory.account(other.connection.person)  # type: ignore[arg-type]
    assert machine is not None
    assert challenge_refusal(bot.connection, person, rated=False) is Refusal.NO_BOTS
    assert challenge_refusal(ann.connection, machine, rated=True) is Refusal.NO_BOTS
    assert challenge_refusal(ann.connection, machine, rated=False) is None
    assert challenge_refusal(bot.connection, machine, rated=False) is None
    assert challenge_refusal(ann.connection, person, rated=True) is None


def limited(**settings: int) -> HallSimulation:
    return HallSimulation(limits=replace(UNLIMITED, api_tokens=ApiTokenSettings(**settings)))


def refused_by(simulation: HallSimulation, limit: ApiTokenLimit) -> int:
    return simulation.hall.account_services.token_limits.refused[limit]


def test_a_program_has_so_many_seats_at_once_and_people_have_theirs() -> None:
    with limited(tables=2) as simulation:
        bot, ann = program(simulation, "Robo"), simulation.native_client("Ann")
        rooms = [opened(bot, f"n{number}")["id"] for number in range(2)]
        assert code(bot.ask("open", game="tictactoe", nonce="n2")) == "too_many_rooms"
        assert refused_by(simulation, ApiTokenLimit.TABLES) == 1
        for number in range(3):
            opened(ann, f"n{number}")
        bot.ask("leave", room=rooms[0])
        opened(bot, "n3")


def test_a_program_opens_so_many_tables_in_an_hour() -> None:
    with limited(new_tables=2) as simulation:
        bot = program(simulation, "Robo")
        for number in range(2):
            bot.ask("leave", room=opened(bot, f"n{number}")["id"])
        refused = bot.ask("open", game="tictactoe", nonce="n2")
        assert (code(refused), refused[0]["nonce"]) == ("rate_limited", "n2")
        assert refused_by(simulation, ApiTokenLimit.NEW_TABLES) == 1
        simulation.wait(3_601)
        opened(bot, "n3")


def test_the_frames_of_a_program_above_its_limit_are_read_later() -> None:
    with limited(messages=10) as simulation:
        bot, ann = program(simulation, "Robo"), simulation.native_client("Ann")
        bot.connection.transport.pause_reading = bot.connection.transport.resume_reading = lambda: None  # type: ignore[method-assign]
        for number in range(30):
            bot.send("ping", n=number)
        answered = [notice["n"] for notice in bot.received()]
        assert answered == list(range(len(answered)))
        assert len(answered) < 15
        # People are not slowed down.
        assert len([ann.ask("ping", n=number) for number in range(30)]) == 30
        simulation.wait(3)
        answered += [notice["n"] for notice in bot.received()]
        assert answered == list(range(30))
        assert refused_by(simulation, ApiTokenLimit.MESSAGES) > 0


@pytest.mark.parametrize("most", [1, 3])
def test_a_token_has_so_many_connections_and_closed_ones_do_not_count(most: int) -> None:
    with limited(connections=most) as simulation:
        limits = simulation.hall.account_services.token_limits
        token = ApiToken("t", b"t", Person("p"), "t", Millis(0))
        peers = [simulation.native_client() for _ in range(most + 1)]
        for peer in peers[:most]:
            assert limits.connect(peer.connection, token)
            assert limits.connect(peer.connection, token), "to say hello again is no further connection"
            peer.connection.session_key, peer.connection.bot = token.key, True
        assert limits.connections == most
        assert not limits.connect(peers[most].connection, token)
        assert refused_by(simulation, ApiTokenLimit.CONNECTIONS) == 1
        peers[0].disconnect()
        assert limits.connections == most - 1
        assert limits.connect(peers[most].connection, token)


def test_connections_whose_token_has_expired_are_named(simulation: HallSimulation) -> None:
    peer, limits = simulation.native_client("Robo"), simulation.hall.account_services.token_limits
    assert peer.connection.person is not None
    token = ApiToken("t", b"t", peer.connection.person, "t", Millis(0), None, Millis(9_000))
    assert limits.connect(peer.connection, token)
    peer.connection.session_key, peer.connection.bot = token.key, True
    assert limits.expired(Millis(8_999)) == ()
    assert limits.expired(Millis(9_000)) == (peer.connection,)
    peer.disconnect()
    assert limits.expired(Millis(9_000)) == ()
