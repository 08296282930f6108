"""Counting hands: `qipai mahjong score` answers each line of its input with a line."""

from typing import BinaryIO, Final

import msgspec

from qipai.games.mahjong.hands.hand_notation import Malformed
from qipai.games.mahjong.scoring.score_request import judged, refusal

LONGEST: Final = 16_384
"""Bytes of a line; no hand takes a tenth of it."""


def score(asked: BinaryIO, answers: BinaryIO) -> int:
    """Answer line by line until there are no more; what cannot be read is answered as such."""
    while line := asked.readline(LONGEST):
        whole = line.endswith(b"\n") or len(line) < LONGEST
        while not whole and (rest := asked.readline(LONGEST)):
            whole, line = rest.endswith(b"\n"), b""
        try:
            answer = judged(line)
        except Malformed as error:
            answer = refusal(error)
        answers.write(msgspec.json.encode(answer) + b"\n")
        answers.flush()
    return 0
