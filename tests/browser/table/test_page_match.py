"""Matches in real browsers against a real server."""

import re
from collections.abc import Sequence

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.browser.person import PHONE, Person

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WINNING = ((0, 1, 2), (3, 4))
"""Cells of the first player of a round, and of the other."""
# The page itself checks whether the button is disabled when it appears: a slow test would come too late.
_WATCH_CONFIRM_BUTTON = """() => {
    new MutationObserver(() => {
        const accept = [...document.querySelectorAll("button.confirm-button")]
            .find((one) => (one.ariaLabel ?? one.textContent).includes("Accept"));
        if (accept) window.born ??= accept.ariaDisabled;
    }).observe(document.body, { childList: true, subtree: true });
}"""


def play_round(first: Person, second: Person) -> None:
    """Let the first player win the round."""
    mine, theirs = WINNING
    for turn in range(len(mine)):
        first.mark(mine[turn])
        if turn < len(theirs):
            second.mark(theirs[turn])


def in_order(people: Sequence[Person]) -> tuple[Person, Person]:
    """Return two players, the one to move first."""
    one, other = people
    return (one, other) if one.is_to_move() else (other, one)


def begin_next(person: Person, other: Person) -> None:
    person.press("Next round")
    for one in (person, other):
        expect(one.status).to_have_text(re.compile("Your turn|'s turn"))


def test_a_match_survives_a_reload_and_a_disconnect_and_has_a_rematch(
    visitor: Visitor,
) -> None:
    ada = visitor()
    ada.call_me("Ada")
    route = ada.open_table()
    expect(ada.status).to_have_text("Waiting for a player to join.")
    bo = visitor(route, size=PHONE)
    expect(bo.page.locator(".invitation h1")).to_have_text("Ada invites you to tic-tac-toe")
    bo.press("Join the game")
    people = (ada, bo)

    # Round one: all pages show the same.
    first, second = in_order(people)
    expect(first.page).to_have_title(re.compile("Your turn"))
    play_round(first, second)
    expect(first.status).to_have_text("You won this round.")
    expect(second.status).to_have_text(re.compile("won this round"))
    expect(second.page.locator(".cell-won")).to_have_count(3)

    # Round two, with a reload in the middle.
    begin_next(second, first)
    second.mark(0)
    first.mark(3)
    second.page.reload()
    second.expect_cell(0, "[XO]")
    second.expect_cell(3, "[XO]")
    second.mark(1)
    first.mark(4)
    second.mark(2)
    expect(second.status).to_have_text("You won this round.")

    # Round three, with a move made while disconnected.
    begin_next(first, second)
    first.mark(0)
    second.cut()
    second.cell(3).click()
    expect(second.cell(3)).to_have_class(re.compile("pending"))
    expect(second.banner).to_contain_text("our move is saved")
    expect(second.status).to_have_text("Your move is saved")
    first.expect_cell(3, "empty")
    second.mend()
    first.expect_cell(3, "[XO]")
    expect(second.banner).to_have_count(0)
    expect(second.cell(3)).not_to_have_class(re.compile("pending"))
    first.mark(1)
    second.mark(4)
    first.mark(2)

    # The first player of round one wins the fifth, and the match.
    begin_next(first, second)
    play_round(second, first)
    begin_next(second, first)
    play_round(first, second)
    expect(first.status).to_have_text("You won in the best of five")
    expect(second.status).to_have_text(re.compile("won in the best of five"))
    assert first.wins() == (2, 3)
    assert second.wins() == (3, 2)
    expect(first.page.get_by_text("Seed", exact=True)).to_have_count(1)

    # A rematch is offered; an accidental click cannot accept it.
    second.page.evaluate(_WATCH_CONFIRM_BUTTON)
    first.press("Rematch")
    expect(first.page.locator(".note")).to_contain_text("Rematch offered.")
    second.page.get_by_role("button", name="Accept").click()
    assert second.page.evaluate("window.born") == "true"
    for one in people:
        expect(one.status).to_have_text(re.compile("Your turn|'s turn"))
        expect(one.page.locator(".symbol-new")).to_have_count(0)
    in_order(people)[0].mark(8)


def test_a_move_made_just_before_a_reload_is_not_lost(visitor: Visitor) -> None:
    ada = visitor()
    bo = visitor(ada.open_table(listed=False))
    bo.press("Join the game")
    first, second = in_order((ada, bo))
    first.cut()
    first.cell(4).click()
    expect(first.cell(4)).to_have_class(re.compile("pending"))
    first.mend()
    first.page.reload()
    second.expect_cell(4, "[XO]")
    first.expect_cell(4, "[XO]")


