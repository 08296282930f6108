"""Accounts for the tests of stores, and a clock that is set by hand."""

from qipai.hall.accounts.account_interface import Account, Passkey, Session
from qipai.hall.api_tokens.api_token_interface import ApiToken
from qipai.kernel.ids import Millis, Person

ADA = Account(Person("p1"), "Ada", "ada", Millis(1_000))
BO = Account(Person("p2"), "Bo", "bo", Millis(2_000))
KEY = Passkey(b"i1", ADA.person, b"public", 3, "Phone", Millis(1_000), Millis(1_000))
PHONE = Session("d1", b"k1", ADA.person, "Phone", Millis(1_000), Millis(1_000), Millis(9_000))
DESK = Session("d2", b"k2", ADA.person, "Desk", Millis(2_000), Millis(3_000), Millis(9_000))
TOKEN = ApiToken("t1", b"k3", ADA.person, "My bot", Millis(4_000), None, Millis(9_000))


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.time = Millis(5_000)

    def __call__(self) -> Millis:
        return self.time
