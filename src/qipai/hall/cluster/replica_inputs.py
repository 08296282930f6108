"""Inputs and effects of the state machine of a replica; `writing` means that a commit is in flight here."""

from enum import Enum, auto

from msgspec import Struct


class ReadWanted(Struct, frozen=True):
    """Something must rest on what the store has now: a lost race, a check of presence, an outage."""

    writing: bool


class CommandDeferred(Struct, frozen=True):
    """A command came that this state does not take; it waits for the next state that does."""

    writing: bool


class CommitSettled(Struct, frozen=True):
    """What was staged is written or lost."""

    writing: bool


class CommitUnknown(Struct, frozen=True):
    """Nobody knows whether a commit was written."""


class ReadOutcome(Enum):
    """What the answer to a read says."""

    EXACT = auto()
    """The records follow the version that we have."""
    DIVERGED = auto()
    """The store has another history."""
    MISSING = auto()
    """The store does not have the room."""
    UNAVAILABLE = auto()
    """There is no answer, or no room to act on it."""


class ReadAnswered(Struct, frozen=True):
    """The answer to the request with this number."""

    request: int
    outcome: ReadOutcome


class HintKind(Enum):
    """How records that another worker announces relate to our version."""

    OLD = auto()
    NEXT = auto()
    GAP = auto()


class Hinted(Struct, frozen=True):
    """Another worker wrote records up to this version."""

    version: int
    kind: HintKind
    writing: bool


class Applied(Struct, frozen=True):
    """All records were applied; the room has this version. `writing`: the end of an outage was staged."""

    version: int
    writing: bool


class ApplyFailed(Struct, frozen=True):
    """A record does not follow by the rules."""


class Disconnected(Struct, frozen=True):
    """The store is unreachable."""


class Reconnected(Struct, frozen=True):
    """The store is reachable again; anything may have happened."""

    writing: bool


class RetryDue(Struct, frozen=True):
    """The pause after a failure is over."""

    writing: bool


class Inherited(Struct, frozen=True):
    """No worker looked after the room; now this one does."""

    writing: bool


class Unused(Struct, frozen=True):
    """Only other workers have connections in the room."""


class Forget(Struct, frozen=True):
    """The room is closed here."""


ReplicaInput = (
    ReadWanted
    | CommandDeferred
    | CommitSettled
    | CommitUnknown
    | ReadAnswered
    | Hinted
    | Applied
    | ApplyFailed
    | Disconnected
    | Reconnected
    | RetryDue
    | Inherited
    | Unused
    | Forget
)


class Effect(Enum):
    """What the caller does after a transition, in the order given."""

    SUBSCRIBE = auto()
    """Request the subscription and the missing records, under the number of the new state."""
    RELOAD = auto()
    """Request the whole room, under the number of the new state."""
    AWAIT_COMMIT = auto()
    """Report `CommitSettled` once everything staged so far is written or lost."""
    AWAIT_HINT = auto()
    """Report the same hint once everything staged so far is written or lost."""
    APPLY = auto()
    """Apply what was read or announced, then report `Applied` or `ApplyFailed`."""
    CLOSE = auto()
    """Close the room: the store does not have it."""
    RESUME = auto()
    """Run the deferred commands."""
    REVIEW = auto()
    """Set deadlines and presence right after a read."""
    INHERIT = auto()
    """Start the grace period of every seat without a connection."""
    REFUSE = auto()
    """Refuse the deferred commands."""
    RETRY = auto()
    """Report `RetryDue` after a pause."""
    ANNOUNCE = auto()
    """Announce the members of this worker again."""
    UNSUBSCRIBE = auto()
    """Cancel the subscription."""
    RELEASE = auto()
    """Drop alarms and remote members: other workers look after the room."""
