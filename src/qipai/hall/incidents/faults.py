"""Exceptions without their texts: classes and calls."""

import re
from pathlib import PurePath
from traceback import walk_tb
from typing import Final

from .incident_interface import Fault

MAX_CALLS: Final = 30
"""Calls that are kept of one exception, the innermost ones: a recursion has a thousand."""
MAX_CAUSES: Final = 5
_CALL_OF_PROCESS: Final = re.compile(r'File "([^"]*)", line (\d+), in (\S+)')
"""A call in the traceback of another process, which arrives as a text."""


def faults_of(error: BaseException, handled: BaseException | None = None) -> tuple[Fault, ...]:
    """Return an exception and its causes without their texts; without those from `handled` on."""
    faults: list[Fault] = []
    found: BaseException | None = error
    while found is not None and found is not handled and len(faults) < MAX_CAUSES:
        kind = type(found)
        faults.append(Fault(f"{kind.__module__}.{kind.__qualname__}", _calls_of(found)[-MAX_CALLS:]))
        found = found.__cause__ or (None if found.__suppress_context__ else found.__context__)
    return tuple(faults)


def _calls_of(error: BaseException) -> tuple[str, ...]:
    calls = [
        f"{frame.f_globals.get('__name__', '?')}:{line} {frame.f_code.co_qualname}"
        for frame, line in walk_tb(error.__traceback__)
    ]
    if not calls and type(error).__name__ == "_RemoteTraceback":
        # Of a bot in another process. Only the name of the file: its folder may be named after somebody.
        found = _CALL_OF_PROCESS.findall(str(error))
        calls = [f"{PurePath(path).name}:{line} {name}" for path, line, name in found]
    return tuple(calls)
