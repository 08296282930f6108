"""Drawings and coordinates on boards."""

from typing import Final

import pytest
from playwright.sync_api import expect

from tests.browser.board_gestures import TOUCH, Finger, at_board, cell_of, choose, draw, drawn, middle, places
from tests.browser.chessboard import expect_square, open_chess, play, resign, square, tap
from tests.browser.conftest import Visitor
from tests.browser.person import Person
from tests.browser.table.test_page_replay import FIVE, FOREIGN, show

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_PICTURE: Final = "document.querySelector('.gomoku-canvas').toDataURL()"


def make_move(person: Person, game: str) -> None:
    if game == "Chess":
        play(person, "e2e4")
    else:
        person.place("H8")


@pytest.mark.parametrize("game", ["Chess", "Gomoku"])
def test_arrows_and_circles_are_drawn_with_the_right_button_and_stay_private(
    visitor: Visitor, game: str
) -> None:
    ada, _, route = at_board(visitor, game)
    cy = visitor(route)
    sent: list[str] = []
    for person in (ada, cy):
        person.page.reload()
        person.page.on(
            "websocket", lambda line: line.on("framesent", lambda payload: sent.append(str(payload)))
        )
        person.at_table()
    menus = (
        "window.menus = []; addEventListener('contextmenu', (event) => menus.push(event.defaultPrevented))"
    )
    ada.page.evaluate(menus)
    sent.clear()
    first, _, third, fourth = places(ada, game)
    for person in (ada, cy):
        start, _, other, end = places(person, game)
        draw(person, other, end)
        draw(person, start, start, "Shift")
        draw(person, start, end, "Alt")
        draw(person, end, end, "Control", "Alt")
        one, two, three = cell_of(start), cell_of(other), cell_of(end)
        wanted = [
            f"green {two} {three}",
            f"red {one} {one}",
            f"blue {one} {three}",
            f"yellow {three} {three}",
        ]
        assert drawn(person) == sorted(wanted)
        # The same again removes it; another colour replaces it.
        draw(person, other, end)
        draw(person, start, start)
        assert drawn(person) == sorted([f"green {one} {one}", *wanted[2:]])
    # A drag that ends outside the board draws nothing.
    draw(ada, third, ada.page.locator(".action-bar"))
    assert len(drawn(ada)) == 3
    assert ada.page.evaluate("menus.length > 0 && menus.every(Boolean)")
    ada.page.locator(".chat-lines").click(button="right")
    assert ada.page.evaluate("menus.at(-1)") is False, "elsewhere the menu opens"
    assert [one for one in sent if '"ping"' not in one] == [], "drawings are not sent"
    # The move of one clears the drawings of all.
    make_move(ada, game)
    expect(cy.page.locator(".drawn")).to_have_count(0)
    expect(ada.page.locator(".drawn")).to_have_count(0)
    # A left click clears, and does what it does otherwise.
    draw(ada, first, fourth)
    assert len(drawn(ada)) == 1
    ada.page.mouse.click(*middle(third))
    expect(ada.page.locator(".drawn")).to_have_count(0)


def test_drawing_does_not_disturb_moving_pieces(visitor: Visitor) -> None:
    ada, bo, _ = at_board(visitor, "Chess")
    mouse = ada.page.mouse
    # A piece is dragged over drawings; the right button cancels a drag.
    draw(ada, square(ada, "d2"), square(ada, "d4"))
    mouse.move(*middle(square(ada, "g1")))
    mouse.down()
    mouse.move(*middle(square(ada, "f3")), steps=3)
    mouse.down(button="right")
    mouse.up(button="right")
    mouse.up()
    expect_square(ada, "g1", "white knight")
    # A selected piece is put down by drawing.
    tap(ada, "e2")
    expect(square(ada, "e2")).to_have_attribute("aria-selected", "true")
    draw(ada, square(ada, "b1"), square(ada, "c3"))
    expect(square(ada, "e2")).to_have_attribute("aria-selected", "false")
    mouse.move(*middle(square(ada, "e2")))
    mouse.down()
    mouse.move(*middle(square(ada, "e4")), steps=3)
    mouse.up()
    bo.hear()
    expect_square(ada, "e4", "white pawn, last move")
    expect(ada.page.locator(".drawn")).to_have_count(0)


