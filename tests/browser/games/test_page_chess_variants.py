"""Dice, fog and mines in real browsers."""

import json
import re
import time
from pathlib import Path
from typing import Final

import chess
import pytest
from playwright.sync_api import WebSocket, expect
from websockets.sync.client import connect

from qipai.games.chess import pgn_reader, pgn_writer
from tests.browser.chessboard import (
    download,
    expect_replay,
    expect_square,
    moves,
    open_chess,
    play,
    play_anything,
    resign,
    sit_down,
    to_act,
)
from tests.browser.conftest import Visitor
from tests.browser.person import PHONE, choose_opponent, unfold

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FEN: Final = re.compile(r"[pnbrqkPNBRQK1-8]{1,8}(/[pnbrqkPNBRQK1-8]{1,8}){7}")


def test_dice_limit_the_moves_and_both_see_the_same_rolls(visitor: Visitor, tmp_path: Path) -> None:
    ada, bo, _ = sit_down(visitor, dice="sequential")
    for _ in range(10):
        person = to_act(ada, bo)
        if person is None:
            break
        # The dice are loaded after the board.
        expect(person.page.locator(".die-name")).to_have_count(3)
        names = person.page.locator(".die-name").all_inner_texts()
        for one in (ada, bo):
            expect(one.page.locator(".die-name")).to_have_text(names)
        free = person.status.inner_text().startswith("Check!")
        if not free:
            present = person.page.locator(".die-next .die-name").inner_text()
            background = "getComputedStyle(document.querySelector('.die-next')).backgroundColor"
            assert person.page.evaluate(background) == "rgb(246, 234, 208)"
            # The king may move if no piece of that kind can, and a check can always be answered.
            excused = person.page.get_by_role("button", name="Skip die").or_(
                person.page.locator("square.check")
            )
            assert present in person.status.inner_text() or excused.count()
        play_anything(person)
    if to_act(ada, bo) is not None:
        resign(ada)
    for one in (ada, bo):
        expect(one.page.get_by_role("table")).to_be_visible()
    texts = [one.page.locator(".moves-round").all_inner_texts() for one in (ada, bo)]
    assert texts[0] == texts[1]
    text = download(ada, tmp_path / "game.pgn")
    record = pgn_reader.read_pgn(text)
    assert pgn_writer.write_pgn(record) == text
    # A later visitor sees the same as the others.
    ada.page.reload()
    shown = pgn_reader.read_pgn(download(ada, tmp_path / "again.pgn"))
    assert (record.moves, record.sides, record.rolls) == (shown.moves, shown.sides, shown.rolls)
    assert len(record.moves) >= 1
    expect_replay(ada)


def test_a_bot_plays_with_dice(visitor: Visitor) -> None:
    ada = visitor(size=PHONE)
    open_chess(ada, bot="level1", dice="sequential")
    answers = ada.page.locator(".moves-black")
    for _ in range(40):
        if answers.count() or to_act(ada) is None:
            break
        play_anything(ada)
    expect(answers.first).to_be_attached()


def sights(board: chess.Board, colour: chess.Color) -> set[str]:
    """Return the visible squares of a side: its pieces, their destinations, and checking pieces."""
    board = board.copy()
    board.turn = colour
    seen = {move.to_square for move in board.legal_moves} | set(chess.SquareSet(board.occupied_co[colour]))
    return {chess.square_name(one) for one in seen | set(board.checkers())}


def test_no_frame_reveals_what_fog_hides(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor, fog=True)
    frames: list[str] = []
    sent: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda payload: frames.append(str(payload)))
        socket.on("framesent", lambda payload: sent.append(str(payload)))

    bo.page.on("websocket", listen)
    bo.page.reload()
    expect(bo.page.locator(".action-bar-playing")).to_be_visible()
    line = ("e2e4", "e7e5", "g1f3", "b8c6", "b1c3", "g8f6", "d2d4", "e5d4", "f3d4")
    board = chess.Board()
    unseen = []
    for number, uci in enumerate(line):
        frames.clear()
        play((ada, bo)[number % 2], uci)
        # What is seen of a move may look like the board before it: wait for the frame that tells of it.
        until = time.monotonic() + 60
        while not any('"moved_in_fog"' in frame for frame in frames):
            assert time.monotonic() < until
            bo.page.wait_for_timeout(20)
        board.push_uci(uci)
        seen = sights(board, chess.BLACK)
        if number % 2 == 0 and uci[2:4] not in seen:
            unseen.append(uci)
        for name in chess.SQUARE_NAMES:
            if name in seen:
                piece = board.piece_at(chess.parse_square(name))
                colour = "" if piece is None else "white " if piece.color else "black "
                expect_square(bo, name, f"{colour}{chess.piece_name(piece.piece_type)}" if piece else "empty")
            else:
                expect_square(bo, name, "fog")
        text = "".join(frames)
        assert not FEN.search(text)
        assert not any(hidden in text for hidden in unseen)
        for frame in map(json.loads, frames):
            for event in frame.get("events", ()):
                if event["e"] == "moved_in_fog":
                    assert event["board"] == seen_board(board, seen)
                else:
                    assert event["e"] in {"said", "disconnected", "reconnected"}
    assert len(unseen) >= 3
    assert bo.page.locator("square.fog").count() == 64 - len(seen)

    sent.clear()
    resign(ada)
    expect(bo.page.locator("square.fog")).to_have_count(0)
    assert '"secrets_revealed"' in "".join(frames)
    assert not any('"type":"watch"' in frame for frame in sent), "hidden parts are sent without a request"
    expect_square(bo, "d4", "white knight, last move")
    bo.press("Show the board")
    bo.page.get_by_label("Show fog as I saw it").check()
    expect_square(bo, "a1", "fog")
    bo.press("First move")
    expect(bo.page.locator("square.fog")).to_have_count(32)


