"""Keys that sign tokens: a new one takes over, earlier ones are accepted for a time, and then not."""

import pytest

from qipai.hall.accounts.passkey_challenges import PasskeyChallenges, Purpose
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.people.identity import Guest, Identity, Login, SeatPass
from qipai.hall.people.signing_keys import DAY, SigningKeys, StoredKeys, parse_keys, stored_keys
from qipai.kernel.ids import Millis, Person, RoomId, Seat
from tests.support.hall_simulation import EPOCH, deterministic_entropy

FIRST, SECOND, THIRD = b"1" * 32, b"2" * 32, b"3" * 32
ADA = Guest(Person("abc"), "Ada")
MEI = Login(Person("abc"), "小美", "🐼")
ROOM = RoomId("k3v9")


class Worker:
    """A worker with a clock of its own, and everything that is signed or derived there."""

    def __init__(self, stored: bytes, time: int = EPOCH) -> None:
        self.time = time
        self.keys = SigningKeys(stored, lambda: Millis(self.time))
        self.identity = Identity(self.keys, deterministic_entropy())
        self.challenges = PasskeyChallenges(self.keys, self.keys.now, deterministic_entropy())


class Tokens:
    """One text of each kind, signed by a worker."""

    def __init__(self, worker: Worker) -> None:
        identity = worker.identity
        self.ticket_content = SeatPass(ROOM, Seat(1), ADA.person, 3, 0, Millis(EPOCH))
        self.guest = identity.token(ADA)
        self.login = identity.session(MEI)
        self.seat = identity.seat_token(ROOM, Seat(1))
        self.ticket = identity.ticket(self.ticket_content)
        self.worker = identity.worker_tokens()[0]
        self.challenge = worker.challenges.issue(Purpose.SIGN_IN)

    def known_to(self, worker: Worker) -> set[bool]:
        """Return whether a worker accepts them: all, none, or some."""
        identity = worker.identity
        return {
            identity.read_token(self.guest) == ADA,
            identity.read_session(self.login) == MEI,
            identity.is_seat_token(self.seat, ROOM, Seat(1)),
            identity.read_ticket(self.ticket) == self.ticket_content,
            self.worker in identity.worker_tokens(),
            worker.challenges.read(self.challenge, Purpose.SIGN_IN) is not None,
        }


def rotated(stored: bytes, key: bytes, since: int, overlap: int) -> bytes:
    return stored_keys(parse_keys(stored).rotated(key, Millis(since), overlap))


def test_one_key_is_stored_as_it_is() -> None:
    assert stored_keys(parse_keys(FIRST)) == FIRST
    assert parse_keys(FIRST).root == FIRST


def test_several_keys_survive_the_store() -> None:
    keys = parse_keys(FIRST).rotated(SECOND, Millis(5), 7).rotated(THIRD, Millis(9), 1)
    assert parse_keys(stored_keys(keys)) == keys
    assert keys.root == FIRST
    assert keys.last.key == THIRD
    # A later rotation shortens the time of an earlier key and never lengthens it.
    assert [each.until for each in keys.keys] == [10, 10, None]
    longer = parse_keys(FIRST).rotated(SECOND, Millis(5), 7).rotated(THIRD, Millis(9), 100)
    assert [each.until for each in longer.keys] == [12, 109, None]


@pytest.mark.parametrize("stored", [b"qipai keys 2\n{}", b"qipai keys 1\n{", b'qipai keys 1\n{"keys": 1}'])
def test_keys_that_cannot_be_read_are_an_error(stored: bytes) -> None:
    with pytest.raises(StoreError, match="signing keys"):
        parse_keys(stored)


def test_old_tokens_are_accepted_for_the_overlap_and_then_not() -> None:
    before = Tokens(Worker(FIRST))
    overlap = 60_000
    worker = Worker(rotated(FIRST, SECOND, EPOCH, overlap))
    assert before.known_to(worker) == {True}
    worker.time += overlap - 1
    assert before.known_to(worker) == {True}
    worker.time += 1
    assert before.known_to(worker) == {False}
    after = Tokens(worker)
    assert after.known_to(worker) == {True}
    assert after.known_to(Worker(FIRST, worker.time)) == {False}, "it is signed with the new key"


def test_without_an_overlap_old_tokens_end_at_once() -> None:
    before = Tokens(Worker(FIRST))
    assert before.known_to(Worker(rotated(FIRST, SECOND, EPOCH, 0))) == {False}


def test_a_new_key_signs_when_all_workers_know_it() -> None:
    stored = rotated(FIRST, SECOND, EPOCH + 30_000, DAY)
    informed, uninformed = Worker(stored), Worker(FIRST)
    informed.time += 29_999
    early = Tokens(informed)
    assert early.known_to(uninformed) == {True}
    assert early.known_to(informed) == {True}
    assert Tokens(uninformed).known_to(informed) == {True}
    informed.time += 1
    late = Tokens(informed)
    assert late.known_to(uninformed) == {False}
    # The clock of another worker that knows the key may be behind.
    behind = Worker(stored, EPOCH)
    assert late.known_to(behind) == {True}
    assert uninformed.keys.adopt(stored)
    assert late.known_to(uninformed) == {True}
    assert early.known_to(uninformed) == {True}


def test_what_is_derived_stays_the_same() -> None:
    before, after = Worker(FIRST).identity, Worker(rotated(FIRST, SECOND, EPOCH, 0)).identity
    assert after.derived_guest("a pid") == before.derived_guest("a pid")
    assert after.derived_tag("a cookie") == before.derived_tag("a cookie")
    assert after.room_id(ADA.person, "n") == before.room_id(ADA.person, "n")


def test_a_guest_gets_a_token_of_the_new_key() -> None:
    token = Worker(FIRST).identity.token(ADA)
    found = Worker(rotated(FIRST, SECOND, EPOCH, DAY)).identity.read_guest_token(token)
    assert found is not None
    assert found.guest == ADA
    assert found.is_due
    same = Worker(FIRST).identity.read_guest_token(token)
    assert same is not None
    assert not same.is_due


def test_keys_of_another_server_are_not_adopted() -> None:
    worker = Worker(FIRST)
    assert not worker.keys.adopt(SECOND)
    assert not worker.keys.adopt(rotated(SECOND, FIRST, EPOCH, DAY))
    assert worker.keys.stored == FIRST
    assert worker.keys.adopt(FIRST)


def test_a_worker_tells_whether_its_keys_are_newer() -> None:
    once = rotated(FIRST, SECOND, EPOCH, DAY)
    twice = rotated(once, THIRD, EPOCH + 1, DAY)
    assert Worker(twice).keys.is_newer_than(once)
    assert Worker(once).keys.is_newer_than(FIRST)
    assert not Worker(once).keys.is_newer_than(once)
    assert not Worker(once).keys.is_newer_than(twice)
    assert not Worker(once).keys.is_newer_than(THIRD), "another server"


def test_a_key_has_no_more_bytes_than_the_hash_takes() -> None:
    worker = Worker(rotated(b"x" * 100, b"y" * 100, EPOCH, DAY))
    assert Tokens(worker).known_to(worker) == {True}
    assert StoredKeys(parse_keys(b"x" * 100).keys).root == b"x" * 64
