"""Quick match: whom it seats together, and where it seats nobody."""

from typing import Any

from tests.support.hall_simulation import HallSimulation

FOG = {"fog": True}


def players(shown: Any) -> list[str | None]:
    return [seat and seat["name"] for seat in shown["room"]["seats"]]


def test_players_who_want_the_same_options_and_clock_meet(simulation: HallSimulation) -> None:
    ann, bob, cyd = (simulation.native_client(name) for name in ("Ann", "Bob", "Cyd"))
    clock = {"main": [180_000], "increment": 2_000}
    ann.ask("quick_match", game="chess", options=FOG, clock=clock)
    (shown,) = cyd.ask("quick_match", game="chess", options=FOG)
    assert players(shown) == ["Cyd", None]
    shown = bob.ask("quick_match", game="chess", options=FOG, clock=clock)[-1]
    assert set(players(shown)) == {"Ann", "Bob"}


def test_nobody_is_seated_unasked_where_others_may_see_what_is_hidden(simulation: HallSimulation) -> None:
    ann, bob = simulation.native_client("Ann"), simulation.native_client("Bob")
    table = {"sees_hidden_allowed": True}
    room = ann.ask("open", game="chess", nonce="t", options=FOG, table=table)[0]["room"]["id"]
    (refused,) = bob.ask("join", room=room)
    assert refused["code"] == "sees_hidden"
    (shown,) = bob.ask("quick_match", game="chess", options=FOG)
    assert shown["room"]["id"] != room
    assert players(shown) == ["Bob", None]


def test_mahjong_is_matched_with_sixteen_tiles(simulation: HallSimulation) -> None:
    (shown,) = simulation.native_client("Ann").ask("quick_match", game="mahjong")
    assert shown["room"]["options"]["tiles"] == 16
