"""Search for dice chess: the best use of known dice against the opponent's average roll.

The remaining own dice are known, so a beam search compares plans for them. The opponent's reply is the
average over all rolls, each played greedily: the best single move for each die.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from rust_chess import Move as Push

from qipai.games.chess.wire_types import DIE_KINDS

from .evaluation import (
    MOVE_SQUARES,
    Evaluator,
    Node,
    after_move,
    legal_moves,
    tapered_piece_square,
    uci_moves,
)
from .search import MATE

ANY_PIECE: Final = "*"
"""A die that every piece may use: the free answer to a check."""
_PIECES: Final = "PNBRQK"
_DIE_FACES: Final = tuple(DIE_KINDS)
_REROLL_MARGIN: Final = 25
"""A reroll must be better than the present dice by this margin, in centipawns."""


class Plan(NamedTuple):
    """A position after some moves of a turn: the other side is to move unless `dice` are left.

    `score` is from the side of `first_move`; `is_final`: the game is over.
    """

    score: int
    first_move: str
    node: Node
    dice: str
    is_final: bool = False


class DiceSearch:
    """Searches one position, once; `width` and `leaves` limit the beam and its evaluated end."""

    def __init__(self, *, any_order: bool, width: int, leaves: int) -> None:
        self._any_order = any_order
        self._width = width
        self._leaves = leaves
        self._evaluator = Evaluator()
        self._average_scores: dict[tuple[int, int], int] = {}

    def score_moves(self, node: Node, moves: Sequence[str], dice: str) -> dict[str, int]:
        """Return the score of each first move for the side that has these dice."""
        return self._best_scores(
            [self._apply(node, uci, uci, self._remaining_dice(node, uci, dice)) for uci in moves]
        )

    def score_skip(self, node: Node, dice: str) -> int:
        """Return the score of skipping the first of these dice."""
        if node.board.is_check():
            return -MATE
        return self._best_scores([Plan(self._static_score(node), "", self._null_move(node), dice[1:])])[""]

    def score_check_answers(self, node: Node, moves: Sequence[str], dice: str) -> dict[str, int]:
        """Return the score of each free answer to a check; the other side continues with `dice`."""
        scores = {}
        for uci in moves:
            plan = self._apply(node, uci, uci, "")
            if plan.is_final:
                scores[uci] = plan.score
                continue
            answered = plan.node
            remaining = dice
            if answered.board.is_check():
                remaining = ANY_PIECE + dice
            scores[uci] = -self._greedy_score(answered, remaining)
        return scores

    def should_reroll(self, node: Node, dice: str) -> bool:
        """Tell whether an average roll is better than these dice by the margin."""
        return self.average_score(node) > self._greedy_score(node, dice) + _REROLL_MARGIN

    def average_score(self, node: Node, left: int = 3) -> int:
        """Return the average score of a position for the side that is about to roll `left` dice."""
        key = node.board.zobrist_hash, left
        average = self._average_scores.get(key)
        if average is None:
            average = self._average_scores[key] = self._average(node, left)
        return average

    def _average(self, node: Node, left: int) -> int:
        static_score, gains = self._static_score(node), self._best_gains(node)
        if not gains:
            return _final_score(node)
        kinds = [kind for kind in gains if kind != ANY_PIECE] if self._any_order else _DIE_FACES
        total = 0
        scores: dict[str, int] = {}
        for die in kinds:
            gain, uci = self._best_for_die(node, gains, die)
            if uci not in scores:
                is_last = left == 1 or gain == MATE
                scores[uci] = (
                    min(static_score + gain, MATE)
                    if is_last
                    else self.average_score(self._apply_and_keep_turn(node, uci), left - 1)
                )
            total += scores[uci]
        return total // len(kinds)

    # Plans

    def _best_scores(self, plans: list[Plan]) -> dict[str, int]:
        """Return the best score of each first move: beam search, then the opponent's average reply."""
        finished: list[Plan] = []
        unsearched: dict[str, int] = {}
        while plans:
            plans.sort(key=_score, reverse=True)
            extended: list[Plan] = []
            for plan in plans[: self._width]:
                if plan.is_final or not plan.dice:
                    finished.append(plan)
                else:
                    extended += self._extend(plan)
            for plan in plans[self._width :]:
                unsearched[plan.first_move] = max(unsearched.get(plan.first_move, -MATE), plan.score)
            plans = extended
        finished.sort(key=_score, reverse=True)
        searched: dict[str, int] = {}
        total_drop = count = 0
        for plan in finished[: self._leaves]:
            score = plan.score if plan.is_final else -self.average_score(plan.node)
            total_drop += 0 if plan.is_final else plan.score - score
            count += not plan.is_final
            searched[plan.first_move] = max(searched.get(plan.first_move, -MATE), score)
        average_drop = total_drop // max(count, 1)
        for plan in finished[self._leaves :]:
            unsearched[plan.first_move] = max(unsearched.get(plan.first_move, -MATE), plan.score)
        return {first_move: score - average_drop for first_move, score in unsearched.items()} | searched

    def _extend(self, plan: Plan) -> Iterator[Plan]:
        """Yield the plans that follow from a plan with its next die."""
        node, remaining = self._give_back_turn(plan.node, plan.dice)
        if not uci_moves(node.board):
            yield Plan(_final_score(node), plan.first_move, node, "", is_final=True)
            return
        usable = False
        for die in (
            dict.fromkeys(remaining) if self._any_order and remaining[0] != ANY_PIECE else remaining[0]
        ):
            remaining_after = remaining.replace(die, "", 1)
            for uci in self._usable_moves(node, die):
                usable = True
                yield self._apply(node, uci, plan.first_move, remaining_after)
        if not usable:
            # A useless die is skipped; in any order the other dice are useless too.
            yield Plan(
                plan.score, plan.first_move, self._null_move(node), "" if self._any_order else remaining[1:]
            )

    def _apply(self, node: Node, uci: str, first_move: str, dice: str) -> Plan:
        """Return the plan after a move."""
        board, cells, packed = node
        child = Node(board.make_move_new(Push(uci), False), *after_move(cells, packed, MOVE_SQUARES[uci]))
        if child.board.generate_next_legal_move() is None:
            # An earlier mate, with more dice left, scores higher.
            score = MATE + 100 * len(dice) if child.board.is_check() else 0
            return Plan(score, first_move, child, "", is_final=True)
        score = -self._static_score(child)
        return Plan(score, first_move, child, dice)

    def _give_back_turn(self, node: Node, dice: str) -> tuple[Node, str]:
        """Return the position with the owner of the dice to move, after the answer to a check."""
        if not node.board.is_check():
            return self._null_move(node), dice
        answers = [self._apply(node, uci, uci, "") for uci in uci_moves(node.board)]
        answer = max(answers, key=_score).node
        return answer, ANY_PIECE + dice if answer.board.is_check() else dice

    def _null_move(self, node: Node) -> Node:
        board = node.board.make_null_move_new()
        assert board is not None, "no null move in check"
        return Node(board, node.cells, node.packed)

    def _usable_moves(self, node: Node, die: str) -> list[str]:
        """Return the moves that a die allows."""
        moves = uci_moves(node.board)
        if die == ANY_PIECE:
            return moves
        kinds = die if self._any_order else die + "K"
        matching = [uci for uci in moves if moving_piece(node, uci) in kinds]
        return matching or (moves if node.board.is_check() else [])

    def _remaining_dice(self, node: Node, uci: str, dice: str) -> str:
        if not self._any_order or dice[:1] == ANY_PIECE:
            return dice[1:]
        piece = moving_piece(node, uci)
        return dice.replace(piece, "", 1) if piece in dice else dice[1:]

    # Single moves

    def _best_gains(self, node: Node) -> dict[str, tuple[int, str]]:
        """Return the best move of each kind, and of all (`*`), with its estimated gain."""
        board, cells, packed = node
        values = tapered_piece_square(packed)
        white = bool(board.turn)
        best: dict[str, tuple[int, str]] = {}
        board.reset_move_generator()
        for push in legal_moves(board):
            uci = push.get_uci()
            source, target, promotion = MOVE_SQUARES[uci]
            piece = cells[source]
            placed = (promotion if white else promotion + 6) if promotion else piece
            gain = values[placed][target] - values[piece][source] - values[cells[target]][target]
            gain = gain if white else -gain
            child = board.make_move_new(push, False)
            if child.is_check() and child.generate_next_legal_move() is None:
                gain = MATE
            letter = _PIECES[(piece - 1) % 6]
            if letter not in best or gain > best[letter][0]:
                best[letter] = gain, uci
        if best:
            best[ANY_PIECE] = max(best.values())
        return best

    def _best_for_die(self, node: Node, gains: Mapping[str, tuple[int, str]], die: str) -> tuple[int, str]:
        """Return the best move for a die and its gain: of its kind, of the king, or none."""
        letters = die if die == ANY_PIECE or self._any_order else die + "K"
        choices = [gains[letter] for letter in letters if letter in gains]
        if node.board.is_check():
            choices = choices or [gains[ANY_PIECE]]
        elif die not in gains:
            choices.append((0, ""))
        return max(choices)

    def _greedy_score(self, node: Node, dice: str) -> int:
        """Return the score for the side with these dice, each used for its best single move."""
        score = self._static_score(node)
        for number, die in enumerate(dice, 1):
            gains = self._best_gains(node)
            if not gains:
                return _final_score(node)
            gain, uci = self._best_for_die(node, gains, die)
            score = min(self._static_score(node) + gain, MATE)
            if gain == MATE:
                break
            if number < len(dice):
                node = self._apply_and_keep_turn(node, uci)
        return score

    def _apply_and_keep_turn(self, node: Node, uci: str) -> Node:
        """Return the position after a move and the answer to a check, with the same side to move again."""
        if not uci:
            return node
        board, cells, packed = node
        child = Node(board.make_move_new(Push(uci), False), *after_move(cells, packed, MOVE_SQUARES[uci]))
        if child.board.is_check():
            answer = self._best_gains(child)[ANY_PIECE][1]
            board, cells, packed = child
            return Node(
                board.make_move_new(Push(answer), False), *after_move(cells, packed, MOVE_SQUARES[answer])
            )
        return self._null_move(child)

    def _static_score(self, node: Node) -> int:
        score = self._evaluator.score(*node)
        return score if node.board.turn else -score


def moving_piece(node: Node, uci: str) -> str:
    """Return the letter of the piece that a move moves."""
    return _PIECES[(node.cells[MOVE_SQUARES[uci].source] - 1) % 6]


def _final_score(node: Node) -> int:
    """Return the score of a side without a legal move."""
    return -MATE if node.board.is_check() else 0


def _score(plan: Plan) -> int:
    return plan.score
