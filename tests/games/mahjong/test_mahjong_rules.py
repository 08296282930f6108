"""Mahjong as a game at a table: the deal, stages and refusals, time, leaving, storing."""

import struct
from hashlib import sha256

import msgspec
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
from msgspec.structs import replace

from qipai.games.mahjong import wall
from qipai.games.mahjong.events import DiceRolled
from qipai.games.mahjong.rules import RULES
from qipai.games.mahjong.state import State
from qipai.games.mahjong.wire_types import (
    AnyMove,
    Chow,
    Deal,
    Discard,
    Draw,
    Hu,
    Kong,
    Next,
    Options,
    Pass,
    Pong,
    Roll,
    Settings,
    Size,
    Stage,
)
from qipai.kernel.game_interface.rules_interface import IllegalCommand
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal

from .mahjong_walls import (
    SEATS,
    SEVEN,
    THREE_WANT_5P,
    added_kong,
    anything,
    drop,
    held,
    idle,
    passes,
    play,
    seat_places,
    table,
    tiles_are_conserved,
    turn,
    waiting,
)

# The wall and the deal


def shuffled(seed: bytes) -> list[int]:
    """Return the wall as it is documented: ChaCha20, rejection sampling, Fisher-Yates from the end."""
    stream = Cipher(ChaCha20(seed, bytes(16)), mode=None).encryptor().update(bytes(4096))
    words = list(struct.unpack("<1024I", stream))
    tiles = list(range(144))
    for last in range(143, 0, -1):
        bound = last + 1
        while (word := words.pop(0)) >= 2**32 - 2**32 % bound:
            pass
        other = word % bound
        tiles[last], tiles[other] = tiles[other], tiles[last]
    return tiles


def test_the_wall_follows_from_its_seed_by_the_documented_shuffle() -> None:
    seed = bytes(range(32))
    made = wall.wall_of(seed)
    assert list(made[:10]) == shuffled(seed)[:10]
    assert list(made) == shuffled(seed)
    assert sorted(made) == list(range(144))


def test_the_seed_of_a_hand_is_eight_words_of_the_games_own_chance() -> None:
    dice, same = Random(b"k" * 32), Random(b"k" * 32)
    words = [same.below(2**32) for _ in range(8)]
    assert wall.new_seed(dice) == struct.pack("<8I", *words)


@pytest.mark.parametrize("size", [13, 16])
@pytest.mark.parametrize("dealer", range(4))
def test_tiles_are_dealt_by_fours_from_the_dealer_who_takes_the_last_one(size: int, dealer: int) -> None:
    tiles = tuple(range(100, 244))
    hands, front = wall.deal_hands(tiles, size, dealer)
    for seat, places in seat_places(dealer, size).items():
        expected = [tiles[place] for place in places] + [tiles[4 * size]] * (seat == dealer)
        assert list(hands[seat]) == expected
    assert front == 4 * size + 1


@pytest.mark.parametrize("size", [13, 16])
def test_a_game_begins_with_all_hands_dealt_and_flowers_replaced(size: int) -> None:
    for number in range(40):
        state = RULES.deal(Settings(tiles=Size(size)), Random(bytes([number]) * 32))
        assert state.stage is Stage.DISCARDING
        assert state.turn == state.deal.dealer
        counts = [len(holding.tiles) for holding in state.seat_tiles]
        assert counts == [size + (seat == state.turn) for seat in range(4)]
        assert not any(tile >= 136 for holding in state.seat_tiles for tile in holding.tiles)
        assert all(list(holding.tiles) == sorted(holding.tiles) for holding in state.seat_tiles)
        dice = 3 if size == 16 else 2
        assert len(state.seating) == len(state.choosing) == len(state.opening) == dice
        assert all(1 <= die <= 6 for die in state.seating + state.choosing + state.opening)
        assert (sum(state.choosing) % 4 or 4) == state.deal.dealer + 1
        assert list(state.wall) == shuffled(state.seed)
        tiles_are_conserved(state)


def test_the_commitment_is_shown_from_the_deal_and_the_seed_when_the_hand_is_over() -> None:
    state = RULES.deal(Settings(), Random(bytes(32)))
    dice = Random(b"p" * 32)
    while state.stage is not Stage.HAND_OVER:
        for viewer in (*SEATS, Seat(-1)):
            view = RULES.view(state, viewer)
            assert view.commitment == sha256(state.seed).hexdigest()
            assert (view.seed, view.wall) == ("", ())
        seat = waiting(state)[0]
        state = play(state, seat, anything(state, seat, dice))
    view = RULES.view(state, Seat(-1))
    assert view.commitment == sha256(bytes.fromhex(view.seed)).hexdigest()
    assert list(view.wall) == shuffled(bytes.fromhex(view.seed))
    assert all(player.tiles for player in view.players)


