"""Metrics of accounts and moderation, as Prometheus reads them from a real server."""

import http.client
from contextlib import closing

import pytest

from tests.server.operators.desk import Desk, wait_for
from tests.support.server import Client

pytestmark = pytest.mark.slow


def metrics(desk: Desk) -> dict[str, float]:
    with closing(http.client.HTTPConnection("127.0.0.1", desk.server.port, timeout=60)) as connection:
        connection.request("GET", "/metrics")
        lines = connection.getresponse().read().decode().splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")}


def test_accounts_and_sign_ins_are_counted(desk: Desk) -> None:
    before = metrics(desk)
    desk.account("Counted Cora")
    stranger = desk.account("Counted Carl")
    for _ in range(3):
        assert stranger.post("sign-in", name="Counted Cora", password="wrong horse battery").status == 401
    wait_for(lambda: metrics(desk)["qipai_accounts"] == before["qipai_accounts"] + 2)
    after = metrics(desk)
    assert after["qipai_sign_ins_total"] == before["qipai_sign_ins_total"] + 2
    failed = 'qipai_sign_in_refusals_total{reason="sign_in_failed"}'
    assert after[failed] == before[failed] + 3
    assert after["qipai_password_hashes_waiting"] == 0
    for database in ("store", "archive", "accounts"):
        assert after[f'qipai_database_errors_total{{database="{database}"}}'] == 0
    assert after["qipai_archive_round_age_seconds"] < 60
    assert after["qipai_rated_matches_total"] == 0


def test_open_reports_and_sanctions_in_force_are_counted(desk: Desk) -> None:
    muted = 'qipai_sanctions{kind="mute"}'
    assert metrics(desk)[muted] == 0
    desk.account("Loud Lou")
    desk.operator.done("/sanctions", kind="mute", person=desk.person_of("Loud Lou"), reason="loud")
    wait_for(lambda: metrics(desk)[muted] == 1)
    assert metrics(desk)["qipai_reports_open"] == 0
    ann = Client(desk.server.port, name="Ann")
    room = ann.ask("open", "room", game="tictactoe", nonce="o")["room"]["id"]
    ann.ask("report", "unchanged", room=room, text="please look", nonce="r")
    ann.close()
    wait_for(lambda: metrics(desk)["qipai_reports_open"] == 1)
    (report,) = desk.operator.get("/reports?state=open").body["reports"]
    desk.operator.done(f"/reports/{report['id']}/close")
    wait_for(lambda: metrics(desk)["qipai_reports_open"] == 0)
