"""How dice chess is played by the server: the plan for the dice one has, against the other's average throw.

The rest of one's own dice is known, so the best of many plans is looked for. What the other side makes of
the position is the average over all its throws, each played by taking the best single move for each die.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from rust_chess import Move as Push

from qipai.games.chess.wire_types import KINDS

from .evaluation import STEPS, Evaluator, Node, flattened, legal, pushes, shifted
from .search import MATE

ANY: Final = "*"
"""A die that everything may use: the answer to a check."""
_KINDS: Final = "PNBRQK"
_DICE: Final = tuple(KINDS)
_SWING: Final = 25
"""How much better than the dice at hand the average throw must be to ask for it."""


class Plan(NamedTuple):
    """What has become of a position: the other side is to move, unless the maker has dice left.

    `worth` is to the maker of `first`; `sure` if the game is over.
    """

    worth: int
    first: str
    node: Node
    dice: str
    sure: bool = False


class DiceSearch:
    """Thinks about the dice of one position, once; `free`: they may be used in any order."""

    def __init__(self, *, free: bool, width: int, leaves: int) -> None:
        self._free = free
        self._width = width
        self._leaves = leaves
        self._judge = Evaluator()
        self._known: dict[tuple[int, int], int] = {}

    def worths(self, node: Node, moves: Sequence[str], dice: str) -> dict[str, int]:
        """Return what each first move is worth to whoever makes it with these dice."""
        return self._settle([self._after(node, uci, uci, self._left(node, uci, dice)) for uci in moves])

    def skip(self, node: Node, dice: str) -> int:
        """Return what it is worth to let the first of these dice go."""
        if node.board.is_check():
            return -MATE
        return self._settle([Plan(self._static(node), "", self._passed(node), dice[1:])])[""]

    def reply(self, node: Node, moves: Sequence[str], dice: str) -> dict[str, int]:
        """Return what each free answer to a check is worth, if the other side then goes on with `dice`."""
        found = {}
        for uci in moves:
            plan = self._after(node, uci, uci, "")
            if plan.sure:
                found[uci] = plan.worth
                continue
            child = plan.node
            rest = dice
            if child.board.is_check():
                rest = ANY + dice
            found[uci] = -self._greedy(child, rest)
        return found

    def again(self, node: Node, dice: str) -> bool:
        """Tell whether another throw is likely to be better than these dice."""
        return self.fate(node) > self._greedy(node, dice) + _SWING

    def fate(self, node: Node, left: int = 3) -> int:
        """Return what a position is worth to whoever is about to throw `left` dice."""
        name = node.board.zobrist_hash, left
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._average(node, left)
        return known

    def _average(self, node: Node, left: int) -> int:
        static, gains = self._static(node), self._gains(node)
        if not gains:
            return _over(node)
        kinds = [kind for kind in gains if kind != ANY] if self._free else _DICE
        total = 0
        ends: dict[str, int] = {}
        for die in kinds:
            gain, uci = self._pick(node, gains, die)
            if uci not in ends:
                over = left == 1 or gain == MATE
                ends[uci] = min(static + gain, MATE) if over else self.fate(self._made(node, uci), left - 1)
            total += ends[uci]
        return total // len(kinds)

    # Plans

    def _settle(self, plans: list[Plan]) -> dict[str, int]:
        """Return the worth of the best plan of each first move."""
        done: list[Plan] = []
        best: dict[str, int] = {}
        while plans:
            plans.sort(key=_worth, reverse=True)
            further: list[Plan] = []
            for plan in plans[: self._width]:
                if plan.sure or not plan.dice:
                    done.append(plan)
                else:
                    further += self._next(plan)
            for plan in plans[self._width :]:
                best[plan.first] = max(best.get(plan.first, -MATE), plan.worth)
            plans = further
        done.sort(key=_worth, reverse=True)
        looked: dict[str, int] = {}
        drop = count = 0
        for plan in done[: self._leaves]:
            worth = plan.worth if plan.sure else -self.fate(plan.node)
            drop += 0 if plan.sure else plan.worth - worth
            count += not plan.sure
            looked[plan.first] = max(looked.get(plan.first, -MATE), worth)
        usual = drop // max(count, 1)
        for plan in done[self._leaves :]:
            best[plan.first] = max(best.get(plan.first, -MATE), plan.worth)
        return {first: worth - usual for first, worth in best.items()} | looked

    def _next(self, plan: Plan) -> Iterator[Plan]:
        """Yield what may come of a plan with its next die."""
        node, rest = self._handed(plan.node, plan.dice)
        if not pushes(node.board):
            yield Plan(_over(node), plan.first, node, "", sure=True)
            return
        usable = False
        for die in dict.fromkeys(rest) if self._free and rest[0] != ANY else rest[0]:
            left = rest.replace(die, "", 1)
            for uci in self._usable(node, die):
                usable = True
                yield self._after(node, uci, plan.first, left)
        if not usable:
            # A die that nobody can use is skipped; in any order none of the rest could be used either.
            yield Plan(plan.worth, plan.first, self._passed(node), "" if self._free else rest[1:])

    def _after(self, node: Node, uci: str, first: str, dice: str) -> Plan:
        """Return what a move makes of a position."""
        board, cells, total = node
        child = Node(board.make_move_new(Push(uci), False), *shifted(cells, total, STEPS[uci]))
        if child.board.generate_next_legal_move() is None:
            # The sooner the better: dice that are left count.
            worth = MATE + 100 * len(dice) if child.board.is_check() else 0
            return Plan(worth, first, child, "", sure=True)
        worth = -self._static(child)
        return Plan(worth, first, child, dice)

    def _handed(self, node: Node, dice: str) -> tuple[Node, str]:
        """Return the position with the owner of the dice to move, after the answer if it was check."""
        if not node.board.is_check():
            return self._passed(node), dice
        plans = [self._after(node, uci, uci, "") for uci in pushes(node.board)]
        answer = max(plans, key=_worth).node
        return answer, ANY + dice if answer.board.is_check() else dice

    def _passed(self, node: Node) -> Node:
        board = node.board.make_null_move_new()
        assert board is not None, "who is in check does not pass"
        return Node(board, node.cells, node.sum)

    def _usable(self, node: Node, die: str) -> list[str]:
        """Return the moves that may be made with a die."""
        moves = pushes(node.board)
        if die == ANY:
            return moves
        kinds = die if self._free else die + "K"
        fit = [uci for uci in moves if kind(node, uci) in kinds]
        return fit or (moves if node.board.is_check() else [])

    def _left(self, node: Node, uci: str, dice: str) -> str:
        if not self._free or dice[:1] == ANY:
            return dice[1:]
        name = kind(node, uci)
        return dice.replace(name, "", 1) if name in dice else dice[1:]

    # Single moves

    def _gains(self, node: Node) -> dict[str, tuple[int, str]]:
        """Return the best move of each kind, and of all (`*`), with about as much as it gains."""
        board, cells, total = node
        flat = flattened(total)
        white = bool(board.turn)
        found: dict[str, tuple[int, str]] = {}
        board.reset_move_generator()
        for push in legal(board):
            uci = push.get_uci()
            source, target, into = STEPS[uci]
            piece = cells[source]
            made = (into if white else into + 6) if into else piece
            gain = flat[made][target] - flat[piece][source] - flat[cells[target]][target]
            gain = gain if white else -gain
            child = board.make_move_new(push, False)
            if child.is_check() and child.generate_next_legal_move() is None:
                gain = MATE
            name = _KINDS[(piece - 1) % 6]
            if name not in found or gain > found[name][0]:
                found[name] = gain, uci
        if found:
            found[ANY] = max(found.values())
        return found

    def _pick(self, node: Node, gains: Mapping[str, tuple[int, str]], die: str) -> tuple[int, str]:
        """Return the best that comes of a die: a move of its kind, of the king, or none."""
        names = die if die == ANY or self._free else die + "K"
        choices = [gains[name] for name in names if name in gains]
        if node.board.is_check():
            choices = choices or [gains[ANY]]
        elif die not in gains:
            choices.append((0, ""))
        return max(choices)

    def _greedy(self, node: Node, dice: str) -> int:
        """Return what a position is worth to whoever has these dice, each used for its best single move."""
        worth = self._static(node)
        for number, die in enumerate(dice, 1):
            gains = self._gains(node)
            if not gains:
                return _over(node)
            gain, uci = self._pick(node, gains, die)
            worth = min(self._static(node) + gain, MATE)
            if gain == MATE:
                break
            if number < len(dice):
                node = self._made(node, uci)
        return worth

    def _made(self, node: Node, uci: str) -> Node:
        """Return the position when its mover is to move again; no move is no change."""
        if not uci:
            return node
        board, cells, total = node
        child = Node(board.make_move_new(Push(uci), False), *shifted(cells, total, STEPS[uci]))
        if child.board.is_check():
            answer = self._gains(child)[ANY][1]
            board, cells, total = child
            return Node(board.make_move_new(Push(answer), False), *shifted(cells, total, STEPS[answer]))
        return self._passed(child)

    def _static(self, node: Node) -> int:
        worth = self._judge.worth(*node)
        return worth if node.board.turn else -worth


def kind(node: Node, uci: str) -> str:
    """Return the letter of the piece that a move moves."""
    return _KINDS[(node.cells[STEPS[uci].source] - 1) % 6]


def _over(node: Node) -> int:
    """Return what a position is worth to whoever has no move."""
    return -MATE if node.board.is_check() else 0


def _worth(plan: Plan) -> int:
    return plan.worth