def seen_board(board: chess.Board, seen: set[str]) -> str:
    """Return 64 characters from a8 to h1: a piece, `.` or `?`."""
    signs = ""
    for rank in reversed(range(8)):
        for file in range(8):
            one = chess.square(file, rank)
            piece = board.piece_at(one)
            letter = piece.symbol() if piece else "."
            signs += letter if chess.square_name(one) in seen else "?"
    return signs


def test_a_mine_removes_a_piece_and_leaves_a_count(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor, mines=20)
    for one in (ada, bo):
        expect(one.page.get_by_text("20 mines left")).to_be_visible()
        expect(one.page.locator("square.mine")).to_have_count(0)
    for number in range(16):
        # The squares of the board are drawn a frame later.
        if ada.page.locator('[aria-label*="crater"]').count():
            break
        file = "ahbgcfde"[number // 2]
        play((ada, bo)[number % 2], (f"{file}2{file}3", f"{file}7{file}6")[number % 2])
        # The other page may be late; do not trigger a second mine.
        expect(moves(ada).nth(number)).to_be_attached()
    for one in (ada, bo):
        crater = one.page.locator('[aria-label*="crater"]')
        expect(crater).to_have_count(1)
        expect(crater).to_have_attribute("aria-label", re.compile("^..: empty,.* mines? around$"))
        expect(one.page.get_by_text("19 mines left")).to_be_visible()
        expect(one.page.locator("p[aria-live]")).to_have_text(
            re.compile("A mine on .. exploded: the pawn is lost")
        )
        expect(one.page.get_by_role("img", name="Captured: pawn")).to_be_visible()
    resign(ada)
    expect(bo.page.locator("square.mine")).to_have_count(19)
    expect_replay(bo)
    expect(bo.page.locator("square.crater")).to_have_count(1)


def test_the_lobby_shows_the_options_of_a_table(visitor: Visitor) -> None:
    ada, bo = visitor(), visitor(size=PHONE)
    ada.call_me("Ada of the twists")
    open_chess(ada, dice="free", fog=True, mines=7)
    row = bo.page.locator(".row", has_text="Ada of the twists")
    expect(row.locator(".tag")).to_have_text(["dice in any order", "fog of war", "7 mines"])
    assert bo.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    bo.page.get_by_label("Language").select_option("zh-Hant")
    expect(row.locator(".tag").first).to_have_text("骰子不限順序")
    # A phone shows all of them at the table too.
    row.locator(".row-sit").click()
    expect(bo.page.locator(".action-bar-playing")).to_be_visible()
    for tag in bo.page.locator(".table-head .tag").all():
        expect(tag).to_be_in_viewport(ratio=1)


def test_an_opponent_that_sees_hidden_information_is_marked(visitor: Visitor) -> None:
    ada = visitor()
    host = f"ws://{ada.address.removeprefix('http://')}/"
    with connect(host) as older:
        older.send(json.dumps({"action": "createRoom"}))
        room = json.loads(older.recv(60))["room"]
        ada.visit(f"/c/{room}")
        # The host may choose fog when the game starts, so it is said before.
        expect(ada.page.get_by_role("dialog")).to_contain_text("may receive all hidden information")
        ada.press("Join anyway")
        expect(ada.status).to_have_text(re.compile("^Waiting for .* to start"))
        modes = {"gameModes": {"霧戰": True}, "minePositions": []}
        older.send(json.dumps({"action": "startGame", "room": room, "hostColor": "White"} | modes))
        other, own = ada.page.locator(".player").all()
        expect(other.get_by_role("button", name="sees hidden information")).to_be_visible()
        expect(own.get_by_role("button", name="sees hidden information")).to_have_count(0)
        expect(ada.page.locator("square.fog")).to_have_count(32)
        other.get_by_role("button", name="sees hidden information").click()
        expect(ada.page.locator(".toast")).to_contain_text("receives all hidden information")


def test_a_player_is_told_before_sitting_down_where_others_may_see_everything(visitor: Visitor) -> None:
    ada, bo = visitor(), visitor()
    ada.press("Open your own table")
    dialog = ada.page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Chess", exact=True).check()
    choose_opponent(dialog)
    unfold(dialog)
    allowed = dialog.get_by_role("switch", name="Admit programs that receive all hidden information")
    expect(allowed).to_have_count(0)
    dialog.get_by_role("checkbox", name="Fog").check()
    allowed.check()
    dialog.get_by_role("button", name="Open table").click()
    ada.at_table()
    expect(ada.page.locator(".rules")).to_contain_text(
        "Programs that receive all hidden information may join."
    )
    row = bo.page.locator(".row").first
    expect(row).to_contain_text("hidden information may be seen")
    row.locator(".row-sit").click()
    dialog = bo.page.get_by_role("dialog")
    expect(dialog).to_contain_text("may receive all hidden information")
    dialog.get_by_role("button", name="Cancel").click()
    expect(ada.page.locator(".table-waiting")).to_be_visible()
    bo.page.get_by_label("Language").select_option("zh-Hant")
    bo.page.locator(".row").first.locator(".row-sit").click()
    expect(dialog).to_contain_text("這一桌其他玩家的程式可能會收到所有隱藏資訊")
    dialog.get_by_role("button", name="仍要入座").click()
    expect(bo.page.locator(".action-bar-playing")).to_be_visible()
