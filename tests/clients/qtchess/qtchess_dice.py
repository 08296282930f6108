"""Two clients that play with dice, checked against python-chess."""

import chess

from tests.clients.qtchess.qtchess_socket import KINDS, LISTED, Duel, Message

THROWN = (1, 2, 3, 4, 5)


class Cup:
    """The dice of one turn: pieces, and for each `.` to be used, `x` used or `-` useless."""

    def __init__(self, duel: Duel, *, free: bool) -> None:
        self.duel = duel
        self.board = duel.board
        self.free = free
        self.owner = self.board.turn
        self.dice: list[chess.PieceType] = []
        self.used = ""
        self.movers: set[chess.PieceType] = set()
        self.answering = False

    @property
    def left(self) -> int:
        return self.used.count(".")

    def movable(self) -> list[chess.PieceType]:
        kinds = {self.board.piece_type_at(move.from_square) for move in self.board.legal_moves}
        return [kind for kind in LISTED if kind in kinds]

    def turn_to(self, color: chess.Color) -> None:
        """Give a side the move; en passant answers a double step that is the last move of the other side."""
        if self.board.turn != color:
            self.board.turn = color
            last = self.board.move_stack[-1] if self.board.move_stack else chess.Move.null()
            pawn = chess.Piece(chess.PAWN, not color)
            double_step = abs(last.from_square - last.to_square) == 16
            taken = double_step and self.board.piece_at(last.to_square) == pawn
            self.board.ep_square = (last.from_square + last.to_square) // 2 if taken else None

    def settle(self) -> None:
        """Drop useless dice up to the next useful one; update what may move."""
        self.movers = set()
        movable = set(self.movable())
        always = set() if self.free else {chess.KING}
        left = [place for place in range(3) if self.used[place] == "."]
        fitting = {self.dice[place] for place in left} | always
        if left and self.board.is_check() and not fitting & movable:
            self.movers = movable
            return
        for place in left:
            allowed = {self.dice[place]} | always
            if not allowed & movable:
                self.used = self.used[:place] + "-" + self.used[place + 1 :]
                continue
            self.movers |= allowed & movable
            if not self.free:
                return

    def mark(self, kind: chess.PieceType) -> None:
        places = [place for place in range(3) if self.used[place] == "."]
        fitting = [place for place in places if self.free and self.dice[place] == kind]
        place = (fitting or places)[0]
        self.used = self.used[:place] + "x" + self.used[place + 1 :]


def expect(message: Message, left: int, *, interrupted: bool, side: str) -> None:
    """Compare the fields of a move with the expected ones."""
    said = (message["diceState"], message["timerState"]["currentPlayer"])
    assert said == ({"movesRemaining": left, "hasInterruption": interrupted}, side), message


async def roll(duel: Duel, *, free: bool) -> Cup:
    """Roll for the side to move, as this generation of clients does."""
    cup = Cup(duel, free=free)
    if free:
        kinds = cup.movable()
        count = duel.chance.choice([len(kinds), len(kinds), 6, 1])
        await duel.mover.say("requestDice", numMovablePieces=count)
        rolled = await duel.both("diceRolled")
        assert rolled["currentPlayer"] == duel.side
        assert all(0 <= pick < count for pick in rolled["rolls"])
        for pick in rolled["rolls"]:
            kind = kinds[pick % len(kinds)]
            cup.dice.append(kinds[0] if kind == chess.KING and chess.KING in cup.dice else kind)
    else:
        dice = [duel.chance.choice(THROWN) for _ in range(3)]
        other = duel.guest if duel.mover is duel.host else duel.host
        await duel.mover.say("diceRoll", dice=dice)
        assert (await other.hear("diceRoll"))["dice"] == dice
        cup.dice = [KINDS[number] for number in dice]
    cup.used = "..."
    cup.settle()
    return cup


async def news(duel: Duel, cup: Cup) -> None:
    """Receive the outcome of a roll, if no other message reports it."""
    if "-" not in cup.used:
        return
    stayed = await duel.both("move")
    king = duel.board.king(cup.owner)
    assert king is not None
    assert (stayed["fromRow"], stayed["fromCol"]) == (stayed["toRow"], stayed["toCol"])
    assert (stayed["fromRow"], stayed["fromCol"]) == (7 - chess.square_rank(king), chess.square_file(king))
    if not cup.movers:
        cup.turn_to(not cup.owner)
    expect(stayed, cup.left if cup.movers else 0, interrupted=False, side=duel.side)


async def kept_dice(duel: Duel, cup: Cup) -> None:
    """Receive the dice that are left, after the owner has answered a counter-check."""
    rolled = await duel.both("diceRolled")
    kinds = cup.movable()
    assert [kinds[pick] for pick in rolled["rolls"]] == [
        kind for kind, use in zip(cup.dice, cup.used, strict=True) if use == "."
    ]
    assert rolled["currentPlayer"] == duel.side
    stayed = await duel.both("move")
    assert (stayed["fromRow"], stayed["fromCol"]) == (stayed["toRow"], stayed["toCol"])
    expect(stayed, cup.left, interrupted=False, side=duel.side)


async def step(duel: Duel, cup: Cup) -> str | None:
    """Make one move, and check dice and turn; return the result if it ends the game."""
    board, mover = duel.board, duel.board.turn
    moves = [
        move
        for move in board.legal_moves
        if cup.answering or board.piece_type_at(move.from_square) in cup.movers
    ]
    move = duel.chance.choice(moves)
    kind = board.piece_type_at(move.from_square)
    assert kind is not None
    received = await duel.move(move)
    answered_counter_check = cup.answering and mover == cup.owner
    if not cup.answering:
        cup.mark(kind)
    result = duel.result()
    if result is None and cup.left == 0:
        cup.movers = set()
        expect(received, 0, interrupted=False, side=duel.side)
    elif result is None and board.is_check():
        cup.answering = True
        expect(received, 0, interrupted=True, side=duel.side)
    elif result is None:
        cup.answering = False
        cup.turn_to(cup.owner)
        cup.settle()
        if not cup.movers:
            cup.turn_to(not cup.owner)
            if not any(board.legal_moves):
                result = "1/2-1/2" if not board.is_check() else ("0-1" if board.turn else "1-0")
        if result is None:
            expect(received, cup.left if cup.movers else 0, interrupted=False, side=duel.side)
            if answered_counter_check and cup.free and cup.movers:
                await kept_dice(duel, cup)
    if result is not None:
        game_over = await duel.both("gameOver")
        assert game_over["result"] == result, (board.fen(), mover, game_over)
    return result


async def play_with_dice(duel: Duel, plies: int) -> str | None:
    """Play with dice of one generation until the game or the limit of plies ends; return the result."""
    free = duel.chance.random() < 0.5
    await duel.begin(whiteTimeMs=0, blackTimeMs=0)
    while duel.plies < plies:
        cup = await roll(duel, free=free)
        await news(duel, cup)
        while cup.movers or cup.answering:
            result = await step(duel, cup)
            if result is not None:
                return result
    return None
