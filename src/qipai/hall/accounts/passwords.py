"""Passwords: which ones are accepted, and their hashes, computed in a thread with a short queue."""

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from .account_refusals import AccountRefusal, AccountRefused, RefusalCounter

T = TypeVar("T")
MIN_LENGTH: Final = 10
MAX_LENGTH: Final = 200
MIN_SCORE: Final = 3
"""What zxcvbn must give, of 0 to 4: more than 10^8 guesses."""
_ESTIMATED_LENGTH: Final = 64
"""Characters that are estimated: the estimate takes longer than its square, and these are enough."""
MAX_WAITING: Final = 16
"""Hashes that may wait; further requests are refused, so that nobody waits longer than about a second."""
_NICE: Final = 10
_HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
"""Argon2id with 19 MB and two passes, which takes about 30 ms."""


class Passwords:
    """Checks and hashes passwords in one thread of low priority; argon2 does not hold the interpreter."""

    def __init__(self, refusals: RefusalCounter) -> None:
        self._refusals = refusals
        self._thread = ThreadPoolExecutor(1, "passwords", _lower_priority)
        self._waiting = 0
        # An unknown name takes as long as a wrong password: its password is compared with this.
        self._unknown = _HASHER.hash(os.urandom(16).hex())

    def close(self) -> None:
        """Compute nothing more."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    @property
    def waiting(self) -> int:
        """Return how many hashes and signatures wait or are computed."""
        return self._waiting

    async def hash_new(self, password: str, name: str) -> str:
        """Return the hash of a new password of this account, or raise `AccountRefused`."""
        if len(password) < MIN_LENGTH:
            raise AccountRefused(AccountRefusal.PASSWORD_SHORT)
        _refuse_long(password)
        return await self.run(lambda: _hash_new(password, name))

    async def is_right(self, password: str, password_hash: str | None) -> bool:
        """Tell whether a password has this hash; None stands for that of an unknown account."""
        _refuse_long(password)
        known = self._unknown if password_hash is None else password_hash
        return await self.run(lambda: _verify(known, password)) and password_hash is not None

    async def run(self, work: Callable[[], T]) -> T:
        """Return what `work` computes in the thread; refuse it if too much is waiting."""
        if self._waiting >= MAX_WAITING:
            with self._refusals:
                raise AccountRefused(AccountRefusal.BUSY)
        self._waiting += 1
        try:
            return await asyncio.wrap_future(self._thread.submit(work))
        finally:
            self._waiting -= 1


def _refuse_long(password: str) -> None:
    if len(password) > MAX_LENGTH:
        raise AccountRefused(AccountRefusal.PASSWORD_LONG)


def _hash_new(password: str, name: str) -> str:
    # Its word lists take some time to load, and a server without registrations needs none.
    from zxcvbn import zxcvbn

    estimate = zxcvbn(password[:_ESTIMATED_LENGTH], [name, "qipai"])
    if estimate["score"] < MIN_SCORE:
        raise AccountRefused(AccountRefusal.PASSWORD_WEAK, estimate["feedback"]["warning"])
    return _HASHER.hash(password)


def _verify(password_hash: str, password: str) -> bool:
    try:
        return _HASHER.verify(password_hash, password)
    except (VerificationError, InvalidHashError):
        return False


def _lower_priority() -> None:
    if hasattr(os, "setpriority"):
        # On Linux a thread has a priority of its own.
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