def test_a_game_against_the_computer_runs_to_its_end(visitor: Visitor) -> None:
    ada = visitor()
    ada.choose("Tic-tac-toe")
    ada.page.get_by_label("Level").select_option("random")
    ada.press("Play computer")
    ada.at_table()
    expect(ada.page.get_by_text("bot", exact=True)).to_be_visible()
    over = re.compile("best of five", re.IGNORECASE)
    for _ in range(60):
        settled = ada.status.filter(has_text=re.compile("your turn|this round|best of five", re.IGNORECASE))
        expect(settled).to_be_visible()
        if over.search(ada.status.inner_text()):
            break
        following = ada.page.get_by_role("button", name="Next round")
        if following.count():
            following.click()
            expect(following).to_have_count(0)
            continue
        cell = ada.page.locator(".cell-open").first
        number = cell.get_attribute("data-cell")
        cell.click()
        expect(ada.page.locator(f'[data-cell="{number}"] .symbol-new')).to_be_visible()
        expect(ada.page.locator(".cell-pending")).to_have_count(0)
    expect(ada.status).to_have_text(over)
    ada.press("Rematch")
    expect(ada.status).to_have_text(re.compile("Your turn|is thinking"))


def test_the_keyboard_works_and_moves_are_announced(visitor: Visitor) -> None:
    ada = visitor()
    bo = visitor(ada.open_table())
    bo.press("Join the game")
    first, second = in_order((ada, bo))
    first.cell(4).focus()
    for key in ("ArrowUp", "ArrowLeft", "Enter"):
        first.page.keyboard.press(key)
    first.expect_cell(0, "[XO]")
    expect(second.page.locator("p[aria-live]")).to_have_text(re.compile("[XO]: Row 1, column 1 Your turn"))


def test_a_spectator_sees_the_moves_and_has_a_separate_chat(visitor: Visitor) -> None:
    ada = visitor()
    route = ada.open_table()
    bo, cy = visitor(route), visitor(route)
    cy.press("Watch")
    bo.press("Join the game")
    expect(cy.page.get_by_text("You are watching.")).to_be_visible()
    first, _ = in_order((ada, bo))
    first.mark(4)
    cy.expect_cell(4, "[XO]")
    cy.cell(0).click(force=True)
    cy.expect_cell(0, "empty")
    cy.page.get_by_label("Message").fill("He should take the corner")
    cy.press("Send")
    expect(cy.page.get_by_role("log")).to_contain_text("He should take the corner")
    ada.page.get_by_label("Message").fill("Good luck <b>Bo</b>")
    ada.press("Send")
    expect(bo.page.get_by_role("log")).to_contain_text("Good luck <b>Bo</b>")
    expect(cy.page.get_by_role("log")).to_contain_text("Good luck <b>Bo</b>")
    expect(bo.page.get_by_role("log")).not_to_contain_text("corner")


def test_resigning_needs_confirmation_and_ends_the_match(visitor: Visitor) -> None:
    ada = visitor()
    bo = visitor(ada.open_table(clock=1))
    bo.press("Join the game")
    expect(bo.page.get_by_role("timer")).to_have_count(2)
    ada.press("Resign")
    ada.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(bo.status).to_have_text(re.compile("Your turn|'s turn"))
    ada.press("Resign")
    ada.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(bo.status).to_have_text("You won by resignation")
    ada.press("Rematch")
    bo.press("Decline")
    expect(ada.page.locator(".toast")).to_contain_text("declined")


def test_a_second_tab_takes_over_the_table_and_the_first_can_reclaim_it(visitor: Visitor) -> None:
    ada = visitor()
    route = ada.open_table()
    other = ada.new_page()
    other.goto(f"{ada.address}/#{route}")
    expect(other.get_by_role("grid", name="Board")).to_be_visible()
    taken = re.compile("open in another tab")
    expect(ada.page.get_by_text(taken)).to_be_visible()
    # Leaving an unused tab keeps the seat.
    expect(ada.page.get_by_role("button", name="Leave")).to_have_count(0)
    ada.press("Use it here")
    expect(ada.page.get_by_text(taken)).to_have_count(0)
    expect(other.get_by_text(taken)).to_be_visible()


def test_a_disconnected_player_has_a_countdown_and_can_reconnect(visitor: Visitor) -> None:
    ada = visitor()
    route = ada.open_table()
    bo = visitor(route)
    bo.press("Join the game")
    expect(ada.status).to_have_text(re.compile("Your turn|'s turn"))
    ada.page.goto("about:blank")
    expect(bo.page.locator(".away")).to_have_text(re.compile(r"^offline \d+\s+s$"))
    expect(bo.page.locator("p[aria-live]")).to_have_text(re.compile(r"disconnected and forfeits in \d+\s+s"))
    ada.visit(route)
    expect(bo.page.locator(".away")).to_have_count(0)
