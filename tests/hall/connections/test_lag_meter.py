"""The lag of a client is the time that the server measures from a ping to its answer."""

from typing import Any

from qipai.hall.connections.lag_meter import SAMPLES, LagMeter
from qipai.kernel.ids import Millis
from tests.support.hall_simulation import HallSimulation, NativeClient


def answered(meter: LagMeter, after: int) -> int | None:
    payload = meter.ping(Millis(1_000))
    return meter.pong(payload, Millis(1_000 + after))


def test_the_quickest_of_the_last_answers_counts() -> None:
    meter = LagMeter()
    assert meter.pong(b"", Millis(5)) is None
    assert answered(meter, 80) == 80
    assert not meter.is_settled
    assert answered(meter, 900) == 80
    assert answered(meter, 120) == 80
    assert meter.is_settled
    for _ in range(SAMPLES - 1):
        answered(meter, 300)
    assert answered(meter, 350) == 300


def test_a_pong_that_answers_no_ping_measures_nothing() -> None:
    meter = LagMeter()
    payload = meter.ping(Millis(1_000))
    assert meter.pong(bytes(len(payload) + 1), Millis(1_001)) is None
    assert meter.pong(payload, Millis(1_070)) == 70
    assert meter.pong(payload, Millis(1_071)) == 70, "it was answered before"
    late = meter.ping(Millis(2_000))
    assert meter.ping(Millis(4_000)) == late, "a ping that is repeated is measured from its first sending"
    assert meter.ping(Millis(12_000)) != late
    assert meter.pong(late, Millis(12_001)) == 70, "nobody waits longer for an answer"


def test_a_lag_above_the_time_between_two_pings_is_measured() -> None:
    meter = LagMeter()
    first = meter.ping(Millis(0))
    meter.ping(Millis(2_000))
    assert meter.pong(first, Millis(2_500)) == 2_500


def delay_pongs(client: NativeClient, seconds: float) -> None:
    simulation = client.simulation

    def pong(payload: bytes) -> None:
        simulation.loop.call_later(seconds, client._pong, payload)

    client.transport.pong = pong


def move(
    simulation: HallSimulation, clients: tuple[NativeClient, ...], room: str, seat: int, cell: int
) -> Any:
    """Let a player think for two seconds and mark a cell; return the clock after it."""
    simulation.wait(2)
    notices = clients[seat].ask("play", room=room, move={"do": "mark", "cell": cell}, nonce=f"{cell}")
    return notices[-1]["clock"]


def test_lag_is_shown_at_the_table_and_compensated(simulation: HallSimulation) -> None:
    plan = {"main": [60_000]}
    ann, bob, shown = simulation.running_room(clock=plan)
    assert shown["room"]["table"]["clock"] == plan | {"lag_compensation": True}
    delay_pongs(ann, 0.2)
    delay_pongs(bob, 0.04)
    simulation.wait(8)
    room, first = shown["room"]["id"], shown["room"]["to_act"][0]
    clock = move(simulation, (ann, bob), room, first, 0)
    before = clock["left"][1 - first]
    clock = move(simulation, (ann, bob), room, 1 - first, 1)
    assert clock["lags"] == clock["compensated"] == [200, 40]
    used = before - clock["left"][1 - first]
    assert used == 2_000 - clock["compensated"][1 - first]


def test_a_client_that_answers_pings_late_gains_the_quota_and_no_more(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room(clock={"main": [60_000]})
    delay_pongs(ann, 1.9)
    simulation.wait(12)
    room, first = shown["room"]["id"], shown["room"]["to_act"][0]
    gained = []
    for turn, cell in enumerate((0, 1, 2, 4, 3, 5, 7, 6)):
        seat = (first + turn) % 2
        clock = move(simulation, (ann, bob), room, seat, cell)
        if seat == 0:
            gained.append(clock["compensated"][0])
    assert gained == [500] * 4
    assert clock["lags"][0] >= 1_900
