"""Transcripts: `who> frame` is sent, `who< frame` must be the next message received, in that order.

A received frame must contain what is written; it may contain more, unless the play is `exact`: then the
fields and their order must be equal. A string `$word` stands for the value received there first, and for
the same value afterwards, also in frames that are sent. `who<` alone means that nothing is received.
`who!` disconnects, `who+` opens a new connection, `who~` recovers the lost one, `who-` leaves, `who%` skips
what was received so far. `ann_2` is another connection of `ann`. `+5s` lets time pass. With a real clock a
transcript ends before the first wait above `longest_wait`, and `deferrable` events are in order among
themselves only, and some may be received that are not written.
"""

import json
import math
import re
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

RECEIVE_ATTEMPTS = 300
"""How often a message is polled for; only a real clock needs more than one."""
LINE_PATTERN = re.compile(r"(?P<who>\w+)(?P<what>[><!+~%-])\s*(?P<rest>.*)")


class TranscriptLine(NamedTuple):
    number: int
    who: str
    what: str
    rest: str


class TranscriptClient(Protocol):
    """A client in a transcript."""

    def send(self, frame: str) -> None: ...

    def hear(self) -> Any | None:
        """Return the next message, or None if there is none."""

    def cut(self) -> None: ...

    def back(self) -> None: ...

    def leave(self) -> None: ...


class TranscriptStage(Protocol):
    """Where a transcript is played."""

    def enter(self, who: str) -> TranscriptClient: ...

    def wait(self, seconds: float) -> None: ...


def parse_transcript(path: Path) -> list[TranscriptLine]:
    lines = []
    for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not text.strip() or text.startswith("#"):
            continue
        if text.startswith("+"):
            lines.append(TranscriptLine(number, "", "wait", text[1:].removesuffix("s")))
            continue
        parts = LINE_PATTERN.fullmatch(text)
        assert parts is not None, f"{path.name}:{number}: {text}"
        lines.append(TranscriptLine(number, parts["who"], parts["what"], parts["rest"]))
    return lines


class EventQueue:
    """The messages of a client, with deferrable events apart."""

    def __init__(self, client: TranscriptClient, deferrable: frozenset[str]) -> None:
        self._actor = client
        self._deferrable_events = deferrable
        self._deferrable_messages: deque[Any] = deque()
        self._unread: deque[Any] = deque()

    def wait(self) -> Any | None:
        """Return the next message that is not deferrable, waiting for it with a real clock."""
        for _ in range(RECEIVE_ATTEMPTS):
            if (received := self.receive()) is not None:
                return received
        return None

    def receive(self) -> Any | None:
        """Return the next message that is not deferrable."""
        if self._unread:
            return self._unread.popleft()
        received = self._actor.hear()
        while self._deferrable_events and received is not None and received[0] in self._deferrable_events:
            self._deferrable_messages.append(received)
            received = self._actor.hear()
        return received

    def deferrable(self) -> Iterator[Any]:
        """Yield every deferrable message that has arrived."""
        kept = [*self._unread]
        self._unread.clear()
        while (received := self.receive()) is not None:
            kept.append(received)
        self._unread.extend(kept)
        while self._deferrable_messages:
            yield self._deferrable_messages.popleft()


def play(
    path: Path,
    transcript_stage: TranscriptStage,
    *,
    exact: bool = False,
    deferrable: frozenset[str] = frozenset(),
    longest_wait: float = math.inf,
) -> bool:
    """Play a transcript; tell whether it was played to its end."""
    words: dict[str, Any] = {}
    actors: dict[str, TranscriptClient] = {}
    queues: dict[str, EventQueue] = {}
    complete = True
    for line in parse_transcript(path):
        where = f"{path.name}:{line.number}"
        if line.what == "wait":
            if float(line.rest) > longest_wait:
                complete = False
                break
            transcript_stage.wait(float(line.rest))
            continue
        if line.what == "+" or line.who not in actors:
            actors[line.who] = transcript_stage.enter(line.who)
            queues[line.who] = EventQueue(actors[line.who], deferrable)
        client, queue = actors[line.who], queues[line.who]
        match line.what:
            case ">":
                client.send(fill_words(line.rest, words))
            case "<" if not line.rest:
                received = queue.receive()
                assert received is None, f"{where}: received {received}"
            case "<":
                wanted = json.loads(line.rest)
                if deferrable and wanted[0] in deferrable:
                    problem = _receive_deferrable(wanted, queue, transcript_stage, words)
                    assert problem is None, f"{where}: {problem}"
                    continue
                received = queue.wait()
                assert received is not None, f"{where}: received nothing"
                problem = difference(wanted, received, words, "$", exact=exact)
                assert problem is None, (
                    f"{where}: {problem}\nheard {json.dumps(received, ensure_ascii=False)}"
                )
            case "!":
                client.cut()
            case "~":
                client.back()
            case "-":
                client.leave()
            case "%":
                while queue.receive() is not None:
                    pass
    for who, queue in queues.items():
        received = queue.receive()
        assert received is None, f"{path.name}: {who} also received {received}"
    return complete


def _receive_deferrable(
    wanted: Any, queue: EventQueue, transcript_stage: TranscriptStage, words: dict[str, Any]
) -> str | None:
    """Receive deferrable messages until one is the expected one."""
    problem: str | None = "received nothing"
    for _ in range(RECEIVE_ATTEMPTS):
        for received in queue.deferrable():
            known = dict(words)
            problem = difference(wanted, received, known, "$", exact=False)
            if problem is None:
                words |= known
                return None
        transcript_stage.wait(0.1)
    return problem


def fill_words(frame: str, words: dict[str, Any]) -> str:
    return re.sub(r'"\$(\w+)"', lambda word: json.dumps(words[word[1]]), frame)


def difference(wanted: Any, received: Any, words: dict[str, Any], path: str, *, exact: bool) -> str | None:
    if isinstance(wanted, str) and wanted.startswith("$"):
        known = words.setdefault(wanted[1:], received)
        return None if known == received else f"{path}: {wanted} is {known!r}, not {received!r}"
    if isinstance(wanted, dict) and isinstance(received, dict):
        if exact and list(wanted) != list(received):
            return f"{path}: wanted {list(wanted)}, received {list(received)}"
        for key, value in wanted.items():
            if key not in received:
                return f"{path}.{key} is missing"
            if (problem := difference(value, received[key], words, f"{path}.{key}", exact=exact)) is not None:
                return problem
        return None
    if isinstance(wanted, list) and isinstance(received, list) and len(wanted) == len(received):
        pairs = enumerate(zip(wanted, received, strict=True))
        problems = (difference(a, b, words, f"{path}[{i}]", exact=exact) for i, (a, b) in pairs)
        return next((problem for problem in problems if problem is not None), None)
    same = type(wanted) is type(received) and wanted == received
    return None if same else f"{path}: wanted {wanted!r}, received {received!r}"
