"""Every pair of state and input of the replica's state machine."""

from itertools import product
from typing import get_args

import pytest

from qipai.hall.cluster.replica_inputs import (
    Applied,
    ApplyFailed,
    CommandDeferred,
    CommitSettled,
    CommitUnknown,
    Disconnected,
    Effect,
    Forget,
    Hinted,
    HintKind,
    Inherited,
    ReadAnswered,
    ReadOutcome,
    ReadWanted,
    Reconnected,
    ReplicaInput,
    RetryDue,
    Unused,
)
from qipai.hall.cluster.replica_transitions import (
    FOLLOWING,
    FORGOTTEN,
    LISTED,
    OPENING,
    Applying,
    Failed,
    IllegalTransition,
    Reading,
    Reloading,
    ReplicaState,
    Settling,
    transition,
)

REQUEST = 7
NEW = 9
STATES: dict[str, ReplicaState] = {
    "listed": LISTED,
    "opening": OPENING,
    "following": FOLLOWING,
    "settling": Settling(subscribed=True),
    "settling first": Settling(subscribed=False),
    "reading": Reading(subscribed=True, request=REQUEST),
    "reading first": Reading(subscribed=False, request=REQUEST),
    "reloading": Reloading(subscribed=True, request=REQUEST),
    "applying": Applying(review=True),
    "failed": Failed(subscribed=True),
    "failed heir": Failed(subscribed=False, inherited=True),
    "forgotten": FORGOTTEN,
}
INPUTS: dict[str, ReplicaInput] = {
    "read": ReadWanted(writing=False),
    "read, writing": ReadWanted(writing=True),
    "command": CommandDeferred(writing=False),
    "command, writing": CommandDeferred(writing=True),
    "settled": CommitSettled(writing=False),
    "settled, writing": CommitSettled(writing=True),
    "unknown": CommitUnknown(),
    "exact": ReadAnswered(REQUEST, ReadOutcome.EXACT),
    "diverged": ReadAnswered(REQUEST, ReadOutcome.DIVERGED),
    "missing": ReadAnswered(REQUEST, ReadOutcome.MISSING),
    "unavailable": ReadAnswered(REQUEST, ReadOutcome.UNAVAILABLE),
    "stale": ReadAnswered(REQUEST - 1, ReadOutcome.EXACT),
    "old hint": Hinted(3, HintKind.OLD, writing=False),
    "next hint": Hinted(5, HintKind.NEXT, writing=False),
    "gap hint": Hinted(6, HintKind.GAP, writing=False),
    "hint, writing": Hinted(5, HintKind.NEXT, writing=True),
    "applied": Applied(4, writing=False),
    "applied, writing": Applied(4, writing=True),
    "apply failed": ApplyFailed(),
    "disconnected": Disconnected(),
    "reconnected": Reconnected(writing=False),
    "reconnected, writing": Reconnected(writing=True),
    "retry": RetryDue(writing=False),
    "inherited": Inherited(writing=False),
    "unused": Unused(),
    "forget": Forget(),
}
E = Effect
READ, READ_FIRST = Reading(True, NEW), Reading(False, NEW)
AFTER_COMMIT = (E.AWAIT_COMMIT,)

