"""The scenarios of the benchmark for many tables, memory, bots and finished games."""

import asyncio
from pathlib import Path

import pytest

from bench.load.bot_games import choose
from bench.load.chess_games import play_games
from bench.load.counters import LoadCounters
from bench.load.http_client import buckets, get, metric
from bench.load.measurement import Measurement
from bench.load.notices import read
from bench.load.pacing import FixedRate
from bench.load.shared_tables import SharedConnection, SharedTables
from bench.scale import FULL, QUICK
from bench.scenarios import NOT_QUICK, SCENARIOS
from bench.scenarios.archived_moves import Archived, archived_rows, empty_journal
from bench.scenarios.bots import BotRun, bot_rows
from bench.scenarios.gomoku_memory import memory_row
from bench.scenarios.growth import LAG, Growth, growth_row, pauses
from bench.servers import qipai_server
from qipai.stores.sqlite_store import SqliteStore
from tests.benchmarks.test_bench import events

METRICS = """# TYPE qipai_event_loop_lag_seconds histogram
qipai_event_loop_lag_seconds_bucket{le="0.005"} 90.0
qipai_event_loop_lag_seconds_bucket{le="0.01"} 97.0
qipai_event_loop_lag_seconds_bucket{le="0.025"} 100.0
qipai_event_loop_lag_seconds_bucket{le="+Inf"} 100.0
qipai_event_loop_lag_seconds_count 100.0
other_bucket{le="0.01"} 5.0
"""


def run(p99: float) -> Measurement:
    return Measurement("qipai", 1, 20.0, 1, 1.0, 5e-5, 5e-5, 1e-5, 1e-5, 1.0, 0.0, p99 / 2, p99)


def test_the_scenarios_are_registered_and_the_full_run_has_the_sizes_of_the_targets() -> None:
    assert {"growth", "gomoku-memory", "bots", "archived-moves"} <= set(SCENARIOS)
    assert FULL.growth[-2:] == ((10_000, 10_000), (20_000, 500))
    assert set(SCENARIOS) > NOT_QUICK
    assert QUICK.archived_moves < FULL.archived_moves == 1_000_000


def test_pauses_are_counted_between_two_readings_of_the_metrics() -> None:
    after = buckets(METRICS, LAG)
    assert after == {0.005: 90, 0.01: 97, 0.025: 100, float("inf"): 100}
    assert pauses({}, after) == (3, 0.025)
    assert pauses(after, after) == (0, 0.005)
    before = {0.005: 80.0, 0.01: 87.0, 0.025: 90.0, float("inf"): 90.0}
    assert pauses(before, after) == (0, 0.005)


def test_growth_reports_the_spread_and_the_pauses() -> None:
    row = growth_row(
        [Growth(20_000, 500, number, 0.025, run(p99)) for number, p99 in ((0, 0.004), (2, 0.008))]
    )
    assert (row.scenario, row.target, row.met) == ("growth (20,000 tables, 500 play)", "<= 5 ms", False)
    assert "p99 4.0 to 8.0 ms, 2 pauses over 10 ms in 40 s, longest up to 25 ms" in row.note
    assert growth_row([Growth(100, 100, 0, 0.001, run(0.002))]).met is None


def test_a_connection_passes_notices_to_the_seat_at_their_table() -> None:
    acted: list[bytes] = []
    connection = SharedConnection(0, LoadCounters(), lambda player: acted.append(player.room))
    for room in ("r1", "r2"):
        connection.receive(
            read(b'{"type":"room","version":4,"you":1,"room":{"id":"%b","to_act":[0]}}' % room.encode())
        )
    connection.receive(events(5, '{"e":"marked","seat":0,"cell":0}', "[1]"))
    assert acted == [b"r1"]
    assert [seat.version for seat in connection.seats.values()] == [5, 4]


def test_memory_must_be_below_the_limit_and_the_relay() -> None:
    row = memory_row("m", 50.0, [40 * 1024.0, 44 * 1024.0, 48 * 1024.0], [40 * 1024.0] * 3)
    assert (row.qipai, row.reference, row.ratio, row.met) == pytest.approx((44, 40, 1.1, False))
    assert row.note == "40 to 48 kB, reference 40 to 40 kB"


def test_the_player_against_bots_chooses_a_free_point() -> None:
    assert all(0 <= place < 15 for place in choose((), 1))
    x, y = choose((112, 97), 1)
    assert x + 15 * y not in {112, 97}


def test_waits_for_bots_and_delays_of_others_are_reported() -> None:
    median, p99, others = bot_rows([BotRun(20, [3.0, 1.0, 2.0], run(0.002), run(0.003))])
    assert (median.qipai, p99.qipai) == (2, 3)
    assert others.ratio == pytest.approx(1.5)


def test_size_start_and_search_have_targets() -> None:
    searches = {"": [0.001], "?game=chess": [0.01, 0.02, 0.03]}
    rows = archived_rows(Archived(10, 800, 800 * 61, 0.5, 100_000, searches))
    assert [row.met for row in rows] == [False, True, True]
    assert rows[2].qipai == pytest.approx(20)


def test_an_empty_journal_can_be_emptied(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "qipai.db").close()
    empty_journal(tmp_path / "qipai.db")
    assert (tmp_path / "qipai.db").exists()


@pytest.mark.slow
def test_a_server_accepts_shared_tables_and_whole_games() -> None:
    async def play() -> None:
        with qipai_server() as server:
            async with SharedTables(server, '{"main":[60000]}') as tables:
                await tables.fill(3)
                tables.set_pacing(FixedRate(200.0), active=2)
                measurement = await tables.play(0.1, 0.5, timing=True)
                assert measurement.moves > 0
                assert {player.sent for player in tables.pairs[2]} == {0}
            assert await play_games(server, 1, 2) == 2
            assert await metric(server.port, "qipai_rooms_unarchived") >= 0
            body, _ = await get(server.port, "/api/games?game=chess")
            assert body.startswith(b'{"games":')

    asyncio.run(play())