@pytest.mark.parametrize("game", ["Chess", "Gomoku"])
def test_a_long_press_draws_on_a_touch_screen(visitor: Visitor, game: str) -> None:
    # So small that the page scrolls.
    ada, bo, _ = at_board(visitor, game, **TOUCH | {"size": (390, 560)})
    start, target, other, end = places(ada, game)
    finger = Finger(ada.page)
    # The very first touch loads the layer and draws, even on the user's own piece.
    finger.press_long(start)
    finger.release()
    assert drawn(ada) == [f"green {cell_of(start)} {cell_of(start)}"]
    finger.press_long(other)
    finger.move(end)
    finger.release()
    arrow = f"green {cell_of(other)} {cell_of(end)}"
    assert drawn(ada) == sorted([f"green {cell_of(start)} {cell_of(start)}", arrow])
    assert ada.page.evaluate("scrollY") == 0, "drawing does not scroll"
    expect(ada.status).to_have_text("Your turn")
    expect(ada.page.locator(".board [aria-selected=true]")).to_have_count(0)
    # A short tap clears, and pieces move as before.
    end.tap(force=True)
    expect(ada.page.locator(".drawn")).to_have_count(0)
    for place in (start, target):
        place.tap(force=True)
    bo.hear()
    if game == "Gomoku":
        finger.swipe_up(other)
        ada.page.wait_for_function("() => scrollY > 0")
        expect(ada.page.locator(".drawn")).to_have_count(0)


@pytest.mark.parametrize("game", ["Chess", "Gomoku"])
def test_the_keyboard_draws_too(visitor: Visitor, game: str) -> None:
    ada, _, _ = at_board(visitor, game)
    start, _, other, _ = places(ada, game)
    press = ada.page.keyboard.press
    start.focus()
    expect(ada.page.locator(".drawings")).to_be_attached()
    press("c")
    press("Shift+C")
    assert drawn(ada) == [f"red {cell_of(start)} {cell_of(start)}"]
    other.focus()
    press("a")
    press("ArrowUp")
    press("ArrowUp")
    press("a")
    place = ada.page.locator("[data-cell]:focus")
    assert drawn(ada) == sorted(
        [f"red {cell_of(start)} {cell_of(start)}", f"green {cell_of(other)} {cell_of(place)}"]
    )
    press("Escape")
    expect(ada.page.locator(".drawn")).to_have_count(0)
    # An arrow that was begun is given up.
    press("a")
    press("ArrowUp")
    press("Escape")
    press("c")
    assert drawn(ada) == [f"green {cell_of(place)} {cell_of(place)}"]


@pytest.mark.parametrize(("record", "game"), [(FOREIGN, "Chess"), (FIVE, "Gomoku")])
def test_a_replay_can_be_drawn_on(visitor: Visitor, record: str, game: str) -> None:
    ada = visitor("/replay")
    show(ada, record)
    start, _, other, end = places(ada, game)
    draw(ada, other, end, "Alt")
    draw(ada, start, start)
    assert len(drawn(ada)) == 2
    # A step to another move clears.
    ada.press("Next move")
    expect(ada.page.locator(".drawn")).to_have_count(0)


def test_a_finished_game_can_be_drawn_on(visitor: Visitor) -> None:
    ada, bo, _ = at_board(visitor, "Chess")
    play(ada, "e2e4")
    bo.play(do="move", uci="e7e5")
    resign(ada)
    ada.press("Replay")
    expect(ada.page.locator("output.autoplay-at")).to_be_visible()
    draw(ada, square(ada, "g1"), square(ada, "f3"))
    assert len(drawn(ada)) == 1
    ada.page.keyboard.press("End")
    expect(ada.page.locator(".drawn")).to_have_count(0)


def test_coordinates_can_be_switched_off_on_every_board(visitor: Visitor) -> None:
    ada = visitor("/replay")
    show(ada, FIVE)
    ada.page.wait_for_function("() => document.querySelector('.gomoku-canvas')?.width > 300")
    before = ada.page.evaluate(_PICTURE)
    choose(ada, Coordinates=False)
    ada.page.wait_for_function(f"before => {_PICTURE} !== before", arg=before)
    choose(ada, Coordinates=True)
    ada.page.wait_for_function(f"before => {_PICTURE} === before", arg=before)
    ada.press("Open another file")
    show(ada, FOREIGN)
    expect(ada.page.locator("coord").first).to_be_visible()
    choose(ada, Coordinates=False)
    expect(ada.page.locator("coord").first).to_be_hidden()
    # It is remembered.
    ada.visit("/")
    open_chess(ada, bot="level1")
    expect(ada.page.locator("cg-board")).to_be_visible()
    expect(ada.page.locator("coord").first).to_be_hidden()