# What differs from "stays as it is, without effects". `None` means that the input cannot occur.
TABLE: dict[str, dict[str, tuple[ReplicaState, tuple[Effect, ...]] | None]] = {
    "listed": {
        "read": (READ_FIRST, (E.SUBSCRIBE,)),
        "read, writing": (Settling(False), AFTER_COMMIT),
        "command": (READ_FIRST, (E.SUBSCRIBE,)),
        "command, writing": (Settling(False), AFTER_COMMIT),
        "inherited": (Reading(False, NEW, 0, True), (E.SUBSCRIBE,)),
        "forget": (FORGOTTEN, (E.REFUSE,)),
    },
    "opening": {
        "read": (Settling(True), AFTER_COMMIT),
        "read, writing": (Settling(True), AFTER_COMMIT),
        "settled": (FOLLOWING, (E.RESUME,)),
        "settled, writing": (FOLLOWING, (E.RESUME,)),
        "unknown": (Failed(True), (E.RETRY,)),
        "old hint": (OPENING, (E.AWAIT_HINT,)),
        "next hint": (OPENING, (E.AWAIT_HINT,)),
        "gap hint": (OPENING, (E.AWAIT_HINT,)),
        "hint, writing": (OPENING, (E.AWAIT_HINT,)),
        "reconnected": (Settling(True), (E.AWAIT_COMMIT, E.ANNOUNCE)),
        "reconnected, writing": (Settling(True), (E.AWAIT_COMMIT, E.ANNOUNCE)),
        "forget": (FORGOTTEN, (E.UNSUBSCRIBE, E.REFUSE)),
    },
    "following": {
        "read": (READ, (E.SUBSCRIBE,)),
        "read, writing": (Settling(True), AFTER_COMMIT),
        "command": None,
        "command, writing": None,
        "unknown": (Failed(True), (E.RETRY,)),
        "next hint": (Applying(), (E.APPLY,)),
        "gap hint": (READ, (E.SUBSCRIBE,)),
        "hint, writing": (FOLLOWING, (E.AWAIT_HINT,)),
        "reconnected": (READ, (E.SUBSCRIBE, E.ANNOUNCE)),
        "reconnected, writing": (Settling(True), (E.AWAIT_COMMIT, E.ANNOUNCE)),
        "unused": (LISTED, (E.UNSUBSCRIBE, E.RELEASE)),
        "forget": (FORGOTTEN, (E.UNSUBSCRIBE, E.REFUSE)),
    },
    "settling": {
        "settled": (READ, (E.SUBSCRIBE,)),
        "disconnected": (Failed(True), (E.REFUSE,)),
        "reconnected": (Settling(True), (E.ANNOUNCE,)),
        "reconnected, writing": (Settling(True), (E.ANNOUNCE,)),
        "forget": (FORGOTTEN, (E.UNSUBSCRIBE, E.REFUSE)),
    },
    "settling first": {
        "settled": (READ_FIRST, (E.SUBSCRIBE,)),
        "disconnected": (LISTED, (E.REFUSE, E.UNSUBSCRIBE)),
        "reconnected": (Settling(False), (E.ANNOUNCE,)),
        "reconnected, writing": (Settling(False), (E.ANNOUNCE,)),
        "inherited": (Settling(False, True), ()),
        "forget": (FORGOTTEN, (E.UNSUBSCRIBE, E.REFUSE)),
    },
    "reading": {
        "exact": (Applying(review=True), (E.APPLY,)),
        "diverged": (Reloading(True, NEW), (E.RELOAD,)),
        "missing": None,
        "unavailable": (Failed(True), (E.REFUSE, E.RETRY)),
        "old hint": (Reading(True, REQUEST, 3), ()),
        "next hint": (Reading(True, REQUEST, 5), ()),
        "gap hint": (Reading(True, REQUEST, 6), ()),
        "hint, writing": (Reading(True, REQUEST, 5), ()),
        "disconnected": (Failed(True), (E.REFUSE,)),
        "reconnected": (READ, (E.SUBSCRIBE, E.ANNOUNCE)),
        "reconnected, writing": (Settling(True), (E.AWAIT_COMMIT, E.ANNOUNCE)),
        "forget": (FORGOTTEN, (E.UNSUBSCRIBE, E.REFUSE)),
    },
    "reading first": {
        "exact": (Applying(review=True), (E.APPLY,)),
        "diverged": (Reloading(True, NEW), (E.RELOAD,)),
        "missing": None,
        "unavailable": (LISTED, (E.REFUSE, E.UNSUBSCRIBE)),
        "old hint": (Reading(False, REQUEST, 3), ()),
        "next hint": (Reading(False, REQUEST, 5), ()),
        "gap hint": (Reading(False, REQUEST, 6), ()),
        "hint, writing": (Reading(False, REQUEST, 5), ()),
        "disconnected": (LISTED, (E.REFUSE, E.UNSUBSCRIBE)),
        "reconnected": (READ_FIRST, (E.SUBSCRIBE, E.ANNOUNCE)),
        "reconnected, writing": (Settling(False), (E.AWAIT_COMMIT, E.ANNOUNCE)),
        "inherited": (Reading(False, REQUEST, 0, True), ()),
        "forget": (FORGOTTEN, (E.UNSUBSCRIBE, E.REFUSE)),
    },
    "reloading": {
        "exact": (Applying(review=True), (E.APPLY,)),
        "diverged": None,
        "missing": (Applying(), (E.CLOSE,)),
        "unavailable": (Failed(True), (E.REFUSE, E.RETRY)),
        "old hint": (Reloading(True, REQUEST, 3), ()),
        "next hint": (Reloading(True, REQUEST, 5), ()),
        "gap hint": (Reloading(True, REQUEST, 6), ()),
        "hint, writing": (Reloading(True, REQUEST, 5), ()),
        "disconnected": (Failed(True), (E.REFUSE,)),
        "reconnected": (READ, (E.SUBSCRIBE, E.ANNOUNCE)),
        "reconnected, writing": (Settling(True), (E.AWAIT_COMMIT, E.ANNOUNCE)),
        "forget": (FORGOTTEN, (E.UNSUBSCRIBE, E.REFUSE)),
    },
    "applying": {
        "read": (Applying(review=True, reread=True), ()),
        "read, writing": (Applying(review=True, reread=True), ()),
        "old hint": (Applying(3, review=True), ()),
        "next hint": (Applying(5, review=True), ()),
        "gap hint": (Applying(6, review=True), ()),
        "hint, writing": (Applying(5, review=True), ()),
        "applied": (FOLLOWING, (E.RESUME, E.REVIEW)),
        "applied, writing": (Settling(True), AFTER_COMMIT),
        "apply failed": (Reloading(True, NEW), (E.RELOAD,)),
        "disconnected": None,
        "reconnected": None,
        "reconnected, writing": None,
        "forget": (FORGOTTEN, (E.UNSUBSCRIBE, E.REFUSE)),
    },
    "failed": {
        "read": (READ, (E.SUBSCRIBE,)),
        "read, writing": (Settling(True), AFTER_COMMIT),
        "command": (READ, (E.SUBSCRIBE,)),
        "command, writing": (Settling(True), AFTER_COMMIT),
        "next hint": (READ, (E.SUBSCRIBE,)),
        "gap hint": (READ, (E.SUBSCRIBE,)),
        "hint, writing": (Settling(True), AFTER_COMMIT),
        "reconnected": (READ, (E.SUBSCRIBE, E.ANNOUNCE)),
        "reconnected, writing": (Settling(True), (E.AWAIT_COMMIT, E.ANNOUNCE)),
        "retry": (READ, (E.SUBSCRIBE,)),
        "forget": (FORGOTTEN, (E.UNSUBSCRIBE, E.REFUSE)),
    },
    "failed heir": {
        "read": (Reading(False, NEW, 0, True), (E.SUBSCRIBE,)),
        "read, writing": (Settling(False, True), AFTER_COMMIT),
        "command": (Reading(False, NEW, 0, True), (E.SUBSCRIBE,)),
        "command, writing": (Settling(False, True), AFTER_COMMIT),
        "reconnected": (Reading(False, NEW, 0, True), (E.SUBSCRIBE, E.ANNOUNCE)),
        "reconnected, writing": (Settling(False, True), (E.AWAIT_COMMIT, E.ANNOUNCE)),
        "retry": (Reading(False, NEW, 0, True), (E.SUBSCRIBE,)),
        "inherited": (Reading(False, NEW, 0, True), (E.SUBSCRIBE,)),
        "forget": (FORGOTTEN, (E.REFUSE,)),
    },
    "forgotten": {},
}
APPLIES_ONLY = {"applied", "applied, writing", "apply failed"}