def test_with_manual_steps_clients_roll_deal_draw_and_continue_by_command() -> None:
    dice = Random(bytes(32))
    state = RULES.deal(Settings(manual_steps=True), dice)
    assert state.stage is Stage.SEATING
    assert RULES.to_act(state) == SEATS
    state = play(state, 3, Roll(), dice)
    assert state.stage is Stage.CHOOSING
    thrown = turn(state, 1, Roll(), dice)
    state = thrown.state
    assert state.stage is Stage.DEALING
    event = thrown.events[0].event
    assert isinstance(event, DiceRolled)
    assert event.dealer == state.deal.dealer == (sum(state.choosing) - 1) % 4
    state = play(state, 0, Deal(), dice)
    assert state.stage is Stage.DISCARDING
    dealer = state.turn
    assert state.drawn is not None
    state = passes(play(state, dealer, Discard(state.drawn)))
    assert (state.stage, state.turn) == (Stage.DRAWING, (dealer + 1) % 4)
    state = play(state, state.turn, Draw(), dice)
    assert state.stage is Stage.DISCARDING


def test_the_same_chance_makes_the_same_game_by_hand_or_by_itself() -> None:
    ours, theirs = Random(b"s" * 32), Random(b"s" * 32)
    state = RULES.deal(Settings(), ours)
    other = RULES.deal(Settings(manual_steps=True), theirs)
    for move in (Roll(), Roll(), Deal()):
        other = play(other, 0, move, theirs)
    assert replace(other, options=Settings()) == state


# Refusals


def stages() -> dict[str, State]:
    """Return a table in every stage."""
    dice = Random(bytes(32))
    seating = RULES.deal(Settings(manual_steps=True), dice)
    choosing = play(seating, 0, Roll(), dice)
    dealing = play(choosing, 0, Roll(), dice)
    discarding = table(THREE_WANT_5P, extra="5p", manual_steps=True)
    claiming = drop(discarding, 0, "5p")
    kong = added_kong()
    kong = play(kong, 1, Kong(held(kong, 1, "6s")))
    flower = passes(drop(idle(table(SEVEN, extra="5m", front="1p f8")), 1, "1p"))
    over = play(claiming, 3, Hu())
    final = table({3: "123456789m123p9p"}, dealer=2, extra="9p", place=15)
    return {
        "seating": seating,
        "choosing": choosing,
        "dealing": dealing,
        "drawing": passes(claiming),
        "discarding": discarding,
        "claiming": claiming,
        "kong": kong,
        "flower": flower,
        "over": over,
        "final": play(drop(final, 2, "9p"), 3, Hu()),
    }


FITTING: dict[str, tuple[type, ...]] = {
    "seating": (Roll,),
    "choosing": (Roll,),
    "dealing": (Deal,),
    "drawing": (Draw,),
    "discarding": (Discard, Kong, Hu),
    "claiming": (Pass, Chow, Pong, Kong, Hu),
    "kong": (Pass, Chow, Pong, Kong, Hu),
    "flower": (Pass, Chow, Pong, Kong, Hu),
    "over": (Next,),
    "final": (),
}
ACTING = {
    "seating": {0, 1, 2, 3},
    "choosing": {0, 1, 2, 3},
    "dealing": {0, 1, 2, 3},
    "drawing": {1},
    "discarding": {0},
    "claiming": {1, 2, 3},
    "kong": {0, 2, 3},
    "flower": {1},
    "over": {0, 1, 2, 3},
    "final": set(),
}
COMMANDS: tuple[AnyMove, ...] = (
    Roll(),
    Deal(),
    Draw(),
    *(Discard(tile) for tile in range(144)),
    Discard(5, ready=True),
    Pass(),
    *(Chow((tile, tile + step)) for tile in range(0, 140, 3) for step in (0, 1, 4)),
    Pong(),
    Kong(),
    *(Kong(tile) for tile in range(144)),
    Hu(),
    Next(),
)


def verdict(state: State, seat: Seat, move: AnyMove) -> Refusal | None:
    """Return why a move is refused, or None."""
    try:
        play(state, seat, move)
    except IllegalCommand as refusal:
        return refusal.code
    return None


@pytest.mark.parametrize("name", FITTING)
def test_every_command_is_refused_in_the_wrong_stage_and_from_the_wrong_seat(name: str) -> None:
    state = stages()[name]
    before = msgspec.json.encode(state)
    assert set(RULES.to_act(state)) == ACTING[name]
    for seat in (*SEATS, Seat(-1), Seat(4)):
        legal = list(RULES.legal(state, seat))
        assert bool(legal) == (seat in ACTING[name])
        for move in COMMANDS:
            code = verdict(state, seat, move)
            assert (code is None) == (move in legal)
            if seat not in ACTING[name]:
                assert code is Refusal.NOT_YOUR_TURN
            elif not isinstance(move, FITTING[name]):
                assert code is Refusal.ILLEGAL
            else:
                assert code in (None, Refusal.ILLEGAL, Refusal.BAD_MOVE)
        for move in legal:
            play(state, seat, move)
    assert msgspec.json.encode(state) == before


@pytest.mark.parametrize("tile", [-1, 144, 10**9, -144])
def test_a_tile_that_does_not_exist_is_out_of_range(tile: int) -> None:
    state = table(THREE_WANT_5P, extra="5p")
    moves: tuple[AnyMove, ...] = (Discard(tile), Kong(tile))
    for move in moves:
        with pytest.raises(IllegalCommand) as caught:
            play(state, 0, move)
        assert caught.value.code is Refusal.OUT_OF_RANGE
    with pytest.raises(IllegalCommand) as caught:
        play(drop(state, 0, "5p"), 1, Chow((48, tile)))
    assert caught.value.code is Refusal.OUT_OF_RANGE


