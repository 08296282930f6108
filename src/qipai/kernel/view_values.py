"""Values of a room as clients see and choose them: table rules, clock plans, offers, chat lines, outcomes.

The native protocol contains these, never the structs of the room, so that each can change without the other.
"""

from typing import Annotated, Final

from msgspec import Meta, Struct

from .chat_lines import ChatLine, Phrase
from .clock import DAY, ClockPlan
from .commands import MAX_DELAY, MAX_TITLE, NOT_LEGACY, LegacyTableRules, TableRules
from .game_interface.rules_interface import Outcome
from .ids import Millis, Seat
from .offers import Offer, OfferKind

UNLIMITED: Final = (0,)
SHORT_CLOCK: Final = 10 * 60 * 1000
"""Milliseconds; with a budget below, lag is compensated unless the creator chose otherwise."""
Duration = Annotated[int, Meta(ge=0, le=DAY)]


class ClockPlanView(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How time is given, in milliseconds. `main`: one budget for all or one per seat; 0 is unlimited.

    `move`: limit of every single move. `first_free`: the first move is not charged and earns nothing.
    `lag_compensation`: a move is not charged for its lag, within a quota. Without it, budgets under ten
    minutes have it.
    """

    main: tuple[Duration, ...] = UNLIMITED
    increment: Duration = 0
    move: Duration = 0
    first_free: bool = False
    lag_compensation: bool | None = None


class LegacyTableRulesView(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a room of an older client differs from other rooms.

    `host_starts`: the host starts each game; an offer stands until the asked player has moved in reply.
    `open_seats`: anyone may take a reserved seat of a running game, or that of a long absent player.
    `chat_with_spectators`: players read the spectators' chat during a game.
    """

    host_starts: bool = False
    open_seats: bool = False
    chat_with_spectators: bool = False


NOT_LEGACY_VIEW: Final = LegacyTableRulesView()


class TableRulesView(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the creator of a room chose beside the options of the game.

    `disconnect_timeout`: seconds until a disconnected player forfeits; 0 waits without limit.
    `empty_timeout`: seconds the room stays open when all players have left; 0 closes it at once.
    `substitute_bot`: the bot that plays for a long absent player and replaces a player who leaves.
    `spectator_delay`: seconds by which spectators see everything later.
    `sees_hidden_allowed`: clients that must receive hidden information may take a seat.
    `rated`: the result counts for the ratings of the players; only signed-in players take a seat.
    `legacy`: rules that only rooms of older clients have.
    """

    public: bool = True
    spectators: bool = True
    disconnect_timeout: Annotated[int, Meta(ge=0, le=3600)] = 60
    clock: ClockPlanView | None = None
    title: Annotated[str, Meta(max_length=MAX_TITLE)] = ""
    empty_timeout: Annotated[int, Meta(ge=0, le=600)] = 0
    substitute_bot: Annotated[str, Meta(max_length=32)] = ""
    spectator_delay: Annotated[int, Meta(ge=0, le=MAX_DELAY)] = 0
    undo_allowed: bool = True
    legacy: LegacyTableRulesView = NOT_LEGACY_VIEW
    sees_hidden_allowed: bool = False
    rated: bool = False


class OfferView(Struct, frozen=True, omit_defaults=True):
    """A standing offer; `asked` are the seats that have not answered yet.

    `moved`: the seat that made it has moved since; recorded where offers stand until answered.
    """

    id: int
    kind: OfferKind
    seat: Seat
    asked: tuple[Seat, ...]
    moved: bool = False


class ChatLineView(Struct, frozen=True, omit_defaults=True):
    """One line of chat. `seat` is the author's, None for a spectator.

    `spectators_only`: only spectators read it. With a `phrase`, `text` is its English version.
    """

    at: Millis
    name: str
    text: str
    seat: Seat | None = None
    spectators_only: bool = False
    phrase: Phrase | None = None


class OutcomeView(Struct, frozen=True):
    """How a game ended: the winning seats (none: a draw) and the reason."""

    winners: tuple[Seat, ...]
    reason: str


def clock_plan_view(plan: ClockPlan | None) -> ClockPlanView | None:
    """Return a clock plan as clients see it."""
    if plan is None:
        return None
    # A default is omitted if it is this very object.
    main = UNLIMITED if plan.main == UNLIMITED else plan.main
    return ClockPlanView(main, plan.increment, plan.move, plan.first_free, plan.lag_compensation)


def clock_plan_of(view: ClockPlanView | None) -> ClockPlan | None:
    """Return the clock plan that a client chose."""
    if view is None:
        return None
    compensation = view.lag_compensation
    if compensation is None:
        compensation = any(view.main) and all(main < SHORT_CLOCK for main in view.main)
    return ClockPlan(view.main, view.increment, view.move, view.first_free, compensation)


def table_rules_view(rules: TableRules) -> TableRulesView:
    """Return table rules as clients see them."""
    legacy = rules.legacy
    return TableRulesView(
        rules.public,
        rules.spectators,
        rules.disconnect_timeout,
        clock_plan_view(rules.clock),
        rules.title,
        rules.empty_timeout,
        rules.substitute_bot,
        rules.spectator_delay,
        rules.undo_allowed,
        NOT_LEGACY_VIEW
        if legacy == NOT_LEGACY
        else LegacyTableRulesView(legacy.host_starts, legacy.open_seats, legacy.chat_with_spectators),
        rules.sees_hidden_allowed,
        rules.rated,
    )


def table_rules_of(view: TableRulesView) -> TableRules:
    """Return the table rules that a client chose."""
    return TableRules(
        view.public,
        view.spectators,
        view.disconnect_timeout,
        clock_plan_of(view.clock),
        view.title,
        view.empty_timeout,
        view.substitute_bot,
        view.spectator_delay,
        view.undo_allowed,
        LegacyTableRules(view.legacy.host_starts, view.legacy.open_seats, view.legacy.chat_with_spectators),
        view.sees_hidden_allowed,
        view.rated,
    )


def offer_view(offer: Offer) -> OfferView:
    """Return an offer as clients see it."""
    return OfferView(offer.id, offer.kind, offer.seat, offer.asked, offer.moved)


def chat_line_view(line: ChatLine) -> ChatLineView:
    """Return a chat line as clients see it."""
    return ChatLineView(line.at, line.name, line.text, line.seat, line.spectators_only, line.phrase)


def outcome_view(outcome: Outcome | None) -> OutcomeView | None:
    """Return an outcome as clients see it."""
    return None if outcome is None else OutcomeView(outcome.winners, outcome.reason)
