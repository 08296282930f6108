"""`qipai mahjong score`: scores mahjong wins, one JSON object per line."""

from typing import BinaryIO, Final

import msgspec

from qipai.games.mahjong.hands.hand_notation import MalformedHand
from qipai.games.mahjong.scoring.score_request import error_json, score_json

LONGEST_LINE: Final = 16_384
"""Bytes of a line; no hand needs a tenth of it."""


def score(requests: BinaryIO, replies: BinaryIO) -> int:
    """Write one reply for each line until the input ends; a line that cannot be read gets an error."""
    while line := requests.readline(LONGEST_LINE):
        complete = line.endswith(b"\n") or len(line) < LONGEST_LINE
        while not complete and (rest := requests.readline(LONGEST_LINE)):
            complete, line = rest.endswith(b"\n"), b""
        try:
            reply = score_json(line)
        except MalformedHand as error:
            reply = error_json(error)
        replies.write(msgspec.json.encode(reply) + b"\n")
        replies.flush()
    return 0
