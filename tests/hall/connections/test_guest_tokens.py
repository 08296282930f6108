"""The token of a guest at each hello: kept, made again in time, or expired."""

from qipai.hall.people.identity import Identity, wall_clock
from qipai.hall.people.signing_keys import SigningKeys, parse_keys, stored_keys
from qipai.kernel.ids import Millis
from tests.support.hall_simulation import HallSimulation, NativeClient, deterministic_entropy

DAY = 24 * 60 * 60 * 1000


def aged(simulation: HallSimulation, token: str, days: float) -> str:
    """Return the token that the same guest got so many days ago."""
    guest = simulation.hall.identity.read_token(token)
    assert guest is not None
    keys = SigningKeys(simulation.store.secret(), lambda: Millis(int(wall_clock() - days * DAY)))
    return Identity(keys, deterministic_entropy()).token(guest)


def test_a_new_token_is_kept(simulation: HallSimulation) -> None:
    ada = simulation.native_client("Ada")
    assert simulation.native_client(token=ada.token).token == ada.token


def test_a_token_that_is_used_lives_on(simulation: HallSimulation) -> None:
    ada = simulation.native_client("Ada")
    room = ada.ask("open", game="tictactoe", nonce="a")[0]["room"]["id"]
    for days in (2, 100, 179.9):
        old = aged(simulation, ada.token, days)
        again = NativeClient(simulation)
        assert again.hello(old)["rooms"] == [room]
        assert again.token not in {old, ""}
        (welcome,) = again.ask("hello", token=aged(simulation, again.token, 179.9))
        assert welcome["rooms"] == [room]


def test_a_token_that_was_not_used_for_180_days_belongs_to_nobody(simulation: HallSimulation) -> None:
    ada = simulation.native_client("Ada")
    ada.ask("open", game="tictactoe", nonce="a")
    late = NativeClient(simulation)
    welcome = late.hello(aged(simulation, ada.token, 180.1))
    assert welcome["rooms"] == []
    assert welcome["name"] != "Ada"
    before, after = map(simulation.hall.identity.read_token, (ada.token, late.token))
    assert before is not None
    assert after is not None
    assert before.person != after.person


def test_after_a_rotation_a_guest_keeps_seats_with_a_token_of_the_new_key(
    simulation: HallSimulation,
) -> None:
    ada = simulation.native_client("Ada")
    room = ada.ask("open", game="tictactoe", nonce="a")[0]["room"]["id"]
    rotated = parse_keys(simulation.store.secret()).rotated(b"new" * 10, wall_clock(), DAY)
    assert simulation.hall.identity._keys.adopt(stored_keys(rotated))
    again = NativeClient(simulation)
    assert again.hello(ada.token)["rooms"] == [room]
    assert again.token != ada.token
    assert simulation.native_client(token=again.token).token == again.token