@pytest.mark.parametrize(("state", "given"), list(product(STATES, INPUTS)))
def test_every_state_answers_every_input_as_the_table_says(state: str, given: str) -> None:
    expected = TABLE[state].get(given, (STATES[state], ()))
    if given in APPLIES_ONLY and state not in {"applying", "forgotten"}:
        expected = None
    if expected is None:
        with pytest.raises(IllegalTransition):
            transition(STATES[state], INPUTS[given], NEW)
    else:
        assert transition(STATES[state], INPUTS[given], NEW) == expected


def test_the_table_covers_every_state_and_every_input() -> None:
    assert {type(state) for state in STATES.values()} == set(get_args(ReplicaState))
    assert {type(given) for given in INPUTS.values()} == set(get_args(ReplicaInput))
    assert set(TABLE) == set(STATES)
    assert all(set(row) <= set(INPUTS) for row in TABLE.values())


def test_a_hint_during_a_read_leads_to_another_read() -> None:
    state, _ = transition(Applying(hinted=5, inherited=True), Applied(4, writing=False), NEW)
    assert state == Reading(True, NEW, 0, True)
    assert transition(Applying(hinted=4), Applied(4, writing=False), NEW) == (FOLLOWING, (E.RESUME,))


def test_a_read_that_is_wanted_while_records_are_applied_follows_them() -> None:
    assert transition(Applying(reread=True), Applied(4, writing=False), NEW) == (READ, (E.SUBSCRIBE,))


def test_an_inheritance_survives_every_read_that_it_needs() -> None:
    applying = transition(Reading(False, REQUEST, 0, True), INPUTS["exact"], NEW)[0]
    assert applying == Applying(inherited=True, review=True)
    settling = transition(applying, Applied(4, writing=True), NEW)[0]
    assert settling == Settling(True, True)
    again = transition(settling, CommitSettled(writing=False), NEW)[0]
    assert again == Reading(True, NEW, 0, True)
    expected = (FOLLOWING, (E.RESUME, E.INHERIT, E.REVIEW))
    assert transition(applying, Applied(4, writing=False), NEW) == expected
