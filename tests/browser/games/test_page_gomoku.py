"""Gomoku in real browsers: board, move list, offers, touch and keyboard."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from qipai.games.gomoku import sgf
from tests.browser.conftest import Visitor
from tests.browser.person import DESKTOP, PHONE, Caller, Person, spot

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BLACK = ("H8", "I9", "G7", "J10", "F6")
WHITE = ("H9", "I8", "G9", "J9")
ANSWERING = re.compile("^(Accept|Decline)$")


@pytest.fixture
def caller(address: str) -> Iterator[Callable[[str], Caller]]:
    """Return a function that connects an older client."""
    with ExitStack() as stack:

        def call(nickname: str) -> Caller:
            stack.callback((made := Caller(address, nickname)).line.close)
            return made

        yield call


def sit_down(visitor: Visitor, size: tuple[int, int] = DESKTOP) -> tuple[Person, Person, str]:
    """Return black, white in a window of this size, and the route of their table."""
    ada = visitor()
    ada.call_me("Ada")
    route = ada.open_table(game="Gomoku")
    bo = visitor(route, size=size)
    bo.press("Join the game")
    expect(ada.status).to_have_text("Your turn")
    return ada, bo, route


def play(black: Person, white: Person, moves: int) -> None:
    """Let black win with the ninth stone."""
    for number in range(moves):
        one, points = ((black, BLACK), (white, WHITE))[number % 2]
        one.place(points[number // 2])


def expect_colours(person: Person, *colours: str) -> None:
    """Wait until the players above and below the board have these colours."""
    for number, colour in enumerate(colours):
        badge = person.page.locator(".player [role=img]").nth(number)
        expect(badge).to_have_attribute("aria-label", colour)


def is_sharp(board: Locator) -> bool:
    """Tell whether the canvas has the resolution of the screen."""
    return bool(
        board.locator("canvas").evaluate(
            "canvas => Math.abs(canvas.width - canvas.getBoundingClientRect().width * devicePixelRatio) < 1"
        )
    )


def test_two_players_play_to_a_win_with_a_spectator(visitor: Visitor, tmp_path: Path) -> None:
    ada, bo, route = sit_down(visitor, PHONE)
    cy = visitor(route)
    expect(cy.page.get_by_text("You are watching.")).to_be_visible()
    expect(cy.page.get_by_role("gridcell")).to_have_count(225)
    ada.place("H8")
    cy.expect_point("H8", "black, last stone")
    bo.place("H9")
    cy.expect_point("H9", "white, last stone")
    cy.expect_point("H8", "black")
    expect(cy.page.locator("p[aria-live]")).to_have_text(re.compile("^White H9"))
    cy.point("A1").click(force=True)
    cy.expect_point("A1", "empty")
    for mine, theirs in zip(BLACK[1:4], WHITE[1:], strict=True):
        ada.place(mine)
        bo.place(theirs)
    ada.place(BLACK[4])

    expect(ada.status).to_have_text("You won by five in a row")
    for one in (bo, cy):
        expect(one.status).to_have_text("Ada won by five in a row")
        expect(one.page.locator('[aria-label*="winning line"]')).to_have_count(5)
        for point in BLACK:
            one.expect_point(point, "black.*winning line")
    expect(cy.page.locator("p[aria-live]")).to_have_text(re.compile("^Black F6. Five in a row."))

    with cy.page.expect_download() as download:
        cy.press("Download SGF")
    download.value.save_as(tmp_path / "game.sgf")
    sheet = sgf.read_sgf((tmp_path / "game.sgf").read_text())
    assert (sheet.black, sheet.result, len(sheet.moves)) == ("Ada", "B+", 9)

    # Colours change in the next game.
    expect_colours(ada, "white", "black")
    ada.press("Rematch")
    bo.press("Accept")
    expect(bo.status).to_have_text("Your turn")
    expect_colours(ada, "black", "white")
    expect_colours(cy, "white", "black")
    cy.expect_point("H8", "empty")
    bo.place("H8")
    cy.expect_point("H8", "black")


def test_a_takeback_needs_the_opponents_consent(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor)
    expect(ada.page.get_by_role("button", name="Undo")).to_be_disabled()
    play(ada, bo, 3)
    ada.press("Undo")
    expect(ada.page.get_by_text("Takeback requested.")).to_be_visible()
    expect(ada.page.get_by_role("button", name=ANSWERING)).to_have_count(0)
    answer = bo.page.get_by_role("alert")
    expect(answer).to_contain_text("Ada asks for a takeback.")
    below = answer.bounding_box()
    board = bo.board.bounding_box()
    assert below is not None
    assert board is not None
    assert below["x"] >= board["x"] + board["width"], "the question stands beside the board"
    bo.press("Decline")
    expect(ada.page.locator(".toast")).to_contain_text("declined")
    ada.expect_point("I9", "black")
    bo.press("Undo")
    ada.press("Accept")
    for one in (ada, bo):
        one.expect_point("I9", "empty")
        one.expect_point("H9", "white, last stone")
    ada.place("A15")
    bo.expect_point("A15", "black")


def test_colours_may_be_swapped_before_the_first_stone(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor)
    expect_colours(ada, "white", "black")
    bo.press("Swap")
    expect(ada.page.get_by_role("alert")).to_contain_text("asks to swap colours.")
    ada.press("Accept")
    expect(bo.status).to_have_text("Your turn")
    expect_colours(ada, "black", "white")
    expect(ada.page.locator("p[aria-live]")).to_have_text(re.compile("Colours were swapped. You play white."))
    bo.place("H8")
    ada.expect_point("H8", "black")
    for one in (ada, bo):
        expect(one.page.get_by_role("button", name="Swap")).to_have_count(0)


def test_stepping_back_is_not_interrupted_by_new_moves(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor)
    play(ada, bo, 4)
    expect(bo.page.locator(".moves-move")).to_have_text(["H8", "H9", "I9", "I8"])
    bo.press("Previous move")
    bo.press("Previous move")
    expect(bo.status).to_have_text("Viewing move 2 of 4.")
    expect(bo.page.locator(".gomoku-earlier")).to_be_visible()
    bo.expect_point("H9", "white, last stone")
    bo.expect_point("I9", "empty")
    ada.place("G7")
    expect(bo.status).to_have_text("Viewing move 2 of 5. A new move was played.")
    bo.expect_point("G7", "empty")
    bo.point("A1").click(force=True)
    bo.expect_point("A1", "empty")
    bo.page.keyboard.press("Shift+ArrowRight")
    expect(bo.status).to_have_text(re.compile("^Viewing move 3 of 5."))
    bo.press("Back to the game")
    expect(bo.page.locator(".gomoku-earlier")).to_have_count(0)
    bo.place("G9")

    bo.page.locator(".moves-list").focus()
    for key, step in (("ArrowLeft", 5), ("Home", 0), ("ArrowRight", 1)):
        bo.page.keyboard.press(key)
        expect(bo.status).to_have_text(f"Viewing move {step} of 6.")
        expect(bo.page.locator("p[aria-live]")).to_have_text(f"Viewing move {step} of 6.")
    bo.page.keyboard.press("End")
    expect(bo.status).to_have_text("Ada's turn")

    # The same after the game.
    ada.press("Resign")
    ada.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(bo.status).to_have_text("You won by resignation")
    bo.page.locator(".moves-move", has_text="I9").click()
    expect(bo.status).to_have_text("Viewing move 3 of 6.")
    bo.expect_point("I9", "black, last stone")
    bo.press("Last move")
    expect(bo.status).to_have_text("You won by resignation")


def test_touch_on_a_small_screen_needs_a_second_tap(visitor: Visitor) -> None:
    ada = visitor(size=PHONE, has_touch=True, is_mobile=True, device_scale_factor=3)
    bo = visitor(ada.open_table(game="Gomoku"))
    bo.press("Join the game")
    expect(ada.status).to_have_text("Your turn")
    assert ada.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    bottom = ada.page.evaluate("document.querySelectorAll('.player')[1].getBoundingClientRect().bottom")
    assert bottom <= PHONE[1], "the board and both players fit on the screen"

    ada.point("H8").tap()
    expect(ada.status).to_have_text("H8? Tap again to place.")
    ada.expect_point("H8", "empty, not confirmed")
    ada.point("G7").tap()
    expect(ada.status).to_have_text("G7? Tap again to place.")
    bo.expect_point("H8", "empty")
    ada.point("G7").tap()
    bo.expect_point("G7", "black")
    bo.place("H8")
    ada.point("I9").tap()
    ada.press("Place I9")
    bo.expect_point("I9", "black")
    assert ada.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]


def test_a_click_snaps_to_the_nearest_intersection(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor)
    box = ada.page.locator(".gomoku").bounding_box()
    assert box is not None
    pitch = box["width"] / 16
    ada.page.mouse.click(box["x"] + 4.4 * pitch, box["y"] + 2.6 * pitch)
    bo.expect_point("D13", "black")
    bo.page.mouse.click(box["x"] + 15.9 * pitch, box["y"] + 15.9 * pitch)
    ada.expect_point("O1", "white")


def test_the_keyboard_works_and_a_move_survives_a_disconnect(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor)
    ada.point("H8").focus()
    for key in ("ArrowUp", "ArrowRight", "Enter"):
        ada.page.keyboard.press(key)
    bo.expect_point("I9", "black")
    expect(bo.page.locator("p[aria-live]")).to_have_text("Black I9. Your turn")
    bo.cut()
    bo.point("I9").focus()
    bo.page.keyboard.press("ArrowDown")
    bo.page.keyboard.press("Enter")
    expect(bo.point("I8")).to_have_class(re.compile("pending"))
    expect(bo.status).to_have_text("Your move is saved")
    ada.expect_point("I8", "empty")
    bo.mend()
    ada.expect_point("I8", "white")
    expect(bo.point("I8")).not_to_have_class(re.compile("pending"))


@pytest.mark.parametrize("ratio", [1, 1.5, 2])
def test_the_canvas_has_the_resolution_of_the_screen(visitor: Visitor, ratio: float) -> None:
    ada = visitor(device_scale_factor=ratio)
    ada.open_table(game="Gomoku")
    board = ada.page.locator(".gomoku")
    for width, height in ((1280, 800), (1000, 600), (500, 900)):
        ada.page.set_viewport_size({"width": width, "height": height})
        for _ in range(100):
            if is_sharp(board):
                break
            ada.page.wait_for_timeout(20)
        assert is_sharp(board)


def test_the_chosen_bot_answers(visitor: Visitor) -> None:
    ada = visitor()
    ada.open_table(game="Gomoku", bot="easy", listed=False, clock=5)
    expect(ada.page.get_by_text("Novice")).to_be_visible()
    expect(ada.page.get_by_role("timer")).to_have_count(2)
    ada.place("H8")
    expect(ada.status).to_have_text("Your turn")
    expect(ada.page.locator('[role=gridcell][aria-label*=": white"]')).to_have_count(1)


def test_a_quick_match_is_for_the_chosen_game_and_the_list_names_it(visitor: Visitor) -> None:
    ada, bo, cy = visitor(), visitor(), visitor()
    ada.call_me("Ada of five")
    route = ada.quick_match("Gomoku")
    row = cy.page.locator(".row", has_text="Ada of five")
    for text in (
        "Gomoku",
        "open seat",
        "waiting",
        ada.page.locator(".invite-panel-code").inner_text(),
    ):
        expect(row).to_contain_text(text)
    bo.choose("Gomoku")
    bo.page.reload()
    expect(bo.chosen_game).to_have_text("Gomoku")
    assert bo.quick_match("Gomoku") == route
    expect(row).to_contain_text("playing")


def test_emoji_shortcuts_are_replaced(visitor: Visitor) -> None:
    ada, bo, _ = sit_down(visitor)
    ada.page.get_by_label("Message").fill("hi :) see https://example.org/:) <3")
    ada.press("Send")
    expect(bo.page.get_by_role("log")).to_contain_text("hi 😊 see https://example.org/:) ❤️")


def test_an_older_client_and_the_page_watch_together(
    visitor: Visitor, caller: Callable[[str], Caller]
) -> None:
    ada, bo, route = sit_down(visitor)
    cy, dan = visitor(route), caller("Dan")
    expect(cy.page.get_by_text("You are watching.")).to_be_visible()
    ada.place(BLACK[0])
    welcome = dan.enter("join-room", roomId=ada.page.locator(".code").inner_text(), asWatcher=True)
    assert (welcome["role"], welcome["room"]["players"]["black"]["nickname"]) == ("watcher", "Ada")
    x, y = spot(BLACK[0])
    assert welcome["room"]["history"] == [{"x": x, "y": y, "color": 1}]
    assert dan.hear("room-updated")["status"] == "playing"
    dan.place("A1")
    assert dan.hear("error")["code"] == "watcher"

    # During the game, spectators chat among themselves.
    dan.say("chat-message", message="hello <b> :)")
    assert dan.hear("chat-received")["message"] == "hello ＜b＞ 😊"
    expect(cy.page.get_by_role("log")).to_contain_text("hello <b> 😊")
    ada.page.get_by_label("Message").fill("good luck <3")
    ada.press("Send")
    assert dan.hear("chat-received")["message"] == "good luck ❤️"
    expect(bo.page.get_by_role("log")).to_contain_text("good luck ❤️")
    for player in (ada, bo):
        expect(player.page.get_by_role("log")).not_to_contain_text("hello")

    for mine, theirs in zip(BLACK[1:], WHITE, strict=True):
        bo.place(theirs)
        dan.expect_stone(theirs, 2)
        ada.place(mine)
        last = dan.expect_stone(mine, 1, *(("game-over",) if mine == BLACK[4] else ()))
    assert (last["status"], last["winner"], len(last["history"])) == ("ended", 1, 9)
    expect(cy.status).to_have_text("Ada won by five in a row")
    dan.say("chat-message", message="well played")
    for one in (ada, bo, cy):
        expect(one.page.get_by_role("log")).to_contain_text("well played")


def test_an_older_client_plays_against_the_page(visitor: Visitor, caller: Callable[[str], Caller]) -> None:
    dan, ada = caller("Dan of old"), visitor()
    assert dan.enter("create-room", name="<i>客厅</i>")["role"] == "black"
    ada.call_me("Ada")
    row = ada.page.locator(".row", has_text="Dan of old")
    expect(row).to_contain_text("<i>客厅</i>")
    row.get_by_role("button", name="Sit down").click()
    assert dan.hear("player-joined") == {"nickname": "Ada", "role": "white"}
    assert dan.hear("room-updated")["status"] == "playing"
    for number, point in enumerate(BLACK):
        dan.place(point)
        if point == BLACK[4]:
            break
        dan.expect_stone(point, 1)
        ada.expect_point(point, "black, last stone")
        ada.place(WHITE[number])
        dan.expect_stone(WHITE[number], 2)
    assert dan.hear("stone-placed", "game-over") == {
        "winner": 1,
        "winningStones": [dict(zip("xy", spot(point), strict=True)) for point in sorted(BLACK)],
    }
    assert dan.hear("room-updated")["winner"] == 1
    expect(ada.status).to_have_text("Dan of old won by five in a row")
    expect(ada.page.locator('[aria-label*="winning line"]')).to_have_count(5)

    ada.press("Rematch")
    assert dan.hear("rematch-requested") == {"from": "Ada"}
    dan.say("request-rematch")
    assert dan.hear("rematch-start")["newRole"] == "white"
    dan.hear("room-updated")
    ada.place("H8")
    dan.expect_stone("H8", 1)
    dan.say("request-undo")
    ada.press("Accept")
    assert dan.hear("undo-result")["accepted"] is True
    dan.hear("room-updated")
    ada.expect_point("H8", "empty")
    dan.say("leave-room")
    expect(ada.status).to_have_text(re.compile("^You won"))