def test_a_kong_names_its_tile_in_an_own_turn_and_only_there() -> None:
    state = table(THREE_WANT_5P, extra="5p")
    with pytest.raises(IllegalCommand) as caught:
        play(state, 0, Kong())
    assert caught.value.code is Refusal.BAD_MOVE
    with pytest.raises(IllegalCommand) as caught:
        play(drop(state, 0, "5p"), 2, Kong(52))
    assert caught.value.code is Refusal.BAD_MOVE


def test_an_answer_leaves_the_position_as_it_was_for_everybody_else() -> None:
    state = drop(table(THREE_WANT_5P, extra="5p"), 0, "5p")
    answer = turn(state, 2, Pong())
    assert (answer.ends_decision, answer.changes_position) == (False, False)
    for addressed in answer.events:
        assert addressed.to is not None
        assert (b"pong" in msgspec.json.encode(addressed.event)) == (addressed.to == (2,))
    for viewer in (0, 1, 3, -1):
        assert RULES.view(answer.state, Seat(viewer)).answered == (2,)
    own = RULES.view(answer.state, Seat(2)).private
    assert own is not None
    assert own.answer == Pong()


# Time, leaving, the rest


def test_time_is_given_by_what_is_to_be_decided() -> None:
    found = stages()
    assert RULES.allowance(found["discarding"], Seat(0)) == 20_000
    assert RULES.allowance(found["claiming"], Seat(1)) == 8_000
    assert RULES.allowance(replace(found["over"], options=Settings()), Seat(1)) == 15_000
    assert RULES.allowance(found["over"], Seat(1)) is None, "older clients go on when they want to"
    voted = play(found["claiming"], 1, Pass())
    assert (RULES.allowance(voted, Seat(1)) or 0) > 60_000
    assert RULES.allowance(voted, Seat(2)) == 8_000


def test_an_overdue_seat_passes_or_discards_the_drawn_tile() -> None:
    dice = Random(bytes(32))
    found = stages()
    assert RULES.overdue(found["claiming"], Seat(2), dice) == Pass()
    assert RULES.overdue(play(found["claiming"], 2, Pong()), Seat(2), dice) == Pong()
    assert RULES.overdue(found["discarding"], Seat(0), dice) == Discard(found["discarding"].drawn or -1)
    assert RULES.overdue(found["over"], Seat(0), dice) == Next()
    ponged = passes(play(found["claiming"], 2, Pong()))
    assert RULES.overdue(ponged, Seat(2), dice) == Discard(ponged.seat_tiles[2].tiles[-1])


def test_a_table_without_connections_continues_by_time_outs() -> None:
    dice = Random(b"n" * 32)
    for manual in (False, True):
        state = RULES.deal(Settings(rounds=1, manual_steps=manual), dice)
        for _ in range(600):
            seat = waiting(state)[-1]
            move = RULES.overdue(state, seat, dice)
            assert move is not None
            state = play(state, seat, move, dice)
        assert state.deal.streak + state.deal.number > 0


def test_a_seat_that_leaves_keeps_its_score_and_the_best_of_the_others_wins() -> None:
    state = replace(table({}), scores=(300, -100, 100, -300))
    outcome = RULES.forfeit(state, Seat(0), "left")
    assert (outcome.winners, outcome.reason) == ((2,), "left")
    even = RULES.forfeit(table({}), Seat(1), "resigned")
    assert even.winners == (0, 2, 3)


def test_no_seat_wins_a_game_with_equal_scores() -> None:
    state = replace(table({}), stage=Stage.GAME_OVER, scores=(100, 100, 100, 100))
    for scores, winners in (((1, 1, 1, 1), ()), ((5, -5, 5, -5), (0, 2)), ((9, -3, -3, -3), (0,))):
        outcome = RULES.outcome(replace(state, scores=scores))
        assert outcome is not None
        assert outcome.winners == winners


def test_a_game_that_ends_in_the_middle_of_a_hand_shows_everything() -> None:
    state = table(THREE_WANT_5P, extra="5p")
    view = RULES.view(state, Seat(-1), over=True)
    assert [player.tiles for player in view.players] == [holding.tiles for holding in state.seat_tiles]
    assert view.wall == state.wall


def test_there_is_no_undo_and_no_swap() -> None:
    state = table({})
    assert RULES.undo(state, Seat(0)) is None
    assert RULES.swap(state) is None
    assert RULES.offers == frozenset()


def test_options_that_clients_choose_make_a_table_of_its_own() -> None:
    state = RULES.deal(Options(tiles=Size.SIXTEEN, start=500), Random(bytes(32)))
    assert state.options == Settings(tiles=Size.SIXTEEN, start=500)
    assert state.scores == (500, 500, 500, 500)


def test_a_state_is_the_same_after_writing_and_reading_in_every_stage() -> None:
    for state in stages().values():
        assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
