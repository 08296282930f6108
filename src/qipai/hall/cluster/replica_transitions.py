"""States of a replica (a room as one worker has it) and every transition between them; pure.

A worker holds exactly one state per room. `transition` is the only place that chooses the next one; the
caller executes the effects in order. docs/adr/0013 has the table of states and what each one permits.
"""

from typing import ClassVar, Final

from msgspec import Struct
from msgspec.structs import replace

from .replica_inputs import (
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

# States


class Listed(Struct, frozen=True):
    """Known by snapshots only: seats and phase are current, everything else may be old."""

    subscribed: ClassVar[bool] = False


class Opening(Struct, frozen=True):
    """Opened here; the store does not have the first record yet. Takes commands, and shows nothing."""

    subscribed: ClassVar[bool] = True


class Following(Struct, frozen=True):
    """Exact: every record arrives here. Takes commands."""

    subscribed: ClassVar[bool] = True


class Settling(Struct, frozen=True):
    """To be read, but commits of this worker are in flight: they are written or lost first."""

    subscribed: bool
    inherited: bool = False


class Reading(Struct, frozen=True):
    """A subscription with the missing records was requested; `hinted` is the newest version announced."""

    subscribed: bool
    request: int
    hinted: int = 0
    inherited: bool = False


class Reloading(Struct, frozen=True):
    """The stored history is another one than ours: the whole room was requested."""

    subscribed: bool
    request: int
    hinted: int = 0
    inherited: bool = False


class Applying(Struct, frozen=True):
    """Records of other workers are being applied; what they cause waits until all are."""

    subscribed: ClassVar[bool] = True
    hinted: int = 0
    inherited: bool = False
    review: bool = False
    """Whether presence and deadlines are reviewed afterwards: the replica was read, not only told."""
    reread: bool = False
    """Whether it was asked for another read meanwhile."""


class Failed(Struct, frozen=True):
    """The last read failed, or nobody knows whether the last commit was written. The next use reads again."""

    subscribed: bool
    inherited: bool = False


class Forgotten(Struct, frozen=True):
    """Closed or given up; this value never becomes live again."""

    subscribed: ClassVar[bool] = False


ReplicaState = Listed | Opening | Following | Settling | Reading | Reloading | Applying | Failed | Forgotten

LISTED: Final = Listed()
OPENING: Final = Opening()
FOLLOWING: Final = Following()
FORGOTTEN: Final = Forgotten()


class IllegalTransition(Exception):
    """An input that cannot occur in this state: the caller has a bug."""


Next = tuple[ReplicaState, tuple[Effect, ...]]
_NOTHING: Final[tuple[Effect, ...]] = ()


def transition(state: ReplicaState, given: ReplicaInput, request: int) -> Next:
    """Return the next state and the effects; `request` numbers a request that this may start."""
    if isinstance(state, Forgotten):
        return state, _NOTHING
    match given:
        case Forget():
            return _forget(state)
        case Disconnected():
            return _disconnect(state)
        case Reconnected(writing=writing):
            return _reconnect(state, writing=writing, request=request)
        case CommandDeferred(writing=writing):
            if isinstance(state, Following):
                raise IllegalTransition("a replica that follows takes commands")
            return (
                _start(state, writing, request) if isinstance(state, Listed | Failed) else (state, _NOTHING)
            )
        case RetryDue(writing=writing):
            return _start(state, writing, request) if isinstance(state, Failed) else (state, _NOTHING)
        case ReadWanted(writing=writing):
            return _want(state, writing=writing, request=request)
        case Inherited(writing=writing):
            return _inherit(state, writing=writing, request=request)
        case CommitSettled(writing=writing):
            if isinstance(state, Opening):
                return FOLLOWING, (Effect.RESUME,)
            settled = isinstance(state, Settling) and not writing
            return _start(state, writing, request) if settled else (state, _NOTHING)
        case CommitUnknown():
            if isinstance(state, Opening | Following):
                return Failed(subscribed=True), (Effect.RETRY,)
            return state, _NOTHING
        case Hinted():
            return _hint(state, given, request)
        case ReadAnswered():
            return _answer(state, given, request)
        case Applied():
            return _applied(state, given, request)
        case ApplyFailed():
            if not isinstance(state, Applying):
                raise IllegalTransition(f"{state} applies nothing")
            again = Reloading(True, request, state.hinted, state.inherited)
            return again, (Effect.RELOAD,)
        case Unused():
            if isinstance(state, Following):
                return LISTED, (Effect.UNSUBSCRIBE, Effect.RELEASE)
            return state, _NOTHING


def _start(state: ReplicaState, writing: bool, request: int, *, inherited: bool = False) -> Next:
    """Read the room, after the commits in flight."""
    inherited = inherited or getattr(state, "inherited", False)
    if writing or isinstance(state, Opening):
        return Settling(state.subscribed, inherited), (Effect.AWAIT_COMMIT,)
    return Reading(state.subscribed, request, 0, inherited), (Effect.SUBSCRIBE,)


def _want(state: ReplicaState, *, writing: bool, request: int) -> Next:
    match state:
        case Settling() | Reading() | Reloading():
            return state, _NOTHING
        case Applying():
            return replace(state, reread=True), _NOTHING
        case _:
            return _start(state, writing, request)


def _inherit(state: ReplicaState, *, writing: bool, request: int) -> Next:
    match state:
        case Listed():
            return _start(state, writing, request, inherited=True)
        case Failed(subscribed=False):
            return _start(state, writing, request, inherited=True)
        case Settling(subscribed=False) | Reading(subscribed=False) | Reloading(subscribed=False):
            return replace(state, inherited=True), _NOTHING
        case _:
            return state, _NOTHING


def _hint(state: ReplicaState, hint: Hinted, request: int) -> Next:
    match state:
        case Opening():
            return state, (Effect.AWAIT_HINT,)
        case Following():
            if hint.writing:
                return state, (Effect.AWAIT_HINT,)
            if hint.kind is HintKind.NEXT:
                return Applying(), (Effect.APPLY,)
            return _start(state, False, request) if hint.kind is HintKind.GAP else (state, _NOTHING)
        case Reading() | Reloading() | Applying():
            return replace(state, hinted=max(state.hinted, hint.version)), _NOTHING
        case Failed(subscribed=True):
            return (
                _start(state, hint.writing, request) if hint.kind is not HintKind.OLD else (state, _NOTHING)
            )
        case _:
            return state, _NOTHING


def _answer(state: ReplicaState, answer: ReadAnswered, request: int) -> Next:
    """Act on the answer to the present request; an earlier one says nothing any more."""
    if not isinstance(state, Reading | Reloading) or state.request != answer.request:
        return state, _NOTHING
    match answer.outcome:
        case ReadOutcome.EXACT:
            return Applying(state.hinted, state.inherited, review=True), (Effect.APPLY,)
        case ReadOutcome.DIVERGED if isinstance(state, Reading):
            return Reloading(True, request, state.hinted, state.inherited), (Effect.RELOAD,)
        case ReadOutcome.MISSING if isinstance(state, Reloading):
            return Applying(state.hinted, state.inherited), (Effect.CLOSE,)
        case ReadOutcome.UNAVAILABLE:
            return _failed(state.subscribed, state.inherited, Effect.RETRY)
        case _:
            raise IllegalTransition(f"{state} cannot be answered with {answer.outcome.name}")


def _applied(state: ReplicaState, done: Applied, request: int) -> Next:
    if not isinstance(state, Applying):
        raise IllegalTransition(f"{state} applies nothing")
    if done.writing:
        return Settling(True, state.inherited), (Effect.AWAIT_COMMIT,)
    if state.reread or state.hinted > done.version:
        # A hint arrived, by pub/sub, before the answer to a read that did not yet include it.
        return Reading(True, request, 0, state.inherited), (Effect.SUBSCRIBE,)
    effects = [Effect.RESUME]
    if state.inherited:
        effects.append(Effect.INHERIT)
    if state.review:
        effects.append(Effect.REVIEW)
    return FOLLOWING, tuple(effects)


def _failed(subscribed: bool, inherited: bool, *retry: Effect) -> Next:
    if subscribed or inherited:
        return Failed(subscribed, inherited), (Effect.REFUSE, *retry)
    # Only the deferred commands needed it. The store may have taken the subscription all the same.
    return LISTED, (Effect.REFUSE, Effect.UNSUBSCRIBE)


def _disconnect(state: ReplicaState) -> Next:
    match state:
        case Settling() | Reading() | Reloading():
            return _failed(state.subscribed, state.inherited)
        case Applying():
            raise IllegalTransition("records are applied in one turn of the event loop")
        case _:
            return state, _NOTHING


def _reconnect(state: ReplicaState, *, writing: bool, request: int) -> Next:
    match state:
        case Listed():
            return state, _NOTHING
        case Settling():
            return state, (Effect.ANNOUNCE,)
        case Applying():
            raise IllegalTransition("records are applied in one turn of the event loop")
        case _:
            # What was requested before is not answered any more, or too early.
            after, effects = _start(state, writing, request)
            return after, (*effects, Effect.ANNOUNCE)


def _forget(state: ReplicaState) -> Next:
    requested = isinstance(state, Settling | Reading | Reloading)
    leave = (Effect.UNSUBSCRIBE,) if state.subscribed or requested else _NOTHING
    return FORGOTTEN, (*leave, Effect.REFUSE)
